/* ingest/bill/gcp_fields.c: see gcp_fields.h. */
#include "ingest/bill/gcp_fields.h"

#include "ingest/bill/gcp_sku.h"

#include <stdio.h>
#include <string.h>

bool gcp_invoice_month(const struct csv_field *month, time_us *start)
{
    enum { SUMMER_OFFSET = -7 * 3600, WINTER_OFFSET = -8 * 3600, APRIL = 4, NOVEMBER = 11 };
    char date[16];
    if (month->text == NULL || month->length != strlen("202609"))
        return false;
    int number = (month->text[4] - '0') * 10 + month->text[5] - '0';
    bool summer = number >= APRIL && number <= NOVEMBER;
    snprintf(date, sizeof date, "%.4s-%.2s-01", month->text, month->text + 4);
    return time_parse_zone(date, strlen(date), summer ? SUMMER_OFFSET : WINTER_OFFSET, start);
}

struct csv_field gcp_invoice_id(struct billing_file *file, const struct csv_field *account,
                                const struct csv_field *month)
{
    size_t size = account->length + month->length + 2;
    char *id = account->text != NULL && month->text != NULL ? billing_room(file, size) : NULL;
    if (id == NULL)
        return (struct csv_field){ NULL, 0 };
    snprintf(id, size, "%.*s/%.*s", (int)account->length, account->text, (int)month->length, month->text);
    return (struct csv_field){ id, strlen(id) };
}

struct csv_field gcp_measured_unit(struct billing_file *file, const struct csv_field *unit,
                                   const char *measure)
{
    if (measure == NULL || !gcp_unit_is_time(unit))
        return *unit;
    size_t size = strlen(measure) + unit->length + 2;
    char *text = billing_room(file, size);
    snprintf(text, size, "%s-%.*s", measure, (int)unit->length, unit->text);
    return (struct csv_field){ text, strlen(text) };
}

struct csv_field gcp_resource_type(const struct csv_field *global_name)
{
    struct csv_field none = { NULL, 0 };
    size_t end = global_name->length;
    while (end > 0 && global_name->text[end - 1] != '/')
        end--;
    if (end == 0)
        return none;
    size_t start = --end;
    while (start > 0 && global_name->text[start - 1] != '/')
        start--;
    return start > 0 && start < end ? (struct csv_field){ global_name->text + start, end - start } : none;
}
