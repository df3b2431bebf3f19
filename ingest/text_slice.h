/* ingest/text_slice.h: a part of a larger text, without a NUL. The larger text owns the bytes. */
#ifndef KSTAR_INGEST_TEXT_SLICE_H
#define KSTAR_INGEST_TEXT_SLICE_H

#include "base/postgres/copy_stream.h"

#include <stdbool.h>
#include <stddef.h>

struct text_slice {
    const char *text; /* NULL: no such column, or empty */
    size_t length;
};

/* All of a text; NULL is nothing. */
struct text_slice slice_of(const char *text);

bool slice_is(struct text_slice slice, const char *word);

/* Writes the next field of a row; an empty slice is null. */
void copy_slice(struct copy_stream *rows, struct text_slice slice);

#endif
