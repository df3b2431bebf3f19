/* forecast/book_rows.h: what the rows of a forecast's workbook (forecast_book.h) are made with:
 * values by name, and the numbers of cells and cost centres. */
#ifndef KSTAR_FORECAST_BOOK_ROWS_H
#define KSTAR_FORECAST_BOOK_ROWS_H

#include "forecast/forecast_result.h"
#include "print/json_print.h"

/* What the lists are made from. Cells and cost centres get numbers, by which formulas find them:
 * names may hold what a formula would take for a pattern. */
struct book_rows {
    const struct forecast_history *history;
    const struct forecast_result *result;
    int *cell_numbers; /* of the jobs' cells, from 1; of the others 0 */
    int job_cell_count;
    const char **centres; /* by number - 1; the last one is "", the company as a whole */
    int centre_count;
    double *parts; /* [month][leaf][component], not rounded, minor units */
};

/* Zero it except history and result. book_rows_close() frees it, opened or not. */
void book_rows_open(struct book_rows *rows);
void book_rows_close(struct book_rows *rows);

/* The number of a cost centre; of the cell of a cost centre and family. 0: it has none. */
int book_centre_number(const struct book_rows *rows, const char *name);
int book_cell_number(const struct book_rows *rows, const char *cost_centre, const char *family);

/* Minor units in units of the currency. */
double book_units(const struct book_rows *rows, double minor_units);

/* All of a leaf's month but the reserve, not rounded, in units of the currency. */
double book_whole(const struct book_rows *rows, unsigned ahead, size_t leaf);

/* A new row at the end of a list. */
cJSON *row_added(cJSON *list);
void row_text(cJSON *row, const char *name, const char *value);
void row_optional(cJSON *row, const char *name, const char *value); /* NULL: null */
void row_month(cJSON *row, const char *name, scenario_month value); /* its first day; 0: null */
/* A month of the forecast, from 1, and whose it is. */
void row_place(const struct book_rows *rows, unsigned ahead, const char *centre, cJSON *row);
/* A leaf's month: its rounded parts by name, and their total. */
void row_parts(const struct book_rows *rows, unsigned ahead, size_t leaf, cJSON *row);

#endif
