/* forecast/forecast_unmatched.c: see forecast_unmatched.h. */
#include "forecast/forecast_unmatched.h"

#include "base/postgres/database.h"
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
static void note(struct forecast_result *result, const char *list, size_t place,
                 const struct asked asked[ASKED_MOST], const char *what)
{
    char text[NOTE_BYTES];
    const char *before = " (";
    snprintf(text, sizeof text, "%s[%zu]", list, place);
    for (size_t i = 0; i < ASKED_MOST; i++) {
        if (asked[i].value == NULL)
            continue;
        add_text(text, before, asked[i].name, asked[i].value);
        before = ", ";
    }
    add_text(text, before[0] == ',' ? ") " : " ", what, "");
    cJSON_AddItemToArray(result->notes, cJSON_CreateString(text));
}

/* ---- which jobs ---- */

static bool any_cell(const struct forecast_result *result, const struct scenario_jobs *jobs)
{
    for (size_t i = 0; i < result->forecast.cell_count; i++) {
        const struct forecast_cell *cell = &result->cells[i];
        if (cell->family[0] != '\0' && scenario_jobs_match(jobs, cell->cost_centre, cell->family))
            return true;
    }
    return false;
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
    note(result, list, place, asked, what);
}

static void look_at_jobs(struct forecast_result *result)
{
    const struct scenario *scenario = &result->scenario;
    for (size_t i = 0; i < scenario->growth_count; i++)
        if (!any_cell(result, &scenario->growth[i].jobs))
            note_jobs(result, "growth", i, &scenario->growth[i].jobs, "matches nothing in the history");
    for (size_t i = 0; i < scenario->penalty_count; i++) {
        const struct scenario_jobs *jobs = &scenario->penalties[i].jobs;
        if (!any_cell(result, jobs) && !any_training(result, jobs))
            note_jobs(result, "efficiency_penalties", i, jobs,
                      "matches nothing in the history, and no training");
    }
}

/* ---- which prices ---- */

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
            note(result, "prices", i, begins, "begins after the months of the forecast");
        else if (!any_purchase(result, price))
            note(result, "prices", i, asked, "matches nothing that the jobs of the history were run on");
        else if (has_begun(result, price->from))
            note(result, "prices", i, begins,
                 "begins before the months of the forecast: it is put on the history's prices, which may "
                 "have it already");
    }
}

/* ---- which cost centres ---- */

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
            note(result, "people", i, asked, unknown);
        if (is_too_late(result, people->from))
            note(result, "people", i, begins, "begins after the months of the forecast");
        if (has_begun(result, people->from))
            note(result, "people", i, begins,
                 "begin before the months of the forecast: they are added to the history's overhead, which "
                 "may have them already");
    }
    for (size_t i = 0; i < scenario->training_count; i++) {
        const struct scenario_training *training = &scenario->trainings[i];
        const struct asked asked[ASKED_MOST] = { { "cost centre", training->cost_centre } };
        if (!is_known(result, declared, training->cost_centre))
            note(result, "trainings", i, asked, unknown);
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
