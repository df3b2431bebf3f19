/* model/forecast/scenario.h: what a budget scenario changes, as plain values. docs/scenarios.md is
 * the manual of the file that they come from; forecast/scenario_file.h reads it.
 *
 * All zero but for scenario_start() is the base: history goes on as it is.
 */
#ifndef KSTAR_MODEL_FORECAST_SCENARIO_H
#define KSTAR_MODEL_FORECAST_SCENARIO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Calendar months as one number: year x 12 + month - 1. 0: not given. */
typedef int scenario_month;

/* Which jobs: NULL is any. */
struct scenario_jobs {
    char *cost_centre, *family;
};

/* Work grows by `monthly` (0.05: 5 % a month) from its recent level, instead of its trend. */
struct scenario_growth {
    struct scenario_jobs jobs;
    double monthly;
};

/* Prices of hardware change by `change` (0.1: 10 % dearer) from a month on. NULL is any. */
struct scenario_price {
    char *provider, *sku, *purchase, *currency; /* purchase: "on demand", "spot", "committed" */
    double change;
    scenario_month from;
};

enum scenario_k { SCENARIO_K_STAR, SCENARIO_K_GIVEN, SCENARIO_K_DEADLINE };

struct scenario_training {
    char *name, *cost_centre, *family;
    double ideal_node_hours; /* at E = 1; 0: from tokens */
    double tokens, tokens_per_node_hour;
    double k;              /* 0: K*, or by the deadline */
    double deadline_hours; /* 0: none */
    double runs;           /* how many successful runs; 0: one */
    double fees;           /* of one run, in currency */
    bool spot;
    scenario_month month;
};

/* People who come (count above 0) or go. */
struct scenario_people {
    char *cost_centre;
    double count;
    double annual_cost; /* loaded, in currency */
    double share;       /* of their time: 0 .. 1 */
    scenario_month from;
};

/* E of such jobs is lower by this share: another region, a slower interconnect. */
struct scenario_penalty {
    struct scenario_jobs jobs;
    double penalty; /* 0 <= penalty < 1 */
};

/* share of the node-hours that runs on spot capacity at price_fraction of its price. */
struct scenario_spot {
    double share, price_fraction;
    double preemptions_per_node_hour, checkpoint_hours, restart_hours;
};

/* Node-hours that are bought ahead: coverage x the base's monthly node-hours, used or not. */
struct scenario_commitment {
    double coverage, discount;
};

enum scenario_policy { POLICY_AS_IS, POLICY_K_STAR, POLICY_CAP, POLICY_POWERS_OF_TWO };

/* x factor, + plus_per_month in currency. */
struct scenario_overhead {
    double factor, plus_per_month;
};

/* Relative standard deviations: of a month's growth and price, of failures and of fitted
 * efficiency; NaN: as measured. */
struct scenario_uncertainty {
    double growth, price, failures, fit;
    double seed, draws;
};

struct scenario {
    char *name, *description;
    scenario_month base_from, base_to; /* window of history; 0: all there is */
    struct scenario_growth *growth;
    size_t growth_count;
    struct scenario_training *trainings;
    size_t training_count;
    struct scenario_price *prices;
    size_t price_count;
    struct scenario_people *people;
    size_t people_count;
    struct scenario_penalty *penalties;
    size_t penalty_count;
    struct scenario_spot spot;
    struct scenario_commitment commitment;
    enum scenario_policy policy;
    double policy_cap;
    double failed_run_factor; /* NaN: as measured */
    struct scenario_overhead fixed, engineering;
    double elastic_saving; /* share of hardware that is given back while it is not needed */
    double contingency;    /* reserve: share of everything */
    struct scenario_uncertainty uncertainty;
};

/* The base: nothing changes, 1,000 draws of seed 1. */
void scenario_start(struct scenario *scenario);
void scenario_free(struct scenario *scenario);

/* Whether jobs of a cost centre and family are among those meant. */
bool scenario_jobs_match(const struct scenario_jobs *jobs, const char *cost_centre, const char *family);

/* The growth of such jobs, the last entry that matches; NULL: the trend's. */
const struct scenario_growth *scenario_growth_of(const struct scenario *scenario, const char *cost_centre,
                                                 const char *family);

/* What is left of E of such jobs: the product of 1 - penalty. */
double scenario_efficiency_left(const struct scenario *scenario, const char *cost_centre, const char *family);

/* Whether any change of prices asks for more than the month. */
bool scenario_prices_filtered(const struct scenario *scenario);

/* "as is", "K*", "cap", "powers of two". */
const char *scenario_policy_name(enum scenario_policy policy);

/* "2027-01" of a month, and back; 0: not one. */
char *scenario_month_text(scenario_month month, char text[8]);
scenario_month scenario_month_of(const char *text);

#endif
