/* report/forecast_sheets.h: the sheets of forecast-NAME.xlsx (forecast.c), in the order in which
 * they are filled where one's formulas need another's cells. docs/workbooks.md says what each
 * shows.
 */
#ifndef KSTAR_REPORT_FORECAST_SHEETS_H
#define KSTAR_REPORT_FORECAST_SHEETS_H

#include "report/sheets.h"

/* A part of the forecast in whole minor units. The nudge takes half a minor unit up that doubles
 * have lost a little of, as kstar's own forecast does (forecast/forecast_run.c): else the two could
 * fall to different sides.
 */
#define ROUNDED(formula) "=ROUND((" formula ")*(1+1E-12),{digits})"

bool fill_forecast_inputs(struct sheet *sheet, struct error *error);
bool fill_forecast_purchases(struct sheet *sheet, struct error *error);
bool fill_forecast_curves(struct sheet *sheet, struct error *error);
bool fill_forecast_jobs(struct sheet *sheet, struct error *error);
bool fill_forecast_drivers(struct sheet *sheet, struct error *error);
bool fill_forecast_work(struct sheet *sheet, struct error *error);
bool fill_forecast_others(struct sheet *sheet, struct error *error);
bool fill_forecast_sizes(struct sheet *sheet, struct error *error);
bool fill_forecast_trainings(struct sheet *sheet, struct error *error);
bool fill_forecast_projection(struct sheet *sheet, struct error *error);
bool fill_forecast_floor_parts(struct sheet *sheet, struct error *error);
bool fill_forecast_floors(struct sheet *sheet, struct error *error);
bool fill_forecast_centres(struct sheet *sheet, struct error *error);
bool fill_forecast_months(struct sheet *sheet, struct error *error);
bool fill_forecast_bridge(struct sheet *sheet, struct error *error);
bool fill_forecast_summary(struct sheet *sheet, struct error *error);
bool fill_forecast_scenarios(struct sheet *sheet, struct error *error);
bool fill_forecast_back_test(struct sheet *sheet, struct error *error);
bool fill_forecast_about(struct sheet *sheet, struct error *error);
/* Titles, axes, legend: what the charts share. `axis` names the amounts and their unit, `along`
 * what they stand over; NULL: months. An axis is named once: libxlsxwriter does not free a name
 * that it had. */
void forecast_chart_dress(lxw_chart *chart, const char *title, const char *axis, const char *along);

/* What the inputs make of the total, on top of the sheet Inputs once all others are filled. */
bool fill_forecast_inputs_result(struct sheet *sheet, struct error *error);

#endif
