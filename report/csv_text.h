/* report/csv_text.h: writes a field of a CSV file that people open in spreadsheets and that
 * ledgers import. Pure.
 *
 * RFC 4180: a field is quoted if it contains the delimiter, a quote or a line end, and its quotes
 * are doubled. A field with any other usual delimiter, or with a blank at an end, is quoted, too,
 * because some programs guess the delimiter.
 *
 * Spreadsheets treat a field as a formula if it begins with = + - @ (or their wide forms), a tab
 * or a line end. If a text from outside begins so, an apostrophe is written before it;
 * spreadsheets then read the field as text (OWASP, CSV injection).
 */
#ifndef KSTAR_REPORT_CSV_TEXT_H
#define KSTAR_REPORT_CSV_TEXT_H

#include <stdbool.h>
#include <stdio.h>

/* Writes one field, without a delimiter after it. `is_text`: the text may come from outside and
 * must not become a formula. Our own numbers and dates are written unchanged. `text` NULL writes
 * an empty field. */
void csv_text_write(FILE *out, const char *text, bool is_text, char delimiter);

#endif
