/* ingest/reference_value.c: is a field of a reference CSV what its column holds? One small check per type.
 *
 * A value passes as it is to PostgreSQL, which converts it; so a check here may be narrower than PostgreSQL's
 * reading ("1e3" hours are fine, "NaN" is not), never wider.
 */
#include "ingest/reference_tables.h"

#include "base/decimal.h"
#include "base/time_text.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Settings: docs/reference.md says what each does. */
static const struct {
    const char *name;
    enum reference_type type;
} parameters[] = {
    { "statement_currency", REFERENCE_CURRENCY },
    { "job_tag_key", REFERENCE_TEXT },
    { "waiting_cost_per_hour", REFERENCE_NOT_NEGATIVE },
    { "near_k_star_share", REFERENCE_SHARE },
    { "unallocated_gl_account", REFERENCE_TEXT },
    { "prepaid_gl_account", REFERENCE_TEXT },
    { "unexplained_gl_account", REFERENCE_TEXT },
    { "suspense_gl_account", REFERENCE_TEXT },
};
enum { PARAMETER_COUNT = sizeof parameters / sizeof parameters[0] };

__attribute__((format(printf, 3, 4))) static bool refuse(char *expected, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(expected, size, format, arguments);
    va_end(arguments);
    return false;
}

/* "keep, even, proportional, fixed" */
static void list_choices(const char *const *choices, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; choices[i] != NULL && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", i > 0 ? ", " : "", choices[i]);
}

static bool check_choice(const struct reference_column *column, const char *text, char *expected, size_t size)
{
    char list[512];
    for (int i = 0; column->choices[i] != NULL; i++) {
        if (strcmp(column->choices[i], text) == 0 && strcmp(text, "tag:KEY") != 0)
            return true;
        if (strcmp(column->choices[i], "tag:KEY") == 0 && strncmp(text, "tag:", 4) == 0 && text[4] != '\0' &&
            strcmp(text, "tag:KEY") != 0)
            return true;
    }
    list_choices(column->choices, list, sizeof list);
    return refuse(expected, size, "is not one of %s", list);
}

static bool check_parameter(const char *text, char *expected, size_t size)
{
    const char *names[PARAMETER_COUNT + 1] = { 0 };
    char list[512];
    for (int i = 0; i < PARAMETER_COUNT; i++) {
        if (strcmp(parameters[i].name, text) == 0)
            return true;
        names[i] = parameters[i].name;
    }
    list_choices(names, list, sizeof list);
    return refuse(expected, size, "is no parameter; there are %s", list);
}

/* Is it a decimal, and on which side of 0 and 1? Compared as text: no double stands between. */
static bool check_decimal(enum reference_type type, const char *text, char *expected, size_t size)
{
    struct decimal value;
    if (!decimal_parse(text, strlen(text), &value))
        return refuse(expected, size, "is not a decimal number");
    bool zero = value.group_count == 0;
    bool above_one = value.weight > 0 ||
                     (value.weight == 0 && !zero && (value.groups[0] > 1 || value.group_count > 1));
    if (type == REFERENCE_NOT_NEGATIVE && value.negative)
        return refuse(expected, size, "is below 0");
    if (type == REFERENCE_POSITIVE && (value.negative || zero))
        return refuse(expected, size, "is not above 0");
    if (type == REFERENCE_SHARE && (value.negative || above_one))
        return refuse(expected, size, "is not a share from 0 to 1");
    return true;
}

static bool check_integer(int32_t smallest, const char *text, char *expected, size_t size)
{
    int64_t value = 0;
    for (const char *digit = text; *digit != '\0'; digit++) {
        if (*digit < '0' || *digit > '9')
            return refuse(expected, size, "is not a whole number");
        value = value * 10 + (*digit - '0');
        if (value > INT32_MAX)
            return refuse(expected, size, "is larger than %d", INT32_MAX);
    }
    return value >= smallest || refuse(expected, size, "is below %d", smallest);
}

static bool check_time(enum reference_type type, const char *text, char *expected, size_t size)
{
    time_us time;
    bool readable = time_parse(text, strlen(text), &time);
    if (type == REFERENCE_DATE && (!readable || strlen(text) != 10))
        return refuse(expected, size, "is not a date (YYYY-MM-DD)");
    return readable || refuse(expected, size, "is not a time (YYYY-MM-DDTHH:MM:SSZ)");
}

static bool check_boolean(const char *text, char *expected, size_t size)
{
    static const char *const words[] = { "true", "false", "yes", "no", "1", "0", NULL };
    for (int i = 0; words[i] != NULL; i++)
        if (strcmp(words[i], text) == 0)
            return true;
    return refuse(expected, size, "is not true or false");
}

static bool check_currency(const char *text, char *expected, size_t size)
{
    if (strlen(text) == 3 && strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == 3)
        return true;
    return refuse(expected, size, "is not a currency code of three capital letters");
}

static bool check_type(enum reference_type type, const struct reference_column *column, const char *text,
                       char *expected, size_t size)
{
    switch (type) {
    case REFERENCE_TEXT:
    case REFERENCE_VALUE:
        return true;
    case REFERENCE_DATE:
    case REFERENCE_TIME:
        return check_time(type, text, expected, size);
    case REFERENCE_DECIMAL:
    case REFERENCE_NOT_NEGATIVE:
    case REFERENCE_POSITIVE:
    case REFERENCE_SHARE:
        return check_decimal(type, text, expected, size);
    case REFERENCE_INTEGER:
        return check_integer(0, text, expected, size);
    case REFERENCE_COUNT:
        return check_integer(1, text, expected, size);
    case REFERENCE_BOOLEAN:
        return check_boolean(text, expected, size);
    case REFERENCE_CURRENCY:
        return check_currency(text, expected, size);
    case REFERENCE_CHOICE:
    case REFERENCE_MATCH:
        return check_choice(column, text, expected, size);
    case REFERENCE_PARAMETER:
        return check_parameter(text, expected, size);
    }
    return false;
}

bool reference_value_check(const struct reference_column *column, const char *parameter, const char *text,
                           char *expected, size_t expected_size)
{
    enum reference_type type = column->type;
    for (int i = 0; type == REFERENCE_VALUE && parameter != NULL && i < PARAMETER_COUNT; i++)
        if (strcmp(parameters[i].name, parameter) == 0)
            type = parameters[i].type;
    return check_type(type, column, text, expected, expected_size);
}
