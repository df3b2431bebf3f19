/* report/page/publish.h: writes a text to a file, whole or not at all. */
#ifndef KSTAR_REPORT_PAGE_PUBLISH_H
#define KSTAR_REPORT_PAGE_PUBLISH_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* Replaces the file at `path` if its bytes differ from the text. */
bool page_publish_text(const char *path, const char *text, size_t length, bool *is_changed,
                       struct error *error);

#endif
