/* report/workbook_check.h: checks that a workbook is complete before it is published.
 *
 * The packed file is read again. Every part must unpack to its stated length and checksum, and
 * must end with the closing tag of its root element. workbook_temporary.h detects data that was
 * lost before packing.
 */
#ifndef KSTAR_REPORT_WORKBOOK_CHECK_H
#define KSTAR_REPORT_WORKBOOK_CHECK_H

#include "base/error.h"

#include <stdbool.h>

/* False (ERROR_FAILED) names the file and the incomplete part. */
bool workbook_is_whole(const char *path, struct error *error);

#endif
