/* print/print_line.h: one line for a terminal, of text that came from anybody's files.
 *
 * Names and reasons may hold control characters, which a terminal would obey, or line ends, with
 * which a name could pass for a line of ours.
 */
#ifndef KSTAR_PRINT_PRINT_LINE_H
#define KSTAR_PRINT_PRINT_LINE_H

#include <stdbool.h>
#include <stdio.h>

/* Prints what `format` gives and ends the line; control characters in it, line ends among them, are
 * shown as '?'. */
void print_line(FILE *stream, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same without the line's end: a part of a line. */
void print_part(FILE *stream, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A line for a file that is in OUT: whether it was written, or was there as it would be. */
void print_written(const char *path, bool is_changed);

/* Text as it is, at most `characters` characters of it. */
void print_visible(FILE *stream, const char *text, int characters);

#endif
