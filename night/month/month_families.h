/* night/month/month_families.h: the model's part of a month. Reads measurements and job costs, asks
 * model/, and stores the answers.
 *
 * model/ is arithmetic without I/O; these functions do its I/O. They run inside the month's
 * transaction, between the files of sql/allocate/ and sql/results/. The fits of all families stay
 * in memory until the last of them.
 */
#ifndef KSTAR_NIGHT_MONTH_MONTH_FAMILIES_H
#define KSTAR_NIGHT_MONTH_MONTH_FAMILIES_H

#include "base/error.h"
#include "model/cost/k_star_interval.h"
#include "model/cost/node_limits.h"
#include "model/cost/verdict_answer.h"
#include "model/scaling/scaling_fit.h"

#include <libpq-fe.h>
#include <stdbool.h>

enum { ALLOWED_K_MAXIMUM = 64 };

/* The capacity of most of a job's hardware cost on the bill. Spot capacity can be taken away. */
enum month_capacity { CAPACITY_ON_DEMAND, CAPACITY_SPOT, CAPACITIES };

/* What interrupts a family's jobs on one capacity. Prices are the bill's, so no spot share is
 * applied. */
struct month_interruption {
    struct interruption interruption; /* rate by K; all zero: no interruptions */
    double rate_per_node_hour;
    /* owned: "measured: 12 failures in 1200 node-hours"; NULL: no interruptions */
    char *from;
};

/* A family on one accelerator: its declared limits, and the fit of its best series there. A family
 * that was measured on several accelerators has an entry for each. The entry that serves it best
 * has the family's name; the others are "NAME on ACCELERATOR". */
struct month_family {
    char *name;             /* owned */
    char *family;           /* owned: as in job records */
    char *accelerator;      /* owned: as in its measurements; "": they name none */
    bool is_one_of_several; /* the family was measured on other accelerators, too */
    /* owned: "H100, bf16, global batch 4096"; "" if the measurements name nothing */
    char *series;
    bool has_series;
    /* series that are not in the fit (other scaling, metric, precision or batch) */
    unsigned other_series;
    int series_row; /* its first row in the measurements, while they are read */
    /* its series was measured in production (production_series.h) … */
    bool is_production;
    bool is_unconfirmed; /* … and no controlled run agrees */
    /* owned: what reasons add if something lowers the confidence in the fit: the series is
     * unconfirmed, or another precision was measured at the same scaling ("; other hardware … h100,
     * bf16"); else "" */
    char *other_hardware;
    enum scaling_mode scaling;
    /* of the series; with run_time its times are hours of a run */
    enum scaling_metric metric;
    /* the work to the goal does not grow with K, so weak scaling gives a K*, too */
    bool goal_work_constant;
    /* a K* and a flag may be given: strong scaling, or weak with constant work to the goal */
    bool judged;
    unsigned accelerators_per_node; /* 0: K counts nodes */
    struct node_limits limits;
    unsigned allowed[ALLOWED_K_MAXIMUM];
    struct measurement *measurements; /* owned: the fitted runs */
    size_t measurement_count;
    struct scaling_fit fit;
    struct month_interruption interruptions[CAPACITIES];
    struct k_table *tables[CAPACITIES]; /* owned; NULL until needed */
};

struct month_families {
    int count;
    struct month_family *families; /* by name, byte order */
    struct verdict_rules rules;    /* from the month's settings */
};

/* Fills production_run: measurements from jobs at work (month_production.c). */
bool month_production(PGconn *connection, struct error *error);

/* Reads declared families and measurements, and fits each series, those of production as well. A
 * family on an accelerator may have several series. The first of these decides which one is its
 * fit: two sizes or more and not of production; strong scaling with two sizes or more; the most
 * distinct K; the most runs; the first by name. */
bool month_families_fit(PGconn *connection, struct month_families *families, struct error *error);

/* The same for a reader of the views (docs/security.md): the families of his cost centres' jobs. */
bool month_families_fit_seen(PGconn *connection, struct month_families *families, struct error *error);
void month_families_free(struct month_families *families);

/* The family of that name, or NULL. */
struct month_family *month_family_find(struct month_families *families, const char *name);

/* How certain it is that a fit is of a job's hardware. */
enum month_hardware {
    HARDWARE_AS_MEASURED, /* the fit is of the job's own accelerator */
    /* the job, the fit or both name no accelerator: the fit counts, with low confidence */
    HARDWARE_UNKNOWN,
    HARDWARE_OTHER, /* the family was measured on other accelerators alone */
};

/* The fit for jobs of a family on an accelerator ("": unknown). NULL if the family is unknown or if
 * *hardware is HARDWARE_OTHER. Two names are the same accelerator if the longer one has each word
 * of the shorter, in any letter case: "H100" is "nvidia h100 80GB". */
struct month_family *month_family_of_jobs(struct month_families *families, const char *family,
                                          const char *accelerator, enum month_hardware *hardware);

/* "A100 and B200": the accelerators that a family was measured on. The caller frees it. */
char *month_family_hardware(const struct month_families *families, const char *family);

/* Reads the interruptions of the families' jobs in the month. */
bool month_family_interruptions(PGconn *connection, struct month_families *families, struct error *error);

/* Likewise by another query with the columns of sql/model/interruptions.sql. */
bool month_interruptions_read(PGconn *connection, const char *query, struct month_families *families,
                              struct error *error);

/* "on demand" or "spot" and back. */
const char *month_capacity_name(enum month_capacity capacity);
enum month_capacity month_capacity_of(const char *name);

/* "0.01 interruptions a node-hour (declared), checkpoint 0.05 h, restart 0.1 h"; "" without
 * interruptions. Returns text. */
char *month_interruption_text(const struct month_interruption *interruption, char *text, size_t size);

/* The cost curve of a family's jobs on that capacity. */
void month_family_curve(const struct month_family *family, const struct job_price *price,
                        enum month_capacity capacity, struct cost_curve *curve);

/* The table of K* and its interval for any price of the family's jobs on that capacity. Made
 * once. */
struct k_table *month_family_table(struct month_family *family, enum month_capacity capacity);

/* Fills attempt_efficiency: E(K) of an attempt: its own, its family's or profiled. Without any the
 * attempt has no row. */
bool month_attempt_efficiency(PGconn *connection, struct month_families *families, struct error *error);

/* Fills family_fit, family_curve and family_rate at the month's prices. */
bool month_family_curves(PGconn *connection, struct month_families *families, struct error *error);

/* Fills planned_training_cost (planned_trainings.h), after the statement's rows. */
bool month_planned_trainings(PGconn *connection, struct month_families *families, struct error *error);

/* Sets in each row of serving_cost which measured replica counts are the cheapest, the fastest and
 * those of the highest throughput. */
bool month_serving_fleets(PGconn *connection, struct month_families *families, struct error *error);

/* Fills job_verdict. */
bool month_verdicts(PGconn *connection, struct month_families *families, struct error *error);

#endif
