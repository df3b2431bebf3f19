/* model/forecast/forecast.c: see forecast.h. */
#include "model/forecast/forecast.h"

#include "model/forecast/forecast_price.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const component_names[FORECAST_COMPONENTS] = {
    [FORECAST_USEFUL] = "useful_compute",
    [FORECAST_COORDINATION] = "coordination_waste",
    [FORECAST_UNMEASURED] = "unmeasured_hardware",
    [FORECAST_INTERRUPTION] = "interruptions",
    [FORECAST_FAILED] = "failed_runs",
    [FORECAST_CANCELLED] = "cancelled",
    [FORECAST_FEES] = "cloud_fees",
    [FORECAST_FIXED] = "fixed_overhead",
    [FORECAST_ENGINEERING] = "engineering_overhead",
    [FORECAST_IDLE] = "idle_and_unused",
    [FORECAST_SHARED] = "shared_services",
    [FORECAST_DIRECT] = "direct_cost",
    [FORECAST_TAX] = "tax",
    [FORECAST_CREDITS] = "credits",
    [FORECAST_UNALLOCATED] = "unallocated",
    [FORECAST_UNUSED] = "unused_commitments",
    [FORECAST_FREED] = "freed_capacity",
    [FORECAST_CONTINGENCY] = "contingency",
};

static const struct forecast_shock FORECAST_NO_SHOCK = { 1, 1, 1, 1 };

const char *forecast_component_name(enum forecast_component component)
{
    return component_names[component];
}

/* ---- drivers ---- */

/* Fits the monthly series of one fact, at `offset` in struct forecast_facts. */
static void fit_facts(const struct forecast_cell *cell, size_t count, size_t offset, struct damped_trend *fit)
{
    double values[FORECAST_MONTHS * 2 + 1];
    size_t most = sizeof values / sizeof values[0], first = count > most ? count - most : 0;
    for (size_t i = first; i < count; i++)
        values[i - first] = *(const double *)((const char *)&cell->months[i] + offset);
    damped_trend_fit(values, count - first, fit);
}

/* Fits the price of each month with priced hours. Months without priced hours have no price and
 * are skipped. */
static void fit_price(const struct forecast_cell *cell, size_t count, struct damped_trend *fit)
{
    double values[FORECAST_MONTHS * 2 + 1];
    size_t most = sizeof values / sizeof values[0], first = count > most ? count - most : 0, used = 0;
    bool has_gaps = false;
    for (size_t i = first; i < count; i++) {
        if (cell->months[i].node_hours > 0)
            values[used++] = cell->months[i].hardware / cell->months[i].node_hours;
        else
            has_gaps = has_gaps || used > 0;
    }
    if (has_gaps)
        damped_trend_fit_with_gaps(values, used, fit);
    else
        damped_trend_fit(values, used, fit);
}

static double ratio(double part, double whole, double otherwise)
{
    return whole > 0 ? part / whole : otherwise;
}

void forecast_fit_cell(const struct forecast_cell *cell, size_t count, struct forecast_drivers *drivers)
{
    struct forecast_facts sum = { 0 };
    size_t trailing = count < FORECAST_TRAILING ? count : FORECAST_TRAILING;
    for (size_t i = count - trailing; i < count; i++) {
        const struct forecast_facts *month = &cell->months[i];
        sum.ideal_node_hours += month->ideal_node_hours;
        sum.unmeasured_node_hours += month->unmeasured_node_hours;
        sum.node_hours += month->node_hours;
        sum.hardware += month->hardware;
        sum.fees += month->fees;
        sum.failed += month->failed;
        sum.failed_interrupted += month->failed_interrupted;
        sum.cancelled += month->cancelled;
        sum.fixed += month->fixed;
        sum.fixed_by_node_hours += month->fixed_by_node_hours;
        sum.failed_attempts += month->failed_attempts;
    }
    /* factors need work and its cost; without work, the money itself is continued */
    bool worked = sum.ideal_node_hours > 0;
    double productive = worked ? fmax(sum.hardware + sum.fees, 0) : 0;
    double month = trailing > 0 ? 1 / (double)trailing : 0;
    *drivers = (struct forecast_drivers){
        .efficiency = sum.ideal_node_hours > 0 ? ratio(sum.ideal_node_hours, sum.node_hours, 1) : 1,
        .unmeasured_share = ratio(sum.unmeasured_node_hours, sum.ideal_node_hours, 0),
        .fees_per_node_hour = ratio(sum.fees, sum.node_hours, 0),
        .failed_factor = ratio(sum.failed, productive, 0),
        .interrupted_factor = ratio(sum.failed_interrupted, productive, 0),
        .cancelled_factor = ratio(sum.cancelled, productive, 0),
        .fixed_by_node_hours = ratio(sum.fixed_by_node_hours, sum.fixed, 0),
        .recent_work = trailing > 0 ? sum.ideal_node_hours / (double)trailing : 0,
        .failed_attempts = sum.failed_attempts,
        .hardware_alone = worked ? 0 : sum.hardware * month,
        .fees_alone = worked ? 0 : sum.fees * month,
        .failed_alone = productive > 0 ? 0 : sum.failed * month,
        .cancelled_alone = productive > 0 ? 0 : sum.cancelled * month,
    };
    fit_facts(cell, count, offsetof(struct forecast_facts, ideal_node_hours), &drivers->work);
    fit_facts(cell, count, offsetof(struct forecast_facts, fixed), &drivers->fixed);
    fit_facts(cell, count, offsetof(struct forecast_facts, engineering), &drivers->engineering);
    for (size_t i = 0; i < FORECAST_WITHOUT_JOB; i++)
        fit_facts(cell, count, offsetof(struct forecast_facts, without_job) + i * sizeof(double),
                  &drivers->without_job[i]);
    fit_price(cell, count, &drivers->price);
}

/* ---- levers ---- */

static double work_carried_on(const struct forecast_drivers *drivers, unsigned ahead)
{
    return fmax(damped_trend_at(&drivers->work, ahead), 0);
}

double forecast_work(const struct forecast *forecast, size_t cell, unsigned ahead)
{
    const struct forecast_cell *of = &forecast->cells[cell];
    const struct forecast_drivers *drivers = &forecast->drivers[cell];
    const struct scenario_growth *growth =
        scenario_growth_of(forecast->scenario, of->cost_centre, of->family);
    return growth != NULL ? fmax(drivers->recent_work * pow(1 + growth->monthly, ahead), 0)
                          : work_carried_on(drivers, ahead);
}

/* The share of a cell's hours that the scenario moves to spot. It applies to the hours not on
 * spot already. */
static double moved_to_spot(const struct scenario *scenario, const struct forecast_cell *cell)
{
    return scenario->spot.share * (1 - cell->bought_on_spot);
}

/* A cell's month before commitments: hours and their cost. */
static struct forecast_cell_month cell_month_of(const struct forecast *forecast, size_t cell, unsigned ahead,
                                                const struct forecast_shock *shock)
{
    const struct scenario *scenario = forecast->scenario;
    const struct forecast_cell *of = &forecast->cells[cell];
    const struct forecast_drivers *drivers = &forecast->drivers[cell];
    double left = scenario_efficiency_left(scenario, of->cost_centre, of->family);
    struct forecast_cell_month month = { .work = forecast_work(forecast, cell, ahead) * shock->work };
    month.hours = month.work / drivers->efficiency * of->policy_hours / left * shock->hours;
    month.price =
        fmax(damped_trend_at(&drivers->price, ahead), 0) * shock->price *
        forecast_price_factor(scenario, of->purchases, of->purchase_count, forecast->first + (int)ahead - 1);
    month.on_demand_hours = month.hours * (1 - moved_to_spot(scenario, of)) * (1 - scenario->elastic_saving);
    return month;
}

double forecast_hours(const struct forecast *forecast, size_t cell, unsigned ahead)
{
    return cell_month_of(forecast, cell, ahead, &FORECAST_NO_SHOCK).hours;
}

/* The price per node-hour, if a commitment covers the share `covered` of the paid on-demand
 * hours. */
static double paid_price(const struct scenario *scenario, const struct forecast_cell *cell, double price,
                         double covered)
{
    double on_spot = moved_to_spot(scenario, cell);
    return price * (1 - scenario->elastic_saving) *
           ((1 - on_spot) * (1 - covered * scenario->commitment.discount) +
            on_spot * scenario->spot.price_fraction);
}

/* The hardware cost of the work that is repeated because of interruptions. */
static double interruption_cost(const struct scenario *scenario, const struct forecast_cell *cell,
                                const struct forecast_cell_month *month)
{
    return month->hours * moved_to_spot(scenario, cell) * month->price * (1 - scenario->elastic_saving) *
           scenario->spot.price_fraction * (cell->spot_stretch - 1);
}

/* Prices the cell, if a commitment covers the share `covered` of the on-demand hours. */
static void price_cell(const struct forecast *forecast, size_t cell, double covered,
                       struct forecast_cell_month *month)
{
    const struct scenario *scenario = forecast->scenario;
    const struct forecast_drivers *drivers = &forecast->drivers[cell];
    const struct forecast_cell *of = &forecast->cells[cell];
    bool stretched = of->spot_stretch > 1;
    double modelled = stretched ? moved_to_spot(scenario, of) * drivers->interrupted_factor : 0;
    month->failed_factor =
        isnan(scenario->failed_run_factor) ? drivers->failed_factor - modelled : scenario->failed_run_factor;
    month->paid = paid_price(scenario, of, month->price, covered);
    month->productive = month->hours * month->paid + interruption_cost(scenario, of, month) +
                        month->hours * drivers->fees_per_node_hour;
}

/* Hardware cost before changes of prices, for floors. `covered` is the covered share of
 * on-demand hours. */
static void split_hardware(const struct forecast *forecast, size_t cell, unsigned ahead,
                           const struct forecast_shock *shock, double covered,
                           struct forecast_cell_month *month)
{
    const struct forecast_drivers *drivers = &forecast->drivers[cell];
    double price = fmax(damped_trend_at(&drivers->price, ahead), 0) * shock->price;
    double hours = work_carried_on(drivers, ahead) * shock->work / drivers->efficiency;
    double failed = drivers->failed_factor * shock->failures, cancelled = drivers->cancelled_factor;
    month->carried_on = hours * price * (1 + failed + cancelled);
    month->not_on_spot = month->on_demand_hours * price *
                         (1 - covered * forecast->scenario->commitment.discount) *
                         (1 + month->failed_factor * shock->failures + cancelled);
}

static void cost_cell(const struct forecast *forecast, size_t cell, unsigned ahead,
                      const struct forecast_shock *shock, const struct forecast_cell_month *month,
                      double *parts)
{
    const struct scenario *scenario = forecast->scenario;
    const struct forecast_cell *of = &forecast->cells[cell];
    const struct forecast_drivers *drivers = &forecast->drivers[cell];
    double price = month->paid, productive = month->productive;
    double ideal = month->work * price;
    double moved = drivers->fixed_by_node_hours * of->policy_hours +
                   (1 - drivers->fixed_by_node_hours) * of->policy_wall;
    parts[FORECAST_UNMEASURED] = ideal * drivers->unmeasured_share;
    parts[FORECAST_USEFUL] = ideal - parts[FORECAST_UNMEASURED];
    parts[FORECAST_UNMEASURED] += drivers->hardware_alone;
    parts[FORECAST_COORDINATION] = month->hours * price - ideal;
    parts[FORECAST_INTERRUPTION] = interruption_cost(scenario, of, month);
    parts[FORECAST_FEES] = month->hours * drivers->fees_per_node_hour + drivers->fees_alone;
    parts[FORECAST_FAILED] = (productive * month->failed_factor + drivers->failed_alone) * shock->failures;
    parts[FORECAST_CANCELLED] = productive * drivers->cancelled_factor + drivers->cancelled_alone;
    parts[FORECAST_FIXED] = damped_trend_at(&drivers->fixed, ahead) * scenario->fixed.factor * moved;
    parts[FORECAST_ENGINEERING] =
        damped_trend_at(&drivers->engineering, ahead) * scenario->engineering.factor;
    for (int i = 0; i < FORECAST_WITHOUT_JOB; i++)
        parts[FORECAST_IDLE + i] = damped_trend_at(&drivers->without_job[i], ahead);
}

/* The monthly node-hours on which the commitment is based: those of the trailing months. */
static double recent_hours(const struct forecast_drivers *drivers)
{
    return drivers->recent_work / drivers->efficiency;
}

/* Adds the added overheads, which have no cost centre, and people, who have one. */
static void cost_added(const struct forecast *forecast, unsigned ahead, double *company, double *people)
{
    const struct scenario *scenario = forecast->scenario;
    company[FORECAST_FIXED] = scenario->fixed.plus_per_month * forecast->minor_per_unit;
    company[FORECAST_ENGINEERING] = scenario->engineering.plus_per_month * forecast->minor_per_unit;
    for (size_t i = 0; i < scenario->people_count; i++) {
        const struct scenario_people *group = &scenario->people[i];
        if (group->from <= forecast->first + (int)ahead - 1)
            people[i * FORECAST_COMPONENTS + FORECAST_ENGINEERING] =
                group->count * group->annual_cost / 12 * group->share * forecast->minor_per_unit;
    }
}

static void cost_training(const struct forecast_training *training, unsigned ahead,
                          const struct forecast_shock *shock, double *parts)
{
    if (training->ahead != ahead)
        return;
    memcpy(parts, training->parts, sizeof training->parts);
    double hardware = parts[FORECAST_USEFUL] + parts[FORECAST_COORDINATION];
    parts[FORECAST_USEFUL] *= shock->price;
    parts[FORECAST_COORDINATION] = hardware * shock->hours * shock->price - parts[FORECAST_USEFUL];
    parts[FORECAST_INTERRUPTION] *= shock->hours * shock->price;
    parts[FORECAST_FAILED] *= shock->hours * shock->price * shock->failures;
    parts[FORECAST_FIXED] *= shock->hours;
}

static void add_contingency(double share, double *parts)
{
    double sum = 0;
    for (int component = 0; component < FORECAST_CONTINGENCY; component++)
        sum += parts[component];
    parts[FORECAST_CONTINGENCY] = share * sum;
}

size_t forecast_leaves(const struct forecast *forecast)
{
    return forecast->cell_count + 1 + forecast->scenario->people_count + forecast->floor_count +
           forecast->training_count;
}

static void commit(const struct forecast *forecast, unsigned ahead, const struct forecast_shock *shocks,
                   struct forecast_commitment *commitment)
{
    const struct scenario_commitment *made = &forecast->scenario->commitment;
    double hours = 0, money = 0, hours_before = 0, money_before = 0;
    *commitment = (struct forecast_commitment){ 0 };
    for (size_t i = 0; i < forecast->cell_count; i++) {
        struct forecast_cell_month month =
            cell_month_of(forecast, i, ahead, shocks ? &shocks[i] : &FORECAST_NO_SHOCK);
        commitment->hours += month.on_demand_hours;
        hours += month.hours;
        money += month.hours * month.price;
        hours_before += recent_hours(&forecast->drivers[i]);
        money_before += recent_hours(&forecast->drivers[i]) * month.price;
    }
    commitment->committed = hours_before * made->coverage;
    commitment->used = fmin(commitment->committed, commitment->hours);
    commitment->covered = ratio(commitment->used, commitment->hours, 0);
    commitment->price = ratio(money, hours, ratio(money_before, hours_before, 0));
    commitment->unused_cost =
        (commitment->committed - commitment->used) * commitment->price * (1 - made->discount);
}

void forecast_commitment(const struct forecast *forecast, unsigned ahead,
                         struct forecast_commitment *commitment)
{
    commit(forecast, ahead, NULL, commitment);
}

void forecast_cell_month(const struct forecast *forecast, size_t cell, unsigned ahead,
                         const struct forecast_commitment *commitment, struct forecast_cell_month *month)
{
    *month = cell_month_of(forecast, cell, ahead, &FORECAST_NO_SHOCK);
    price_cell(forecast, cell, commitment->covered, month);
    split_hardware(forecast, cell, ahead, &FORECAST_NO_SHOCK, commitment->covered, month);
}

void forecast_month(const struct forecast *forecast, unsigned ahead, const struct forecast_shock *shocks,
                    double *parts)
{
    const struct scenario *scenario = forecast->scenario;
    size_t cells = forecast->cell_count, leaves = forecast_leaves(forecast);
    struct forecast_floor_month *floors = calloc(forecast->floor_count + 1, sizeof *floors);
    struct forecast_commitment commitment;
    memset(parts, 0, leaves * FORECAST_COMPONENTS * sizeof *parts);
    commit(forecast, ahead, shocks, &commitment);
    for (size_t i = 0; i < cells; i++) {
        const struct forecast_shock *shock = shocks ? &shocks[i] : &FORECAST_NO_SHOCK;
        struct forecast_cell_month month = cell_month_of(forecast, i, ahead, shock);
        price_cell(forecast, i, commitment.covered, &month);
        cost_cell(forecast, i, ahead, shock, &month, &parts[i * FORECAST_COMPONENTS]);
        if (forecast->floor_count > 0) {
            split_hardware(forecast, i, ahead, shock, commitment.covered, &month);
            forecast_floors_add(forecast, i, ahead, &month, floors);
        }
    }
    forecast_floors_end(forecast, floors);
    double *company = &parts[cells * FORECAST_COMPONENTS];
    double *people = company + FORECAST_COMPONENTS;
    double *freed = people + scenario->people_count * FORECAST_COMPONENTS;
    double *trainings = freed + forecast->floor_count * FORECAST_COMPONENTS;
    cost_added(forecast, ahead, company, people);
    company[FORECAST_UNUSED] = commitment.unused_cost;
    for (size_t i = 0; i < forecast->floor_count; i++)
        freed[i * FORECAST_COMPONENTS + FORECAST_FREED] = floors[i].freed;
    for (size_t i = 0; i < forecast->training_count; i++)
        cost_training(&forecast->trainings[i], ahead, shocks ? &shocks[cells + i] : &FORECAST_NO_SHOCK,
                      trainings + i * FORECAST_COMPONENTS);
    for (size_t i = 0; i < leaves; i++)
        add_contingency(scenario->contingency, &parts[i * FORECAST_COMPONENTS]);
    free(floors);
}

void forecast_floors(const struct forecast *forecast, unsigned ahead, struct forecast_floor_month *floors)
{
    struct forecast_commitment commitment;
    memset(floors, 0, forecast->floor_count * sizeof *floors);
    forecast_commitment(forecast, ahead, &commitment);
    for (size_t i = 0; i < forecast->cell_count; i++) {
        struct forecast_cell_month month;
        forecast_cell_month(forecast, i, ahead, &commitment, &month);
        forecast_floors_add(forecast, i, ahead, &month, floors);
    }
    forecast_floors_end(forecast, floors);
}
