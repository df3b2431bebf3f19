/* forecast/forecast_history.h: reads the history of forecasts from published statements. Changes
 * nothing. */
#ifndef KSTAR_FORECAST_FORECAST_HISTORY_H
#define KSTAR_FORECAST_FORECAST_HISTORY_H

#include "base/error.h"
#include "model/cost/cost_change.h"
#include "model/forecast/forecast.h"
#include "night/month/latest_families.h"

#include <libpq-fe.h>
#include <stdbool.h>

struct forecast_history {
    char currency[8];
    int digits; /* of the minor unit */
    double minor_per_unit;
    scenario_month first; /* the first of `months` consecutive months */
    size_t months;
    int earlier; /* statements before `first`: they do not count */
    struct forecast_cell
        /* sorted by cost centre and family in byte order; policy and stretch are 1, purchases
         * are empty */
        *cells;
    size_t cell_count;
    struct latest_families families; /* set by forecast_history_fit() */
    PGresult *rows;                  /* owned: names of the cells point into it */
    struct forecast_facts *facts;    /* owned: cells x months */
};

/* Zero `history` first. Free it with forecast_history_close(), also after a failure. ERROR_INPUT
 * if there is no statement. */
bool forecast_history_open(PGconn *connection, struct forecast_history *history, struct error *error);

/* Reads the families' laws and latest prices in the history's currency, for levers and
 * trainings. */
bool forecast_history_fit(PGconn *connection, struct forecast_history *history, struct error *error);
void forecast_history_close(struct forecast_history *history);

/* The window of a scenario as indexes of months: *from .. *to - 1. ERROR_INPUT if the history
 * does not contain it. */
bool forecast_history_window(const struct forecast_history *history, const struct scenario *scenario,
                             size_t *from, size_t *to, struct error *error);

/* Explains the change of cost from the month before to month `month` (from 1 on). Returns the
 * cost of the month. */
int64_t forecast_history_change(const struct forecast_history *history, size_t month,
                                int64_t effects[COST_EFFECTS]);

/* The cost of a month. */
int64_t forecast_history_cost(const struct forecast_history *history, size_t month);

/* Converts one month of a cell to cost drivers. */
struct cost_drivers forecast_facts_drivers(const struct forecast_facts *facts);

/* The cell of a cost centre and family, or NULL. */
const struct forecast_cell *forecast_history_find(const struct forecast_cell *cells, size_t count,
                                                  const char *cost_centre, const char *family);

/* "2027-01-01" */
char *forecast_month_day(scenario_month month, char text[16]);

#endif
