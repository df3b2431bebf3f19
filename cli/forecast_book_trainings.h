/* cli/forecast_book_trainings.h: a forecast's planned trainings as the rows of its workbook: what is planned,
 * every K that could be chosen, and what was. */
#ifndef KSTAR_CLI_FORECAST_BOOK_TRAININGS_H
#define KSTAR_CLI_FORECAST_BOOK_TRAININGS_H

#include "cli/forecast_run.h"

/* Number of a cost centre and of the cell of a cost centre and family; 0: it has none. */
struct book_numbers {
    const void *rows;
    int (*centre)(const void *rows, const char *cost_centre);
    int (*cell)(const void *rows, const char *cost_centre, const char *family);
};

/* Adds "plans", "sizes" and "trainings" to the workbook's lists. */
void forecast_book_trainings(const struct forecast_history *history, const struct forecast_result *result,
                             const struct book_numbers *numbers, cJSON *book);

#endif
