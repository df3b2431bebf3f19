/* ingest/text_slice.c: see text_slice.h. */
#include "ingest/text_slice.h"

#include <string.h>

struct text_slice slice_of(const char *text)
{
    return (struct text_slice){ text, text != NULL ? strlen(text) : 0 };
}

bool slice_is(struct text_slice slice, const char *word)
{
    return slice.length == strlen(word) && memcmp(slice.text, word, slice.length) == 0;
}

void copy_slice(struct copy_stream *rows, struct text_slice slice)
{
    if (slice.length == 0)
        copy_null(rows);
    else
        copy_text(rows, slice.text, slice.length);
}
