/* cli/json_print.c: a cJSON value on standard output. */
#include "cli/json_print.h"

#include <stdio.h>

static bool print(cJSON *value, char *text, struct error *error)
{
    cJSON_Delete(value);
    if (text == NULL)
        return error_set(error, ERROR_FAILED, "out of memory");
    puts(text);
    cJSON_free(text);
    return true;
}

bool json_print(cJSON *value, struct error *error)
{
    return print(value, cJSON_Print(value), error);
}

bool json_print_line(cJSON *value, struct error *error)
{
    return print(value, cJSON_PrintUnformatted(value), error);
}
