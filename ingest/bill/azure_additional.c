/* ingest/bill/azure_additional.c: see azure_additional.h. */
#define _GNU_SOURCE /* memrchr */
#include "ingest/bill/azure_additional.h"

#include "ingest/bill/nested_text.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

struct csv_field azure_object(struct billing_file *file, struct csv_field text)
{
    if (text.text == NULL || memchr("{[", text.text[0], 2) != NULL)
        return text;
    char *braced = billing_room(file, text.length + 2);
    braced[0] = '{';
    memcpy(braced + 1, text.text, text.length);
    braced[text.length + 1] = '}';
    return (struct csv_field){ braced, text.length + 2 };
}

/* The text of a member, found in any letter case; "" if it is missing. */
static const char *member(const cJSON *object, const char *name)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItem(object, name));
    return text != NULL ? text : "";
}

/* The name of a resource …/TYPE/NAME; null for another type. */
static struct csv_field name_of_type(const struct csv_field *resource, const char *type)
{
    const char *name = resource->text != NULL ? memrchr(resource->text, '/', resource->length) : NULL;
    size_t length = strlen(type);
    if (name == NULL || (size_t)(name - resource->text) <= length || name[-1 - (ptrdiff_t)length] != '/' ||
        strncasecmp(name - length, type, length) != 0)
        return (struct csv_field){ NULL, 0 };
    return (struct csv_field){ name + 1, resource->length - (size_t)(name + 1 - resource->text) };
}

/* The number of a scale set's machine called NAME_NUMBER; NULL for another name. */
static const char *number_in_set(const char *machine, const struct csv_field *set)
{
    if (set->text == NULL || strlen(machine) <= set->length + 1 ||
        strncasecmp(machine, set->text, set->length) != 0 || machine[set->length] != '_')
        return NULL;
    const char *number = machine + set->length + 1;
    return number[strspn(number, "0123456789")] == '\0' ? number : NULL;
}

static void name_machine(struct billing_file *file, const char *machine, struct csv_field *resource)
{
    static const char within[] = "/virtualMachines/";
    const struct csv_field set = name_of_type(resource, "virtualMachineScaleSets");
    const char *number = number_in_set(machine, &set);
    size_t length = number != NULL ? resource->length + strlen(within) + strlen(number) : 0;
    char *id = number != NULL ? billing_room(file, length + 1) : NULL;
    if (id == NULL)
        return;
    snprintf(id, length + 1, "%.*s%s%s", (int)resource->length, resource->text, within, number);
    *resource = (struct csv_field){ id, length };
}

/* The resource of unused capacity is the reservation itself. */
static void name_reservation(struct billing_file *file, const char *reservation, struct billing_row *row)
{
    const struct csv_field rest = name_of_type(&row->texts[TEXT_RESOURCE_ID], "capacityReservations");
    size_t length = strlen(reservation);
    char *id = length > 0 ? billing_room(file, length) : NULL;
    if (id == NULL)
        return;
    memcpy(id, reservation, length);
    row->texts[TEXT_CAPACITY_RESERVATION_ID] = (struct csv_field){ id, length };
    row->texts[TEXT_CAPACITY_RESERVATION_STATUS] = billing_literal(rest.text != NULL ? "Unused" : "Used");
}

void azure_read_additional(struct billing_file *file, struct csv_field additional, struct billing_row *row)
{
    const char *problem;
    if (additional.text == NULL)
        return;
    additional = azure_object(file, additional);
    cJSON *object = nested_text_parse(additional.text, additional.length, &problem);
    if (cJSON_IsObject(object)) {
        name_reservation(file, member(object, "VMCapacityReservationId"), row);
        name_machine(file, member(object, "VMName"), &row->texts[TEXT_RESOURCE_ID]);
    }
    cJSON_Delete(object);
}
