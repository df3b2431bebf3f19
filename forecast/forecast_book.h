/* forecast/forecast_book.h: a forecast as the rows of its workbook (report/report.h), in JSON.
 *
 * The workbook's formulas compute the forecast a second time. The values beside them are the
 * model's; this file computes no forecast. The formulas must give the same values. Money that is
 * not booked is in units of the currency; the leaves of the forecast are in minor units.
 * docs/workbooks.md describes the sheets.
 */
#ifndef KSTAR_FORECAST_FORECAST_BOOK_H
#define KSTAR_FORECAST_FORECAST_BOOK_H

#include "forecast/forecast_result.h"

/* The rows of the workbook of results[which], compared with the other results. The caller
 * deletes them. NULL with an error. */
cJSON *forecast_book_json(PGconn *connection, struct forecast_history *history,
                          const struct forecast_result *results, int count, int which,
                          const char *forecast_id, struct error *error);

#endif
