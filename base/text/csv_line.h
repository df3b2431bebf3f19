/* base/text/csv_line.h: the fields of a line that leaves nothing to decide.
 *
 * libcsv looks at every byte and knows an answer to everything. Nearly every line of a bill asks
 * nothing: fields without quotes or white space at their ends, and fields in quotes in which every
 * quote is doubled. Such a line is split here, with libcsv's result, in a third of the time; any
 * other line is libcsv's.
 */
#ifndef KSTAR_BASE_TEXT_CSV_LINE_H
#define KSTAR_BASE_TEXT_CSV_LINE_H

#include <stddef.h>

struct csv_field {
    const char *text; /* not NUL-terminated; may hold any byte, NUL included */
    size_t length;
};

/* Splits line[0..length), which is a whole record without its line end and is not blank. `room`
 * takes the texts of fields with doubled quotes, `length` bytes at most; all others point into the
 * line. Returns the number of fields, or −1 where the line is libcsv's: also where there are more
 * than `maximum`. */
int csv_line_split(const char *line, size_t length, char delimiter, char *room, struct csv_field *fields,
                   int maximum);

#endif
