/* base/text/not_text.h: recognises files that are no text by their first bytes. */
#ifndef KSTAR_BASE_TEXT_NOT_TEXT_H
#define KSTAR_BASE_TEXT_NOT_TEXT_H

#include "base/error.h"

#include <stddef.h>

struct not_text {
    const char *magic; /* beginning of the file, in any letter case */
    const char *what;  /* completes "this is …" */
    const char *hint;  /* how to get it as text */
};

/* NULL: it may be text. */
const struct not_text *not_text_find(const char *bytes, size_t length);

/* Refuses the file of that path if its first bytes show that it is no text. */
bool not_text_check(const char *path, const char *bytes, size_t length, struct error *error);

#endif
