/* forecast/forecast_book_levers.c: a scenario's levers in its workbook: inputs, price changes
 * with the purchases of hardware, and node counts with the families' curves. */
#include "forecast/forecast_book_lists.h"
#include "forecast/forecast_policy.h"
#include "model/forecast/forecast_price.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double LEAST_SHARE = 1e-12; /* sums of shares lose up to this much to rounding */
enum { PRICE_ROWS = 8 };                 /* rows for price changes that a reader can fill in */

/* ---- inputs ---- */

/* Whether the lever applies to all jobs. Levers for some jobs are listed separately. */
static bool for_all(const struct scenario_jobs *jobs)
{
    return jobs->cost_centre == NULL && jobs->family == NULL;
}

/* The last growth for all jobs, which applies unless a later one is for some of them. NaN: none. */
static double growth_of_all(const struct scenario *scenario)
{
    double growth = NAN;
    for (size_t i = 0; i < scenario->growth_count; i++)
        if (for_all(&scenario->growth[i].jobs))
            growth = scenario->growth[i].monthly;
    return growth;
}

double book_own_growth(const struct scenario *scenario, const struct forecast_cell *cell)
{
    const struct scenario_growth *growth = scenario_growth_of(scenario, cell->cost_centre, cell->family);
    return growth == NULL || for_all(&growth->jobs) ? NAN : growth->monthly;
}

/* 1 - the product of (1 - penalty) over the penalties for all jobs (cell NULL), or over those
 * for some jobs that match the cell. A single penalty is returned as it is, because the
 * subtractions would round it. */
double book_penalty(const struct scenario *scenario, const struct forecast_cell *cell)
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
    json_add_number(row, "growth_all", growth_of_all(scenario));
    json_add_number(row, "efficiency_penalty_all", book_penalty(scenario, NULL));
    row_text(row, "node_policy", scenario_policy_name(scenario->policy));
    json_add_number(row, "node_cap", scenario->policy_cap > 0 ? scenario->policy_cap : NAN);
    json_add_number(row, "elastic_saving", scenario->elastic_saving);
    json_add_number(row, "spot_share", scenario->spot.share);
    json_add_number(row, "spot_price_fraction", scenario->spot.price_fraction);
    json_add_number(row, "spot_preemptions", scenario->spot.preemptions_per_node_hour);
    json_add_number(row, "spot_checkpoint_hours", scenario->spot.checkpoint_hours);
    json_add_number(row, "spot_restart_hours", scenario->spot.restart_hours);
    json_add_number(row, "commitment_coverage", scenario->commitment.coverage);
    json_add_number(row, "commitment_discount", scenario->commitment.discount);
    json_add_number(row, "failed_run_factor", scenario->failed_run_factor);
    json_add_number(row, "fixed_overhead_factor", scenario->fixed.factor);
    json_add_number(row, "fixed_overhead_plus", scenario->fixed.plus_per_month);
    json_add_number(row, "engineering_overhead_factor", scenario->engineering.factor);
    json_add_number(row, "engineering_overhead_plus", scenario->engineering.plus_per_month);
    json_add_number(row, "contingency", scenario->contingency);
    return row;
}

static cJSON *prices_json(const struct scenario *scenario)
{
    cJSON *list = cJSON_CreateArray();
    size_t count = scenario->price_count + 2 > PRICE_ROWS ? scenario->price_count + 2 : PRICE_ROWS;
    for (size_t i = 0; i < count; i++) {
        const struct scenario_price none = { .change = NAN };
        const struct scenario_price *price = i < scenario->price_count ? &scenario->prices[i] : &none;
        cJSON *row = row_added(list);
        json_add_number(row, "price_no", (double)i + 1);
        json_add_number(row, "change", price->change);
        row_month(row, "from_month", price->from);
        row_optional(row, "provider", price->provider);
        row_optional(row, "sku", price->sku);
        row_optional(row, "purchase", price->purchase);
        row_optional(row, "currency", price->currency);
    }
    return list;
}

/* ---- price changes and purchases ---- */

/* The list of purchases as it grows. */
struct purchase_list {
    const struct book_rows *rows;
    const struct forecast_commitment *commitments; /* by month */
    cJSON *list;
    int count;
};

/* `cell` equals the number of cells for a training. */
static void add_purchase(struct purchase_list *to, int number, size_t cell,
                         const struct forecast_purchase *purchase)
{
    const struct forecast *forecast = &to->rows->result->forecast;
    for (unsigned ahead = 1; ahead <= to->rows->result->months; ahead++) {
        scenario_month when = forecast->first + (int)ahead - 1;
        double change = forecast_price_change(forecast->scenario, purchase, when);
        cJSON *row = row_added(to->list);
        json_add_number(row, "purchase_no", ++to->count);
        json_add_number(row, "cell_no", number);
        json_add_number(row, "ahead", ahead);
        row_month(row, "month", when);
        row_optional(row, "provider", purchase->provider);
        row_optional(row, "sku", purchase->sku);
        row_optional(row, "purchase", purchase->purchase);
        row_optional(row, "currency", purchase->currency);
        json_add_number(row, "share", purchase->share);
        json_add_number(row, "change", change);
        json_add_number(row, "weighted", purchase->share * change);
        json_add_number(row, "agreed_change", forecast_floor_change(forecast->scenario, purchase, when));
        if (cell < forecast->cell_count && purchase->floor > 0)
            book_add_floor_part(to->rows, cell, purchase, ahead, &to->commitments[ahead - 1], row);
    }
}

/* Adds the purchases of a cell or a training, and the share whose purchase is unknown. */
static void add_purchases(struct purchase_list *to, int number, size_t cell,
                          const struct forecast_purchase *purchases, size_t count)
{
    struct forecast_purchase unknown = { .share = 1 };
    for (size_t i = 0; i < count; i++) {
        unknown.share -= purchases[i].share;
        add_purchase(to, number, cell, &purchases[i]);
    }
    if (count == 0 || unknown.share > LEAST_SHARE)
        add_purchase(to, number, cell, &unknown);
}

/* Adds trainings that are bought like their family in all cost centres. Their number is below 0:
 * their index in the scenario. */
static void add_training_purchases(struct purchase_list *to)
{
    const struct forecast_result *result = to->rows->result;
    for (size_t i = 0; i < result->scenario.training_count; i++) {
        const struct forecast_purchase *purchases;
        size_t count =
            forecast_purchases_of(&result->purchases, "", result->scenario.trainings[i].family, &purchases);
        if (result->questions[i].is_bought_as_family)
            add_purchases(to, -(int)i - 1, result->forecast.cell_count, purchases, count);
    }
}

/* The purchases of each cell in its last month with work. */
static cJSON *purchases_json(const struct book_rows *rows)
{
    const struct forecast *forecast = &rows->result->forecast;
    struct forecast_commitment *commitments = calloc(rows->result->months + 1, sizeof *commitments);
    struct purchase_list to = { rows, commitments, cJSON_CreateArray(), 0 };
    for (unsigned ahead = 1; ahead <= rows->result->months; ahead++)
        forecast_commitment(forecast, ahead, &commitments[ahead - 1]);
    for (size_t i = 0; i < forecast->cell_count; i++) {
        const struct forecast_cell *cell = &forecast->cells[i];
        if (rows->cell_numbers[i] > 0)
            add_purchases(&to, rows->cell_numbers[i], i, cell->purchases, cell->purchase_count);
    }
    add_training_purchases(&to);
    free(commitments);
    return to.list;
}

/* ---- node counts ---- */

/* A fit whose law or measurements apply to jobs, and the largest K that any policy may give
 * them. */
struct book_curve {
    const char *fit;
    struct cost_curve curve;
    unsigned largest;
};

static int curve_number(struct book_curve *curves, int *count, const struct forecast_jobs *jobs)
{
    int i = 0;
    if (!jobs->measured)
        return 0;
    while (i < *count && strcmp(curves[i].fit, jobs->fit) != 0)
        i++;
    if (i == *count)
        curves[(*count)++] = (struct book_curve){ .fit = jobs->fit, .curve = jobs->curve };
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
    cJSON *row = row_added(list);
    json_add_number(row, "cell_no", rows->cell_numbers[cell - cells]);
    row_text(row, "cost_centre", jobs->cost_centre);
    row_text(row, "family", jobs->family);
    json_add_number(row, "curve_no", curve);
    json_add_number(row, "k", jobs->as_run.k);
    json_add_number(row, "k_star", jobs->as_run.k_star);
    json_add_number(row, "per_node", jobs->per_node);
    json_add_number(row, "new_k", jobs->k);
    json_add_number(row, "node_hours", jobs->as_run.node_hours);
    json_add_number(row, "wall_hours", jobs->as_run.wall_hours);
    json_add_number(row, "hours_at_k", curve > 0 ? known_hours(&jobs->curve, jobs->as_run.k) : 0);
    json_add_number(row, "hours_at_new_k", curve > 0 ? known_hours(&jobs->curve, jobs->k) : 0);
    json_add_number(row, "new_node_hours", jobs->node_hours);
    json_add_number(row, "new_wall_hours", jobs->wall_hours);
    json_add_number(row, "stretch", jobs->stretch);
    json_add_number(row, "stretched", jobs->node_hours * jobs->stretch);
}

static void add_curve(const struct book_curve *curve, int curve_no, cJSON *list)
{
    for (unsigned k = 1; k <= curve->largest; k++) {
        if (known_hours(&curve->curve, k) == 0)
            continue;
        cJSON *row = row_added(list);
        json_add_number(row, "curve_no", curve_no);
        row_text(row, "family", curve->fit);
        json_add_number(row, "k", k);
        json_add_number(row, "hours", known_hours(&curve->curve, k));
        json_add_number(row, "efficiency", cost_curve_efficiency(&curve->curve, k));
    }
}

void book_add_node_counts(const struct book_rows *rows, struct month_families *families, const PGresult *by_k,
                          cJSON *book)
{
    struct book_curve *curves = calloc((size_t)PQntuples(by_k) + 1, sizeof *curves);
    cJSON *jobs_list = cJSON_AddArrayToObject(book, "jobs");
    cJSON *curve_list = cJSON_AddArrayToObject(book, "curves");
    int count = 0;
    for (int row = 0; row < PQntuples(by_k); row++) {
        struct forecast_jobs jobs;
        forecast_jobs_read(&rows->result->scenario, families, by_k, row, &jobs);
        add_jobs(rows, &jobs, curve_number(curves, &count, &jobs), jobs_list);
    }
    for (int i = 0; i < count; i++)
        add_curve(&curves[i], i + 1, curve_list);
    free(curves);
}

void book_add_inputs(const struct book_rows *rows, cJSON *book)
{
    cJSON_AddItemToObject(book, "inputs", inputs_json(&rows->result->scenario));
    cJSON_AddItemToObject(book, "prices", prices_json(&rows->result->scenario));
    cJSON_AddItemToObject(book, "purchases", purchases_json(rows));
}
