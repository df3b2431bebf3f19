/* base/system/temporary_file.h: files without a name, for data that does not fit into memory: in
 * TMPDIR, else in /var/tmp, because /tmp may itself be memory. */
#ifndef KSTAR_BASE_SYSTEM_TEMPORARY_FILE_H
#define KSTAR_BASE_SYSTEM_TEMPORARY_FILE_H

#include "base/error.h"

#include <stdio.h>

/* Opens a new file for reading and writing, which disappears when it is closed; -1, or NULL, with
 * `error`. Programs started by exec do not inherit it. */
int temporary_file(struct error *error);
FILE *temporary_stream(struct error *error);

/* Reports that a temporary file could not be written (errno), with the folder. Returns false. */
bool temporary_file_failed(struct error *error);

#endif
