/* report/mail_message.h: a mail with a text and an attached file, in the form that `sendmail -t
 * -oi` reads (RFC 5322, 2045 to 2047, 2231).
 *
 * Texts cannot change the structure of the mail. A header is printable ASCII; other texts become
 * encoded words in base64. Text and file are base64. Addresses are checked, not quoted.
 */
#ifndef KSTAR_REPORT_MAIL_MESSAGE_H
#define KSTAR_REPORT_MAIL_MESSAGE_H

#include "base/error.h"

#include <stdbool.h>
#include <stdio.h>
#include <time.h>

struct mail_message {
    const char *from; /* NULL: the mailer's default */
    const char *to;   /* one address; mail_address_is_plain() must accept both */
    const char *subject;
    const char *text;
    const char *path; /* the attached file */
    const char *file_name, *file_type;
    /* hexadecimal; the same message has the same Message-ID each time it is sent */
    const char *id;
    time_t date;
};

/* Whether the address is "name@host" of ASCII letters, digits and marks that need no quotes, at
 * most 254 bytes. */
bool mail_address_is_plain(const char *address);

/* Writes the mail to `out`. False if the file cannot be read or `out` cannot be written. */
bool mail_message_write(const struct mail_message *message, FILE *out, struct error *error);

#endif
