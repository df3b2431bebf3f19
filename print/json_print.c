/* print/json_print.c: a cJSON value on standard output. */
#include "print/json_print.h"

#include "base/utf8.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* JSON is UTF-8. A text that was cut may end within a character; its bytes become '?'. */
static void mend(char *text)
{
    const size_t length = strlen(text);
    for (size_t at = 0; (at += utf8_valid_prefix(text + at, length - at)) < length; at++)
        text[at] = '?';
}

static bool print(cJSON *value, char *text, struct error *error)
{
    mend(text);
    bool ok = puts(text) >= 0 || error_set_errno(error, "standard output");
    cJSON_Delete(value);
    cJSON_free(text);
    return ok;
}

bool json_print(cJSON *value, struct error *error)
{
    return print(value, cJSON_Print(value), error);
}

bool json_print_line(cJSON *value, struct error *error)
{
    return print(value, cJSON_PrintUnformatted(value), error);
}

/* The text of an object without its braces. */
static bool print_members(cJSON *object, const char *before, const char *after, struct error *error)
{
    char *text = cJSON_PrintUnformatted(object);
    mend(text);
    bool ok = printf("%s%.*s%s", before, (int)strlen(text) - 2, text + 1, after) >= 0 ||
              error_set_errno(error, "standard output");
    cJSON_free(text);
    cJSON_Delete(object);
    return ok;
}

bool json_list_begin(const char *name, cJSON *members, struct error *error)
{
    return print_members(members, "{", ",", error) &&
           (printf("\"%s\":[", name) >= 0 || error_set_errno(error, "standard output"));
}

bool json_list_add(bool is_first, cJSON *element, struct error *error)
{
    return print_members(element, is_first ? "\n{" : ",\n{", "}", error);
}

bool json_list_end(cJSON *members, struct error *error)
{
    return print_members(members, "\n],", "}\n", error);
}

void json_add_number(cJSON *object, const char *name, double value)
{
    cJSON_AddItemToObject(object, name, isfinite(value) ? cJSON_CreateNumber(value) : cJSON_CreateNull());
}

void json_add_minor(cJSON *object, const char *name, int64_t units)
{
    char digits[32];
    snprintf(digits, sizeof digits, "%" PRId64, units);
    cJSON_AddRawToObject(object, name, digits);
}
