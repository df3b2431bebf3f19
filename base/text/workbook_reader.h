/* base/text/workbook_reader.h: reads the rows of a sheet of an .xlsx workbook of Excel, LibreOffice
 * or libxlsxwriter (ECMA-376, part 1, chapter 18). expat reads the XML, zip_archive.h the package.
 *
 * Cells are texts: a number as it is written ("46277" for a date, see workbook_date()), TRUE or
 * FALSE, or the cached value of a formula. Only the first WORKBOOK_COLUMNS columns are read.
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
    WORKBOOK_DEPTH = 100,         /* of nested elements */
};

/* A row: cells[0 .. WORKBOOK_COLUMNS), NULL if empty, valid during the call. `row` counts from 1.
 * False ends the reading; `error` has the reason. */
typedef bool (*workbook_row_visitor)(void *context, int64_t row, const char *const *cells,
                                     struct error *error);

/* Visits all rows with cells, from the top. False with `error` (ERROR_INPUT if the file is no
 * workbook or lacks the sheet; or the error of the visitor). */
bool workbook_read(const char *path, const char *sheet, workbook_row_visitor visit, void *context,
                   struct error *error);

/* Converts a date of a sheet (days since 1899-12-30) to "2026-12-31"; a time of day after the point
 * is dropped. False if `serial` is no such number. workbook_read() refuses workbooks of the 1904
 * date system. */
bool workbook_date(const char *serial, char date[11]);

/* "AB" of the column 27 (from 0). */
void workbook_column_name(int column, char name[4]);

#endif
