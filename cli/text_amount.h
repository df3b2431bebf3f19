/* cli/text_amount.h: amounts and names in the columns of a table on a terminal. */
#ifndef KSTAR_CLI_TEXT_AMOUNT_H
#define KSTAR_CLI_TEXT_AMOUNT_H

#include <stdint.h>

enum { TEXT_AMOUNT = 16, TEXT_NAME = 24 }; /* widths, in characters */

/* "-1,234.56" of minor units with that many digits. Returns text. */
const char *amount_text(int64_t minor, int digits, char text[48]);

void text_amount_print(int64_t minor, int digits); /* a space, then to the right */
void text_name_print(const char *name);            /* indented, to the left */

#endif
