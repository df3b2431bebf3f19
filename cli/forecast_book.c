/* cli/forecast_book.c: see forecast_book.h. One function per list of rows. */
#include "cli/forecast_book.h"

#include "base/database.h"
#include "cli/forecast_book_trainings.h"
#include "cli/forecast_policy.h"
#include "cli/scenario_members.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double LEAST_SHARE = 1e-12; /* less than this is what sums of shares lose */
enum { ROWS_MAXIMUM = 1000000 };         /* formulas look up rows of one sheet */
enum { PRICE_ROWS = 8 };                 /* at least so many changes of prices can be typed in */

/* What the lists are made from. Cells and cost centres get numbers, by which formulas find them: names may
 * hold what a formula would take for a pattern. */
struct book_rows {
    const struct forecast_history *history;
    const struct forecast_result *result;
    int *cell_numbers;    /* of the jobs' cells, from 1; of the others 0 */
    const char **centres; /* by number - 1; the last one is "", the company as a whole */
    int centre_count;
    double *parts; /* [month][leaf][component], not rounded, minor units */
};

/* ---- values ---- */

static void number(cJSON *row, const char *name, double value)
{
    cJSON_AddItemToObject(row, name, isfinite(value) ? cJSON_CreateNumber(value) : cJSON_CreateNull());
}

static void text(cJSON *row, const char *name, const char *value)
{
    cJSON_AddStringToObject(row, name, value);
}

static void minor(cJSON *row, const char *name, int64_t units)
{
    char digits[32];
    snprintf(digits, sizeof digits, "%" PRId64, units);
    cJSON_AddRawToObject(row, name, digits);
}

static void month(cJSON *row, const char *name, scenario_month value)
{
    char day[16];
    if (value > 0)
        text(row, name, forecast_month_day(value, day));
    else
        cJSON_AddNullToObject(row, name);
}

static double units(const struct book_rows *rows, double minor_units)
{
    return minor_units / rows->history->minor_per_unit;
}

/* What stands for a cost centre or family without a name. */
static const char *named(const char *name)
{
    return name[0] != '\0' ? name : "(company)";
}

static cJSON *add_row(cJSON *list)
{
    cJSON *row = cJSON_CreateObject();
    cJSON_AddItemToArray(list, row);
    return row;
}

/* ---- numbers of cells and cost centres ---- */

static int compare_names(const void *a, const void *b)
{
    const char *x = *(const char *const *)a, *y = *(const char *const *)b;
    if ((x[0] == '\0') != (y[0] == '\0'))
        return x[0] == '\0' ? 1 : -1; /* the company as a whole is last */
    return strcmp(x, y);
}

static int centre_number(const struct book_rows *rows, const char *name)
{
    for (int i = 0; i < rows->centre_count; i++)
        if (strcmp(rows->centres[i], name) == 0)
            return i + 1;
    return 0;
}

static bool number_all(struct book_rows *rows)
{
    const struct forecast_result *result = rows->result;
    size_t leaves = result->leaf_count;
    int jobs = 0;
    rows->cell_numbers = calloc(result->forecast.cell_count + 1, sizeof *rows->cell_numbers);
    rows->centres = calloc(leaves, sizeof *rows->centres);
    rows->parts = calloc(leaves * FORECAST_COMPONENTS * result->months, sizeof *rows->parts);
    if (rows->cell_numbers == NULL || rows->centres == NULL || rows->parts == NULL)
        return false;
    for (size_t i = 0; i < result->forecast.cell_count; i++)
        rows->cell_numbers[i] = result->cells[i].family[0] != '\0' ? ++jobs : 0;
    for (size_t i = 0; i < leaves; i++)
        if (centre_number(rows, result->leaves[i].cost_centre) == 0)
            rows->centres[rows->centre_count++] = result->leaves[i].cost_centre;
    qsort(rows->centres, (size_t)rows->centre_count, sizeof *rows->centres, compare_names);
    for (unsigned i = 0; i < result->months; i++)
        forecast_month(&result->forecast, i + 1, NULL, rows->parts + i * leaves * FORECAST_COMPONENTS);
    return true;
}

/* A leaf's month: its rounded parts by name, and their total. */
static void add_parts(const struct book_rows *rows, unsigned ahead, size_t leaf, cJSON *row)
{
    for (int component = 0; component < FORECAST_COMPONENTS; component++)
        minor(row, forecast_component_name((enum forecast_component)component),
              forecast_result_sum(rows->result, (int)ahead - 1, (int)leaf, component));
    minor(row, "total", forecast_result_sum(rows->result, (int)ahead - 1, (int)leaf, -1));
}

/* All of a leaf's month but the reserve, not rounded, in units of the currency. */
static double whole(const struct book_rows *rows, unsigned ahead, size_t leaf)
{
    const double *parts = rows->parts + ((ahead - 1) * rows->result->leaf_count + leaf) * FORECAST_COMPONENTS;
    double sum = 0;
    for (int component = 0; component < FORECAST_CONTINGENCY; component++)
        sum += parts[component];
    return units(rows, sum);
}

static void add_place(const struct book_rows *rows, unsigned ahead, const char *centre, cJSON *row)
{
    number(row, "ahead", ahead);
    month(row, "month", rows->result->forecast.first + (int)ahead - 1);
    number(row, "centre_no", centre_number(rows, centre));
    text(row, "cost_centre", named(centre));
}

/* ---- what the scenario says ---- */

/* What is meant for all jobs stands apart from what is meant for some. */
static bool for_all(const struct scenario_jobs *jobs)
{
    return jobs->cost_centre == NULL && jobs->family == NULL;
}

/* The last growth of all jobs, which counts unless a later one is for some of them; NaN: none. */
static double growth_of_all(const struct scenario *scenario)
{
    double growth = NAN;
    for (size_t i = 0; i < scenario->growth_count; i++)
        if (for_all(&scenario->growth[i].jobs))
            growth = scenario->growth[i].monthly;
    return growth;
}

static double own_growth(const struct scenario *scenario, const struct forecast_cell *cell)
{
    const struct scenario_growth *growth = scenario_growth_of(scenario, cell->cost_centre, cell->family);
    return growth == NULL || for_all(&growth->jobs) ? NAN : growth->monthly;
}

/* 1 - the product of 1 - penalty, of those for all jobs or of those for some that these jobs are among. One
 * alone is itself, without what the subtractions would lose. */
static double penalty_of(const struct scenario *scenario, const struct forecast_cell *cell)
{
    double left = 1, only = 0;
    int found = 0;
    for (size_t i = 0; i < scenario->penalty_count; i++) {
        const struct scenario_penalty *penalty = &scenario->penalties[i];
        bool meant = cell == NULL ? for_all(&penalty->jobs)
                                  : !for_all(&penalty->jobs) &&
                                        scenario_jobs_match(&penalty->jobs, cell->cost_centre, cell->family);
        if (!meant)
            continue;
        found++;
        only = penalty->penalty;
        left *= 1 - penalty->penalty;
    }
    return found == 1 ? only : 1 - left;
}

static cJSON *inputs_json(const struct scenario *scenario)
{
    cJSON *row = cJSON_CreateObject();
    number(row, "growth_all", growth_of_all(scenario));
    number(row, "efficiency_penalty_all", penalty_of(scenario, NULL));
    text(row, "node_policy", scenario_policy_name(scenario->policy));
    number(row, "node_cap", scenario->policy_cap > 0 ? scenario->policy_cap : NAN);
    number(row, "elastic_saving", scenario->elastic_saving);
    number(row, "spot_share", scenario->spot.share);
    number(row, "spot_price_fraction", scenario->spot.price_fraction);
    number(row, "spot_preemptions", scenario->spot.preemptions_per_node_hour);
    number(row, "spot_checkpoint_hours", scenario->spot.checkpoint_hours);
    number(row, "spot_restart_hours", scenario->spot.restart_hours);
    number(row, "commitment_coverage", scenario->commitment.coverage);
    number(row, "commitment_discount", scenario->commitment.discount);
    number(row, "failed_run_factor", scenario->failed_run_factor);
    number(row, "fixed_overhead_factor", scenario->fixed.factor);
    number(row, "fixed_overhead_plus", scenario->fixed.plus_per_month);
    number(row, "engineering_overhead_factor", scenario->engineering.factor);
    number(row, "engineering_overhead_plus", scenario->engineering.plus_per_month);
    number(row, "contingency", scenario->contingency);
    return row;
}

static void optional_text(cJSON *row, const char *name, const char *value)
{
    cJSON_AddItemToObject(row, name, value != NULL ? cJSON_CreateString(value) : cJSON_CreateNull());
}

static cJSON *prices_json(const struct scenario *scenario)
{
    cJSON *list = cJSON_CreateArray();
    size_t count = scenario->price_count + 2 > PRICE_ROWS ? scenario->price_count + 2 : PRICE_ROWS;
    for (size_t i = 0; i < count; i++) {
        const struct scenario_price none = { .change = NAN };
        const struct scenario_price *price = i < scenario->price_count ? &scenario->prices[i] : &none;
        cJSON *row = add_row(list);
        number(row, "price_no", (double)i + 1);
        number(row, "change", price->change);
        month(row, "from_month", price->from);
        optional_text(row, "provider", price->provider);
        optional_text(row, "sku", price->sku);
        optional_text(row, "purchase", price->purchase);
        optional_text(row, "currency", price->currency);
    }
    return list;
}

/* ---- the jobs' cells ---- */

static cJSON *cells_json(const struct book_rows *rows)
{
    const struct forecast *forecast = &rows->result->forecast;
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < forecast->cell_count; i++) {
        const struct forecast_cell *cell = &forecast->cells[i];
        const struct forecast_drivers *drivers = &forecast->drivers[i];
        if (rows->cell_numbers[i] == 0)
            continue;
        cJSON *row = add_row(list);
        number(row, "cell_no", rows->cell_numbers[i]);
        text(row, "cost_centre", cell->cost_centre);
        text(row, "family", cell->family);
        number(row, "growth", own_growth(forecast->scenario, cell));
        number(row, "penalty", penalty_of(forecast->scenario, cell));
        number(row, "recent_work", drivers->recent_work);
        number(row, "efficiency", drivers->efficiency);
        number(row, "recent_node_hours", drivers->recent_work / drivers->efficiency);
        number(row, "unmeasured_share", drivers->unmeasured_share);
        number(row, "fees_per_node_hour", units(rows, drivers->fees_per_node_hour));
        number(row, "failed_factor", drivers->failed_factor);
        number(row, "interrupted_factor", drivers->interrupted_factor);
        number(row, "cancelled_factor", drivers->cancelled_factor);
        number(row, "hardware_alone", units(rows, drivers->hardware_alone));
        number(row, "fees_alone", units(rows, drivers->fees_alone));
        number(row, "failed_alone", units(rows, drivers->failed_alone));
        number(row, "cancelled_alone", units(rows, drivers->cancelled_alone));
        number(row, "policy_hours", cell->policy_hours);
        number(row, "policy_wall", cell->policy_wall);
        number(row, "spot_stretch", forecast->scenario->spot.share > 0 ? cell->spot_stretch : 1);
    }
    return list;
}

static void add_line(const struct book_rows *rows, size_t cell, unsigned ahead,
                     const struct forecast_commitment *commitment, cJSON *row)
{
    const struct forecast *forecast = &rows->result->forecast;
    const struct forecast_cell *of = &forecast->cells[cell];
    const struct forecast_drivers *drivers = &forecast->drivers[cell];
    struct forecast_cell_month line;
    forecast_cell_month(forecast, cell, ahead, commitment, &line);
    number(row, "cell_no", rows->cell_numbers[cell]);
    text(row, "family", of->family);
    number(row, "trend_work", damped_trend_at(&drivers->work, ahead));
    number(row, "trend_price", units(rows, damped_trend_at(&drivers->price, ahead)));
    number(row, "trend_fixed", units(rows, damped_trend_at(&drivers->fixed, ahead)));
    number(row, "trend_engineering", units(rows, damped_trend_at(&drivers->engineering, ahead)));
    number(row, "trend_other", units(rows, damped_trend_at(&drivers->other, ahead)));
    number(row, "work", line.work);
    number(row, "node_hours", line.hours);
    number(row, "price_factor",
           forecast_price_factor(forecast->scenario, of->purchases, of->purchase_count,
                                 forecast->first + (int)ahead - 1));
    number(row, "price", units(rows, line.price));
    number(row, "on_demand_hours", line.on_demand_hours);
    number(row, "on_demand_cost", units(rows, line.on_demand_hours * line.price));
    number(row, "paid", units(rows, line.paid));
    number(row, "productive", units(rows, line.productive));
    number(row, "failed_factor", line.failed_factor);
    number(row, "whole", whole(rows, ahead, cell));
    add_parts(rows, ahead, cell, row);
}

/* The cells' months, by month; where `jobs` is false, what stands on no job. */
static cJSON *lines_json(const struct book_rows *rows, bool jobs)
{
    const struct forecast *forecast = &rows->result->forecast;
    cJSON *list = cJSON_CreateArray();
    int line_number = 0;
    for (unsigned ahead = 1; ahead <= rows->result->months; ahead++) {
        struct forecast_commitment commitment;
        forecast_commitment(forecast, ahead, &commitment);
        for (size_t i = 0; i < forecast->cell_count; i++) {
            if ((rows->cell_numbers[i] > 0) != jobs)
                continue;
            cJSON *row = add_row(list);
            number(row, "line_no", ++line_number);
            add_place(rows, ahead, forecast->cells[i].cost_centre, row);
            add_line(rows, i, ahead, &commitment, row);
        }
    }
    return list;
}

/* ---- what is the company's as a whole, and people ---- */

static cJSON *company_json(const struct book_rows *rows)
{
    const struct forecast *forecast = &rows->result->forecast;
    cJSON *list = cJSON_CreateArray();
    for (unsigned ahead = 1; ahead <= rows->result->months; ahead++) {
        struct forecast_commitment commitment;
        forecast_commitment(forecast, ahead, &commitment);
        cJSON *row = add_row(list);
        add_place(rows, ahead, "", row);
        number(row, "on_demand_hours", commitment.hours);
        number(row, "on_demand_cost", units(rows, commitment.money));
        number(row, "committed", commitment.committed);
        number(row, "used", commitment.used);
        number(row, "covered", commitment.covered);
        number(row, "unused_cost", units(rows, commitment.unused_cost));
        number(row, "whole", whole(rows, ahead, forecast->cell_count));
        add_parts(rows, ahead, forecast->cell_count, row);
    }
    return list;
}

static cJSON *people_json(const struct book_rows *rows)
{
    const struct scenario *scenario = rows->result->forecast.scenario;
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < scenario->people_count; i++) {
        const struct scenario_people *people = &scenario->people[i];
        cJSON *row = add_row(list);
        number(row, "people_no", (double)i + 1);
        text(row, "cost_centre", people->cost_centre);
        number(row, "people", people->count);
        number(row, "annual_cost", people->annual_cost);
        number(row, "share", people->share);
        month(row, "from_month", people->from);
    }
    return list;
}

static cJSON *people_months_json(const struct book_rows *rows)
{
    const struct scenario *scenario = rows->result->forecast.scenario;
    cJSON *list = cJSON_CreateArray();
    for (unsigned ahead = 1; ahead <= rows->result->months; ahead++) {
        for (size_t i = 0; i < scenario->people_count; i++) {
            size_t leaf = rows->result->forecast.cell_count + 1 + i;
            cJSON *row = add_row(list);
            add_place(rows, ahead, scenario->people[i].cost_centre, row);
            number(row, "people_no", (double)i + 1);
            number(row, "whole", whole(rows, ahead, leaf));
            add_parts(rows, ahead, leaf, row);
        }
    }
    return list;
}

/* ---- cost centres by month ---- */

static int64_t centre_sum(const struct book_rows *rows, unsigned ahead, int centre, int component)
{
    int64_t sum = 0;
    for (size_t i = 0; i < rows->result->leaf_count; i++)
        if (strcmp(rows->result->leaves[i].cost_centre, rows->centres[centre]) == 0)
            sum += forecast_result_sum(rows->result, (int)ahead - 1, (int)i, component);
    return sum;
}

static cJSON *centres_json(const struct book_rows *rows)
{
    cJSON *list = cJSON_CreateArray();
    for (unsigned ahead = 1; ahead <= rows->result->months; ahead++) {
        for (int i = 0; i < rows->centre_count; i++) {
            cJSON *row = add_row(list);
            add_place(rows, ahead, rows->centres[i], row);
            for (int component = 0; component < FORECAST_COMPONENTS; component++)
                minor(row, forecast_component_name((enum forecast_component)component),
                      centre_sum(rows, ahead, i, component));
            minor(row, "total", centre_sum(rows, ahead, i, -1));
        }
    }
    return list;
}

static cJSON *months_json(const struct forecast_result *result)
{
    cJSON *list = cJSON_CreateArray();
    for (unsigned ahead = 1; ahead <= result->months; ahead++) {
        cJSON *row = add_row(list);
        number(row, "ahead", ahead);
        month(row, "month", result->forecast.first + (int)ahead - 1);
        for (int component = 0; component < FORECAST_COMPONENTS; component++)
            minor(row, forecast_component_name((enum forecast_component)component),
                  forecast_result_sum(result, (int)ahead - 1, -1, component));
        minor(row, "total", forecast_result_sum(result, (int)ahead - 1, -1, -1));
    }
    return list;
}

/* ---- how prices change what was bought ---- */

enum {
    BOUGHT_CENTRE,
    BOUGHT_FAMILY,
    PROVIDER,
    SKU,
    PURCHASE,
    BOUGHT_CURRENCY,
    SHARE
}; /* forecast/purchases.sql */

static void add_purchase(const struct book_rows *rows, int cell, const struct forecast_purchase *purchase,
                         cJSON *list)
{
    const struct forecast *forecast = &rows->result->forecast;
    struct forecast_purchase all = *purchase;
    all.share = 1;
    for (unsigned ahead = 1; ahead <= rows->result->months; ahead++) {
        double change = forecast_price_factor(forecast->scenario, &all, 1, forecast->first + (int)ahead - 1);
        cJSON *row = add_row(list);
        number(row, "cell_no", cell);
        number(row, "ahead", ahead);
        month(row, "month", forecast->first + (int)ahead - 1);
        optional_text(row, "provider", purchase->provider);
        optional_text(row, "sku", purchase->sku);
        optional_text(row, "purchase", purchase->purchase);
        optional_text(row, "currency", purchase->currency);
        number(row, "share", purchase->share);
        number(row, "change", change);
        number(row, "weighted", purchase->share * change);
    }
}

/* Each cell's purchases in the last month of history, and what nobody knows how it was bought; cell 0: work
 * without a cell. */
static cJSON *purchases_json(const struct book_rows *rows, const PGresult *bought)
{
    const struct forecast *forecast = &rows->result->forecast;
    cJSON *list = cJSON_CreateArray();
    struct forecast_purchase unknown = { .share = 1 };
    add_purchase(rows, 0, &unknown, list);
    for (size_t i = 0; i < forecast->cell_count; i++) {
        double known = 0;
        if (rows->cell_numbers[i] == 0)
            continue;
        for (int row = 0; row < PQntuples(bought); row++) {
            if (strcmp(PQgetvalue(bought, row, BOUGHT_CENTRE), forecast->cells[i].cost_centre) != 0 ||
                strcmp(PQgetvalue(bought, row, BOUGHT_FAMILY), forecast->cells[i].family) != 0)
                continue;
            const struct forecast_purchase purchase = { PQgetvalue(bought, row, PROVIDER),
                                                        PQgetvalue(bought, row, SKU),
                                                        PQgetvalue(bought, row, PURCHASE),
                                                        PQgetvalue(bought, row, BOUGHT_CURRENCY),
                                                        strtod(PQgetvalue(bought, row, SHARE), NULL) };
            known += purchase.share;
            add_purchase(rows, rows->cell_numbers[i], &purchase, list);
        }
        unknown.share = 1 - known;
        if (known == 0 || unknown.share > LEAST_SHARE)
            add_purchase(rows, rows->cell_numbers[i], &unknown, list);
    }
    return list;
}

/* ---- node counts ---- */

/* A family whose law or measurements the jobs go by, and the largest K that any policy may give them. */
struct book_curve {
    const char *family;
    struct cost_curve curve;
    unsigned largest;
};

static int curve_number(struct book_curve *curves, int *count, const struct forecast_jobs *jobs)
{
    int i = 0;
    if (!jobs->measured)
        return 0;
    while (i < *count && strcmp(curves[i].family, jobs->family) != 0)
        i++;
    if (i == *count)
        curves[(*count)++] = (struct book_curve){ .family = jobs->family, .curve = jobs->curve };
    unsigned k = jobs->as_run.k > jobs->as_run.k_star ? jobs->as_run.k : jobs->as_run.k_star;
    curves[i].largest = k > curves[i].largest ? k : curves[i].largest;
    return i + 1;
}

static double known_hours(const struct cost_curve *curve, unsigned k)
{
    double hours = cost_curve_hours(curve, k);
    return isfinite(hours) && hours > 0 ? hours : 0;
}

static void add_jobs(const struct book_rows *rows, const struct forecast_jobs *jobs, int curve, cJSON *list)
{
    const struct forecast_cell *cells = rows->result->cells;
    const struct forecast_cell *cell =
        forecast_history_find(cells, rows->result->forecast.cell_count, jobs->cost_centre, jobs->family);
    if (cell == NULL)
        return;
    cJSON *row = add_row(list);
    number(row, "cell_no", rows->cell_numbers[cell - cells]);
    text(row, "cost_centre", jobs->cost_centre);
    text(row, "family", jobs->family);
    number(row, "curve_no", curve);
    number(row, "k", jobs->as_run.k);
    number(row, "k_star", jobs->as_run.k_star);
    number(row, "per_node", jobs->per_node);
    number(row, "new_k", jobs->k);
    number(row, "node_hours", jobs->as_run.node_hours);
    number(row, "wall_hours", jobs->as_run.wall_hours);
    number(row, "hours_at_k", curve > 0 ? known_hours(&jobs->curve, jobs->as_run.k) : 0);
    number(row, "hours_at_new_k", curve > 0 ? known_hours(&jobs->curve, jobs->k) : 0);
    number(row, "new_node_hours", jobs->node_hours);
    number(row, "new_wall_hours", jobs->wall_hours);
    number(row, "stretch", jobs->stretch);
    number(row, "stretched", jobs->node_hours * jobs->stretch);
}

static void add_curve(const struct book_curve *curve, int curve_no, cJSON *list)
{
    for (unsigned k = 1; k <= curve->largest; k++) {
        if (known_hours(&curve->curve, k) == 0)
            continue;
        cJSON *row = add_row(list);
        number(row, "curve_no", curve_no);
        text(row, "family", curve->family);
        number(row, "k", k);
        number(row, "hours", known_hours(&curve->curve, k));
        number(row, "efficiency", cost_curve_efficiency(&curve->curve, k));
    }
}

static bool add_node_counts(const struct book_rows *rows, struct month_families *families,
                            const PGresult *by_k, cJSON *book)
{
    struct book_curve *curves = calloc((size_t)PQntuples(by_k) + 1, sizeof *curves);
    cJSON *jobs_list = cJSON_AddArrayToObject(book, "jobs");
    cJSON *curve_list = cJSON_AddArrayToObject(book, "curves");
    int count = 0;
    for (int row = 0; curves != NULL && row < PQntuples(by_k); row++) {
        struct forecast_jobs jobs;
        forecast_jobs_read(&rows->result->scenario, families, by_k, row, &jobs);
        add_jobs(rows, &jobs, curve_number(curves, &count, &jobs), jobs_list);
    }
    for (int i = 0; i < count; i++)
        add_curve(&curves[i], i + 1, curve_list);
    bool ok = curves != NULL;
    free(curves);
    return ok;
}

/* ---- scenarios side by side, bridge, back-test ---- */

static void add_range(cJSON *row, const struct forecast_range *range)
{
    minor(row, "p10", llround(range->p10));
    minor(row, "p50", llround(range->p50));
    minor(row, "p90", llround(range->p90));
}

/* Each scenario's months; the month after the last is all of them together. */
static cJSON *scenarios_json(const struct forecast_result *results, int count, int which)
{
    cJSON *list = cJSON_CreateArray();
    for (int i = 0; i < count; i++) {
        const struct forecast_result *result = &results[i];
        for (unsigned ahead = 1; ahead <= result->months + 1; ahead++) {
            bool all = ahead > result->months;
            cJSON *row = add_row(list);
            number(row, "scenario_no", i + 1);
            text(row, "scenario", result->scenario.name);
            cJSON_AddBoolToObject(row, "is_own", i == which);
            number(row, "ahead", ahead);
            month(row, "month", all ? 0 : result->forecast.first + (int)ahead - 1);
            minor(row, "cost", forecast_result_sum(result, all ? -1 : (int)ahead - 1, -1, -1));
            add_range(row, &result->ranges[ahead - 1]);
        }
    }
    return list;
}

/* "node_policy" as "Node policy". */
static void add_label(cJSON *row, const char *name)
{
    char label[64];
    snprintf(label, sizeof label, "%s", name);
    for (char *c = label; *c != '\0'; c++)
        *c = (char)(*c == '_' ? ' ' : *c);
    label[0] = (char)(label[0] - 'a' + 'A');
    text(row, "label", label);
}

static cJSON *bridge_json(const struct forecast_result *result)
{
    cJSON *list = cJSON_CreateArray();
    for (int step = 0; step < FORECAST_LEVERS + 2; step++) {
        cJSON *row = add_row(list);
        number(row, "step_no", step + 1);
        add_label(row, step == 0                     ? "base"
                       : step == FORECAST_LEVERS + 1 ? "rounding"
                                                     : forecast_lever_name((enum forecast_lever)(step - 1)));
        minor(row, "minor_units", result->bridge[step]);
    }
    return list;
}

static cJSON *back_test_json(const struct book_rows *rows)
{
    const struct back_test *test = &rows->result->back_test;
    scenario_month last =
        rows->history->first + (int)(rows->result->base_from + rows->result->base_months) - 1;
    cJSON *list = cJSON_CreateArray();
    for (unsigned i = 0; i < test->held_back; i++) {
        cJSON *row = add_row(list);
        month(row, "month", last - (int)test->held_back + 1 + (int)i);
        minor(row, "forecast", llround(test->forecast[i]));
        minor(row, "actual", llround(test->actual[i]));
    }
    return list;
}

static cJSON *history_json(const struct book_rows *rows, struct error *error)
{
    const struct forecast_history *history = rows->history;
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < history->months; i++) {
        int64_t effects[COST_EFFECTS] = { 0 };
        cJSON *row = add_row(list);
        month(row, "month", history->first + (int)i);
        minor(row, "cost", forecast_history_cost(history, i));
        if (i == 0)
            continue;
        forecast_history_change(history, i, effects, error);
        for (int effect = 0; effect < COST_EFFECTS; effect++)
            minor(row, cost_effect_name((enum cost_effect)effect), effects[effect]);
    }
    return list;
}

/* ---- the head, and the whole ---- */

static cJSON *head_json(const struct book_rows *rows, const char *forecast_id)
{
    const struct forecast_result *result = rows->result;
    scenario_month from = rows->history->first + (int)result->base_from;
    cJSON *row = cJSON_CreateObject();
    text(row, "scenario", result->scenario.name);
    optional_text(row, "description", result->scenario.description);
    text(row, "forecast_id", forecast_id);
    text(row, "kstar_version", KSTAR_VERSION);
    text(row, "currency", rows->history->currency);
    number(row, "digits", rows->history->digits);
    month(row, "first_month", result->forecast.first);
    month(row, "last_month", result->forecast.first + (int)result->months - 1);
    month(row, "base_from", from);
    month(row, "base_to", from + (int)result->base_months - 1);
    number(row, "seed", result->scenario.uncertainty.seed);
    number(row, "draws", result->scenario.uncertainty.draws);
    number(row, "back_test_error", result->back_test.error);
    number(row, "back_test_bias", result->back_test.bias);
    number(row, "naive_error", result->back_test.naive_error);
    return row;
}

/* As it would be written in one file. */
static void add_content(const struct scenario *scenario, cJSON *book)
{
    cJSON *content = scenario_json(scenario);
    char *written = cJSON_Print(content);
    text(book, "content", written != NULL ? written : "");
    cJSON_free(written);
    cJSON_Delete(content);
}

static int number_of_centre(const void *rows, const char *cost_centre)
{
    return centre_number(rows, cost_centre);
}

static int number_of_cell(const void *context, const char *cost_centre, const char *family)
{
    const struct book_rows *rows = context;
    const struct forecast_cell *cells = rows->result->cells;
    const struct forecast_cell *cell =
        forecast_history_find(cells, rows->result->forecast.cell_count, cost_centre, family);
    return cell != NULL ? rows->cell_numbers[cell - cells] : 0;
}

static cJSON *lists_json(const struct book_rows *rows, const PGresult *bought, const PGresult *by_k,
                         struct month_families *families, struct error *error)
{
    const struct scenario *scenario = &rows->result->scenario;
    cJSON *book = cJSON_CreateObject();
    cJSON_AddItemToObject(book, "inputs", inputs_json(scenario));
    cJSON_AddItemToObject(book, "prices", prices_json(scenario));
    cJSON_AddItemToObject(book, "cells", cells_json(rows));
    cJSON_AddItemToObject(book, "lines", lines_json(rows, true));
    cJSON_AddItemToObject(book, "others", lines_json(rows, false));
    cJSON_AddItemToObject(book, "company", company_json(rows));
    cJSON_AddItemToObject(book, "people", people_json(rows));
    cJSON_AddItemToObject(book, "people_months", people_months_json(rows));
    cJSON_AddItemToObject(book, "centres", centres_json(rows));
    cJSON_AddItemToObject(book, "months", months_json(rows->result));
    cJSON_AddItemToObject(book, "purchases", purchases_json(rows, bought));
    cJSON_AddItemToObject(book, "bridge", bridge_json(rows->result));
    cJSON_AddItemToObject(book, "back_test", back_test_json(rows));
    cJSON_AddItemToObject(book, "history", history_json(rows, error));
    cJSON_AddItemToObject(book, "notes", cJSON_Duplicate(rows->result->notes, true));
    add_content(scenario, book);
    forecast_book_trainings(rows->history, rows->result,
                            &(struct book_numbers){ rows, number_of_centre, number_of_cell }, book);
    if (!add_node_counts(rows, families, by_k, book))
        error_set(error, ERROR_FAILED, "out of memory");
    return book;
}

cJSON *forecast_book_json(PGconn *connection, struct forecast_history *history,
                          const struct forecast_result *results, int count, int which,
                          const char *forecast_id, struct error *error)
{
    struct book_rows rows = { .history = history, .result = &results[which] };
    char from[16], last[16];
    forecast_result_trailing(history, rows.result, from, last);
    const char *const span[] = { from, last }, *const month_of[] = { last };
    PGresult *bought = database_query_file(connection, "forecast/purchases.sql", 1, month_of, error);
    PGresult *by_k =
        bought == NULL ? NULL : database_query_file(connection, "forecast/jobs_by_k.sql", 2, span, error);
    cJSON *book = NULL;
    if (by_k != NULL && rows.result->forecast.cell_count * rows.result->months > ROWS_MAXIMUM)
        error_set(
            error, ERROR_INPUT,
            "scenario %s: %zu cost centres and families in %u months are more rows than the formulas of "
            "a workbook reach",
            rows.result->scenario.name, rows.result->forecast.cell_count, rows.result->months);
    else if (by_k != NULL && !number_all(&rows))
        error_set(error, ERROR_FAILED, "out of memory");
    else if (by_k != NULL)
        book = lists_json(&rows, bought, by_k, &history->families.families, error);
    if (book != NULL) {
        cJSON_AddItemToObject(book, "head", head_json(&rows, forecast_id));
        cJSON_AddItemToObject(book, "scenarios", scenarios_json(results, count, which));
    }
    if (error->kind != ERROR_NONE) {
        cJSON_Delete(book);
        book = NULL;
    }
    PQclear(bought);
    PQclear(by_k);
    free(rows.cell_numbers);
    free(rows.centres);
    free(rows.parts);
    return book;
}
