/* ingest/text_slice.h: a piece of a larger text, not NUL-terminated. The larger text owns the bytes. */
#ifndef KSTAR_INGEST_TEXT_SLICE_H
#define KSTAR_INGEST_TEXT_SLICE_H

#include <stddef.h>

struct text_slice {
    const char *text; /* NULL where there is nothing: no such column, or empty */
    size_t length;
};

#endif
