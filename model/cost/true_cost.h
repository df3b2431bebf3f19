/* model/cost/true_cost.h: the forecast of a job's true cost.
 *
 *     coordination inefficiency factor  CIF = 1/E - 1
 *     true cost = (ideal hardware (1 + CIF) stretch + cloud fees) (1 + failed-run factor)
 *                 + fixed overhead + engineering overhead
 *
 * A forecast knows only the ideal work, so inefficiency is a factor here. The bill of a finished
 * job already contains it; sql/ splits that bill in decimals (docs/allocation.md, Components of an
 * attempt).
 *
 * stretch models interruptions (cost_curve.h). Its states (preemptions, node failures) are then
 * removed from the failed-run factor, so that they count once.
 *
 * Amounts are estimates in one currency, as binary numbers. Nothing here is ever booked.
 */
#ifndef KSTAR_MODEL_COST_TRUE_COST_H
#define KSTAR_MODEL_COST_TRUE_COST_H

#include <stdbool.h>

struct forecast_input {
    double ideal_hardware;      /* >= 0: node-hours at E = 1, times price */
    double inefficiency_factor; /* CIF > -1; negative if E > 1 */
    double cloud_fees;          /* storage, network, managed services, licences */
    double stretch;             /* >= 1: interruption_stretch(); 0 or 1: not applied */
    double failed_run_factor;   /* >= 0: failed cost / productive cost */
    /* 0 .. failed_run_factor: the part that the stretch models; read only if stretch > 1 */
    double modelled_by_stretch;
    double fixed_overhead;
    double engineering_overhead;
};

/* useful + coordination + interruption + fees + failed + fixed + engineering = total, exactly. */
struct forecast_parts {
    double useful_compute;     /* ideal hardware */
    double coordination_waste; /* ideal hardware x CIF */
    double interruption;       /* ideal hardware (1 + CIF) (stretch - 1) */
    double cloud_fees;
    double failed_runs; /* (hardware + fees) x effective failed-run factor */
    double fixed_overhead;
    double engineering_overhead;
    double total;
};

/* CIF of an efficiency E > 0; NaN otherwise. */
double coordination_inefficiency_factor(double efficiency);

/* The failed-run factor that is left beside a stretch. */
double effective_failed_run_factor(const struct forecast_input *input);

/* False, with zero parts, if a number is not finite or out of its range. */
bool true_cost_forecast(const struct forecast_input *input, struct forecast_parts *parts);

#endif
