/* ingest/bill/focus_conditions.c: see focus_conditions.h. Source: FOCUS_Spec 1.0 to 1.4,
 * columns. */
#include "ingest/bill/focus_conditions.h"

#include "base/decimal_arithmetic.h"
#include "base/time_text.h"
#include "ingest/currency_code.h"

#include <cjson/cJSON.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static bool is_null(const struct focus_values *values, int column)
{
    return values->fields[column].text == NULL;
}

static bool field_is(const struct csv_field *field, const char *text)
{
    return field->text != NULL && field->length == strlen(text) &&
           memcmp(field->text, text, field->length) == 0;
}

static bool is_usage(const struct focus_values *values)
{
    return field_is(&values->category, "Usage");
}

static bool is_purchase(const struct focus_values *values)
{
    return field_is(&values->category, "Purchase");
}

static bool is_unused(const struct focus_values *values)
{
    return field_is(&values->status, "Unused");
}

static bool read_decimal(const struct focus_values *values, int column, struct decimal *value)
{
    const struct csv_field *field = &values->fields[column];
    return field->text != NULL && decimal_parse(field->text, field->length, value);
}

/* ---- null or not ---- */

bool focus_null_with_second(const struct focus_values *values)
{
    return !is_null(values, 1) || is_null(values, 0);
}

bool focus_set_with_second(const struct focus_values *values)
{
    return is_null(values, 1) || !is_null(values, 0);
}

bool focus_null_exactly_with_second(const struct focus_values *values)
{
    return is_null(values, 0) == is_null(values, 1);
}

bool focus_set_on_usage_with_second(const struct focus_values *values)
{
    return !is_usage(values) || focus_set_with_second(values);
}

bool focus_null_for_tax(const struct focus_values *values)
{
    return !field_is(&values->category, "Tax") || is_null(values, 0);
}

bool focus_set_for_usage_or_purchase(const struct focus_values *values)
{
    return (!is_usage(values) && !is_purchase(values)) || values->is_correction || !is_null(values, 0);
}

bool focus_null_off_usage(const struct focus_values *values)
{
    return is_usage(values) || is_null(values, 0);
}

bool focus_null_when_unused(const struct focus_values *values)
{
    return !is_unused(values) || is_null(values, 0);
}

bool focus_set_when_used(const struct focus_values *values)
{
    return !is_usage(values) || is_unused(values) || values->is_correction || !is_null(values, 0);
}

/* Only the purchase of a commitment and usage that it covers have a commitment quantity. */
bool focus_commitment_quantity(const struct focus_values *values)
{
    bool committed = (is_usage(values) || is_purchase(values)) && !is_null(values, 1);
    return committed ? values->is_correction || !is_null(values, 0) : is_null(values, 0);
}

/* ---- values ---- */

bool focus_after_second(const struct focus_values *values)
{
    time_us end, start;
    const struct csv_field *fields = values->fields;
    return fields[0].text == NULL || fields[1].text == NULL ||
           !time_parse(fields[0].text, fields[0].length, &end) ||
           !time_parse(fields[1].text, fields[1].length, &start) || end > start;
}

/* ChargePeriodStart, BillingPeriodStart, BillingPeriodEnd */
bool focus_in_billing_period(const struct focus_values *values)
{
    time_us times[3];
    if (!is_usage(values) || values->is_correction)
        return true;
    for (int i = 0; i < 3; i++) {
        const struct csv_field *field = &values->fields[i];
        if (field->text == NULL || !time_parse(field->text, field->length, &times[i]))
            return true;
    }
    return times[1] <= times[0] && times[0] < times[2];
}

bool focus_not_negative(const struct focus_values *values)
{
    struct decimal value;
    return !read_decimal(values, 0, &value) || !value.negative;
}

static bool is_zero_at(const struct focus_values *values, int column)
{
    struct decimal value;
    return !read_decimal(values, column, &value) || value.group_count == 0;
}

bool focus_purchase_not_by_usage(const struct focus_values *values)
{
    return !is_purchase(values) || !field_is(&values->fields[0], "Usage-Based");
}

bool focus_zero_on_commitment_purchase(const struct focus_values *values)
{
    return !is_purchase(values) || is_null(values, 1) || is_zero_at(values, 0);
}

bool focus_zero_when_used(const struct focus_values *values)
{
    return !is_usage(values) || !field_is(&values->status, "Used") || is_zero_at(values, 0);
}

bool focus_committed_when_covered(const struct focus_values *values)
{
    return !is_usage(values) || is_null(values, 1) || is_null(values, 0) ||
           field_is(&values->fields[0], "Committed");
}

bool focus_equals_second_for_credit(const struct focus_values *values)
{
    struct decimal left, right, difference;
    return !field_is(&values->category, "Credit") || !read_decimal(values, 0, &left) ||
           !read_decimal(values, 1, &right) ||
           (decimal_subtract(&left, &right, &difference) && difference.group_count == 0);
}

static struct decimal absolute(struct decimal value)
{
    value.negative = false;
    return value;
}

/* |left| <= |right| */
static bool at_most(const struct decimal *left, const struct decimal *right)
{
    struct decimal a = absolute(*left), b = absolute(*right), difference;
    return decimal_subtract(&b, &a, &difference) && !difference.negative;
}

/* 10 to the power −scale. */
static bool unit_of(int scale, struct decimal *unit)
{
    char text[16];
    int length = snprintf(text, sizeof text, "1e-%d", scale);
    return decimal_parse(text, (size_t)length, unit);
}

/* Cost equals price × quantity within the precision of written costs: a unit of the last digit (at
 * most a cent) or one part in a million, whichever is more. */
bool focus_is_product(const struct focus_values *values)
{
    struct decimal cost, price, quantity, product, difference, unit, tolerance;
    if (!read_decimal(values, 0, &cost) || !read_decimal(values, 1, &price) ||
        !read_decimal(values, 2, &quantity))
        return true;
    if (!decimal_multiply(&price, &quantity, &product) || !decimal_subtract(&product, &cost, &difference) ||
        difference.group_count == 0)
        return true;
    if (unit_of(cost.scale < 2 ? 2 : cost.scale, &unit) && at_most(&difference, &unit))
        return true;
    return unit_of(6, &unit) && decimal_multiply(&cost, &unit, &tolerance) &&
           at_most(&difference, &tolerance);
}

bool focus_is_product_unless_correction(const struct focus_values *values)
{
    return values->is_correction || focus_is_product(values);
}

bool focus_is_currency(const struct focus_values *values)
{
    const struct csv_field *field = &values->fields[0];
    return field->text == NULL || currency_code_is(field->text, field->length);
}

static bool is_price_property(const char *key)
{
    static const char *const properties[] = {
        "CoreCount",       "DiskMaxIops",    "DiskSpace",    "DiskType",       "GpuCount",
        "InstanceType",    "InstanceSeries", "MemorySize",   "NetworkMaxIops", "NetworkMaxThroughput",
        "OperatingSystem", "Redundancy",     "StorageClass",
    };
    for (size_t i = 0; i < sizeof properties / sizeof properties[0]; i++) {
        if (strcmp(properties[i], key) == 0)
            return true;
    }
    return strncmp(key, "x_", 2) == 0;
}

bool focus_has_known_properties(const struct focus_values *values)
{
    if (is_null(values, 0))
        return true;
    cJSON *object = cJSON_ParseWithLength(values->fields[0].text, values->fields[0].length);
    const cJSON *member;
    bool ok = true;
    cJSON_ArrayForEach(member, object)
    {
        ok = ok && (member->string == NULL || is_price_property(member->string));
    }
    cJSON_Delete(object);
    return ok;
}
