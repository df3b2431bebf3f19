/* forecast/forecast_book_lists.h: the lists of a forecast's workbook, grouped by the file that
 * makes them. forecast_book.h combines them. Each function adds its lists to the book. */
#ifndef KSTAR_FORECAST_FORECAST_BOOK_LISTS_H
#define KSTAR_FORECAST_FORECAST_BOOK_LISTS_H

#include "forecast/book_rows.h"

/* forecast_book_levers.c. `by_k` are the rows of sql/forecast/jobs_by_k.sql. */
void book_add_inputs(const struct book_rows *rows, cJSON *book);
void book_add_node_counts(const struct book_rows *rows, struct month_families *families, const PGresult *by_k,
                          cJSON *book);
double book_own_growth(const struct scenario *scenario,
                       const struct forecast_cell *cell); /* NaN: the cell has none of its own */
double book_penalty(const struct scenario *scenario,
                    const struct forecast_cell *cell); /* NULL: for all jobs */

/* forecast_book_months.c */
void book_add_months(const struct book_rows *rows, cJSON *book);

/* forecast_book_floors.c: committed and owned hardware, and its freed part. */
void book_add_floors(const struct book_rows *rows, cJSON *book);
/* Adds to a purchase's row how much the purchase adds to its floor in a month of its commitment. */
void book_add_floor_part(const struct book_rows *rows, size_t cell, const struct forecast_purchase *purchase,
                         unsigned ahead, const struct forecast_commitment *commitment, cJSON *row);

/* forecast_book_trainings.c: the planned trainings, every possible K, and the chosen K. */
void book_add_trainings(const struct book_rows *rows, cJSON *book);

#endif
