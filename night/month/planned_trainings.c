/* night/month/planned_trainings.c: see planned_trainings.h. */
#include "night/month/planned_trainings.h"

#include "base/most_cost.h"
#include "base/postgres/database.h"
#include "model/cost/verdict_fit.h"
#include "night/month/latest_families.h"
#include "night/month/month_families.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Columns of sql/budget/planned.sql. */
enum { TRAINING, FAMILY, ONE_NODE_HOURS, SIZE, PRICE, OVERHEAD, FIXED, WAITING, CAPACITY };

struct planned_cost {
    double hours, cost; /* at K; NaN: `remark` says why */
    struct k_star_result k_star;
    double cost_at_k_star; /* NaN without K* */
    double waiting;        /* the cost of an hour of waiting with which K* was found */
    /* what is missing, or why the cost is doubtful; "" if nothing is */
    const char *remark;
};

/* Ideal node-hours in units of the measured work, where E = 1 at the smallest measured K. */
static double work_of(const struct cost_curve *curve, double node_hours, unsigned k)
{
    double undisturbed = cost_curve_hours(curve, k) / interruption_stretch(&curve->interruption, k);
    return node_hours / (cost_curve_efficiency(curve, k) * k * undisturbed);
}

static bool gives_k_star(const struct month_family *family, const struct verdict_rules *rules)
{
    enum verdict_reason against;
    return family->judged && verdict_gives_k_star(&family->fit, rules, &against);
}

/* What a reader should know of a computed cost. */
static const char *remark_of(const struct month_family *family, const struct verdict_rules *rules, unsigned k)
{
    if (k > verdict_largest_k(&family->fit, rules))
        return "extrapolated: K is beyond twice the largest K measured";
    if (!node_limits_allow(&family->limits, k))
        return "the family may not run on this K";
    if (!family->judged)
        return "weak scaling: no K* is given";
    if (!gives_k_star(family, rules))
        return "one size was measured: no K* is given";
    return family->fit.confidence == SCALING_CONFIDENCE_LOW ? "low confidence" : "";
}

/* Whether K* is only the end of the measurements: on the curve the cost falls further beyond it. */
static bool falls_beyond(const struct month_family *family, const struct cost_curve *curve, unsigned last)
{
    struct k_star_result anywhere;
    enum k_star_outcome outcome = k_star(curve, &family->limits, &anywhere);
    return outcome == K_STAR_UNBOUNDED || (outcome == K_STAR_FOUND && anywhere.k > last);
}

/* Sets the costs on a curve that has the training's work. */
static void cost_on(const struct month_family *family, const struct verdict_rules *rules,
                    struct cost_curve *curve, unsigned k, struct planned_cost *planned)
{
    struct node_limits limits = verdict_limits(&family->fit, &family->limits, rules);
    planned->hours = cost_curve_hours(curve, k);
    planned->remark = remark_of(family, rules, k);
    if (!gives_k_star(family, rules) || k_star(curve, &limits, &planned->k_star) != K_STAR_FOUND)
        planned->k_star = (struct k_star_result){ 0 };
    else if (k <= limits.largest && node_limits_allow(&limits, k) &&
             falls_beyond(family, curve, limits.largest))
        planned->remark =
            "extrapolated: cost still falls at twice the largest K measured, so K* may lie beyond";
    planned->waiting = curve->price.waiting_per_hour;
    curve->price.waiting_per_hour = 0;
    planned->cost = cost_curve_cost(curve, k);
    if (planned->k_star.k > 0)
        planned->cost_at_k_star = cost_curve_cost(curve, planned->k_star.k);
    if (planned->cost > MOST_COST || planned->cost_at_k_star > MOST_COST) {
        planned->k_star = (struct k_star_result){ 0 };
        planned->hours = planned->cost = planned->cost_at_k_star = NAN;
        planned->remark = "it would cost more than kstar can hold: are its one_node_hours and k right?";
    }
}

static void cost_of(struct month_families *families, const PGresult *rows, int row,
                    struct planned_cost *planned)
{
    const struct month_family *family = month_family_find(families, PQgetvalue(rows, row, FAMILY));
    unsigned k = (unsigned)strtoul(PQgetvalue(rows, row, SIZE), NULL, 10);
    double node_hours = strtod(PQgetvalue(rows, row, ONE_NODE_HOURS), NULL);
    *planned = (struct planned_cost){ .hours = NAN, .cost = NAN, .cost_at_k_star = NAN };
    if (family == NULL || !family->has_series || !verdict_law_usable(&family->fit, &families->rules)) {
        planned->remark = "the family has no usable measurements";
        return;
    }
    if (PQgetisnull(rows, row, PRICE)) {
        planned->remark = "no statement has a priced job of the family";
        return;
    }
    double waiting = strtod(PQgetvalue(rows, row, WAITING), NULL);
    struct job_price price = { .per_node_hour = strtod(PQgetvalue(rows, row, PRICE), NULL),
                               .overhead_per_node_hour = strtod(PQgetvalue(rows, row, OVERHEAD), NULL),
                               .per_wall_hour = fmax(strtod(PQgetvalue(rows, row, FIXED), NULL) - waiting, 0),
                               .waiting_per_hour = waiting };
    struct cost_curve curve;
    month_family_curve(family, &price, month_capacity_of(PQgetvalue(rows, row, CAPACITY)), &curve);
    if (family->accelerators_per_node > 1)
        node_hours *= family->accelerators_per_node; /* K counts accelerators */
    curve.work = work_of(&curve, node_hours, k);
    if (isnan(curve.work))
        planned->remark = "K is below the smallest K measured, or was not measured";
    else
        cost_on(family, &families->rules, &curve, k, planned);
}

/* A number as a query parameter: the shortest text that reads back the same; NULL if not finite. */
static const char *number_text(double value, char text[32])
{
    snprintf(text, 32, "%.17g", value);
    return isfinite(value) ? text : NULL;
}

static bool store(PGconn *connection, const char *training, const struct planned_cost *planned,
                  struct error *error)
{
    char texts[6][32];
    const char *const parameters[] = {
        training,
        number_text(planned->hours, texts[0]),
        number_text(planned->cost, texts[1]),
        number_text(planned->k_star.k > 0 ? (double)planned->k_star.k : NAN, texts[2]),
        number_text(planned->k_star.k > 0 ? planned->k_star.hours : NAN, texts[3]),
        number_text(planned->cost_at_k_star, texts[4]),
        planned->remark,
        number_text(planned->k_star.k > 0 ? planned->waiting : NAN, texts[5]),
    };
    return database_run_query(connection, "budget/planned_store.sql", 8, parameters, error);
}

/* Fills the table for the statement month in kstar.statement_month. */
static bool fill(PGconn *connection, struct month_families *families, struct error *error)
{
    PGresult *rows = database_query_file(connection, "budget/planned.sql", 0, NULL, error);
    bool ok = rows != NULL;
    for (int row = 0; ok && row < PQntuples(rows); row++) {
        struct planned_cost planned;
        cost_of(families, rows, row, &planned);
        ok = store(connection, PQgetvalue(rows, row, TRAINING), &planned, error);
    }
    PQclear(rows);
    return ok;
}

bool month_planned_trainings(PGconn *connection, struct month_families *families, struct error *error)
{
    return fill(connection, families, error);
}

PGresult *planned_trainings_list(PGconn *connection, const char *period, struct error *error)
{
    struct latest_families latest = { 0 };
    const char *const parameters[] = { period };
    PGresult *list = NULL;
    if (latest_families_open(connection, NULL, &latest, error) && database_begin(connection, error) &&
        database_run_file(connection, "budget/planned_aside.sql", error) &&
        fill(connection, &latest.families, error))
        list = database_query_file(connection, "budget/planned_list.sql", 1, parameters, error);
    database_rollback(connection);
    latest_families_close(&latest);
    return list;
}
