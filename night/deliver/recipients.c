/* night/deliver/recipients.c: see recipients.h. */
#include "night/deliver/recipients.h"

#include "ingest/reference/declared_csv.h"
#include "report/mail_message.h"

#include <stdlib.h>
#include <string.h>

enum { COST_CENTRE, ADDRESS };

static const struct declared_column columns[] = {
    { "cost_centre", DECLARED_TEXT, DECLARED_KEY | DECLARED_REQUIRED, NULL, NULL },
    { "address", DECLARED_TEXT, DECLARED_KEY | DECLARED_REQUIRED, NULL, NULL },
    { 0 },
};

static void add(struct recipients *recipients, const struct declared_row *row)
{
    bool nobody = strcmp(row->values[ADDRESS], "none") == 0;
    size_t bytes = (size_t)(recipients->count + 1) * sizeof *recipients->list;
    recipients->list = realloc(recipients->list, bytes);
    struct recipient *recipient = &recipients->list[recipients->count++];
    recipient->cost_centre = strdup(row->values[COST_CENTRE]);
    recipient->address = nobody ? NULL : strdup(row->values[ADDRESS]);
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
        if (ok)
            add(recipients, &row);
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
