/* forecast/forecast_unmatched.c: see forecast_unmatched.h. */
#include "forecast/forecast_unmatched.h"

#include "base/postgres/database.h"
#include "forecast/scenario_members.h"
#include "model/forecast/forecast_price.h"

#include <stdio.h>
#include <string.h>

/* A filter of an entry in a list; value NULL matches any. */
struct asked {
    const char *name, *value;
};

enum { ASKED_MOST = 4, NOTE_BYTES = 512 };

static void add_text(char text[NOTE_BYTES], const char *before, const char *name, const char *value)
{
    size_t used = strlen(text);
    snprintf(text + used, NOTE_BYTES - used, "%s%s%s%s", before, name, value[0] != '\0' ? " " : "", value);
}

/* "growth[0] (cost centre CC-22O) matches nothing in the history" */
static void note(struct forecast_result *result, const char *member, const struct asked asked[ASKED_MOST],
                 const char *what)
{
    char text[NOTE_BYTES];
    const char *before = " (";
    snprintf(text, sizeof text, "%s", member);
    for (size_t i = 0; i < ASKED_MOST; i++) {
        if (asked[i].value == NULL)
            continue;
        add_text(text, before, asked[i].name, asked[i].value);
        before = ", ";
    }
    add_text(text, before[0] == ',' ? ") " : " ", what, "");
    cJSON_AddItemToArray(result->notes, cJSON_CreateString(text));
}

static void note_entry(struct forecast_result *result, const char *list, size_t place,
                       const struct asked asked[ASKED_MOST], const char *what)
{
    char member[64];
    snprintf(member, sizeof member, "%s[%zu]", list, place);
    note(result, member, asked, what);
}

/* ---- filters of jobs ---- */

static bool matches_cell(const struct scenario_jobs *jobs, const struct forecast_cell *cell)
{
    return cell->family[0] != '\0' && scenario_jobs_match(jobs, cell->cost_centre, cell->family);
}

static bool any_cell(const struct forecast_result *result, const struct scenario_jobs *jobs)
{
    for (size_t i = 0; i < result->forecast.cell_count; i++)
        if (matches_cell(jobs, &result->cells[i]))
            return true;
    return false;
}

static bool has_work(const struct forecast_drivers *drivers)
{
    return drivers->recent_work > 0 || damped_trend_at(&drivers->work, 1) > 0;
}

/* Why an entry of `growth` changes nothing; NULL if it changes something. */
static const char *idle_growth(const struct forecast_result *result, const struct scenario_growth *growth)
{
    bool is_any = false, is_last = false;
    for (size_t i = 0; i < result->forecast.cell_count; i++) {
        const struct forecast_cell *cell = &result->cells[i];
        if (!matches_cell(&growth->jobs, cell))
            continue;
        is_any = true;
        if (scenario_growth_of(&result->scenario, cell->cost_centre, cell->family) != growth)
            continue;
        is_last = true;
        if (has_work(&result->drivers[i]))
            return NULL;
    }
    return !is_any    ? "matches nothing in the history"
           : !is_last ? "has no effect: later entries match the same jobs, and the last one counts"
                      : "has no effect: its jobs did no work in the last three months";
}

static bool any_training(const struct forecast_result *result, const struct scenario_jobs *jobs)
{
    for (size_t i = 0; i < result->scenario.training_count; i++) {
        const struct forecast_training *training = &result->trainings[i];
        if (training->ahead > 0 && scenario_jobs_match(jobs, training->cost_centre, training->family))
            return true;
    }
    return false;
}

static void note_jobs(struct forecast_result *result, const char *list, size_t place,
                      const struct scenario_jobs *jobs, const char *what)
{
    const struct asked asked[ASKED_MOST] = { { "cost centre", jobs->cost_centre },
                                             { "family", jobs->family } };
    note_entry(result, list, place, asked, what);
}

static void look_at_jobs(struct forecast_result *result)
{
    const struct scenario *scenario = &result->scenario;
    for (size_t i = 0; i < scenario->growth_count; i++) {
        const char *idle = idle_growth(result, &scenario->growth[i]);
        if (idle != NULL)
            note_jobs(result, "growth", i, &scenario->growth[i].jobs, idle);
    }
    for (size_t i = 0; i < scenario->penalty_count; i++) {
        const struct scenario_jobs *jobs = &scenario->penalties[i].jobs;
        if (!any_cell(result, jobs) && !any_training(result, jobs))
            note_jobs(result, "efficiency_penalties", i, jobs,
                      "matches nothing in the history, and no training");
    }
}

/* ---- price changes ---- */

static bool any_purchase(const struct forecast_result *result, const struct scenario_price *price)
{
    const struct forecast_purchases *bought = &result->purchases;
    for (size_t i = 0; i < bought->count; i++)
        if (forecast_price_buys(price, &bought->all[i]))
            return true;
    return !forecast_purchases_billed(
        /* it is unknown how any hardware was bought, and another note says so */
        bought->all, bought->count);
}

/* Whether a change that begins in month `from` begins after the forecast. */
static bool is_too_late(const struct forecast_result *result, scenario_month from)
{
    return from >= result->forecast.first + (int)result->months;
}

/* Whether a change begins in a month of the history, which then contains its effect already. A
 * change without a month is meant to be added. */
static bool has_begun(const struct forecast_result *result, scenario_month from)
{
    return from != 0 && from < result->forecast.first;
}

static void look_at_prices(struct forecast_result *result)
{
    char month[8];
    for (size_t i = 0; i < result->scenario.price_count; i++) {
        const struct scenario_price *price = &result->scenario.prices[i];
        const struct asked asked[ASKED_MOST] = { { "provider", price->provider },
                                                 { "sku", price->sku },
                                                 { "purchase", price->purchase },
                                                 { "currency", price->currency } };
        const struct asked begins[ASKED_MOST] = { { "from", scenario_month_text(price->from, month) } };
        if (is_too_late(result, price->from))
            note_entry(result, "prices", i, begins, "begins after the months of the forecast");
        else if (!any_purchase(result, price))
            note_entry(result, "prices", i, asked,
                       "matches nothing that the jobs of the history were run on");
        else if (has_begun(result, price->from))
            note_entry(
                result, "prices", i, begins,
                "begins before the months of the forecast: it is put on the history's prices, which may "
                "have it already");
    }
}

/* ---- cost centres ---- */

static bool is_known(const struct forecast_result *result, const PGresult *declared, const char *cost_centre)
{
    for (int row = 0; row < PQntuples(declared); row++)
        if (strcmp(PQgetvalue(declared, row, 0), cost_centre) == 0)
            return true;
    for (size_t i = 0; i < result->forecast.cell_count; i++)
        if (strcmp(result->cells[i].cost_centre, cost_centre) == 0)
            return true;
    return false;
}

static void look_at_centres(struct forecast_result *result, const PGresult *declared)
{
    static const char unknown[] = "is of no cost centre that cost_centres.csv has";
    const struct scenario *scenario = &result->scenario;
    char month[8];
    for (size_t i = 0; i < scenario->people_count; i++) {
        const struct scenario_people *people = &scenario->people[i];
        const struct asked asked[ASKED_MOST] = { { "cost centre", people->cost_centre } };
        const struct asked begins[ASKED_MOST] = { { "from", scenario_month_text(people->from, month) } };
        if (!is_known(result, declared, people->cost_centre))
            note_entry(result, "people", i, asked, unknown);
        if (is_too_late(result, people->from))
            note_entry(result, "people", i, begins, "begins after the months of the forecast");
        if (has_begun(result, people->from))
            note_entry(
                result, "people", i, begins,
                "begin before the months of the forecast: they are added to the history's overhead, which "
                "may have them already");
    }
    for (size_t i = 0; i < scenario->training_count; i++) {
        const struct scenario_training *training = &scenario->trainings[i];
        const struct asked asked[ASKED_MOST] = { { "cost centre", training->cost_centre } };
        if (!is_known(result, declared, training->cost_centre))
            note_entry(result, "trainings", i, asked, unknown);
    }
}

bool forecast_unmatched(PGconn *connection, struct forecast_result *result, struct error *error)
{
    PGresult *declared = database_query_file(connection, "forecast/cost_centres.sql", 0, NULL, error);
    if (declared == NULL)
        return false;
    look_at_jobs(result);
    look_at_prices(result);
    look_at_centres(result, declared);
    PQclear(declared);
    return true;
}

/* ---- other levers ---- */

static const struct {
    const char *member;
    enum forecast_lever lever;
} levers[] = {
    { "node_policy", LEVER_NODE_POLICY },
    { "elastic_saving", LEVER_ELASTIC },
    { "spot", LEVER_SPOT },
    { "commitment", LEVER_COMMITMENT },
    { "failed_run_factor", LEVER_FAILED_RUNS },
    { "fixed_overhead", LEVER_OVERHEADS },
    { "engineering_overhead", LEVER_OVERHEADS },
    { "contingency", LEVER_CONTINGENCY },
};

/* Whether the scenario gives the member a value that differs from its value in an empty
 * scenario. */
static bool is_given(const cJSON *scenario, const cJSON *plain, const char *member)
{
    const cJSON *value = cJSON_GetObjectItemCaseSensitive(scenario, member);
    return value != NULL && !cJSON_Compare(value, cJSON_GetObjectItemCaseSensitive(plain, member), true);
}

/* Whether the lever applies to trainings. The bridge has the whole cost of a training in one
 * step. */
static bool moves_training(const struct forecast_result *result, enum forecast_lever lever)
{
    bool on_spot = lever == LEVER_SPOT;
    for (size_t i = 0; i < result->scenario.training_count; i++)
        if (result->trainings[i].ahead > 0 && (!on_spot || result->scenario.trainings[i].spot))
            return on_spot || lever == LEVER_ELASTIC || lever == LEVER_FAILED_RUNS;
    return false;
}

void forecast_idle_levers(struct forecast_result *result)
{
    struct scenario without;
    scenario_start(&without);
    cJSON *scenario = scenario_json(&result->scenario), *plain = scenario_json(&without);
    const struct asked any[ASKED_MOST] = { { NULL, NULL } };
    for (size_t i = 0; i < sizeof levers / sizeof levers[0]; i++) {
        enum forecast_lever lever = levers[i].lever;
        if (is_given(scenario, plain, levers[i].member) && result->bridge[lever + 1] == 0 &&
            result->freed[lever] == 0 && !moves_training(result, lever))
            note(result, levers[i].member, any, "has no effect in these months");
    }
    if (result->scenario.policy_cap > 0 && result->scenario.policy != POLICY_CAP)
        note(result, "node_cap", any, "has no effect: node_policy is not \"cap\"");
    cJSON_Delete(scenario);
    cJSON_Delete(plain);
}
