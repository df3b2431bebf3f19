/* cli/billing_inspect.h: prints what kstar ingest billing --detect and --check find in files.
 *
 * Neither needs a database. Operands are files, or folders whose files are meant, in byte order.
 */
#ifndef KSTAR_CLI_BILLING_INSPECT_H
#define KSTAR_CLI_BILLING_INSPECT_H

#include "base/error.h"

#include <stdbool.h>

/* What each file is. `source` (NULL: the name of the file's folder) goes into the line for
 * sources.csv. True with error->kind ERROR_INPUT where a file is no bill of a known format. */
bool billing_inspect_detect(int path_count, const char *const *paths, const char *source, bool json,
                            struct error *error);

/* How FOCUS files keep the specification's rules. Only a file that cannot be read is an error. */
bool billing_inspect_check(int path_count, const char *const *paths, bool json, struct error *error);

/* Calls `visit` for every file of the operands; a folder's hidden files and sub-folders are passed
 * over, and one with nothing else is ERROR_INPUT. */
bool billing_inspect_files(int path_count, const char *const *paths,
                           bool (*visit)(void *context, const char *path, struct error *error), void *context,
                           struct error *error);

#endif
