/* base/system/delivered_file.h: files that others deliver are opened here, and nowhere else.
 *
 * Whoever may write into the inbox may lay a link there, to a file that kstar may read and its
 * maker may not: a password file, say. So a night names the folders that links may lead to, and
 * each file and folder of the inbox is looked at once more when it is open, by its descriptor: by
 * then nobody can put another one in its place.
 */
#ifndef KSTAR_BASE_SYSTEM_DELIVERED_FILE_H
#define KSTAR_BASE_SYSTEM_DELIVERED_FILE_H

#include "base/error.h"

#include <stdbool.h>
#include <stdio.h>

/* From now on a link below `root` leads to somewhere below `root` itself or one of `folders`, or is
 * refused. A folder that is not there is logged. Called once, before other threads begin. */
bool delivered_files_bound(const char *root, int folder_count, const char *const *folders,
                           struct error *error);

/* Whether what `descriptor` has opened as `path` may be read; else ERROR_INPUT, which names the
 * link and not where it leads. Everything may while there is no bound, or outside its root. */
bool delivered_file_is_bound(int descriptor, const char *path, struct error *error);

/* Opens a regular file for reading; −1 or NULL: it is not there, not ours to read, a pipe or folder
 * (ERROR_INPUT), or out of the bound. */
int delivered_file_open(const char *path, struct error *error);
FILE *delivered_file_stream(const char *path, struct error *error);

#endif
