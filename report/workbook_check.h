/* report/workbook_check.h: whether a workbook is whole, before it is published.
 *
 * The packed file is read again: every part must inflate to its length and checksum, and must end
 * by closing its root element. What was lost before it was packed is workbook_temporary.h's.
 */
#ifndef KSTAR_REPORT_WORKBOOK_CHECK_H
#define KSTAR_REPORT_WORKBOOK_CHECK_H

#include "base/error.h"

#include <stdbool.h>

/* False (ERROR_FAILED) names the file and the part that is not whole. */
bool workbook_is_whole(const char *path, struct error *error);

#endif
