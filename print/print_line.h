/* print/print_line.h: prints a line on a terminal with text that may come from outside.
 *
 * A terminal obeys control characters in names and reasons. A line end in a name could make the
 * rest look like a message of kstar.
 */
#ifndef KSTAR_PRINT_PRINT_LINE_H
#define KSTAR_PRINT_PRINT_LINE_H

#include <stdbool.h>
#include <stdio.h>

/* Prints like printf and ends the line. Control characters in the text, including line ends, and
 * bytes that are no text are shown as '?'. */
void print_line(FILE *stream, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same without the line end: prints a part of a line. */
void print_part(FILE *stream, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Prints whether a file in OUT was written or was unchanged. */
void print_written(const char *path, bool is_changed);

/* Prints at most `characters` characters of `text`. */
void print_visible(FILE *stream, const char *text, int characters);

#endif
