/* night/deliver/hand_over.h: the two ways in which a workbook gets to its owner: by the system's
 * mailer, and into a folder. */
#ifndef KSTAR_NIGHT_DELIVER_HAND_OVER_H
#define KSTAR_NIGHT_DELIVER_HAND_OVER_H

#include "base/error.h"
#include "base/system/file.h"
#include "report/centres.h"

#include <stdbool.h>
#include <stdint.h>

/* One workbook: of centre `i`, at `path`, with this hash. The number says which handing over of the
 * month's workbook to its place this is ("1", "2" …), once that is claimed. */
struct workbook_copy {
    const struct report_centres *centres;
    int i;
    const char *path;
    int64_t bytes;
    char sha256[SHA256_HEX_BYTES];
    const char *handing;
};

/* Gives a message with the workbook to `mailer -t -oi` (sendmail's interface) and waits for it.
 * `from` NULL: the mailer's. *late: the mailer did not end in time. False if the mailer does not
 * take the message, or if the workbook was replaced meanwhile (ERROR_ATTENTION). */
bool hand_over_by_mail(const struct workbook_copy *copy, const char *mailer, const char *from,
                       const char *address, bool *late, struct error *error);

/* Copies the workbook to DIRECTORY/folder of the centre/, which is made if necessary. The copy
 * appears whole or not at all, with mode 0640. */
bool hand_over_into(const struct workbook_copy *copy, const char *directory, struct error *error);

#endif
