/* forecast/book_rows.h: helpers for the rows of a forecast's workbook (forecast_book.h): named
 * values, and numbers of cells and cost centres. */
#ifndef KSTAR_FORECAST_BOOK_ROWS_H
#define KSTAR_FORECAST_BOOK_ROWS_H

#include "forecast/forecast_result.h"
#include "print/json_print.h"

/* The data of the lists. Cells and cost centres have numbers. Formulas search by number, because
 * a name may contain characters that a formula treats as a pattern. */
struct book_rows {
    const struct forecast_history *history;
    const struct forecast_result *result;
    int *cell_numbers; /* numbers of cells with jobs, from 1; 0 for other cells */
    int job_cell_count;
    const char **centres; /* by number - 1; the last one, "", is the company as a whole */
    int centre_count;
    double *parts; /* [month][leaf][component], minor units, not rounded */
};

/* Zero the struct except history and result. book_rows_close() frees it, also if it was not
 * opened. */
void book_rows_open(struct book_rows *rows);
void book_rows_close(struct book_rows *rows);

/* The number of a cost centre, or of the cell of a cost centre and family. 0: it has none. */
int book_centre_number(const struct book_rows *rows, const char *name);
int book_cell_number(const struct book_rows *rows, const char *cost_centre, const char *family);

/* Converts minor units to units of the currency. */
double book_units(const struct book_rows *rows, double minor_units);

/* A leaf's cost in a month without the reserve, not rounded, in units of the currency. */
double book_whole(const struct book_rows *rows, unsigned ahead, size_t leaf);

/* Adds a new row to the end of a list. */
cJSON *row_added(cJSON *list);
void row_text(cJSON *row, const char *name, const char *value);
void row_optional(cJSON *row, const char *name, const char *value); /* NULL: null */
/* written as its first day; 0: null */
void row_month(cJSON *row, const char *name, scenario_month value);
/* Adds a month of the forecast, counted from 1, and its cost centre. */
void row_place(const struct book_rows *rows, unsigned ahead, const char *centre, cJSON *row);
/* Adds a leaf's month: its rounded parts by name, and their total. */
void row_parts(const struct book_rows *rows, unsigned ahead, size_t leaf, cJSON *row);

#endif
