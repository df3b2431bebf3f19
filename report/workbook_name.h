/* report/workbook_name.h: makes sheet names, file names and cell text from text of a bill. Pure. */
#ifndef KSTAR_REPORT_WORKBOOK_NAME_H
#define KSTAR_REPORT_WORKBOOK_NAME_H

#include <stdbool.h>
#include <stddef.h>

enum {
    SHEET_NAME_UNITS = 31, /* UTF-16 units, as Excel counts */
    CELL_TEXT_UNITS = 32767,
    FILE_NAME_PART_BYTES = 150, /* of the cost centre in a file name */
};

/* Makes a sheet name from `text`: []:*?/\ become '-', apostrophes at the ends are removed, and
 * "_x0041_", which would be read as an escape, becomes "_X0041_". The result has at most 31 units,
 * is never empty and never "History". A `number` above 1 adds " (number)", for a second sheet of
 * that name. The caller frees it. */
char *sheet_name_from(const char *text, int number);

/* Makes a cell name from `text`: other characters than ASCII letters and digits become '_', and
 * "_x0041_" becomes "_X0041_"; at most 200 bytes. A `number` above 1 adds "_number". The result
 * begins with a letter if `text` does. The caller frees it. */
char *defined_name_from(const char *text, int number);

/* Whether two sheet or file names in valid UTF-8 collide in Excel or on a file system that
 * ignores case. Composed and decomposed letters count as different. */
bool names_collide(const char *a, const char *b);

/* Makes a part of a file name from `text`: characters other than letters (also UTF-8), digits,
 * '.', '_' and '-' become '-'. If the text was changed or shortened, or with `always_mark`, "-"
 * and eight hex digits of its SHA-256 follow, so two texts never share a file. The caller frees
 * it. */
char *file_name_part(const char *text, bool always_mark);

/* Makes cell text from `text`. Control characters that XML cannot hold become their pictures
 * (U+2400 …). U+FFFE, U+FFFF, C1 and invisible direction marks (base/utf8.h) become the
 * replacement character. "_x0041_" is written so that it is not read as an escape. A text longer
 * than a cell is cut and ends in "…". Returns `text` itself if nothing changed; otherwise the
 * result is in *owned, which the caller frees. */
const char *cell_text(const char *text, char **owned);

/* Shortens `text` to `characters` characters: its beginning and its end with "…" between them,
 * because names with the same beginning often differ at the end. A shorter text is copied
 * unchanged. The caller frees it. */
char *text_shortened(const char *text, size_t characters);

/* printf into memory that the caller frees. Names have no maximum length, and a text cut inside
 * a UTF-8 character is not valid XML. Never NULL: the program ends if memory runs out. */
char *text_of(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
