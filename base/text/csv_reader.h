/* base/text/csv_reader.h: records of a CSV file, one at a time, from a plain or gzip file of any
 * size.
 *
 * libcsv splits records, except simple lines (csv_line.h). This file passes it one line at a time,
 * so that each record has the number of its first line and its raw bytes (for the quarantine), in
 * memory that does not grow with the file. The first record is the header. Lines end in LF, CRLF or
 * a lone CR; blank ones are skipped. Byte-order marks are dropped at the start, however many, and
 * at the start of any later record (files that were joined).
 *
 * Rules of libcsv: white space around an unquoted field is not part of it; a quote inside an
 * unquoted field is an ordinary character; a quoted field that continues after its closing quote
 * extends to the next quote.
 *
 *     struct csv_reader *reader = csv_reader_open(path, ',', NULL, error);
 *     while ((outcome = csv_reader_next(reader, &record, error)) == CSV_RECORD)
 *         …
 *     csv_reader_close(reader);
 *
 * A chunk of a file that is in memory is read by the same rules (csv_chunks.h cuts them):
 *
 *     struct csv_reader *reader = csv_reader_open_text(path, ',', NULL);
 *     csv_reader_give(reader, &text);
 *     while ((outcome = csv_reader_next(reader, &record, error)) == CSV_RECORD) …
 */
#ifndef KSTAR_BASE_TEXT_CSV_READER_H
#define KSTAR_BASE_TEXT_CSV_READER_H

#include "base/error.h"
#include "base/text/csv_line.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct csv_limits {
    size_t record_bytes;        /* a longer record refuses the file; 0: 16 MiB */
    int columns;                /* a record of more refuses the file; 0: 2,000 */
    int64_t uncompressed_bytes; /* 0: no bound for a plain file; for gzip 1 TiB */
    int64_t compression_ratio;  /* uncompressed ÷ compressed past 64 MiB; 0: 1,000 */
};

struct csv_record {
    /* physical line of the start of the record, from 1, as `sed -n Np` counts; a lone CR that ends
     * a record ends a line, too, so no two records begin on the same line */
    int64_t line;
    int field_count;
    const struct csv_field *fields; /* valid until the next call, like all here */
    /* the bytes of the record in the file, without line end */
    const char *raw;
    size_t raw_length;
};

struct csv_reader;

/* Opens `path`; `delimiter` is ',' for CSV. Reads nothing yet. NULL on failure. Free the reader
 * with csv_reader_close. Every error names `path`, and the line if there is one. */
struct csv_reader *csv_reader_open(const char *path, char delimiter, const struct csv_limits *limits,
                                   struct error *error);
void csv_reader_close(struct csv_reader *reader);

enum csv_outcome { CSV_RECORD, CSV_END, CSV_FAILED, CSV_UNFINISHED };

/* The next record. CSV_UNFINISHED is for texts, see below. CSV_FAILED: an empty file, broken or
 * truncated gzip, bytes after it, no text (UTF-16, a workbook), an unclosed quote at the end, a
 * limit (kind ERROR_INPUT), or a read error (ERROR_FAILED). */
enum csv_outcome csv_reader_next(struct csv_reader *reader, struct csv_record *record, struct error *error);

/* Where a record begins. */
struct csv_place {
    int64_t offset; /* bytes before it: of the uncompressed file, or of the text */
    int64_t line;   /* its physical line */
    /* whether the first line of the file ends in a lone CR: then a lone CR inside quotes counts as
     * a line, too */
    bool lines_end_in_cr;
};

/* The place of the next record, or of blank lines before it. */
struct csv_place csv_reader_place(const struct csv_reader *reader);

/* A part of the text of a file that begins with a record. The text is not owned. */
struct csv_text {
    const char *bytes;
    size_t length;
    int64_t line; /* of its first byte */
    bool lines_end_in_cr;
    bool is_last; /* the file ends with it */
};

/* A reader of texts; `path` is for messages. Freed with csv_reader_close. */
struct csv_reader *csv_reader_open_text(const char *path, char delimiter, const struct csv_limits *limits);

/* Reads `text` from its beginning, independently of earlier texts. csv_reader_next then ends with
 * CSV_END if the text ends after a record, or with CSV_UNFINISHED if it ends within one:
 * csv_reader_place is then the start of that record, which must be read again with the following
 * bytes. The last text never ends unfinished. */
void csv_reader_give(struct csv_reader *reader, const struct csv_text *text);

/* Bytes of the file read so far (compressed ones for gzip): for progress. */
int64_t csv_reader_position(const struct csv_reader *reader);

/* Finds each of `names` in a header record: columns[i] is its position or -1. An exact name counts
 * before one that differs in case (ASCII). False if a name is twice in the header. */
bool csv_header_find(const struct csv_record *header, const char *path, const char *const *names,
                     int name_count, int *columns, struct error *error);

/* False if the whole header is one field that contains another separator than the comma: the file
 * is from a spreadsheet of a country with decimal commas. */
bool csv_header_check_separator(const struct csv_record *header, const char *path, struct error *error);

/* The names of a header record as separate texts (up to a NUL, if one has it), freed with
 * csv_header_names_free. */
char **csv_header_names(const struct csv_record *header);
void csv_header_names_free(char **names, int count); /* NULL is fine */

#endif
