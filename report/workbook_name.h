/* report/workbook_name.h: text of a bill as sheet name, file name or cell text. Pure. */
#ifndef KSTAR_REPORT_WORKBOOK_NAME_H
#define KSTAR_REPORT_WORKBOOK_NAME_H

#include <stdbool.h>
#include <stddef.h>

enum {
    SHEET_NAME_UNITS = 31, /* UTF-16 units, as Excel counts */
    CELL_TEXT_UNITS = 32767,
    FILE_NAME_PART_BYTES = 150, /* of the cost centre in a file name */
};

/* `text` as the name of a sheet: []:*?/\ become '-', apostrophes at the ends go, at most 31 units,
 * never empty, never "History". `number` above 1 puts " (number)" at the end, for a second sheet of
 * that name. Caller frees. */
char *sheet_name_from(const char *text, int number);

/* `text` as a name of a cell: ASCII letters and digits stay, others become '_', at most 200 bytes;
 * `number` above 1 puts "_number" at the end. It begins with a letter where `text` does. Caller
 * frees. */
char *defined_name_from(const char *text, int number);

/* Whether two sheet or file names, valid UTF-8, would collide in Excel or on a file system that
 * ignores case. Composed and decomposed letters are two. */
bool names_collide(const char *a, const char *b);

/* `text` as part of a file name: letters, digits, '.', '_', '-' and UTF-8 letters stay, others
 * become '-'. Where that changed or shortened anything, or `always_mark`, "-" and eight hex digits
 * of the text's SHA-256 follow, so that two texts never share a file. Caller frees. */
char *file_name_part(const char *text, bool always_mark);

/* `text` as the text of a cell. Control characters that XML cannot hold become their pictures
 * (U+2400 …), U+FFFE, U+FFFF, C1 and the unseen marks of direction (base/utf8.h) the replacement
 * character, "_x0041_" is kept from being read as an escape, and text longer than a cell is cut and
 * ends in "…". Returns `text` itself where nothing had to change, else memory in *owned, which the
 * caller frees. */
const char *cell_text(const char *text, char **owned);

/* `text` as it is, or where it is longer than so many characters, its beginning and its end with
 * "…" between them: names that begin alike often end differently. Caller frees. */
char *text_shortened(const char *text, size_t characters);

/* printf into memory that the caller frees: names have no length that a buffer could be made for,
 * and a cut inside a UTF-8 character would be no XML. Never NULL: no memory ends the program. */
char *text_of(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
