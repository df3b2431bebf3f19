/* report/mail_message.h: a mail with a text and a file, as `sendmail -t -oi` reads it (RFC 5322,
 * 2045 to 2047, 2231).
 *
 * Whatever the texts hold, they stay where they belong: a header is printable ASCII, base64 in an
 * encoded word where its text is anything else; text and file are base64. An address is checked,
 * not quoted.
 */
#ifndef KSTAR_REPORT_MAIL_MESSAGE_H
#define KSTAR_REPORT_MAIL_MESSAGE_H

#include "base/error.h"

#include <stdbool.h>
#include <stdio.h>
#include <time.h>

struct mail_message {
    const char *from; /* NULL: the mailer says */
    const char *to;   /* one address; both as mail_address_is_plain() wants them */
    const char *subject;
    const char *text;
    const char *path; /* the file */
    const char *file_name, *file_type;
    const char *id; /* hexadecimal: the same message has the same Message-ID whenever it is sent */
    time_t date;
};

/* "name@host" of ASCII letters, digits and those marks that need no quotes; at most 254 bytes. */
bool mail_address_is_plain(const char *address);

/* Writes it to `out`. False where the file cannot be read or `out` not be written. */
bool mail_message_write(const struct mail_message *message, FILE *out, struct error *error);

#endif
