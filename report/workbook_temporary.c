/* report/workbook_temporary.c: see workbook_temporary.h. */
#define _GNU_SOURCE /* fopencookie */
#include "report/workbook_temporary.h"

#include "base/system/temporary_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <xlsxwriter/utility.h>

static int first_failure; /* errno; 0: none */

struct temporary {
    int descriptor;
    char buffer[1 << 16]; /* a sheet of thousands of rows passes through it */
    FILE *stream;
    struct temporary *next, *before;
};

static struct temporary *open_ones; /* the latest is first */

void workbook_temporary_begin(void)
{
    first_failure = 0;
}

bool workbook_temporary_is_whole(struct error *error)
{
    if (first_failure == 0)
        return true;
    errno = first_failure;
    return temporary_file_failed(error);
}

static void remember_failure(void)
{
    if (first_failure == 0)
        first_failure = errno;
}

/* ---- a file that remembers: the four functions of fopencookie(3), over a descriptor ---- */

static int descriptor_of(const void *cookie)
{
    return ((const struct temporary *)cookie)->descriptor;
}

static ssize_t read_some(void *temporary, char *buffer, size_t size)
{
    ssize_t got = read(descriptor_of(temporary), buffer, size);
    if (got < 0)
        remember_failure();
    return got;
}

/* Writes all bytes; 0 on failure. */
static ssize_t write_all(void *temporary, const char *buffer, size_t size)
{
    for (size_t written = 0; written < size;) {
        ssize_t more = write(descriptor_of(temporary), buffer + written, size - written);
        if (more < 0 && errno != EINTR) {
            remember_failure();
            return 0;
        }
        written += more > 0 ? (size_t)more : 0;
    }
    return (ssize_t)size;
}

static int seek_to(void *temporary, off64_t *offset, int whence)
{
    *offset = lseek64(descriptor_of(temporary), *offset, whence);
    return *offset < 0 ? -1 : 0;
}

static int close_file(void *cookie)
{
    struct temporary *temporary = cookie;
    int outcome = close(temporary->descriptor);
    if (temporary->before != NULL)
        temporary->before->next = temporary->next;
    else
        open_ones = temporary->next;
    if (temporary->next != NULL)
        temporary->next->before = temporary->before;
    free(temporary);
    return outcome;
}

static FILE *remembering_stream(int descriptor)
{
    static const cookie_io_functions_t functions = { read_some, write_all, seek_to, close_file };
    struct temporary *temporary = malloc(sizeof *temporary);
    temporary->descriptor = descriptor;
    temporary->next = open_ones;
    temporary->before = NULL;
    if (open_ones != NULL)
        open_ones->before = temporary;
    open_ones = temporary;
    FILE *stream = temporary->stream = fopencookie(temporary, "w+b", functions);
    if (stream == NULL)
        close_file(temporary);
    else
        (void)setvbuf(stream, temporary->buffer, _IOFBF, sizeof temporary->buffer);
    return stream;
}

void workbook_temporary_end(void)
{
    while (open_ones != NULL)
        fclose(open_ones->stream); /* close_file removes it */
}

/* Ignores libxlsxwriter's folder: all temporary files of kstar are in one folder. */
FILE *lxw_tmpfile(char *folder)
{
    (void)folder;
    struct error ignored;
    int descriptor = temporary_file(&ignored);
    FILE *stream = descriptor >= 0 ? remembering_stream(descriptor) : NULL;
    if (stream == NULL)
        remember_failure();
    return stream;
}
