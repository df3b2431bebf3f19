/* base/utf8.h: checks for text. PostgreSQL's text is valid UTF-8 without NUL, as messages and
 * workbooks must be. */
#ifndef KSTAR_BASE_UTF8_H
#define KSTAR_BASE_UTF8_H

#include <stddef.h>

/* The number of bytes before the first that is not valid UTF-8 (RFC 3629: no overlong form, no
 * surrogate, nothing above U+10FFFF) or is NUL; `length` if all is text. Fast on ASCII. */
size_t utf8_valid_prefix(const char *text, size_t length);

/* The number of bytes of the control character at the beginning of the text; 0: none, or an empty
 * text. It is 1 for C0 and DEL, 2 for C1, which terminals also obey (U+009B is ESC and "["), and 2
 * or 3 for invisible marks that reverse a line (U+202E shows the text after it from right to left,
 * also digits) or end it (U+2028). */
size_t utf8_control(const char *text);

/* Copies the beginning of any bytes for a message: at most size − 1 bytes, cut between characters.
 * Control characters and bytes that are no text become '?'; "…" shows a cut. Returns `excerpt`. */
const char *utf8_excerpt(const char *bytes, size_t length, char *excerpt, size_t size);

#endif
