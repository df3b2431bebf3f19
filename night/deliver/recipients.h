/* night/deliver/recipients.h: who gets the workbook of which cost centre. The site's own CSV has
 * the columns cost_centre and address. A centre may have several rows. The address "none" says that
 * nobody gets the workbook. */
#ifndef KSTAR_NIGHT_DELIVER_RECIPIENTS_H
#define KSTAR_NIGHT_DELIVER_RECIPIENTS_H

#include "base/error.h"

#include <stdbool.h>

struct recipient {
    char *cost_centre;
    char *address; /* NULL: nobody */
};

struct recipients {
    struct recipient *list;
    int count;
};

/* False if the file cannot be read or has an invalid address (ERROR_INPUT names line and value).
 * Freed by recipients_free, also after a failure. */
bool recipients_read(const char *path, struct recipients *recipients, struct error *error);
void recipients_free(struct recipients *recipients);

#endif
