/* cli/month_families.h: the model's part of a month: reads measurements and job costs, asks model/, stores
 * what it says.
 *
 * model/ is arithmetic without I/O; these functions are its rim. They run inside the month's transaction,
 * between the files of sql/allocate/, and keep the fits of all families in memory from the first to the last.
 */
#ifndef KSTAR_CLI_MONTH_FAMILIES_H
#define KSTAR_CLI_MONTH_FAMILIES_H

#include "base/error.h"
#include "model/k_star_interval.h"
#include "model/node_limits.h"
#include "model/scaling_fit.h"
#include "model/verdict.h"

#include <libpq-fe.h>
#include <stdbool.h>

enum { ALLOWED_K_MAXIMUM = 64 };

/* A family: its limits as declared, and the fit of its best series. */
struct month_family {
    char *name;   /* owned */
    char *series; /* owned: "H100, bf16, global batch 4096"; "" where the measurements say nothing */
    bool has_series;
    enum scaling_mode scaling;
    bool judged; /* a K* and a flag may be given: strong scaling, or weak with constant work to the goal */
    unsigned accelerators_per_node; /* 0: K counts nodes */
    struct node_limits limits;
    unsigned allowed[ALLOWED_K_MAXIMUM];
    struct scaling_fit fit;
    struct k_table *table; /* owned; NULL until it is needed */
};

struct month_families {
    int count;
    struct month_family *families; /* by name, byte order */
    struct verdict_rules rules;    /* as the month's settings have them */
};

/* Reads declared families and measurements and fits each series; a family's fit is its strong series (or the
 * weak one whose work is declared constant) with the most distinct K, then the most runs, then the first by
 * name. */
bool month_families_fit(PGconn *connection, struct month_families *families, struct error *error);
void month_families_free(struct month_families *families);

/* The family of that name, or NULL. */
struct month_family *month_family_find(struct month_families *families, const char *name);

/* K* and its interval at any price of the family's jobs, made once. NULL without memory. */
struct k_table *month_family_table(struct month_family *family);

/* Fills attempt_efficiency: E(K) of each attempt, measured on it, by its family, or profiled; none: no row.
 */
bool month_attempt_efficiency(PGconn *connection, struct month_families *families, struct error *error);

/* Fills family_fit and family_curve at the month's prices. */
bool month_family_curves(PGconn *connection, struct month_families *families, struct error *error);

/* Fills job_verdict. */
bool month_verdicts(PGconn *connection, struct month_families *families, struct error *error);

#endif
