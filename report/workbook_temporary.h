/* report/workbook_temporary.h: detects failed writes to the temporary files of a workbook.
 *
 * libxlsxwriter writes rows, and then each part of a workbook, to temporary files and ignores
 * errors. On a full disk, rows would be missing from the end of a sheet, or from its middle if
 * space became free again. libxlsxwriter opens these files with its function lxw_tmpfile(). kstar
 * defines a function of the same name, which the linker prefers to the library's. Files opened by
 * it remember a failure. A process may write one workbook at a time.
 */
#ifndef KSTAR_REPORT_WORKBOOK_TEMPORARY_H
#define KSTAR_REPORT_WORKBOOK_TEMPORARY_H

#include "base/error.h"

#include <stdbool.h>

/* Call it at the start of a workbook: forgets earlier failures. */
void workbook_temporary_begin(void);

/* Call it after a workbook was closed or given up. Closes the temporary files that libxlsxwriter
 * left open: those of streamed sheets that it did not write. */
void workbook_temporary_end(void);

/* Whether every temporary file since then was written. Otherwise the error names their folder. */
bool workbook_temporary_is_whole(struct error *error);

#endif
