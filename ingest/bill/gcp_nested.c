/* ingest/bill/gcp_nested.c: see gcp_nested.h. */
#include "ingest/bill/gcp_nested.h"

#include "base/decimal_arithmetic.h"
#include "base/utf8.h"
#include "ingest/bill/nested_text.h"
#include "ingest/json_fields.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- lists of records ---- */

/* The value of a column; NULL if it is null, empty or unreadable (which is noted). */
static cJSON *parse_column(const struct billing_file *file, const struct csv_record *record, int position,
                           bool *readable, struct billing_row *row)
{
    const char *problem;
    char excerpt[80];
    struct csv_field text = billing_text(record, position);
    *readable = true;
    if (text.text == NULL ||
        (text.length == 2 && (memcmp(text.text, "[]", 2) == 0 || memcmp(text.text, "{}", 2) == 0)))
        return NULL;
    cJSON *value = nested_text_parse(text.text, text.length, &problem);
    if (value != NULL && (cJSON_IsArray(value) || cJSON_IsObject(value) || cJSON_IsNull(value)))
        return value;
    billing_note(row, file->names[position], "\"%s\" is %s",
                 utf8_excerpt(text.text, text.length, excerpt, sizeof excerpt),
                 value != NULL ? "no list of records" : problem);
    *readable = false;
    cJSON_Delete(value);
    return NULL;
}

/* The text of a member of a record; NULL: none. */
static const char *member(const cJSON *record, const char *name)
{
    return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(record, name));
}

/* A text that outlives the parsed value. */
static struct csv_field keep(struct billing_file *file, const char *text)
{
    size_t length = strlen(text);
    char *room = billing_room(file, length + 1);
    memcpy(room, text, length + 1);
    return (struct csv_field){ room, length };
}

/* ---- credits ---- */

enum credit_effect { CREDIT_DISCOUNT, CREDIT_COMMITMENT, CREDIT_PROMOTION };

/* Every type that Google documents. A credit without a type (exports before September 2020) is a
 * promotion, as in Google's own reports. */
static const struct {
    const char *type;
    enum credit_effect effect;
} credit_types[] = {
    { "COMMITTED_USAGE_DISCOUNT", CREDIT_COMMITMENT },
    { "COMMITTED_USAGE_DISCOUNT_DOLLAR_BASE", CREDIT_COMMITMENT },
    { "CREDIT_TYPE_UNSPECIFIED", CREDIT_PROMOTION },
    { "DISCOUNT", CREDIT_DISCOUNT },
    { "FEE_UTILIZATION_OFFSET", CREDIT_DISCOUNT },
    { "FREE_TIER", CREDIT_DISCOUNT },
    { "PROMOTION", CREDIT_PROMOTION },
    { "RESELLER_MARGIN", CREDIT_DISCOUNT },
    { "SPENDING_BASED_DISCOUNT", CREDIT_DISCOUNT },
    { "SUBSCRIPTION_BENEFIT", CREDIT_DISCOUNT },
    { "SUSTAINED_USAGE_DISCOUNT", CREDIT_DISCOUNT },
};

static bool find_effect(const char *type, enum credit_effect *effect)
{
    *effect = CREDIT_PROMOTION;
    if (type == NULL || type[0] == '\0')
        return true;
    for (size_t i = 0; i < sizeof credit_types / sizeof credit_types[0]; i++) {
        if (strcmp(credit_types[i].type, type) == 0) {
            *effect = credit_types[i].effect;
            return true;
        }
    }
    return false;
}

static bool add_credit(struct billing_file *file, const char *column, const cJSON *credit,
                       struct gcp_credits *credits, struct billing_row *row)
{
    struct decimal value;
    enum credit_effect effect;
    const char *type = member(credit, "type");
    const char *amount = member(credit, "amount");
    const char *name = member(credit, "full_name");
    if (amount == NULL || !decimal_parse(amount, strlen(amount), &value)) {
        billing_note(row, column, "a credit whose amount is %s%s%s", amount != NULL ? "\"" : "",
                     amount != NULL ? amount : "missing", amount != NULL ? "\", no decimal number" : "");
        return false;
    }
    if (!find_effect(type, &effect))
        billing_note(row, column, "\"%.60s\" is not a known credit type", type);
    bool promotion = effect == CREDIT_PROMOTION;
    struct decimal *sum = promotion ? &credits->promotions : &credits->discounts;
    bool *present = promotion ? &credits->has_promotions : &credits->has_discounts;
    credits->has_commitment = credits->has_commitment || effect == CREDIT_COMMITMENT;
    if (name == NULL || name[0] == '\0')
        name = member(credit, "name");
    if (promotion && credits->promotion.text == NULL && name != NULL && name[0] != '\0')
        credits->promotion = keep(file, name);
    if (!*present)
        *sum = value;
    else if (!decimal_add(sum, &value, sum)) {
        billing_note(row, column, "credits whose sum has too many digits");
        return false;
    }
    *present = true;
    return true;
}

bool gcp_read_credits(struct billing_file *file, const struct csv_record *record, int position,
                      struct gcp_credits *credits, struct billing_row *row)
{
    bool ok;
    *credits = (struct gcp_credits){ 0 };
    cJSON *list = parse_column(file, record, position, &ok, row);
    if (cJSON_IsObject(list)) {
        ok = add_credit(file, file->names[position], list, credits, row);
    } else {
        const cJSON *credit;
        cJSON_ArrayForEach(credit, list)
        {
            ok = add_credit(file, file->names[position], credit, credits, row) && ok;
        }
    }
    cJSON_Delete(list);
    return ok;
}

/* ---- labels ---- */

static bool add_tag(cJSON *tags, const struct gcp_label_column *column, const char *space, const char *key,
                    const cJSON *value, const char **problem)
{
    char name[1024];
    int length = snprintf(name, sizeof name, "%s%s%s%s", column->prefix, space != NULL ? space : "",
                          space != NULL ? "/" : "", key);
    *problem = "a label with a key of more than 1,000 bytes";
    if (length >= (int)sizeof name)
        return false;
    *problem = "a label whose value is a list or record";
    if (cJSON_IsArray(value) || cJSON_IsObject(value))
        return false;
    *problem = "too large for the memory there is";
    return cJSON_AddItemToObject(tags, name,
                                 value != NULL ? cJSON_Duplicate(value, false) : cJSON_CreateNull());
}

/* {"key": …, "value": …}, perhaps with further members. */
static bool add_record(cJSON *tags, const struct gcp_label_column *column, const cJSON *record,
                       const char **problem)
{
    const char *key = member(record, "key");
    *problem = "a label without a key";
    return key != NULL && add_tag(tags, column, column->has_namespace ? member(record, "namespace") : NULL,
                                  key, cJSON_GetObjectItemCaseSensitive(record, "value"), problem);
}

/* A list of records, one record, or an object whose members are the labels. */
static bool add_labels(cJSON *tags, const struct gcp_label_column *column, const cJSON *labels,
                       const char **problem)
{
    const cJSON *item;
    if (cJSON_IsObject(labels) && member(labels, "key") != NULL && cJSON_GetArraySize(labels) >= 2 &&
        cJSON_GetObjectItemCaseSensitive(labels, "value") != NULL)
        return add_record(tags, column, labels, problem);
    cJSON_ArrayForEach(item, labels)
    {
        bool ok = cJSON_IsObject(labels) ? add_tag(tags, column, NULL, item->string, item, problem)
                                         : add_record(tags, column, item, problem);
        if (!ok)
            return false;
    }
    *problem = "the same label twice";
    return json_repeated_key(tags) == NULL;
}

/* Reservation PROJECT/NAME, used by a machine or left unused. */
static void set_reservation(struct billing_file *file, const cJSON *tags, struct billing_row *row)
{
    char id[512];
    const char *name = member(tags, "compute.googleapis.com/reservation_name");
    const char *project = member(tags, "compute.googleapis.com/reservation_project_id");
    const cJSON *unused =
        cJSON_GetObjectItemCaseSensitive(tags, "compute.googleapis.com/is_unused_reservation");
    const struct csv_field *category = &row->texts[TEXT_CHARGE_CATEGORY];
    if (name == NULL || category->length != strlen("Usage") || memcmp(category->text, "Usage", 5) != 0)
        return;
    snprintf(id, sizeof id, "%s%s%s", project != NULL ? project : "", project != NULL ? "/" : "", name);
    row->texts[TEXT_CAPACITY_RESERVATION_ID] = keep(file, id);
    bool is_unused =
        cJSON_IsTrue(unused) || (cJSON_IsString(unused) && strcmp(unused->valuestring, "true") == 0);
    row->texts[TEXT_CAPACITY_RESERVATION_STATUS] = keep(file, is_unused ? "Unused" : "Used");
}

void gcp_read_labels(struct billing_file *file, const struct csv_record *record,
                     const struct gcp_label_column *columns, int count, struct billing_row *row)
{
    cJSON *tags = NULL;
    for (int i = 0; i < count; i++) {
        bool readable;
        const char *problem;
        cJSON *labels = parse_column(file, record, columns[i].position, &readable, row);
        if (labels != NULL && tags == NULL)
            tags = cJSON_CreateObject();
        if (labels != NULL && !add_labels(tags, &columns[i], labels, &problem))
            billing_note(row, file->names[columns[i].position], "%s", problem);
        cJSON_Delete(labels);
    }
    if (cJSON_GetArraySize(tags) > 0) {
        char *json = cJSON_PrintUnformatted(tags);
        row->texts[TEXT_TAGS] = keep(file, json);
        cJSON_free(json);
        set_reservation(file, tags, row);
    }
    cJSON_Delete(tags);
}
