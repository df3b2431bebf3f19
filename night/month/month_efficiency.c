/* night/month/month_efficiency.c: E(K) of each attempt, before its hardware is decomposed
 * (docs/mathematics.md, section 7).
 *
 * The first of these counts: the attempt's own measured efficiency, its family's at its K, the
 * compute share of a profiled step. Without any the attempt has no E: E is never guessed. A law is
 * not used beyond twice the largest K measured.
 */
#include "model/cost/cost_curve.h"
#include "model/cost/verdict_fit.h"
#include "night/month/month_answers.h"
#include "night/month/month_families.h"

#include <math.h>
#include <stdlib.h>

enum {
    ATTEMPT_ID,
    FAMILY,
    K,
    OWN_EFFICIENCY,
    COMPUTE_SHARE,
    OWN_SCALING,
    ACCELERATOR
}; /* sql/model/attempts.sql */

/* E of the family at k on that accelerator; NaN if it was not measured. */
static double family_efficiency(struct month_families *families, const char *name, const char *accelerator,
                                unsigned k)
{
    enum month_hardware hardware;
    const struct month_family *family = month_family_of_jobs(families, name, accelerator, &hardware);
    struct cost_curve curve;
    struct job_price any_price = { .per_node_hour = 1 };
    if (family == NULL || !family->has_series || k == 0)
        return NAN;
    if (k > verdict_largest_k(&family->fit, &families->rules))
        return NAN;
    if (!verdict_law_usable(&family->fit, &families->rules))
        return NAN;
    verdict_curve(&family->fit, &any_price, &curve);
    return cost_curve_efficiency(&curve, k);
}

static void answer(const PGresult *rows, int row, void *context, struct copy_stream *answers)
{
    unsigned k = (unsigned)strtoul(PQgetvalue(rows, row, K), NULL, 10);
    double efficiency =
        family_efficiency(context, PQgetvalue(rows, row, FAMILY), PQgetvalue(rows, row, ACCELERATOR), k);
    const char *from = "family";
    if (!PQgetisnull(rows, row, OWN_EFFICIENCY)) {
        efficiency = strtod(PQgetvalue(rows, row, OWN_EFFICIENCY), NULL);
        from = "job";
    } else if (isnan(efficiency) && !PQgetisnull(rows, row, COMPUTE_SHARE)) {
        efficiency = strtod(PQgetvalue(rows, row, COMPUTE_SHARE), NULL);
        from = "profiled";
    }
    if (!isfinite(efficiency))
        return;
    copy_row(answers, 4);
    copy_int8(answers, strtoll(PQgetvalue(rows, row, ATTEMPT_ID), NULL, 10));
    copy_ratio(answers, efficiency);
    copy_string(answers, from);
    copy_string(answers, PQgetvalue(rows, row, OWN_SCALING)); /* "": null */
}

bool month_attempt_efficiency(PGconn *connection, struct month_families *families, struct error *error)
{
    return month_answer(connection, "model/attempts.sql", "attempts", answer, families,
                        "COPY attempt_efficiency (attempt_id, efficiency, efficiency_from, scaling) "
                        "FROM STDIN (FORMAT binary)",
                        error);
}
