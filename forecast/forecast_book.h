/* forecast/forecast_book.h: a forecast as the rows of its workbook (report/forecast.h), in JSON.
 *
 * The workbook's formulas work the forecast out once more; the values beside them, which they must
 * give, are the model's: nothing is projected here. Money that is booked nowhere is in units of the
 * currency, the forecast's leaves are minor units. docs/workbooks.md says what the sheets show.
 */
#ifndef KSTAR_FORECAST_FORECAST_BOOK_H
#define KSTAR_FORECAST_FORECAST_BOOK_H

#include "forecast/forecast_result.h"

/* The rows of the workbook of results[which], set beside the others. The caller deletes it. NULL
 * with an error. */
cJSON *forecast_book_json(PGconn *connection, struct forecast_history *history,
                          const struct forecast_result *results, int count, int which,
                          const char *forecast_id, struct error *error);

#endif
