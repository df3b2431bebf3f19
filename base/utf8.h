/* base/utf8.h: is this text? PostgreSQL's text holds valid UTF-8 without NUL, and so do messages
 * and workbooks. */
#ifndef KSTAR_BASE_UTF8_H
#define KSTAR_BASE_UTF8_H

#include <stddef.h>

/* The number of bytes before the first that is no valid UTF-8 (RFC 3629: no overlong form, no
 * surrogate, nothing past U+10FFFF) or is NUL; `length` where all of it is text. Fast on ASCII. */
size_t utf8_valid_prefix(const char *text, size_t length);

/* The bytes of the control character that the text begins with: 1 of C0 and DEL, 2 of C1, which
 * terminals obey as well (U+009B is ESC and "["), and 2 or 3 of the marks that nobody sees and that
 * turn a line around (U+202E shows what follows from right to left, digits and all) or end it
 * (U+2028); 0 where it begins with none, or is empty. */
size_t utf8_control(const char *text);

/* Copies the beginning of any bytes for use in a message: at most size − 1, cut at a character,
 * what is no text and control characters as '?', with "…" where something was cut off. Returns
 * `excerpt`. */
const char *utf8_excerpt(const char *bytes, size_t length, char *excerpt, size_t size);

#endif
