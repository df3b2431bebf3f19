/* night/month/month_curves.c: each family's fit, its cost against K and its rate card at the
 * month's prices, for the review workbook. */
#include "base/postgres/database.h"
#include "base/time_text.h"
#include "model/cost/cost_curve.h"
#include "model/cost/rate_card.h"
#include "model/cost/verdict.h"
#include "model/cost/verdict_fit.h"
#include "model/cost/verdict_texts.h"
#include "night/month/month_answers.h"
#include "night/month/month_families.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FAMILY, PRICE, OVERHEAD, FIXED, WAITING, CAPACITY }; /* sql/model/family_prices.sql */
enum { SIZE_FAMILY, SIZE_K };                               /* sql/model/family_sizes.sql */
enum { RATE_TIERS = 256 };

/* The grid of the curve: every K up to 64, then steps of an eighth. */
static unsigned next_k(unsigned k)
{
    return k < 64 ? k + 1 : k + k / 8;
}

/* The columns, in the order in which copy_fit writes them. */
static const char copy_fits[] =
    "COPY family_fit (statement_month, family, series, scaling, law, t1_hours, serial_fraction, "
    "communication_coefficient, step, smallest_k, largest_k, measurements, distinct_k, r_squared, "
    "largest_residual, low_confidence, reason, alternatives, price_per_node_hour, fixed_per_wall_hour, "
    "k_star, k_star_interval, k_fastest, capacity, k_carbon, overhead_per_node_hour, k_star_reason, "
    "waiting_per_hour, k_least_money, jobs_family, checkpoint_interval_hours, interruption_share) "
    "FROM STDIN (FORMAT binary)";
static const char copy_curves[] =
    "COPY family_curve (statement_month, family, k, efficiency, hours, cost, "
    "measured_hours, measured_cost, money_cost, value_share) FROM STDIN (FORMAT binary)";
static const char copy_rate_tiers[] =
    "COPY family_rate (statement_month, family, k, unit, basis, is_k_star, price_per_node_hour, "
    "fixed_per_wall_hour, efficiency, stretch, hours, overhead_per_node_hour) FROM STDIN (FORMAT binary)";

struct curve_context {
    time_us month;
    const struct verdict_rules *rules;
    const PGresult *sizes; /* K of the jobs of three months */
    struct copy_stream points, rates;
};

/* What a family's fit says at the month's prices. */
struct fit_answer {
    /* k 0: none; cheapest: waiting counted */
    struct k_star_result cheapest, least_money, fastest, carbon;
    struct k_interval interval;
    bool gives_k_star;   /* the measurements give a K*, whatever the prices */
    bool is_asked;       /* there are prices, at which K* was looked for */
    const char *against; /* why K* is not believed; NULL: no objection, or no price */
    /* why K* is of low confidence at these prices (verdict_doubt); NULL: no doubt */
    const char *doubt;
};

/* Writes one K of the curve. Hours are without interruptions, as they are measured; cost is with
 * interruptions, as K* is found. Both are from the law or the growth rule, and also from the
 * measurements at this K, if there are any. Cost needs prices, and E needs a law that is
 * believed. */
static void copy_point(struct curve_context *context, const struct month_family *family,
                       const struct cost_curve *curve, bool priced, unsigned k,
                       const struct measured_size *measured, double value_share)
{
    double per_hour = priced ? cost_curve_node_price(curve) * k + cost_curve_wall_price(curve) : NAN;
    double stretch = interruption_stretch(&curve->interruption, k);
    double law_hours = cost_curve_fitted_hours(curve, k);
    double hours = (isfinite(law_hours) || measured == NULL ? law_hours : measured->hours) * stretch;
    copy_row(&context->points, 10);
    copy_date(&context->points, context->month);
    copy_string(&context->points, family->name);
    copy_int4(&context->points, (int32_t)k);
    bool has_efficiency = verdict_law_usable(&family->fit, context->rules);
    copy_optional_float8(&context->points, has_efficiency ? cost_curve_efficiency(curve, k) : NAN);
    copy_optional_float8(&context->points, law_hours);
    copy_optional_float8(&context->points, per_hour * law_hours * stretch);
    copy_optional_float8(&context->points, measured != NULL ? measured->hours : NAN);
    copy_optional_float8(&context->points, measured != NULL ? per_hour * measured->hours * stretch : NAN);
    copy_optional_float8(&context->points, (per_hour - curve->price.waiting_per_hour) * hours);
    copy_ratio(&context->points, value_share);
}

/* The K of a curve, in the order in which they are added. */
struct size_list {
    unsigned *ks; /* owned */
    size_t count, capacity;
};

static void add_size(struct size_list *list, unsigned k, unsigned last)
{
    if (k == 0 || k > last)
        return;
    if (list->count == list->capacity) {
        list->capacity = list->capacity > 0 ? 2 * list->capacity : 256;
        list->ks = realloc(list->ks, list->capacity * sizeof *list->ks);
    }
    list->ks[list->count++] = k;
}

static int compare_sizes(const void *a, const void *b)
{
    unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
    return (x > y) - (x < y);
}

/* The K of the curve: the grid up to the largest K that the fit covers, and the sizes that a reader
 * looks for: measured sizes, K*, the ends of its interval and the K of jobs. Ascending, each
 * once. */
static void gather_sizes(const struct curve_context *context, const struct month_family *family,
                         const struct fit_answer *answer, struct size_list *list)
{
    const struct scaling_fit *fit = &family->fit;
    unsigned last = verdict_largest_k(fit, context->rules);
    for (unsigned k = 1; k <= last; k = next_k(k))
        add_size(list, k, last);
    for (size_t i = 0; i < fit->size_count; i++)
        add_size(list, fit->sizes[i].k, last);
    add_size(list, answer->cheapest.k, last);
    add_size(list, answer->least_money.k, last);
    for (size_t i = 0; i < answer->interval.range_count; i++) {
        add_size(list, answer->interval.ranges[i].from, last);
        add_size(list, answer->interval.ranges[i].to, last);
    }
    for (int row = 0; row < PQntuples(context->sizes); row++) {
        if (strcmp(PQgetvalue(context->sizes, row, SIZE_FAMILY), family->name) == 0)
            add_size(list, (unsigned)strtoul(PQgetvalue(context->sizes, row, SIZE_K), NULL, 10), last);
    }
    if (list->count == 0)
        return;
    size_t kept = 1;
    qsort(list->ks, list->count, sizeof *list->ks, compare_sizes);
    for (size_t i = 1; i < list->count; i++) {
        if (list->ks[i] != list->ks[i - 1])
            list->ks[kept++] = list->ks[i];
    }
    list->count = kept;
}

/* What it would save at each K to know K*, in money alone; NaN without a K* or an interval of K*.
 * The caller frees the array. */
static double *values_of(struct month_family *family, enum month_capacity capacity,
                         const struct cost_curve *curve, const struct fit_answer *answer,
                         const struct size_list *list)
{
    double *values = calloc(list->count + 1, sizeof *values);
    const struct cost_curve money = verdict_money_curve(curve);
    for (size_t i = 0; i < list->count; i++)
        values[i] = NAN;
    if (answer->is_asked)
        k_table_values(month_family_table(family, capacity), &money, list->ks, list->count, values);
    return values;
}

static void copy_points(struct curve_context *context, struct month_family *family,
                        enum month_capacity capacity, const struct cost_curve *curve,
                        const struct fit_answer *answer, bool priced)
{
    const struct scaling_fit *fit = &family->fit;
    struct size_list list = { 0 };
    gather_sizes(context, family, answer, &list);
    double *values = values_of(family, capacity, curve, answer, &list);
    for (size_t i = 0; i < list.count; i++) {
        const struct measured_size *measured = measured_at(fit->sizes, fit->size_count, list.ks[i]);
        if (measured != NULL || curve->law != NULL || curve->growth != NULL)
            copy_point(context, family, curve, priced, list.ks[i], measured, values[i]);
    }
    free(values);
    free(list.ks);
}

/* "usl: s 0.03, c 0.0015, d 0, residual 0.002; …": the parameters of each possible candidate. */
static void alternatives_text(const struct scaling_fit *fit, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int form = 0; form < 2 && used < size; form++) {
        const struct scaling_candidate *candidate = &fit->candidates[form];
        if (candidate->possible)
            used += (size_t)snprintf(text + used, size - used, "%s%s: s %.4g, c %.4g, d %.4g, residual %.3g",
                                     used ? "; " : "", scaling_form_name(candidate->law.form),
                                     candidate->law.serial_fraction, candidate->law.communication_coefficient,
                                     candidate->law.step, candidate->residual_sum);
    }
}

/* "enough sizes were measured for this law; K* is beyond …". Without K* the reason for that. */
static void reason_text(const struct month_family *family, const struct fit_answer *answer, char *text,
                        size_t size)
{
    const char *more = answer->against != NULL ? answer->against : answer->doubt;
    bool has_more = answer->gives_k_star && more != NULL;
    snprintf(text, size, "%s%s%s%s",
             answer->gives_k_star ? scaling_reason_text(family->fit.reason) : answer->against,
             has_more ? "; " : "", has_more ? more : "", family->other_hardware);
}

static void copy_fit(struct copy_stream *fits, time_us month, const struct month_family *family,
                     const struct job_price *price, const char *capacity,
                     const struct interruption *interruption, const struct fit_answer *answer)
{
    const struct scaling_fit *fit = &family->fit;
    bool has_law = fit->outcome == SCALING_FIT_LAW;
    char alternatives[512], reason[512], interval[64];
    k_interval_text(&answer->interval, interval, sizeof interval);
    alternatives_text(fit, alternatives, sizeof alternatives);
    reason_text(family, answer, reason, sizeof reason);
    copy_row(fits, 32);
    copy_date(fits, month);
    copy_string(fits, family->name);
    copy_text(fits, family->series, strlen(family->series));
    copy_string(fits, family->scaling == SCALING_WEAK ? "weak" : "strong");
    copy_string(fits, scaling_fit_law_name(fit));
    copy_optional_float8(fits, has_law ? fit->law.t1_hours : NAN);
    copy_optional_float8(fits, has_law ? fit->law.serial_fraction : NAN);
    copy_optional_float8(fits, has_law ? fit->law.communication_coefficient : NAN);
    copy_optional_float8(fits, has_law ? fit->law.step : NAN);
    copy_optional_count(fits, scaling_fit_smallest_k(fit));
    copy_optional_count(fits, scaling_fit_largest_k(fit));
    copy_int4(fits, (int32_t)fit->runs);
    copy_int4(fits, (int32_t)fit->size_count);
    copy_optional_float8(fits, has_law ? fit->r_squared : NAN);
    copy_optional_float8(fits, has_law || fit->outcome == SCALING_FIT_GROWTH ? fit->largest_residual : NAN);
    copy_bool(fits,
              fit->confidence == SCALING_CONFIDENCE_LOW || !answer->gives_k_star || answer->doubt != NULL);
    copy_string(fits, reason);
    copy_string(fits, alternatives);
    copy_optional_float8(fits, price ? price->per_node_hour : NAN);
    copy_optional_float8(fits, price ? price->per_wall_hour + price->waiting_per_hour : NAN);
    copy_optional_count(fits, answer->cheapest.k);
    copy_string(fits, interval);
    copy_optional_count(fits, answer->fastest.k);
    copy_string(fits, capacity);
    copy_optional_count(fits, answer->carbon.k);
    copy_optional_float8(fits, price ? price->overhead_per_node_hour : NAN);
    copy_string(fits, family->judged ? answer->against : NULL);
    copy_float8(fits, price ? price->waiting_per_hour : 0);
    copy_optional_count(fits, answer->least_money.k);
    copy_string(fits, family->family);
    bool has_star = answer->cheapest.k > 0;
    copy_optional_float8(fits,
                         has_star ? interruption_checkpoint_hours(interruption, answer->cheapest.k) : NAN);
    copy_optional_float8(fits, has_star ? interruption_stretch(interruption, answer->cheapest.k) - 1 : NAN);
}

/* Writes the tiers of the rate card around K*. */
static void copy_rates(struct curve_context *context, const struct month_family *family,
                       const struct cost_curve *curve, unsigned k_star)
{
    struct rate_tier tiers[RATE_TIERS];
    struct node_limits limits = verdict_limits(&family->fit, &family->limits, context->rules);
    size_t count = rate_card(curve, &limits, k_star, tiers, RATE_TIERS);
    for (size_t i = 0; i < count; i++) {
        const struct rate_tier *tier = &tiers[i];
        copy_row(&context->rates, 12);
        copy_date(&context->rates, context->month);
        copy_string(&context->rates, family->name);
        copy_int4(&context->rates, (int32_t)tier->k);
        copy_string(&context->rates, family->accelerators_per_node > 0 ? "accelerators" : "nodes");
        copy_string(&context->rates, size_basis_name(tier->basis));
        copy_bool(&context->rates, tier->k == k_star);
        copy_float8(&context->rates, tier->price_per_node_hour);
        copy_float8(&context->rates, tier->fixed_per_wall_hour);
        copy_float8(&context->rates, tier->efficiency);
        copy_float8(&context->rates, tier->stretch);
        copy_float8(&context->rates, tier->hours);
        copy_float8(&context->rates, tier->overhead_per_node_hour);
    }
}

/* The row of a family's prices; -1 if no job of the family has a price this month. */
static int price_row(const PGresult *prices, const char *name)
{
    for (int row = 0; row < PQntuples(prices); row++) {
        if (strcmp(PQgetvalue(prices, row, FAMILY), name) == 0)
            return PQgetisnull(prices, row, PRICE) ? -1 : row;
    }
    return -1;
}

/* Finds the sizes that a fit with a K* gives at these prices, and the doubts about them. */
static void answer_fit(const struct curve_context *context, struct month_family *family,
                       const struct cost_curve *curve, enum month_capacity capacity,
                       struct fit_answer *answer)
{
    struct k_table *table = month_family_table(family, capacity);
    enum verdict_reason against;
    answer->is_asked = true;
    k_table_interval(table, curve, &answer->interval);
    enum k_star_outcome outcome = k_table_star(table, curve, &answer->cheapest);
    if (outcome != K_STAR_FOUND)
        answer->cheapest.k = 0;
    const struct cost_curve money = verdict_money_curve(curve);
    if (k_table_star(table, &money, &answer->least_money) != K_STAR_FOUND ||
        answer->least_money.k > answer->cheapest.k)
        answer->least_money = answer->cheapest; /* a tie could put it above `cheapest` */
    if (verdict_against_k_star(&family->fit, curve, outcome, &answer->cheapest, context->rules, &against))
        answer->against = verdict_reason_text(against);
    if (answer->cheapest.k > 0)
        answer->doubt = verdict_doubt(&family->fit, curve, &family->limits, answer->cheapest.k);
    struct node_limits within = verdict_limits(&family->fit, &family->limits, context->rules);
    if (k_table_fastest(table, curve, &answer->fastest) != K_STAR_FOUND || answer->fastest.k > within.largest)
        answer->fastest.k = 0; /* outside the limits, or unknown */
    if (k_carbon(curve, &family->limits, &answer->carbon) != K_STAR_FOUND)
        answer->carbon.k = 0;
}

static void describe_family(struct curve_context *context, struct copy_stream *fits,
                            struct month_family *family, const PGresult *prices)
{
    int row = price_row(prices, family->name);
    struct job_price price = { .per_node_hour = 1 };
    if (row >= 0)
        price = (struct job_price){ .per_node_hour = strtod(PQgetvalue(prices, row, PRICE), NULL),
                                    .overhead_per_node_hour = strtod(PQgetvalue(prices, row, OVERHEAD), NULL),
                                    .per_wall_hour = strtod(PQgetvalue(prices, row, FIXED), NULL),
                                    .waiting_per_hour = strtod(PQgetvalue(prices, row, WAITING), NULL) };
    enum month_capacity capacity =
        row >= 0 ? month_capacity_of(PQgetvalue(prices, row, CAPACITY)) : CAPACITY_ON_DEMAND;
    struct cost_curve curve;
    struct fit_answer answer = { 0 };
    enum verdict_reason against;
    month_family_curve(family, &price, capacity, &curve);
    answer.gives_k_star = verdict_gives_k_star(&family->fit, context->rules, &against);
    if (!answer.gives_k_star)
        answer.against = verdict_reason_text(against);
    else if (family->judged && row >= 0)
        answer_fit(context, family, &curve, capacity, &answer);
    copy_fit(fits, context->month, family, row >= 0 ? &price : NULL,
             row >= 0 ? month_capacity_name(capacity) : NULL, &curve.interruption, &answer);
    copy_points(context, family, capacity, &curve, &answer, row >= 0);
    if (answer.cheapest.k > 0 && answer.against == NULL)
        copy_rates(context, family, &curve, answer.cheapest.k);
}

static bool month_start(PGconn *connection, time_us *start, struct error *error)
{
    PGresult *result = database_query(connection, "SELECT statement_month::text FROM month", 0, NULL, error);
    bool ok = result != NULL;
    if (ok && !time_parse(PQgetvalue(result, 0, 0), strlen(PQgetvalue(result, 0, 0)), start))
        ok = error_set(error, ERROR_FAILED, "BUG: month %s", PQgetvalue(result, 0, 0));
    PQclear(result);
    return ok;
}

/* Stores which fit judges the jobs of a family and accelerator, for the queries below. */
static bool store_fits_of_jobs(PGconn *connection, struct month_families *families, struct error *error)
{
    PGresult *rows = NULL;
    bool ok = (rows = database_query_file(connection, "model/fit_of_jobs.sql", 0, NULL, error)) != NULL;
    for (int row = 0; ok && row < PQntuples(rows); row++) {
        enum month_hardware hardware;
        const char *family = PQgetvalue(rows, row, 0), *accelerator = PQgetvalue(rows, row, 1);
        const struct month_family *fit = month_family_of_jobs(families, family, accelerator, &hardware);
        const char *const parameters[] = { family, accelerator, fit != NULL ? fit->name : family };
        if (hardware != HARDWARE_OTHER)
            ok = database_run_query(connection, "model/fit_of_jobs_add.sql", 3, parameters, error);
    }
    PQclear(rows);
    return ok;
}

bool month_family_curves(PGconn *connection, struct month_families *families, struct error *error)
{
    bool ok = false;
    int64_t rows;
    struct curve_context context = { .points.spool = -1, .rates.spool = -1, .rules = &families->rules };
    struct copy_stream fits = { .spool = -1 };
    PGresult *prices = NULL, *sizes = NULL;
    if (!store_fits_of_jobs(connection, families, error) || !month_start(connection, &context.month, error) ||
        !copy_stream_to_spool(&fits, error) || !copy_stream_to_spool(&context.points, error) ||
        !copy_stream_to_spool(&context.rates, error))
        goto done;
    prices = database_query_file(connection, "model/family_prices.sql", 0, NULL, error);
    sizes = database_query_file(connection, "model/family_sizes.sql", 0, NULL, error);
    if (prices == NULL || sizes == NULL)
        goto done;
    context.sizes = sizes;
    for (int i = 0; i < families->count; i++) {
        if (families->families[i].has_series)
            describe_family(&context, &fits, &families->families[i], prices);
    }
    ok = copy_stream_end(&fits, &rows, error) &&
         copy_stream_send_spool(&fits, connection, copy_fits, error) &&
         copy_stream_end(&context.points, &rows, error) &&
         copy_stream_send_spool(&context.points, connection, copy_curves, error) &&
         copy_stream_end(&context.rates, &rows, error) &&
         copy_stream_send_spool(&context.rates, connection, copy_rate_tiers, error);
done:
    copy_stream_discard(&fits);
    copy_stream_discard(&context.points);
    copy_stream_discard(&context.rates);
    PQclear(prices);
    PQclear(sizes);
    return ok;
}
