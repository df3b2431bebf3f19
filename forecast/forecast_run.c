/* forecast/forecast_run.c: see forecast_run.h. */
#include "forecast/forecast_run.h"

#include "base/postgres/database.h"
#include "forecast/forecast_floors.h"
#include "forecast/forecast_minor.h"
#include "forecast/forecast_policy.h"
#include "forecast/forecast_unmatched.h"
#include "forecast/scenario_file.h"
#include "model/cost/verdict_fit.h"
#include "model/cost/verdict_texts.h"
#include "model/forecast/forecast_price.h"
#include "model/scaling/scaling_fit.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void note(struct forecast_result *result, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void note(struct forecast_result *result, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    cJSON_AddItemToArray(result->notes, cJSON_CreateString(text));
}

/* ---- node policy and spot, by the node counts of the jobs ---- */

/* Node-hours and wall-hours before and after, of one cell. */
struct changed_hours {
    double node_hours, wall_hours, new_node_hours, new_wall_hours, stretched;
};

/* Adds the note once for all cost centres. */
static void note_staying(struct forecast_result *result, const struct forecast_jobs *jobs)
{
    char text[512];
    snprintf(text, sizeof text, "node_policy: jobs of family %s stay on K = %u, and not %u: %s", jobs->family,
             jobs->as_run.k, jobs->k,
             jobs->measured            ? "its law says nothing of that K"
             : jobs->on_other_hardware ? "it was not measured on what they ran on"
                                       : "it has no law to go by");
    for (const cJSON *earlier = result->notes->child; earlier != NULL; earlier = earlier->next)
        if (strcmp(earlier->valuestring, text) == 0)
            return;
    note(result, "%s", text);
}

static void add_jobs(const struct forecast_jobs *jobs, struct changed_hours *sum)
{
    sum->node_hours += jobs->as_run.node_hours;
    sum->wall_hours += jobs->as_run.wall_hours;
    sum->new_node_hours += jobs->node_hours;
    sum->new_wall_hours += jobs->wall_hours;
    sum->stretched += jobs->node_hours * jobs->stretch;
}

/* Adds a note about the cost of waiting in the band of each job's K*. */
static bool note_waiting(PGconn *connection, const char *const span[2], struct forecast_result *result,
                         struct error *error)
{
    if (result->scenario.policy != POLICY_K_STAR)
        return true;
    PGresult *waiting = database_query_file(connection, "forecast/waiting.sql", 2, span, error);
    if (waiting != NULL)
        note(result, "node_policy: jobs off their band move to its nearer end, %s",
             PQgetvalue(waiting, 0, 0));
    PQclear(waiting);
    return waiting != NULL;
}

static bool apply_policy(PGconn *connection, struct forecast_history *history, struct forecast_result *result,
                         struct error *error)
{
    char from[16], to[16];

    if (result->scenario.policy == POLICY_AS_IS && result->scenario.spot.share == 0)
        return true;
    forecast_result_trailing(history, result, from, to);
    const char *const span[] = { from, to };
    if (!note_waiting(connection, span, result, error))
        return false;
    PGresult *rows = database_query_file(connection, "forecast/jobs_by_k.sql", 2, span, error);
    if (rows == NULL)
        return false;
    struct changed_hours *sums = calloc(result->forecast.cell_count + 1, sizeof *sums);
    for (int row = 0; row < PQntuples(rows); row++) {
        struct forecast_jobs jobs;
        forecast_jobs_read(&result->scenario, &history->families.families, rows, row, &jobs);
        const struct forecast_cell *cell =
            forecast_history_find(result->cells, result->forecast.cell_count, jobs.cost_centre, jobs.family);
        if (cell != NULL)
            add_jobs(&jobs, &sums[cell - result->cells]);
        if (jobs.stays)
            note_staying(result, &jobs);
    }
    for (size_t i = 0; i < result->forecast.cell_count; i++) {
        struct forecast_cell *cell = &result->cells[i];
        const struct changed_hours *sum = &sums[i];
        cell->policy_hours = sum->node_hours > 0 ? sum->new_node_hours / sum->node_hours : 1;
        cell->policy_wall = sum->wall_hours > 0 ? sum->new_wall_hours / sum->wall_hours : 1;
        cell->spot_stretch = sum->new_node_hours > 0 ? sum->stretched / sum->new_node_hours : 1;
    }
    PQclear(rows);
    free(sums);
    return true;
}

/* ---- how hardware was bought ---- */

/* Adds a note naming the hardware to which only a change of all prices applies. */
static void note_unknown_purchases(struct forecast_result *result, const char *from, const char *last)
{
    const struct forecast_cell *first = NULL;
    size_t others = 0;
    bool is_any_billed = forecast_purchases_billed(result->purchases.all, result->purchases.count);
    for (size_t i = 0; i < result->forecast.cell_count && is_any_billed; i++) {
        const struct forecast_cell *cell = &result->cells[i];
        if (forecast_purchases_billed(cell->purchases, cell->purchase_count) ||
            !(forecast_work(&result->forecast, i, 1) > 0))
            continue;
        if (first == NULL)
            first = cell;
        else
            others++;
    }
    if (!is_any_billed)
        note(
            result,
            "no bill line of %.7s to %.7s says how hardware was bought: changes of some prices change nothing",
            from, last);
    else if (first != NULL && others == 0)
        note(result,
             "no bill line of %.7s to %.7s says how the hardware of cost centre %s, family %s was bought: "
             "changes of some prices do not change it",
             from, last, first->cost_centre, first->family);
    else if (first != NULL)
        note(result,
             "no bill line of %.7s to %.7s says how the hardware of cost centre %s, family %s and %zu more "
             "was bought: changes of some prices do not change it",
             from, last, first->cost_centre, first->family, others);
}

static void give_purchases(const struct forecast_history *history, struct forecast_result *result)
{
    char from[16], last[16];
    result->forecast.floors = result->purchases.floors;
    result->forecast.floor_count = result->purchases.floor_count;
    for (size_t i = 0; i < result->forecast.cell_count; i++) {
        struct forecast_cell *cell = &result->cells[i];
        cell->purchase_count =
            forecast_purchases_of(&result->purchases, cell->cost_centre, cell->family, &cell->purchases);
        cell->bought_on_spot = forecast_purchases_on_spot(cell->purchases, cell->purchase_count);
    }
    forecast_result_trailing(history, result, from, last);
    if (scenario_prices_filtered(&result->scenario))
        note_unknown_purchases(result, from, last);
}

/* ---- planned trainings ---- */

enum { FACTOR_CENTRE, FACTOR_FAMILY, FACTOR }; /* sql/forecast/failed_factors.sql */

/* The failed-run factor of the cost centre and family, or else of the family, or else of all; 0
 * if none is known. */
static double failed_factor(const PGresult *rows, const char *cost_centre, const char *family)
{
    const char *const names[][2] = { { cost_centre, family }, { "*", family }, { "*", "*" } };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        for (int row = 0; row < PQntuples(rows); row++) {
            if (strcmp(PQgetvalue(rows, row, FACTOR_CENTRE), names[i][0]) == 0 &&
                strcmp(PQgetvalue(rows, row, FACTOR_FAMILY), names[i][1]) == 0)
                return strtod(PQgetvalue(rows, row, FACTOR), NULL);
        }
    }
    return 0;
}

/* The part of a family's failed-run factor that preemptions and node failures cause. */
static double interrupted_factor(const struct forecast_result *result, const char *family)
{
    double interrupted = 0, productive = 0;
    for (size_t i = 0; i < result->forecast.cell_count; i++) {
        const struct forecast_cell *cell = &result->cells[i];
        size_t from = result->base_months < FORECAST_TRAILING ? 0 : result->base_months - FORECAST_TRAILING;
        for (size_t month = from; month < result->base_months && strcmp(cell->family, family) == 0; month++) {
            interrupted += cell->months[month].failed_interrupted;
            productive += cell->months[month].hardware + cell->months[month].fees;
        }
    }
    return productive > 0 ? interrupted / productive : 0;
}

/* The scenario's price factor for a training's hardware. The training's hardware is assumed to
 * be bought as its cost centre bought the family's in the trailing months, or else as all other
 * cost centres did. */
static double training_price_factor(struct forecast_result *result, const struct scenario_training *plan,
                                    bool *is_as_family)
{
    const struct forecast_cell *cell =
        forecast_history_find(result->cells, result->forecast.cell_count, plan->cost_centre, plan->family);
    const struct forecast_purchase *purchases;
    *is_as_family = cell == NULL || !(result->drivers[cell - result->cells].recent_work > 0);
    size_t count = forecast_purchases_of(&result->purchases, *is_as_family ? "" : plan->cost_centre,
                                         plan->family, &purchases);
    if (!forecast_purchases_billed(purchases, count) &&
        forecast_purchases_billed(result->purchases.all, result->purchases.count) &&
        scenario_prices_filtered(&result->scenario))
        note(
            result,
            "training %s: no bill line says how the hardware of such jobs was bought: changes of some prices "
            "do not change it",
            plan->name);
    return forecast_price_factor(&result->scenario, purchases, count, plan->month);
}

/* Relative standard deviation of one run around its fit. */
static double fit_noise(const struct scaling_fit *fit)
{
    double noise = fit->outcome == SCALING_FIT_GROWTH ? fit->noise
                   : fit->freedom > 0                 ? sqrt(fit->residual_sum / fit->freedom)
                                                      : fit->repeat_noise;
    return isfinite(noise) && noise > 0 ? fmin(noise, FORECAST_LARGEST_DEVIATION) : .05;
}

/* Sets the interruptions of a training on spot. A spot price already contains the discount, so
 * it is not applied again. */
static void interrupt_training(const struct scenario *scenario, const struct scenario_training *plan,
                               const struct month_family *family, enum month_capacity capacity,
                               struct cost_curve *curve, bool *spot_is_stated)
{
    bool is_spot_price = capacity == CAPACITY_SPOT;
    capacity = plan->spot ? CAPACITY_SPOT : capacity;
    curve->interruption = family->interruptions[capacity].interruption;
    *spot_is_stated = plan->spot && family->interruptions[capacity].from == NULL;
    if (*spot_is_stated)
        curve->interruption = forecast_spot_interruption(scenario, family);
    curve->interruption.spot = plan->spot && !is_spot_price;
    curve->interruption.price_share = scenario->spot.price_fraction;
}

static bool refuse_training(const struct forecast_result *result, const struct scenario_training *plan,
                            enum k_star_outcome outcome, const struct training_answer *answer,
                            struct error *error)
{
    error_set(error, ERROR_INPUT, "scenario %s: training %s: %s", result->scenario.name, plan->name,
              outcome == K_STAR_DEADLINE_NOT_MET ? "no node count meets its deadline"
              : plan->k > 0                      ? "its family was not measured at that node count"
                                                 : "its family's law gives it no node count");
    if (outcome == K_STAR_DEADLINE_NOT_MET && answer->k > 0)
        error_detail(error, "the fastest, K = %u, takes %.4g hours", answer->k, answer->hours);
    else if (plan->k > 0)
        error_hint(error, "its k is %.0f: kstar model --fits --family %s shows what was measured", plan->k,
                   plan->family);
    return false;
}

/* Whether the family's measurements answer the training's question. Measurements under weak
 * scaling or of one size give no K*. Measurements that the statement does not believe give
 * nothing. */
static bool has_a_law(const struct forecast_history *history, const struct forecast_result *result,
                      const struct scenario_training *plan, const struct month_family *family,
                      struct error *error)
{
    if (family == NULL || !family->has_series) {
        error_set(error, ERROR_INPUT, "scenario %s: training %s: family %s has no measurements",
                  result->scenario.name, plan->name, plan->family);
        error_hint(error,
                   "deliver its sizes to efficiency/, or correct the name: kstar advise lists the families");
        return false;
    }
    const struct verdict_rules *rules = &history->families.families.rules;
    enum verdict_reason against;
    bool gives_k_star = verdict_gives_k_star(&family->fit, rules, &against);
    bool is_believed = verdict_law_usable(&family->fit, rules);
    if (is_believed && ((family->judged && gives_k_star) || plan->k > 0))
        return true;
    if (is_believed && !family->judged)
        error_set(error, ERROR_INPUT,
                  "scenario %s: training %s: family %s was measured under weak scaling, which gives no K*",
                  result->scenario.name, plan->name, plan->family);
    else
        error_set(error, ERROR_INPUT, "scenario %s: training %s: of family %s %s", result->scenario.name,
                  plan->name, plan->family, verdict_reason_text(against));
    if (is_believed)
        error_hint(error, "give its k");
    else
        error_hint(error, "kstar model --fits --family %s shows them", plan->family);
    return false;
}

static bool cost_training(struct forecast_history *history, const PGresult *factors,
                          struct forecast_result *result, size_t number, struct error *error)
{
    const struct scenario *scenario = &result->scenario;
    const struct scenario_training *plan = &scenario->trainings[number];

    struct month_family *family = month_family_find(&history->families.families, plan->family);
    struct job_price price = { 0 };
    enum month_capacity capacity = CAPACITY_ON_DEMAND;
    char month[16];
    if (!has_a_law(history, result, plan, family, error))
        return false;
    if (!latest_family_price(&history->families, family, &price, &capacity, month))
        return error_set(error, ERROR_INPUT,
                         "scenario %s: training %s: no job in a statement gives family %s prices",
                         scenario->name, plan->name, plan->family);
    enum verdict_reason against;
    bool gives_k_star = verdict_gives_k_star(&family->fit, &history->families.families.rules, &against);
    struct forecast_question *of = &result->questions[number];
    struct training_question *question = &of->asked;
    *of =
        (struct forecast_question){ .limits = verdict_limits(&family->fit, &family->limits,
                                                             &history->families.families.rules),
                                    .failed_factor = failed_factor(factors, plan->cost_centre, plan->family),
                                    .interrupted_factor = interrupted_factor(result, plan->family) };
    *question = (struct training_question){
        .plan = plan,
        .limits = &of->limits,
        .has_no_k_star = !family->judged || !gives_k_star,
        .accelerators_per_node = family->accelerators_per_node > 1 ? family->accelerators_per_node : 1,
        .price_factor = training_price_factor(result, plan, &of->is_bought_as_family),
        .efficiency_left = scenario_efficiency_left(scenario, plan->cost_centre, plan->family),
        .elastic_saving = scenario->elastic_saving,
        .failed_run_factor = of->failed_factor,
        .modelled_by_stretch = of->interrupted_factor,
        .minor_per_unit = history->minor_per_unit,
    };
    if (!isnan(scenario->failed_run_factor)) {
        question->failed_run_factor = scenario->failed_run_factor;
        question->modelled_by_stretch = 0;
    }
    if (!family->judged)
        note(result, "training %s: its family was measured under weak scaling, which gives no K*",
             plan->name);
    else if (!gives_k_star)
        note(result, "training %s: of its family %s, which gives no K*", plan->name,
             verdict_reason_text(against));
    verdict_curve(&family->fit, &price, &question->curve);
    of->is_spot_price = capacity == CAPACITY_SPOT;
    if (of->is_spot_price && !plan->spot)
        note(result,
             "training %s: the latest price of family %s is of spot capacity, and it is not planned on spot",
             plan->name, plan->family);
    if (plan->spot && !of->is_spot_price && scenario->spot.price_fraction == 1)
        note(result,
             "training %s is on spot at the price on demand: the scenario's spot has no price_fraction",
             plan->name);
    interrupt_training(scenario, plan, family, capacity, &question->curve, &of->spot_is_stated);
    struct forecast_training *training = &result->trainings[number];
    training->fit_noise = fit_noise(&family->fit);
    enum k_star_outcome outcome = planned_training(question, training, &result->answers[number]);
    if (outcome != K_STAR_FOUND)
        return refuse_training(result, plan, outcome, &result->answers[number], error);
    if (result->answers[number].k > of->limits.largest)
        note(result, "training %s: K = %u lies beyond what its family's measurements may be stretched to, %u",
             plan->name, result->answers[number].k, of->limits.largest);
    return true;
}

static bool any_on_demand(const struct forecast_result *result)
{
    bool found = false;
    for (size_t i = 0; i < result->scenario.training_count; i++)
        found = found || (result->trainings[i].ahead > 0 && !result->scenario.trainings[i].spot);
    return found;
}

static bool cost_trainings(PGconn *connection, struct forecast_history *history,
                           struct forecast_result *result, struct error *error)
{
    const struct scenario *scenario = &result->scenario;
    char from[16], last[16];
    bool ok = true;
    if (scenario->training_count == 0)
        return true;
    forecast_result_trailing(history, result, from, last);
    const char *const month[] = { last };
    PGresult *factors = database_query_file(connection, "forecast/failed_factors.sql", 1, month, error);
    for (size_t i = 0; factors != NULL && ok && i < scenario->training_count; i++) {
        const struct scenario_training *plan = &scenario->trainings[i];
        int ahead = plan->month - result->forecast.first + 1;
        result->trainings[i] =
            (struct forecast_training){ .cost_centre = plan->cost_centre, .family = plan->family };
        if (ahead < 1 || ahead > (int)result->months) {
            char text[8];
            note(result, "training %s is not counted: %s is not among the months of the forecast", plan->name,
                 scenario_month_text(plan->month, text));
            continue;
        }
        result->trainings[i].ahead = (unsigned)ahead;
        ok = cost_training(history, factors, result, i, error);
    }
    ok = ok && factors != NULL;
    if (ok && scenario->commitment.coverage > 0 && any_on_demand(result))
        note(result, "planned trainings do not draw on the commitment: they are paid beside it");
    PQclear(factors);
    return ok;
}

/* ---- the whole forecast ---- */

static void allocate(struct forecast_result *result, size_t cells)
{
    const struct scenario *scenario = &result->scenario;
    size_t trainings = scenario->training_count, months = result->months;
    size_t floors = result->purchases.floor_count;
    result->leaf_count = cells + 1 + scenario->people_count + floors + trainings;
    result->floors = calloc(months * floors + 1, sizeof *result->floors);
    result->cells = calloc(cells + 1, sizeof *result->cells);
    result->drivers = calloc(cells + 1, sizeof *result->drivers);
    result->trainings = calloc(trainings + 1, sizeof *result->trainings);
    result->answers = calloc(trainings + 1, sizeof *result->answers);
    result->questions = calloc(trainings + 1, sizeof *result->questions);
    result->leaves = calloc(result->leaf_count, sizeof *result->leaves);
    result->minor = calloc(months * result->leaf_count * FORECAST_COMPONENTS, sizeof *result->minor);
    result->work = calloc(3 * months * cells + 1, sizeof *result->work);
    result->ranges = calloc(months + 1, sizeof *result->ranges);
    result->notes = cJSON_CreateArray();
    result->hours = result->work + months * cells;
    result->price = result->hours + months * cells;
}

static void name_leaves(struct forecast_result *result)
{
    const struct scenario *scenario = &result->scenario;
    struct forecast_leaf *leaf = result->leaves;
    for (size_t i = 0; i < result->forecast.cell_count; i++)
        *leaf++ = (struct forecast_leaf){ result->cells[i].cost_centre, result->cells[i].family, "" };
    *leaf++ = (struct forecast_leaf){ "", "", "" };
    for (size_t i = 0; i < scenario->people_count; i++)
        *leaf++ = (struct forecast_leaf){ scenario->people[i].cost_centre, "", "" };
    for (size_t i = 0; i < result->forecast.floor_count; i++)
        *leaf++ = (struct forecast_leaf){ "", "", "" };
    for (size_t i = 0; i < scenario->training_count; i++)
        *leaf++ = (struct forecast_leaf){ scenario->trainings[i].cost_centre, scenario->trainings[i].family,
                                          scenario->trainings[i].name };
}

static void describe_history(const struct forecast_history *history, struct forecast_result *result)
{
    char first[8], gap[8];
    if (history->earlier > 0 && result->scenario.base_from == 0)
        note(result, "%d statement%s before %s do%s not count: %s has no whole statement in %s",
             history->earlier, history->earlier == 1 ? "" : "s", scenario_month_text(history->first, first),
             history->earlier == 1 ? "es" : "", scenario_month_text(history->first - 1, gap),
             history->currency);
    if (result->base_months < DAMPED_TREND_MONTHS)
        note(result, "%zu month%s of history: too little for a trend, their mean goes on",
             result->base_months, result->base_months == 1 ? "" : "s");
    if (result->back_test.held_back == 0)
        note(result, "%zu month%s of history: too little for a back-test", result->base_months,
             result->base_months == 1 ? "" : "s");
    if (result->base_months < DAMPED_TREND_SEASON_MONTHS)
        note(result, "no seasons: they need %u months of history", DAMPED_TREND_SEASON_MONTHS);
}

bool forecast_run(PGconn *connection, struct forecast_history *history, const char *scenario, unsigned months,
                  struct forecast_result *result, struct error *error)
{
    size_t from, to;
    char first[16], last[16];
    if (!scenario_read(scenario, &result->scenario, error) ||
        !forecast_history_window(history, &result->scenario, &from, &to, error))
        return false;
    result->base_from = from;
    result->base_months = to - from;
    result->months = months;
    forecast_result_trailing(history, result, first, last);
    if (!forecast_purchases_read(connection, first, last, history->minor_per_unit, &result->purchases, error))
        return false;
    allocate(result, history->cell_count);
    for (size_t i = 0; i < history->cell_count; i++) {
        result->cells[i] = history->cells[i];
        result->cells[i].months += from;
        forecast_fit_cell(&result->cells[i], result->base_months, &result->drivers[i]);
    }
    result->forecast = (struct forecast){ .cells = result->cells,
                                          .drivers = result->drivers,
                                          .cell_count = history->cell_count,
                                          .trainings = result->trainings,
                                          .training_count = result->scenario.training_count,
                                          .scenario = &result->scenario,
                                          .first = history->first + (int)to,
                                          .minor_per_unit = history->minor_per_unit };
    back_test(result->cells, history->cell_count, result->base_months, &result->back_test);
    describe_history(history, result);
    if (!apply_policy(connection, history, result, error))
        return false;
    give_purchases(history, result);
    if (!cost_trainings(connection, history, result, error) || !forecast_unmatched(connection, result, error))
        return false;
    name_leaves(result);
    forecast_floors_note(result);
    if (!forecast_minor(result, error))
        return false;
    forecast_idle_levers(result);
    return true;
}
