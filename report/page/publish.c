/* report/page/publish.c: see publish.h. */
#include "report/page/publish.h"

#include "base/system/file.h"

#include <stdio.h>
#include <stdlib.h>

static bool write_text(const char *path, const char *text, size_t length, struct error *error)
{
    FILE *file = fopen(path, "we");
    if (file == NULL)
        return error_set_errno(error, "%s", path);
    bool ok = fwrite(text, 1, length, file) == length;
    ok = fclose(file) == 0 && ok;
    return ok || error_set_errno(error, "%s", path);
}

bool page_publish_text(const char *path, const char *text, size_t length, bool *is_changed,
                       struct error *error)
{
    char *pending = file_pending_path(path);
    bool ok = file_pending_make(pending, error) && write_text(pending, text, length, error) &&
              file_publish_if_changed(pending, path, is_changed, error);
    if (!ok)
        file_discard(pending);
    free(pending);
    return ok;
}
