/* cli/recipients.c: see recipients.h. */
#include "cli/recipients.h"

#include "ingest/declared_csv.h"
#include "report/mail_message.h"

#include <stdlib.h>
#include <string.h>

enum { COST_CENTRE, ADDRESS };

static const struct declared_column columns[] = {
    { "cost_centre", DECLARED_TEXT, DECLARED_KEY | DECLARED_REQUIRED, NULL, NULL },
    { "address", DECLARED_TEXT, DECLARED_KEY | DECLARED_REQUIRED, NULL, NULL },
    { 0 },
};

static bool add(struct recipients *recipients, const struct declared_row *row, struct error *error)
{
    bool nobody = strcmp(row->values[ADDRESS], "none") == 0;
    size_t bytes = (size_t)(recipients->count + 1) * sizeof *recipients->list;
    struct recipient *grown = realloc(recipients->list, bytes);
    if (grown == NULL)
        return error_set(error, ERROR_FAILED, "out of memory");
    recipients->list = grown;
    struct recipient *recipient = &grown[recipients->count++];
    recipient->cost_centre = strdup(row->values[COST_CENTRE]);
    recipient->address = nobody ? NULL : strdup(row->values[ADDRESS]);
    return (recipient->cost_centre != NULL && (nobody || recipient->address != NULL)) ||
           error_set(error, ERROR_FAILED, "out of memory");
}

bool recipients_read(const char *path, struct recipients *recipients, struct error *error)
{
    struct declared_row row;
    enum csv_outcome outcome;
    bool ok = true;
    *recipients = (struct recipients){ 0 };
    struct declared_csv *csv = declared_csv_open(path, columns, "docs/operations.md, Delivery", error);
    if (csv == NULL)
        return false;
    while (ok && (outcome = declared_csv_next(csv, &row, error)) != CSV_END) {
        ok = outcome == CSV_RECORD;
        if (ok && strcmp(row.values[ADDRESS], "none") != 0 && !mail_address_is_plain(row.values[ADDRESS]))
            ok = declared_csv_refuse(csv, &row, ADDRESS, "is neither a mail address name@host nor none",
                                     error);
        ok = ok && add(recipients, &row, error);
    }
    declared_csv_close(csv);
    return ok;
}

void recipients_free(struct recipients *recipients)
{
    for (int i = 0; i < recipients->count; i++) {
        free(recipients->list[i].cost_centre);
        free(recipients->list[i].address);
    }
    free(recipients->list);
    *recipients = (struct recipients){ 0 };
}
