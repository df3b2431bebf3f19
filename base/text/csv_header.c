/* base/text/csv_header.c: columns by their names. See csv_reader.h. */
#include "base/text/csv_reader.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool same_name(const struct csv_field *field, const char *name, bool any_case)
{
    size_t length = strlen(name);
    const char *text = field->text;
    size_t field_length = field->length;
    while (field_length > 0 && (text[field_length - 1] == ' ' || text[field_length - 1] == '\t'))
        field_length--;
    while (field_length > 0 && (*text == ' ' || *text == '\t')) {
        text++;
        field_length--;
    }
    return field_length == length &&
           (any_case ? strncasecmp(text, name, length) : memcmp(text, name, length)) == 0;
}

bool csv_header_find(const struct csv_record *header, const char *path, const char *const *names,
                     int name_count, int *columns, struct error *error)
{
    for (int i = 0; i < name_count; i++) {
        columns[i] = -1;
        for (int any_case = 0; any_case < 2 && columns[i] < 0; any_case++) {
            for (int column = 0; column < header->field_count; column++) {
                if (!same_name(&header->fields[column], names[i], any_case))
                    continue;
                if (columns[i] >= 0)
                    return error_set(error, ERROR_INPUT,
                                     "%s, line %lld: column %s stands twice in the header", path,
                                     (long long)header->line, names[i]);
                columns[i] = column;
            }
        }
    }
    return true;
}

bool csv_header_check_separator(const struct csv_record *header, const char *path, struct error *error)
{
    static const struct {
        char separator;
        const char *name;
    } others[] = { { ';', "';'" }, { '\t', "a tab" }, { '|', "'|'" } };
    for (size_t i = 0; header->field_count == 1 && i < sizeof others / sizeof others[0]; i++) {
        if (memchr(header->fields[0].text, others[i].separator, header->fields[0].length) == NULL)
            continue;
        error_set(error, ERROR_INPUT, "%s, line %lld: columns are separated by %s; kstar reads commas", path,
                  (long long)header->line, others[i].name);
        error_hint(error, "save it as CSV with commas, and decimals with points");
        return false;
    }
    return true;
}

char **csv_header_names(const struct csv_record *header)
{
    char **names = calloc((size_t)header->field_count + 1, sizeof *names);
    for (int i = 0; i < header->field_count; i++)
        names[i] = strndup(header->fields[i].text, header->fields[i].length);
    return names;
}

void csv_header_names_free(char **names, int count)
{
    for (int i = 0; names != NULL && i < count; i++)
        free(names[i]);
    free(names);
}
