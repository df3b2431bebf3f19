/* report/csv_text.h: a field of a CSV that people open in spreadsheets and ledgers import. Pure.
 *
 * RFC 4180: a field with the delimiter, a quote or a line end stands in quotes, its quotes doubled;
 * so does one with any usual delimiter or a blank at an end, because not every reader asks which
 * delimiter is meant.
 *
 * A spreadsheet takes a field that begins with = + - @ (also their wide forms), a tab or a line end
 * for a formula. A text that comes from outside and begins so gets an apostrophe in front, which
 * spreadsheets read as "this is text" (OWASP, CSV injection).
 */
#ifndef KSTAR_REPORT_CSV_TEXT_H
#define KSTAR_REPORT_CSV_TEXT_H

#include <stdbool.h>
#include <stdio.h>

/* Writes one field without a delimiter. `is_text`: it may come from outside, and is kept from
 * being a formula; numbers and dates of our own are written as they are. `text` NULL is an empty
 * field. */
void csv_text_write(FILE *out, const char *text, bool is_text, char delimiter);

#endif
