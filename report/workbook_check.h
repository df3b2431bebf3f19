/* report/workbook_check.h: whether a workbook is whole, before it is published.
 *
 * libxlsxwriter writes each part of a workbook to a temporary file first and does not look whether that
 * worked: on a full disk a sheet would end in the middle and the workbook still be packed without an error.
 * So the packed file is read again: every part must inflate to its length and checksum, and must end by
 * closing its root element.
 */
#ifndef KSTAR_REPORT_WORKBOOK_CHECK_H
#define KSTAR_REPORT_WORKBOOK_CHECK_H

#include "base/error.h"

#include <stdbool.h>

/* False (ERROR_FAILED) names the file and the part that is not whole. */
bool workbook_is_whole(const char *path, struct error *error);

#endif
