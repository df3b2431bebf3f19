/* ingest/reference/declared_value.c: checks whether a field of a declared CSV fits its column, by
 * type.
 *
 * PostgreSQL converts the values, which are passed unchanged. So a check here may accept less than
 * PostgreSQL ("1e3" hours are fine, "NaN" is not), but never more.
 */
#include "ingest/reference/declared_csv.h"

#include "base/decimal.h"
#include "base/time_text.h"
#include "ingest/currency_code.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_SPAN = 1200 };

__attribute__((format(printf, 3, 4))) static bool refuse(char *problem, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(problem, size, format, arguments);
    va_end(arguments);
    return false;
}

static bool check_name(const char *text, char *problem, size_t size)
{
    return strlen(text) <= KEY_TEXT_MAXIMUM || refuse(problem, size, KEY_TEXT_PROBLEM);
}

/* "keep, even, proportional, fixed" */
static void list_choices(const char *const *choices, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; choices[i] != NULL && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", i > 0 ? ", " : "", choices[i]);
}

static bool check_choice(const char *const *choices, const char *text, char *problem, size_t size)
{
    char list[512];
    if (!check_name(text, problem, size)) /* the key of a tag */
        return false;
    for (int i = 0; choices[i] != NULL; i++) {
        if (strcmp(choices[i], text) == 0 && strcmp(text, "tag:KEY") != 0)
            return true;
        if (strcmp(choices[i], "tag:KEY") == 0 && strncmp(text, "tag:", 4) == 0 && text[4] != '\0' &&
            strcmp(text, "tag:KEY") != 0)
            return true;
    }
    list_choices(choices, list, sizeof list);
    return refuse(problem, size, "is not one of %s", list);
}

/* The range of decimals of a type. `most` is the first group and the weight of the largest value,
 * in powers of 10000: 9 · 10000^3. */
static const struct decimal_range {
    enum declared_type type;
    bool negative, zero; /* whether it may be negative or 0 */
    struct {
        int16_t group, weight;
    } most;             /* group 0: any */
    const char *beyond; /* the message about a larger value */
} decimal_ranges[] = {
    { DECLARED_DECIMAL, true, true, { 0, 0 }, NULL },
    { DECLARED_NOT_NEGATIVE, false, true, { 0, 0 }, NULL },
    { DECLARED_POSITIVE, false, false, { 0, 0 }, NULL },
    { DECLARED_SHARE, false, true, { 1, 0 }, "is not a share from 0 to 1" },
    { DECLARED_MONEY, true, true, { 9, 3 }, "is beyond 9,000,000,000,000, the most that kstar can hold" },
    { DECLARED_COST, false, true, { 9, 3 }, "is beyond 9,000,000,000,000, the most that kstar can hold" },
    { DECLARED_HOURS, false, true, { 10, 2 }, "is above 1,000,000,000 hours" },
    { DECLARED_SOME_HOURS, false, false, { 10, 2 }, "is above 1,000,000,000 hours" },
};

static bool is_beyond(const struct decimal *value, const struct decimal_range *range)
{
    if (range->most.group == 0 || value->group_count == 0 || value->weight < range->most.weight)
        return false;
    return value->weight > range->most.weight || value->groups[0] > range->most.group ||
           (value->groups[0] == range->most.group && value->group_count > 1);
}

/* Checks that a text is a decimal in the range of its type. Compared as decimals, never as
 * doubles. */
static bool check_decimal(enum declared_type type, const char *text, char *problem, size_t size)
{
    struct decimal value;
    const struct decimal_range *range = decimal_ranges;
    while (range->type != type)
        range++;
    if (!decimal_parse(text, strlen(text), &value))
        return refuse(problem, size, "is not a decimal number");
    if (type == DECLARED_SHARE && value.negative)
        return refuse(problem, size, "%s", range->beyond);
    if (value.negative && !range->negative)
        return refuse(problem, size, range->zero ? "is below 0" : "is not above 0");
    if (value.group_count == 0 && !range->zero)
        return refuse(problem, size, "is not above 0");
    return !is_beyond(&value, range) || refuse(problem, size, "%s", range->beyond);
}

static bool check_integer(int32_t smallest, int32_t largest, const char *text, char *problem, size_t size)
{
    int64_t value = 0;
    if (*text == '\0')
        return refuse(problem, size, "is not a whole number");
    for (const char *digit = text; *digit != '\0'; digit++) {
        if (*digit < '0' || *digit > '9')
            return refuse(problem, size, "is not a whole number");
        value = value * 10 + (*digit - '0');
        if (value > largest)
            return refuse(problem, size, "is larger than %d", largest);
    }
    return value >= smallest || refuse(problem, size, "is below %d", smallest);
}

/* Whether a date or month is wrong only by its year, which is out of range. The text is tried with
 * the year 2000, which had every day that a year can have. */
static bool is_another_century(const char *text)
{
    char moved[64];
    time_us ignored;
    size_t length = strlen(text);
    long year = strtol(text, NULL, 10);
    if (length < 7 || length >= sizeof moved || strspn(text, "0123456789") != 4 ||
        (year >= 1900 && year <= 2200))
        return false;
    memcpy(moved, text, length + 1);
    memcpy(moved, "2000", 4);
    return length == 7 ? period_parse(moved, &ignored) : time_parse(moved, length, &ignored);
}

#define YEARS_PROBLEM "is not between the years 1900 and 2200 (for ever is an empty valid_to)"

static bool check_time(enum declared_type type, const char *text, char *problem, size_t size)
{
    time_us time;
    bool readable = time_parse(text, strlen(text), &time);
    if (!readable && strlen(text) > 7 && is_another_century(text))
        return refuse(problem, size, YEARS_PROBLEM);
    if (type == DECLARED_DATE && (!readable || strlen(text) != 10))
        return refuse(problem, size, "is not a date (YYYY-MM-DD)");
    return readable || refuse(problem, size, "is not a time (YYYY-MM-DDTHH:MM:SSZ)");
}

static bool check_month(const char *text, char *problem, size_t size)
{
    time_us start;
    return period_parse(text, &start) ||
           refuse(problem, size,
                  strlen(text) == 7 && is_another_century(text) ? YEARS_PROBLEM : "is not a month (YYYY-MM)");
}

static bool check_boolean(const char *text, char *problem, size_t size)
{
    static const char *const words[] = { "true", "false", "yes", "no", "1", "0", NULL };
    for (int i = 0; words[i] != NULL; i++)
        if (strcmp(words[i], text) == 0)
            return true;
    return refuse(problem, size, "is not true or false");
}

static bool check_currency(const char *text, char *problem, size_t size)
{
    return currency_code_is(text, strlen(text)) || refuse(problem, size, CURRENCY_CODE_PROBLEM);
}

bool declared_value_check(enum declared_type type, const char *const *choices, const char *text,
                          char problem[DECLARED_PROBLEM_BYTES])
{
    const size_t size = DECLARED_PROBLEM_BYTES;
    switch (type) {
    case DECLARED_PROSE:
        return true;
    case DECLARED_TEXT:
        return check_name(text, problem, size);
    case DECLARED_MONTH:
        return check_month(text, problem, size);
    case DECLARED_DATE:
    case DECLARED_TIME:
        return check_time(type, text, problem, size);
    case DECLARED_DECIMAL:
    case DECLARED_NOT_NEGATIVE:
    case DECLARED_POSITIVE:
    case DECLARED_SHARE:
    case DECLARED_MONEY:
    case DECLARED_COST:
    case DECLARED_HOURS:
    case DECLARED_SOME_HOURS:
        return check_decimal(type, text, problem, size);
    case DECLARED_INTEGER:
        return check_integer(0, INT32_MAX, text, problem, size);
    case DECLARED_COUNT:
        return check_integer(1, INT32_MAX, text, problem, size);
    case DECLARED_SPAN:
        return check_integer(1, LONGEST_SPAN, text, problem, size);
    case DECLARED_BOOLEAN:
        return check_boolean(text, problem, size);
    case DECLARED_CURRENCY:
        return check_currency(text, problem, size);
    case DECLARED_CHOICE:
    case DECLARED_MATCH:
        return check_choice(choices, text, problem, size);
    }
    return false;
}
