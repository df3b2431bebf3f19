/* model/cost/true_cost.c: see true_cost.h. */
#include "model/cost/true_cost.h"

#include <math.h>
#include <string.h>

double coordination_inefficiency_factor(double efficiency)
{
    return efficiency > 0 && isfinite(efficiency) ? 1 / efficiency - 1 : NAN;
}

static bool stretched(const struct forecast_input *input)
{
    return input->stretch > 1;
}

double effective_failed_run_factor(const struct forecast_input *input)
{
    return input->failed_run_factor - (stretched(input) ? input->modelled_by_stretch : 0);
}

static bool in_range(const struct forecast_input *input)
{
    return isfinite(input->ideal_hardware) && input->ideal_hardware >= 0 &&
           isfinite(input->inefficiency_factor) && input->inefficiency_factor > -1 &&
           isfinite(input->cloud_fees) && isfinite(input->stretch) &&
           (input->stretch == 0 || input->stretch >= 1) && isfinite(input->failed_run_factor) &&
           input->failed_run_factor >= 0 && input->modelled_by_stretch >= 0 &&
           input->modelled_by_stretch <= input->failed_run_factor && isfinite(input->fixed_overhead) &&
           isfinite(input->engineering_overhead);
}

bool true_cost_forecast(const struct forecast_input *input, struct forecast_parts *parts)
{
    memset(parts, 0, sizeof *parts);
    if (!in_range(input))
        return false;
    double hardware = input->ideal_hardware * (1 + input->inefficiency_factor);
    parts->useful_compute = input->ideal_hardware;
    parts->coordination_waste = input->ideal_hardware * input->inefficiency_factor;
    parts->interruption = stretched(input) ? hardware * (input->stretch - 1) : 0;
    parts->cloud_fees = input->cloud_fees;
    parts->failed_runs =
        (hardware + parts->interruption + input->cloud_fees) * effective_failed_run_factor(input);
    parts->fixed_overhead = input->fixed_overhead;
    parts->engineering_overhead = input->engineering_overhead;
    parts->total = parts->useful_compute + parts->coordination_waste + parts->interruption +
                   parts->cloud_fees + parts->failed_runs + parts->fixed_overhead +
                   parts->engineering_overhead;
    return true;
}
