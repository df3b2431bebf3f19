/* model/forecast/scenario.h: the changes of a budget scenario, as plain values. docs/scenarios.md
 * describes the file format; forecast/scenario_file.h reads it.
 *
 * scenario_start() sets the base: history continues without changes. All values are then zero
 * except those that scenario_start() sets.
 */
#ifndef KSTAR_MODEL_FORECAST_SCENARIO_H
#define KSTAR_MODEL_FORECAST_SCENARIO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Calendar months as one number: year x 12 + month - 1. 0: not given. */
typedef int scenario_month;

/* A filter on jobs. NULL matches any. */
struct scenario_jobs {
    char *cost_centre, *family;
};

/* Work grows by `monthly` (0.05: 5 % a month) from its recent level; the trend is not used. */
struct scenario_growth {
    struct scenario_jobs jobs;
    double monthly;
};

/* Hardware prices change by `change` (0.1: 10 % higher) from a month on. NULL matches any. */
struct scenario_price {
    char *provider, *sku, *purchase, *currency; /* purchase: "on demand", "spot", "committed" */
    double change;
    scenario_month from;
};

enum scenario_k { SCENARIO_K_STAR, SCENARIO_K_GIVEN, SCENARIO_K_DEADLINE };

struct scenario_training {
    char *name, *cost_centre, *family;
    double ideal_node_hours; /* at E = 1; 0: computed from the tokens */
    double tokens, tokens_per_node_hour;
    double k;              /* 0: K*, or the cheapest K that meets the deadline */
    double deadline_hours; /* 0: none */
    double runs;           /* number of successful runs; 0: one */
    double fees;           /* of one run, in currency */
    bool spot;
    scenario_month month;
};

/* People who join (count above 0) or leave. */
struct scenario_people {
    char *cost_centre;
    double count;
    double annual_cost; /* loaded, in currency */
    double share;       /* of their time: 0 .. 1 */
    scenario_month from;
};

/* E of the matching jobs is lower by this share, for example in another region or on a slower
 * interconnect. */
struct scenario_penalty {
    struct scenario_jobs jobs;
    double penalty; /* 0 <= penalty < 1 */
};

/* A share of the node-hours runs on spot capacity, at price_fraction of the price. */
struct scenario_spot {
    double share, price_fraction;
    double preemptions_per_node_hour, checkpoint_hours, restart_hours;
};

/* Node-hours bought in advance: coverage x the base's monthly node-hours, used or not. */
struct scenario_commitment {
    double coverage, discount;
};

enum scenario_policy { POLICY_AS_IS, POLICY_K_STAR, POLICY_CAP, POLICY_POWERS_OF_TWO };

/* Overhead x factor + plus_per_month, in currency. */
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
    scenario_month base_from, base_to; /* window of the history; 0: all of it */
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
    double elastic_saving; /* share of the hardware that is returned while idle */
    double contingency;    /* reserve, as a share of the whole cost */
    struct scenario_uncertainty uncertainty;
};

/* The base: nothing changes, 1,000 draws of seed 1. */
void scenario_start(struct scenario *scenario);
void scenario_free(struct scenario *scenario);

/* Whether the filter matches jobs of a cost centre and family. */
bool scenario_jobs_match(const struct scenario_jobs *jobs, const char *cost_centre, const char *family);

/* The growth of such jobs: the last entry that matches. NULL: the trend applies. */
const struct scenario_growth *scenario_growth_of(const struct scenario *scenario, const char *cost_centre,
                                                 const char *family);

/* The factor on E of such jobs: the product of 1 - penalty. */
double scenario_efficiency_left(const struct scenario *scenario, const char *cost_centre, const char *family);

/* Whether any price change has a filter besides the month. */
bool scenario_prices_filtered(const struct scenario *scenario);

/* "as is", "K*", "cap", "powers of two". */
const char *scenario_policy_name(enum scenario_policy policy);

/* "2027-01" of a month, and back; 0: no month. */
char *scenario_month_text(scenario_month month, char text[8]);
scenario_month scenario_month_of(const char *text);

#endif
