/* base/text/not_text.h: what a file is that somebody took for text, by its first bytes. */
#ifndef KSTAR_BASE_TEXT_NOT_TEXT_H
#define KSTAR_BASE_TEXT_NOT_TEXT_H

#include "base/error.h"

#include <stddef.h>

struct not_text {
    const char *magic; /* what the file begins with, in any letter case */
    const char *what;  /* as "this is …" goes on */
    const char *hint;  /* how to have it as text */
};

/* NULL: it may be text. */
const struct not_text *not_text_find(const char *bytes, size_t length);

/* Refuses the file of that path where its first bytes are those of no text. */
bool not_text_check(const char *path, const char *bytes, size_t length, struct error *error);

#endif
