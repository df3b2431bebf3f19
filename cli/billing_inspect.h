/* cli/billing_inspect.h: prints what kstar ingest billing --detect and --check find in files.
 *
 * Neither needs a database. Operands are files or folders. A folder stands for its files, in byte
 * order.
 */
#ifndef KSTAR_CLI_BILLING_INSPECT_H
#define KSTAR_CLI_BILLING_INSPECT_H

#include "base/error.h"

#include <stdbool.h>

/* Prints the format of each file. `source` (NULL: the name of the file's folder) goes into the line
 * for sources.csv. True with error->kind ERROR_INPUT if a file is no bill of a known format. */
bool billing_inspect_detect(int path_count, const char *const *paths, const char *source, bool json,
                            struct error *error);

/* Prints how FOCUS files keep the specification's rules. Only an unreadable file is an error. */
bool billing_inspect_check(int path_count, const char *const *paths, bool json, struct error *error);

/* Calls `visit` for every file of the operands. Hidden files and sub-folders of a folder are
 * skipped. ERROR_INPUT if a folder has no other file. */
bool billing_inspect_files(int path_count, const char *const *paths,
                           bool (*visit)(void *context, const char *path, struct error *error), void *context,
                           struct error *error);

#endif
