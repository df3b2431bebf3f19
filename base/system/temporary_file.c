/* base/system/temporary_file.c: see temporary_file.h. */
#define _GNU_SOURCE /* mkostemp */
#include "base/system/temporary_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* TMPDIR of the environment, else /var/tmp. */
static const char *temporary_folder(void)
{
    const char *folder = getenv("TMPDIR");
    return folder != NULL && *folder != '\0' ? folder : "/var/tmp";
}

int temporary_file(struct error *error)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/kstar-XXXXXX", temporary_folder());
    int descriptor = mkostemp(path, O_CLOEXEC);
    if (descriptor < 0)
        temporary_file_failed(error);
    else
        unlink(path);
    return descriptor;
}

FILE *temporary_stream(struct error *error)
{
    int descriptor = temporary_file(error);
    FILE *stream = descriptor >= 0 ? fdopen(descriptor, "w+b") : NULL;
    if (stream == NULL && descriptor >= 0) {
        temporary_file_failed(error);
        close(descriptor);
    }
    return stream;
}

bool temporary_file_failed(struct error *error)
{
    int cause = errno;
    error_set_errno(error, "temporary file in %s", temporary_folder());
    if (cause == ENOSPC || cause == EDQUOT)
        error_hint(error, "make room there, or name another folder in TMPDIR; then run again");
    else if (cause == EROFS || cause == EACCES || cause == ENOENT)
        error_hint(error, "name a folder in TMPDIR that can be written to; then run again");
    return false;
}
