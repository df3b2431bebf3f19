/* model/forecast/forecast_bridge.c: see forecast_bridge.h. */
#include "model/forecast/forecast_bridge.h"

#include <stdlib.h>

static const char *const lever_names[FORECAST_LEVERS] = {
    [LEVER_GROWTH] = "growth",
    [LEVER_NODE_POLICY] = "node_policy",
    [LEVER_PENALTIES] = "efficiency_penalties",
    [LEVER_PRICES] = "prices",
    [LEVER_ELASTIC] = "elastic_saving",
    [LEVER_SPOT] = "spot",
    [LEVER_COMMITMENT] = "commitment",
    [LEVER_FAILED_RUNS] = "failed_run_factor",
    [LEVER_OVERHEADS] = "overheads",
    [LEVER_PEOPLE] = "people",
    [LEVER_TRAININGS] = "trainings",
    [LEVER_CONTINGENCY] = "contingency",
};

const char *forecast_lever_name(enum forecast_lever lever)
{
    return lever_names[lever];
}

static const char *const lever_titles[FORECAST_LEVERS] = {
    [LEVER_GROWTH] = "growth of the work",      [LEVER_NODE_POLICY] = "node counts",
    [LEVER_PENALTIES] = "lower efficiency",     [LEVER_PRICES] = "changed prices",
    [LEVER_ELASTIC] = "nodes given back early", [LEVER_SPOT] = "work on spot capacity",
    [LEVER_COMMITMENT] = "commitments",         [LEVER_FAILED_RUNS] = "failed runs",
    [LEVER_OVERHEADS] = "other overhead",       [LEVER_PEOPLE] = "people",
    [LEVER_TRAININGS] = "planned trainings",    [LEVER_CONTINGENCY] = "contingency",
};

static const char *const policy_titles[] = {
    [POLICY_AS_IS] = "node counts as they are",
    [POLICY_K_STAR] = "every job at its K*",
    [POLICY_CAP] = "no job above the cap",
    [POLICY_POWERS_OF_TWO] = "powers of two nodes",
};

const char *forecast_lever_title(enum forecast_lever lever, enum scenario_policy policy)
{
    return lever == LEVER_NODE_POLICY ? policy_titles[policy] : lever_titles[lever];
}

/* A forecast with the levers up to a point: a scenario that borrows the lists of the complete
 * one. */
struct bridge {
    const struct forecast *whole;
    struct scenario scenario;
    struct forecast_cell *cells;
    struct forecast forecast;
};

static void put_on(struct bridge *bridge, enum forecast_lever lever)
{
    const struct scenario *all = bridge->whole->scenario;
    struct scenario *on = &bridge->scenario;
    size_t cells = bridge->whole->cell_count;
    switch (lever) {
    case LEVER_GROWTH:
        on->growth = all->growth;
        on->growth_count = all->growth_count;
        break;
    case LEVER_NODE_POLICY:
        for (size_t i = 0; i < cells; i++) {
            bridge->cells[i].policy_hours = bridge->whole->cells[i].policy_hours;
            bridge->cells[i].policy_wall = bridge->whole->cells[i].policy_wall;
        }
        break;
    case LEVER_PENALTIES:
        on->penalties = all->penalties;
        on->penalty_count = all->penalty_count;
        break;
    case LEVER_PRICES:
        on->prices = all->prices;
        on->price_count = all->price_count;
        break;
    case LEVER_ELASTIC:
        on->elastic_saving = all->elastic_saving;
        break;
    case LEVER_SPOT:
        on->spot = all->spot;
        for (size_t i = 0; i < cells; i++)
            bridge->cells[i].spot_stretch = bridge->whole->cells[i].spot_stretch;
        break;
    case LEVER_COMMITMENT:
        on->commitment = all->commitment;
        break;
    case LEVER_FAILED_RUNS:
        on->failed_run_factor = all->failed_run_factor;
        break;
    case LEVER_OVERHEADS:
        on->fixed = all->fixed;
        on->engineering = all->engineering;
        break;
    case LEVER_PEOPLE:
        on->people = all->people;
        on->people_count = all->people_count;
        break;
    case LEVER_TRAININGS:
        bridge->forecast.trainings = bridge->whole->trainings;
        bridge->forecast.training_count = bridge->whole->training_count;
        break;
    case LEVER_CONTINGENCY:
        on->contingency = all->contingency;
        break;
    case FORECAST_LEVERS:
        break;
    }
}

static struct forecast_stage stage_of(const struct forecast *forecast, unsigned months, double *parts)
{
    struct forecast_stage stage = { 0 };
    size_t leaves = forecast_leaves(forecast), after = leaves - forecast->training_count;
    for (unsigned month = 1; month <= months; month++) {
        forecast_month(forecast, month, NULL, parts);
        for (size_t i = 0; i < leaves * FORECAST_COMPONENTS; i++) {
            size_t leaf = i / FORECAST_COMPONENTS;
            stage.total += parts[i];
            stage.freed += leaf >= after - forecast->floor_count && leaf < after ? parts[i] : 0;
        }
    }
    return stage;
}

void forecast_bridge(const struct forecast *forecast, unsigned months,
                     struct forecast_stage stages[FORECAST_LEVERS + 1])
{
    size_t cells = forecast->cell_count;
    struct bridge bridge = { .whole = forecast, .forecast = *forecast };
    double *parts = malloc(forecast_leaves(forecast) * FORECAST_COMPONENTS * sizeof *parts);
    bridge.cells = malloc(cells * sizeof *bridge.cells + 1);
    scenario_start(&bridge.scenario);
    for (size_t i = 0; i < cells; i++) {
        bridge.cells[i] = forecast->cells[i];
        bridge.cells[i].policy_hours = bridge.cells[i].policy_wall = bridge.cells[i].spot_stretch = 1;
    }
    bridge.forecast.scenario = &bridge.scenario;
    bridge.forecast.cells = bridge.cells;
    bridge.forecast.training_count = 0;
    stages[0] = stage_of(&bridge.forecast, months, parts);
    for (int lever = 0; lever < FORECAST_LEVERS; lever++) {
        put_on(&bridge, (enum forecast_lever)lever);
        stages[lever + 1] = stage_of(&bridge.forecast, months, parts);
    }
    free(parts);
    free(bridge.cells);
}
