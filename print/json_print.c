/* print/json_print.c: a cJSON value on standard output. */
#include "print/json_print.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static bool print(cJSON *value, char *text, struct error *error)
{
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
