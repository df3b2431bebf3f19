/* report/forecast_scenarios.h: the scenarios of a forecast's workbook, one beside the other: what
 * the sheets "Summary" and "Scenarios" share. `rows` are those of
 * sql/report/forecast_scenarios.sql.
 */
#ifndef KSTAR_REPORT_FORECAST_SCENARIOS_H
#define KSTAR_REPORT_FORECAST_SCENARIOS_H

#include "report/forecast_sheets.h"

/* sql/report/forecast_scenarios.sql */
enum { SCENARIO_NO, SCENARIO, AHEAD, MONTH, IS_OWN, COST };
/* Characters of a scenario's name in a heading above one column, and above all of its own; the
 * table of the summary has the whole name. */
enum { NAME_OVER_COLUMN = 25, NAME_OVER_COLUMNS = 60 };
enum { RANGES = 4 /* forecast, P10, P50, P90, from COST on */ };

/* Where the rows of the sheet are. */
struct scenario_places {
    int scenario_count, own;      /* places among the scenarios, from 0 */
    lxw_row_t totals, last_total; /* of the scenarios' rows */
    lxw_row_t names, months, last_month;
    lxw_row_t own_first, own_last;               /* the months of the workbook's own scenario */
    bool is_total_below_zero, is_own_below_zero; /* an amount of all months; one of those months */
};

extern const char *const scenarios_range_names[RANGES];

/* A heading of any length, shortened: on the left above the first column, else on the right. */
void scenarios_header(struct sheet *sheet, lxw_col_t column, const char *text);

/* Where a figure of a scenario stands: with `all`, four columns for each; else the forecast of
 * each, then P10 to P90 of the workbook's own. -1: not there. */
int scenarios_column(const struct scenario_places *places, bool all, int scenario, int range);

/* Two rows of headings and a row for each month that any scenario has; not for all, at its end what
 * the formulas give. Sets where they are. */
void scenarios_months(struct sheet *sheet, const PGresult *rows, struct scenario_places *places, bool all);

#endif
