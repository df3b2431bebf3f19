/* report/workbook_temporary.h: whether the temporary files of a workbook could be written.
 *
 * libxlsxwriter puts rows, then each part of a workbook, into temporary files and does not look
 * whether that worked: what a full disk refused would be missing, from the end of a sheet or, where
 * room was made again in the meantime, from its middle. It takes these files from its function
 * lxw_tmpfile(); this file defines one of that name, which the program's own comes before the
 * library's, and whose files remember a failure. One workbook at a time in a process.
 */
#ifndef KSTAR_REPORT_WORKBOOK_TEMPORARY_H
#define KSTAR_REPORT_WORKBOOK_TEMPORARY_H

#include "base/error.h"

#include <stdbool.h>

/* A workbook begins: what failed before is forgotten. */
void workbook_temporary_begin(void);

/* A workbook was closed, or given up: closes those of its temporary files that libxlsxwriter left
 * open, which are those of streamed sheets that it did not come to write. */
void workbook_temporary_end(void);

/* Whether every temporary file since was written; else an error that names their folder. */
bool workbook_temporary_is_whole(struct error *error);

#endif
