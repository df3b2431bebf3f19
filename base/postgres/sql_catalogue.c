/* base/postgres/sql_catalogue.c: see sql_catalogue.h. */
#include "base/postgres/sql_catalogue.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *sql_text(const char *name)
{
    for (const struct sql_text *entry = sql_catalogue; entry->name != NULL; entry++) {
        if (strcmp(entry->name, name) == 0)
            return entry->text;
    }
    fprintf(stderr, "BUG: no SQL file is named %s\n", name);
    abort();
}
