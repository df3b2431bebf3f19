/* base/text/workbook_reader.h: the rows of a sheet of an .xlsx workbook, as Excel, LibreOffice and
 * libxlsxwriter write it (ECMA-376, part 1, chapter 18). XML by expat, the package by
 * zip_archive.h.
 *
 * Cells are texts: a number as it is written ("46277" for a date, see workbook_date()), TRUE or
 * FALSE, a formula's cached value. Read are the first WORKBOOK_COLUMNS columns.
 */
#ifndef KSTAR_BASE_TEXT_WORKBOOK_READER_H
#define KSTAR_BASE_TEXT_WORKBOOK_READER_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    WORKBOOK_COLUMNS = 64,
    WORKBOOK_PART_BYTES = 512 << 20, /* unpacked; more is refused, as is more text in memory: */
    WORKBOOK_TEXT_BYTES = 64 << 20,
    WORKBOOK_TEXTS = 4 << 20,
    /* of one text; a spreadsheet's own limit is 32767 characters */
    WORKBOOK_CELL_BYTES = 256 << 10,
    WORKBOOK_TAG_BYTES = 1 << 20, /* of one tag with its attributes, or of a comment */
    WORKBOOK_DEPTH = 100,         /* of elements within each other */
};

/* A row: cells[0 .. WORKBOOK_COLUMNS), NULL where empty, valid during the call. `row` counts from
 * 1. False ends the reading; `error` says why. */
typedef bool (*workbook_row_visitor)(void *context, int64_t row, const char *const *cells,
                                     struct error *error);

/* Visits the rows that have cells, from the top. False with `error` (ERROR_INPUT: no workbook, or
 * it has no such sheet; or what the visitor set). */
bool workbook_read(const char *path, const char *sheet, workbook_row_visitor visit, void *context,
                   struct error *error);

/* "2026-12-31" of a date as a sheet has it: days since 1899-12-30, a time of day after the point is
 * dropped. False where `serial` is no such number. Workbooks of the 1904 date system are refused by
 * workbook_read().
 */
bool workbook_date(const char *serial, char date[11]);

/* "AB" of the column 27 (from 0). */
void workbook_column_name(int column, char name[4]);

#endif
