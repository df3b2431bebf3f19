/* ingest/line_reader.h: lines of a plain or gzip file, one of lookahead, in bounded memory. */
#ifndef KSTAR_INGEST_LINE_READER_H
#define KSTAR_INGEST_LINE_READER_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct line_reader;

struct line {
    /* without line end (LF or CR LF); may hold any byte; valid until the next line_reader_take */
    const char *text;
    size_t length;
    int64_t number; /* from 1 */
    bool ended;     /* false: the file ends in the middle of this line */
    bool overlong;  /* longer than the maximum: `text` is its beginning, the rest is skipped */
};

/* Reads lines of at most `maximum` bytes. NULL on failure, also for UTF-16. */
struct line_reader *line_reader_open(const char *path, size_t maximum, struct error *error);
void line_reader_close(struct line_reader *reader); /* NULL is allowed */

/* The next line, which is not taken. *found false: the end. Drops a byte-order mark. */
bool line_reader_peek(struct line_reader *reader, struct line *line, bool *found, struct error *error);

/* Goes past the line that was last peeked. */
void line_reader_take(struct line_reader *reader);

int64_t line_reader_position(const struct line_reader *reader);

#endif
