/* base/system/delivered_file.c: see delivered_file.h. */
#include "base/system/delivered_file.h"

#include "base/log.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FOLDERS_MAXIMUM = 33 };

static struct {
    char *root; /* as at the beginning of paths; NULL: no bound */
    int count;
    char *folders[FOLDERS_MAXIMUM]; /* absolute, without links; the first is that of the root */
} bound;

static bool is_below(const char *path, const char *folder)
{
    size_t length = strlen(folder);
    while (length > 0 && folder[length - 1] == '/')
        length--;
    return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

static bool add_folder(const char *folder, struct error *error)
{
    if (bound.count == FOLDERS_MAXIMUM)
        return error_set(error, ERROR_USAGE, "more than %d folders for links", FOLDERS_MAXIMUM - 1);
    char *place = realpath(folder, NULL);
    if (place == NULL)
        log_event(LOG_WARNING, "skipped", "file=\"%s\" reason=\"no folder that links could lead to\"",
                  folder);
    else
        bound.folders[bound.count++] = place;
    return true;
}

bool delivered_files_bound(const char *root, int folder_count, const char *const *folders,
                           struct error *error)
{
    bool ok = add_folder(root, error);
    for (int i = 0; ok && i < folder_count; i++)
        ok = add_folder(folders[i], error);
    if (ok)
        bound.root = strdup(root);
    return ok;
}

/* The place of an open file by its descriptor, because its name may now be that of another file. */
static bool find_place(int descriptor, const char *path, char place[PATH_MAX])
{
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, place, PATH_MAX - 1);
    if (length < 0)
        return realpath(path, place) != NULL; /* without /proc */
    place[length] = '\0';
    return true;
}

bool delivered_file_is_bound(int descriptor, const char *path, struct error *error)
{
    char place[PATH_MAX];
    if (bound.root == NULL || !is_below(path, bound.root))
        return true;
    bool is_found = find_place(descriptor, path, place);
    for (int i = 0; is_found && i < bound.count; i++)
        if (is_below(place, bound.folders[i]))
            return true;
    error_set(error, ERROR_INPUT, "%s: a link leads out of the inbox; it is not followed", path);
    error_hint(error, "put the files themselves there, or name the folder that the link leads to: "
                      "kstar nightly --follow DIR");
    return false;
}

int delivered_file_open(const char *path, struct error *error)
{
    struct stat status;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK); /* waits for no pipe */
    if (descriptor < 0 || fstat(descriptor, &status) != 0)
        error_set_errno(error, "%s", path);
    else if (!S_ISREG(status.st_mode))
        error_set(error, ERROR_INPUT, "%s: not a file", path);
    else if (delivered_file_is_bound(descriptor, path, error))
        return descriptor;
    if (descriptor >= 0)
        close(descriptor);
    return -1;
}

FILE *delivered_file_stream(const char *path, struct error *error)
{
    int descriptor = delivered_file_open(path, error);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "rb") : NULL;
    if (file == NULL && descriptor >= 0) {
        error_set_errno(error, "%s", path);
        close(descriptor);
    }
    return file;
}
