/* forecast/forecast_history.c: see forecast_history.h. */
#include "forecast/forecast_history.h"

#include "base/postgres/database.h"
#include "base/time_text.h"
#include "model/forecast/back_test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MONTH, CURRENCY, DIGITS, EARLIER }; /* sql/forecast/months.sql */
enum {
    CELL_MONTH,
    CELL_CENTRE,
    CELL_FAMILY,
    FACTS
}; /* sql/forecast/history.sql: the facts follow in this order */

static const size_t fact_offsets[] = {
    offsetof(struct forecast_facts, ideal_node_hours),
    offsetof(struct forecast_facts, unmeasured_node_hours),
    offsetof(struct forecast_facts, node_hours),
    offsetof(struct forecast_facts, hardware),
    offsetof(struct forecast_facts, fees),
    offsetof(struct forecast_facts, failed),
    offsetof(struct forecast_facts, failed_interrupted),
    offsetof(struct forecast_facts, cancelled),
    offsetof(struct forecast_facts, fixed),
    offsetof(struct forecast_facts, engineering),
    offsetof(struct forecast_facts, failed_attempts),
    offsetof(struct forecast_facts, fixed_by_node_hours),
};
enum { FACT_COUNT = sizeof fact_offsets / sizeof fact_offsets[0], WITHOUT_JOB = FACTS + FACT_COUNT };

char *forecast_month_day(scenario_month month, char text[16])
{
    char year_and_month[8];
    return period_first_day(scenario_month_text(month, year_and_month), text);
}

static bool read_months(PGconn *connection, struct forecast_history *history, struct error *error)
{
    PGresult *months = database_query_file(connection, "forecast/months.sql", 0, NULL, error);
    if (months == NULL)
        return false;
    history->months = (size_t)PQntuples(months);
    bool ok = history->months > 0;
    if (ok) {
        history->first = (int)strtol(PQgetvalue(months, 0, MONTH), NULL, 10);
        history->digits = (int)strtol(PQgetvalue(months, 0, DIGITS), NULL, 10);
        history->earlier = (int)strtol(PQgetvalue(months, 0, EARLIER), NULL, 10);
        history->minor_per_unit = pow(10, history->digits);
        snprintf(history->currency, sizeof history->currency, "%s", PQgetvalue(months, 0, CURRENCY));
    } else {
        error_set(error, ERROR_INPUT, "there is no statement of a whole month to go by");
        error_hint(
            error,
            "a month counts once its bills and job records include its last day; kstar status lists how "
            "far they go");
    }
    PQclear(months);
    return ok;
}

static bool same_cell(const PGresult *rows, int a, int b)
{
    return strcmp(PQgetvalue(rows, a, CELL_CENTRE), PQgetvalue(rows, b, CELL_CENTRE)) == 0 &&
           strcmp(PQgetvalue(rows, a, CELL_FAMILY), PQgetvalue(rows, b, CELL_FAMILY)) == 0;
}

static void read_facts(const PGresult *rows, int row, struct forecast_facts *facts)
{
    for (int i = 0; i < FACT_COUNT; i++)
        *(double *)(void *)((char *)facts + fact_offsets[i]) = strtod(PQgetvalue(rows, row, FACTS + i), NULL);
    for (int i = 0; i < FORECAST_WITHOUT_JOB; i++)
        facts->without_job[i] = strtod(PQgetvalue(rows, row, WITHOUT_JOB + i), NULL);
}

/* The rows are sorted by cell. A month without a row is zero. */
static void make_cells(struct forecast_history *history)
{
    const PGresult *rows = history->rows;
    int count = PQntuples(rows);
    history->cells = calloc((size_t)count + 1, sizeof *history->cells);
    for (int row = 0; row < count; row++)
        history->cell_count += row == 0 || !same_cell(rows, row, row - 1);
    history->facts = calloc(history->cell_count * history->months + 1, sizeof *history->facts);
    struct forecast_cell *cell = history->cells - 1;
    for (int row = 0; row < count; row++) {
        if (row == 0 || !same_cell(rows, row, row - 1)) {
            cell++;
            *cell = (struct forecast_cell){
                .cost_centre = PQgetvalue(rows, row, CELL_CENTRE),
                .family = PQgetvalue(rows, row, CELL_FAMILY),
                .months = history->facts + (size_t)(cell - history->cells) * history->months,
                .policy_hours = 1,
                .policy_wall = 1,
                .spot_stretch = 1,
            };
        }
        read_facts(rows, row,
                   &cell->months[(int)strtol(PQgetvalue(rows, row, CELL_MONTH), NULL, 10) - history->first]);
    }
}

bool forecast_history_open(PGconn *connection, struct forecast_history *history, struct error *error)
{
    char from[16], to[16];
    if (!read_months(connection, history, error))
        return false;
    const char *const span[] = { forecast_month_day(history->first, from),
                                 forecast_month_day(history->first + (int)history->months - 1, to) };
    history->rows = database_query_file(connection, "forecast/history.sql", 2, span, error);
    if (history->rows == NULL)
        return false;
    make_cells(history);
    return true;
}

bool forecast_history_fit(PGconn *connection, struct forecast_history *history, struct error *error)
{
    return latest_families_open(connection, history->currency, &history->families, error);
}

void forecast_history_close(struct forecast_history *history)
{
    latest_families_close(&history->families);
    PQclear(history->rows);
    free(history->cells);
    free(history->facts);
    *history = (struct forecast_history){ 0 };
}

bool forecast_history_window(const struct forecast_history *history, const struct scenario *scenario,
                             size_t *from, size_t *to, struct error *error)
{
    scenario_month last = history->first + (int)history->months - 1;
    scenario_month base_from = scenario->base_from > 0 ? scenario->base_from : history->first;
    scenario_month base_to = scenario->base_to > 0 ? scenario->base_to : last;
    char wanted_from[8], wanted_to[8], has_from[8], has_to[8];
    if (base_from < history->first || base_to > last || base_from > base_to)
        return error_set(
            error, ERROR_INPUT,
            "scenario %s: its base is %s to %s, but the whole statements in %s without a gap are %s to %s",
            scenario->name, scenario_month_text(base_from, wanted_from),
            scenario_month_text(base_to, wanted_to), history->currency,
            scenario_month_text(history->first, has_from), scenario_month_text(last, has_to));
    *from = (size_t)(base_from - history->first);
    *to = (size_t)(base_to - history->first) + 1;
    return true;
}

int64_t forecast_history_cost(const struct forecast_history *history, size_t month)
{
    double cost = 0;
    for (size_t i = 0; i < history->cell_count; i++)
        cost += forecast_facts_total(&history->cells[i].months[month]);
    return llround(cost);
}

struct cost_drivers forecast_facts_drivers(const struct forecast_facts *facts)
{
    return (struct cost_drivers){ .ideal_node_hours = facts->ideal_node_hours,
                                  .node_hours = facts->node_hours,
                                  .hardware = llround(facts->hardware),
                                  .fees = llround(facts->fees),
                                  .failed = llround(facts->failed),
                                  .cancelled = llround(facts->cancelled),
                                  .rest = llround(forecast_facts_rest(facts)) };
}

int64_t forecast_history_change(const struct forecast_history *history, size_t month,
                                int64_t effects[COST_EFFECTS])
{
    struct cost_drivers *drivers = calloc(2 * history->cell_count + 1, sizeof *drivers);
    for (size_t i = 0; i < history->cell_count; i++) {
        drivers[i] = forecast_facts_drivers(&history->cells[i].months[month - 1]);
        drivers[history->cell_count + i] = forecast_facts_drivers(&history->cells[i].months[month]);
    }
    cost_change(drivers, drivers + history->cell_count, history->cell_count, effects);
    free(drivers);
    return forecast_history_cost(history, month);
}

const struct forecast_cell *forecast_history_find(const struct forecast_cell *cells, size_t count,
                                                  const char *cost_centre, const char *family)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(cells[i].cost_centre, cost_centre) == 0 && strcmp(cells[i].family, family) == 0)
            return &cells[i];
    }
    return NULL;
}
