/* report/forecast_scenarios.h: compares the scenarios of a forecast's workbook. The sheets
 * "Summary" and "Scenarios" share it. `rows` are the rows of sql/report/forecast_scenarios.sql. */
#ifndef KSTAR_REPORT_FORECAST_SCENARIOS_H
#define KSTAR_REPORT_FORECAST_SCENARIOS_H

#include "report/forecast_sheets.h"

/* sql/report/forecast_scenarios.sql */
enum { SCENARIO_NO, SCENARIO, AHEAD, MONTH, IS_OWN, COST, DESCRIPTION = COST + 4 };
/* Most characters of a scenario's name in a heading above one column, and above all columns of a
 * scenario. The table of the summary shows the whole name. */
enum { NAME_OVER_COLUMN = 25, NAME_OVER_COLUMNS = 60 };
enum { RANGES = 4 /* forecast, P10, P50, P90, from COST on */ };

/* The positions of the sheet's rows. */
struct scenario_places {
    int scenario_count, own;      /* number of scenarios; index of the workbook's own one, from 0 */
    lxw_row_t totals, last_total; /* first and last row of the scenarios' totals */
    lxw_row_t names, months, last_month;
    lxw_row_t own_first, own_last; /* the months of the workbook's own scenario */
    /* an amount for all months; for a month of its own scenario; for a month of any */
    bool is_total_below_zero, is_own_below_zero, is_any_below_zero;
};

extern const char *const scenarios_range_names[RANGES];

/* Writes a shortened heading: aligned to the left in the first column, else to the right. */
void scenarios_header(struct sheet *sheet, lxw_col_t column, const char *text);

/* The column of a figure of a scenario. With `all`, each scenario has four columns. Otherwise
 * each scenario has one for its forecast, and then P10 to P90 follow for the workbook's own
 * scenario. -1: there is no such column. */
int scenarios_column(const struct scenario_places *places, bool all, int scenario, int range);

/* Writes two rows of headings and one row for each month of any scenario. Without `all`, the
 * last column shows the results of the workbook's formulas. Sets the positions in `places`. */
void scenarios_months(struct sheet *sheet, const PGresult *rows, struct scenario_places *places, bool all);

#endif
