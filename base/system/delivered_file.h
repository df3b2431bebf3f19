/* base/system/delivered_file.h: opens files that others deliver; nothing else may.
 *
 * Anybody who may write into the inbox may make a link there to a file that kstar may read but its
 * maker may not, for example a password file. So a night names the folders to which links may lead.
 * Each file and folder of the inbox is checked after it is opened, by its descriptor, when nobody
 * can replace it any more.
 */
#ifndef KSTAR_BASE_SYSTEM_DELIVERED_FILE_H
#define KSTAR_BASE_SYSTEM_DELIVERED_FILE_H

#include "base/error.h"

#include <stdbool.h>
#include <stdio.h>

/* From now on a link below `root` must lead to a place below `root` or one of `folders`; others are
 * refused. A missing folder is logged. Call once, before other threads begin. */
bool delivered_files_bound(const char *root, int folder_count, const char *const *folders,
                           struct error *error);

/* Whether the file that `descriptor` opened as `path` may be read; else ERROR_INPUT, which names
 * the link but not its target. Always true without a bound, or outside its root. */
bool delivered_file_is_bound(int descriptor, const char *path, struct error *error);

/* Opens a regular file for reading. −1 or NULL if it is missing, unreadable, a pipe or folder
 * (ERROR_INPUT), or outside the bound. */
int delivered_file_open(const char *path, struct error *error);
FILE *delivered_file_stream(const char *path, struct error *error);

#endif
