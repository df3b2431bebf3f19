/* night/month/month_families.h: the model's part of a month: reads measurements and job costs, asks
 * model/, stores what it says.
 *
 * model/ is arithmetic without I/O; these functions are its rim. They run inside the month's
 * transaction, between the files of sql/allocate/ and sql/results/. The fits of all families stay
 * in memory until the last.
 */
#ifndef KSTAR_NIGHT_MONTH_MONTH_FAMILIES_H
#define KSTAR_NIGHT_MONTH_MONTH_FAMILIES_H

#include "base/error.h"
#include "model/cost/k_star_interval.h"
#include "model/cost/node_limits.h"
#include "model/cost/verdict.h"
#include "model/scaling/scaling_fit.h"

#include <libpq-fe.h>
#include <stdbool.h>

enum { ALLOWED_K_MAXIMUM = 64 };

/* What a job runs on: most of its hardware on the bill. Spot is taken away, nodes fail. */
enum month_capacity { CAPACITY_ON_DEMAND, CAPACITY_SPOT, CAPACITIES };

/* What interrupts a family's jobs on one capacity. Their prices are the bill's: no spot share is
 * applied to them. */
struct month_interruption {
    struct interruption interruption; /* its rate by K; all zero: nothing does */
    double rate_per_node_hour;
    /* owned: "measured: 12 failures in 1200 node-hours"; NULL: nothing interrupts them */
    char *from;
};

/* A family on one accelerator: its limits as declared, and the fit of its best series there. A
 * family that was measured on several has an entry for each. The one that serves it best has the
 * family's name, others are "NAME on ACCELERATOR". */
struct month_family {
    char *name;             /* owned */
    char *family;           /* owned: as jobs have it */
    char *accelerator;      /* owned: of its measurements, as written there; "": they do not say */
    bool is_one_of_several; /* the family was measured on other accelerators, too */
    /* owned: "H100, bf16, global batch 4096"; "" where the measurements say nothing */
    char *series;
    bool has_series;
    /* measured otherwise (scaling, metric, precision, batch): not in the fit */
    unsigned other_series;
    int series_row; /* where it begins in the measurements, while they are read */
    /* its series was measured in production (production_series.h) … */
    bool is_production;
    bool is_unconfirmed; /* … and no controlled run agrees */
    /* owned: what a reason adds where something makes confidence in the fit low: that it is
     * unconfirmed, or that another precision was measured at the same scaling ("; other hardware …
     * h100, bf16"); else "" */
    char *other_hardware;
    enum scaling_mode scaling;
    /* of the series: its times are hours of a run where that is run_time */
    enum scaling_metric metric;
    /* the work to its goal does not grow with K: so weak scaling gives a K*, too */
    bool goal_work_constant;
    /* a K* and a flag may be given: strong scaling, or weak with constant work to the goal */
    bool judged;
    unsigned accelerators_per_node; /* 0: K counts nodes */
    struct node_limits limits;
    unsigned allowed[ALLOWED_K_MAXIMUM];
    struct measurement *measurements; /* owned: what was fitted, run by run */
    size_t measurement_count;
    struct scaling_fit fit;
    struct month_interruption interruptions[CAPACITIES];
    struct k_table *tables[CAPACITIES]; /* owned; NULL until they are needed */
};

struct month_families {
    int count;
    struct month_family *families; /* by name, byte order */
    struct verdict_rules rules;    /* as the month's settings have them */
};

/* Fills production_run: what jobs at work say of their families (month_production.c). */
bool month_production(PGconn *connection, struct error *error);

/* Reads declared families and measurements and fits each series, those of production as well. Of
 * the series of a family on an accelerator one of two sizes or more that is not of production goes
 * first, then a strong one of two sizes or more, then the one with the most distinct K, the most
 * runs, and the first by name. */
bool month_families_fit(PGconn *connection, struct month_families *families, struct error *error);

/* The same for a reader of the views (docs/security.md): the families of his cost centres' jobs. */
bool month_families_fit_seen(PGconn *connection, struct month_families *families, struct error *error);
void month_families_free(struct month_families *families);

/* The family of that name, or NULL. */
struct month_family *month_family_find(struct month_families *families, const char *name);

/* Why a fit judges a job. */
enum month_hardware {
    HARDWARE_AS_MEASURED, /* of the job's own accelerator */
    /* one of the two has no name, or neither has: it counts, with low confidence */
    HARDWARE_UNKNOWN,
    HARDWARE_OTHER, /* measured on other accelerators alone */
};

/* The fit for jobs of a family on an accelerator ("": nobody knows). NULL where the family is
 * unknown, and where *hardware is HARDWARE_OTHER. Of two names each word of the shorter has to
 * stand in the longer, letter case aside: "H100" is "nvidia h100 80GB". */
struct month_family *month_family_of_jobs(struct month_families *families, const char *family,
                                          const char *accelerator, enum month_hardware *hardware);

/* "A100 and B200": what a family was measured on. The caller frees it. */
char *month_family_hardware(const struct month_families *families, const char *family);

/* Reads what interrupts the families' jobs in the month. */
bool month_family_interruptions(PGconn *connection, struct month_families *families, struct error *error);

/* Likewise from rows as sql/model/interruptions.sql gives them. */
void month_interruptions_read(const PGresult *rows, struct month_families *families);

/* "on demand" or "spot" and back. */
const char *month_capacity_name(enum month_capacity capacity);
enum month_capacity month_capacity_of(const char *name);

/* "0.01 interruptions a node-hour (declared), checkpoint 0.05 h, restart 0.1 h"; "" where nothing
 * interrupts. Returns text. */
char *month_interruption_text(const struct month_interruption *interruption, char *text, size_t size);

/* The cost curve of a family's jobs on such capacity. */
void month_family_curve(const struct month_family *family, const struct job_price *price,
                        enum month_capacity capacity, struct cost_curve *curve);

/* K* and its interval at any price of the family's jobs on such capacity, made once. */
struct k_table *month_family_table(struct month_family *family, enum month_capacity capacity);

/* Fills attempt_efficiency: E(K) of an attempt, its own, its family's or profiled; else no row. */
bool month_attempt_efficiency(PGconn *connection, struct month_families *families, struct error *error);

/* Fills family_fit, family_curve and family_rate at the month's prices. */
bool month_family_curves(PGconn *connection, struct month_families *families, struct error *error);

/* Fills planned_training_cost (planned_trainings.h), once the statement stands. */
bool month_planned_trainings(PGconn *connection, struct month_families *families, struct error *error);

/* Says of each row of serving_cost which measured replica counts are cheapest, quickest and of the
 * highest throughput. */
bool month_serving_fleets(PGconn *connection, struct month_families *families, struct error *error);

/* Fills job_verdict. */
bool month_verdicts(PGconn *connection, struct month_families *families, struct error *error);

#endif
