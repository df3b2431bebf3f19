/* report/forecast_sheets.h: the sheets of forecast-NAME.xlsx (forecast.c). If the formulas of a
 * sheet need cells of another sheet, the other sheet is filled first; the functions are listed
 * in that order. docs/workbooks.md describes the sheets. */
#ifndef KSTAR_REPORT_FORECAST_SHEETS_H
#define KSTAR_REPORT_FORECAST_SHEETS_H

#include "report/sheets.h"

/* A part of the forecast, rounded to whole minor units. A sum of doubles can fall slightly below
 * half a minor unit. The factor makes such a value round up, as kstar's own forecast does
 * (forecast/forecast_minor.c); otherwise the two results could differ by one minor unit. */
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
/* Sets the common look of a chart: title, axes, legend. `axis` names the amounts and their unit.
 * `along` names the other axis; NULL: months. Name an axis only once: libxlsxwriter does not
 * free the earlier name. */
void forecast_chart_dress(lxw_chart *chart, const char *title, const char *axis, const char *along);

/* Writes the total that follows from the inputs at the top of the sheet Inputs. Call it after
 * all other sheets are filled. */
bool fill_forecast_inputs_result(struct sheet *sheet, struct error *error);

#endif
