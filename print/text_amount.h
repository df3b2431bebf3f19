/* print/text_amount.h: amounts, shares and names in the columns of a table on a terminal. */
#ifndef KSTAR_PRINT_TEXT_AMOUNT_H
#define KSTAR_PRINT_TEXT_AMOUNT_H

#include <stdint.h>

enum { TEXT_AMOUNT = 16, TEXT_NAME = 24 }; /* widths, in characters */

/* Formats minor units with `digits` decimal places: "-1,234.56". Returns text. */
const char *amount_text(int64_t minor, int digits, char text[48]);

/* a space, then the amount, aligned to the right */
void text_amount_print(int64_t minor, int digits);

/* A share in percent, rounded to one decimal place. A result that rounds to 0 has no minus sign. */
double percent_of(double share);

/* Prints a name indented and aligned to the left. Long names are not cut. Control characters are
 * shown as '?'. */
void text_name_print(const char *name);
void text_part_name_print(const char *name); /* for a part of the row above: indented twice */

#endif
