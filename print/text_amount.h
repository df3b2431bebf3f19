/* print/text_amount.h: amounts, shares and names in the columns of a table on a terminal. */
#ifndef KSTAR_PRINT_TEXT_AMOUNT_H
#define KSTAR_PRINT_TEXT_AMOUNT_H

#include <stdint.h>

enum { TEXT_AMOUNT = 16, TEXT_NAME = 24 }; /* widths, in characters */

/* "-1,234.56" of minor units with that many digits. Returns text. */
const char *amount_text(int64_t minor, int digits, char text[48]);

void text_amount_print(int64_t minor, int digits); /* a space, then to the right */

/* A share in percent with one digit after the point. What rounds to 0 has no minus. */
double percent_of(double share);

/* Indented, to the left, whole however long it is; control characters are shown as '?'. */
void text_name_print(const char *name);
void text_part_name_print(const char *name); /* of a part of what stands above: indented twice */

#endif
