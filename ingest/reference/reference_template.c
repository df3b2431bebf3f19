/* ingest/reference/reference_template.c: see reference_template.h. */
#include "ingest/reference/reference_template.h"

#include "base/system/file.h"
#include "ingest/reference/reference_tables.h"

#include <stdio.h>
#include <stdlib.h>

static void put_choices(FILE *file, const struct declared_column *column)
{
    if (column->choices == NULL)
        return;
    fprintf(file, "# %s: ", column->name);
    for (int i = 0; column->choices[i] != NULL; i++)
        fprintf(file, "%s%s", i > 0 ? ", " : "", column->choices[i]);
    putc('\n', file);
}

static void put_template(FILE *file, const struct reference_table *table)
{
    int count = 0;
    fprintf(file, "# %s. Lines that begin with # are not read; docs/reference.md explains each column.\n",
            table->about);
    for (const struct declared_column *column = table->columns; column->name != NULL; column++)
        put_choices(file, column);
    fputs("# Never empty: ", file);
    for (const struct declared_column *column = table->columns; column->name != NULL; column++) {
        if (column->flags & DECLARED_REQUIRED)
            fprintf(file, "%s%s", count++ > 0 ? ", " : "", column->name);
    }
    fprintf(file, "\n# Example: %s\n", table->example);
    for (const struct declared_column *column = table->columns; column->name != NULL; column++)
        fprintf(file, "%s%s", column == table->columns ? "" : ",", column->name);
    putc('\n', file);
}

static bool write_template(const char *path, const struct reference_table *table, int *written, int *kept,
                           struct error *error)
{
    char *text = NULL;
    size_t length = 0;
    bool is_kept;
    FILE *file = open_memstream(&text, &length);
    put_template(file, table);
    fclose(file);
    bool ok = file_write_new(path, text, length, &is_kept, error);
    free(text);
    ++*(is_kept ? kept : written);
    return ok;
}

bool reference_template_write(const char *folder, int *written, int *kept, struct error *error)
{
    bool ok = true;
    *written = *kept = 0;
    for (const struct reference_table *table = reference_tables; ok && table->file != NULL; table++) {
        if (table->example == NULL)
            continue;
        char *path = path_join(folder, table->file);
        ok = write_template(path, table, written, kept, error);
        free(path);
    }
    return ok;
}
