/* ingest/reference/declared_csv.c: see declared_csv.h. */
#include "ingest/reference/declared_csv.h"

#include "base/text/near_name.h"
#include "base/utf8.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct declared_csv {
    struct csv_reader *reader;
    char *path;
    const struct declared_column *columns;
    const char *documentation;
    int column_count;
    int header_fields;
    int position[DECLARED_COLUMNS_MAXIMUM];                    /* −1: the file has no such column */
    char text[DECLARED_COLUMNS_MAXIMUM][DECLARED_FIELD_BYTES]; /* the row's values */
};

/* ---- header ---- */

static void hint_at_columns(const struct declared_csv *csv, const char *typed, struct error *error)
{
    const char *meant = NULL;
    for (int i = 0; typed != NULL && i < csv->column_count; i++)
        near_name_keep(typed, csv->columns[i].name, &meant);
    if (meant != NULL)
        error_hint(error, "did you mean %s? %s lists the columns", meant, csv->documentation);
    else
        error_hint(error, "%s lists the columns", csv->documentation);
}

/* Refuses a file without known columns. Its header is not quoted: the text of an unrelated file may
 * be secret. */
static bool has_known_column(const struct declared_csv *csv, const struct csv_record *header,
                             struct error *error)
{
    for (int i = 0; i < csv->column_count; i++)
        if (csv->position[i] >= 0)
            return true;
    error_set(error, ERROR_INPUT, "%s, line %" PRId64 ": the header has none of this file's columns",
              csv->path, header->line);
    hint_at_columns(csv, NULL, error);
    return false;
}

static bool refuse_unknown(const struct declared_csv *csv, const struct csv_record *header,
                           struct error *error)
{
    for (int at = 0; at < header->field_count; at++) {
        char excerpt[64];
        bool known = false;
        for (int i = 0; i < csv->column_count; i++)
            known = known || csv->position[i] == at;
        if (known)
            continue;
        utf8_excerpt(header->fields[at].text, header->fields[at].length, excerpt, sizeof excerpt);
        error_set(error, ERROR_INPUT, "%s, line %" PRId64 ": column \"%s\" is not one of this file",
                  csv->path, header->line, excerpt);
        hint_at_columns(csv, excerpt, error);
        return false;
    }
    return true;
}

/* Reads the next record that is no comment (a line that begins with '#' in the file). */
static enum csv_outcome next_record(struct declared_csv *csv, struct csv_record *record, struct error *error)
{
    enum csv_outcome outcome;
    do
        outcome = csv_reader_next(csv->reader, record, error);
    while (outcome == CSV_RECORD && record->raw_length > 0 && record->raw[0] == '#');
    return outcome;
}

static bool refuse_missing(const struct declared_csv *csv, const struct csv_record *header, int column,
                           struct error *error)
{
    error_set(error, ERROR_INPUT, "%s, line %" PRId64 ": column %s is missing", csv->path, header->line,
              csv->columns[column].name);
    hint_at_columns(csv, NULL, error);
    return false;
}

static bool read_header(struct declared_csv *csv, struct error *error)
{
    const char *names[DECLARED_COLUMNS_MAXIMUM];
    struct csv_record header;
    enum csv_outcome outcome = next_record(csv, &header, error);
    if (outcome == CSV_END) /* only comments */
        return error_set_empty_file(error, csv->path);
    if (outcome == CSV_FAILED)
        return false;
    for (; csv->columns[csv->column_count].name != NULL; csv->column_count++)
        names[csv->column_count] = csv->columns[csv->column_count].name;
    csv->header_fields = header.field_count;
    if (!csv_header_check_separator(&header, csv->path, error) ||
        !csv_header_find(&header, csv->path, names, csv->column_count, csv->position, error) ||
        !has_known_column(csv, &header, error) || !refuse_unknown(csv, &header, error))
        return false;
    for (int i = 0; i < csv->column_count; i++)
        if (csv->position[i] < 0 && (csv->columns[i].flags & DECLARED_REQUIRED))
            return refuse_missing(csv, &header, i, error);
    return true;
}

struct declared_csv *declared_csv_open(const char *path, const struct declared_column *columns,
                                       const char *documentation, struct error *error)
{
    struct declared_csv *csv = calloc(1, sizeof *csv);
    csv->path = strdup(path);
    csv->columns = columns;
    csv->documentation = documentation;
    csv->reader = csv_reader_open(path, ',', NULL, error);
    if (csv->reader != NULL && read_header(csv, error))
        return csv;
    declared_csv_close(csv);
    return NULL;
}

void declared_csv_close(struct declared_csv *csv)
{
    if (csv == NULL)
        return;
    csv_reader_close(csv->reader);
    free(csv->path);
    free(csv);
}

/* ---- rows ---- */

/* The choice that was probably meant; NULL: none is similar. */
static const char *near_choice(const struct declared_column *column, const char *value)
{
    const char *meant = NULL;
    for (int i = 0; column->choices != NULL && column->choices[i] != NULL; i++)
        near_name_keep(value, column->choices[i], &meant);
    return meant;
}

/* Hints at how to correct values that people often write in this way. */
static void hint_at_value(const struct declared_csv *csv, int column, const char *value, struct error *error)
{
    size_t digits = strspn(value, "+-0123456789.,");
    const char *meant = near_choice(&csv->columns[column], value);
    bool is_percent = digits > 0 && value[digits + strspn(value + digits, " ")] == '%';
    bool has_comma = digits > 0 && value[digits] == '\0' && strchr(value, ',') != NULL;
    if (meant != NULL)
        error_hint(error, "did you mean %s?", meant);
    else if (is_percent)
        error_hint(error, "write %.6g instead of %s", strtod(value, NULL) / 100, value);
    else if (has_comma)
        error_hint(error, "write decimals with a point and thousands without a separator: 1234.56");
    else
        error_hint(error, "%s describes the column", csv->documentation);
}

bool declared_csv_refuse(const struct declared_csv *csv, const struct declared_row *row, int column,
                         const char *problem, struct error *error)
{
    const char *value = row->values[column], *name = csv->columns[column].name;
    char excerpt[128];
    if (value == NULL) {
        error_set(error, ERROR_INPUT, "%s, line %" PRId64 ", column %s: %s", csv->path, row->line, name,
                  problem);
        error_hint(error, "%s describes the column", csv->documentation);
        return false;
    }
    utf8_excerpt(value, strlen(value), excerpt, sizeof excerpt);
    error_set(error, ERROR_INPUT, "%s, line %" PRId64 ", column %s: \"%s\" %s", csv->path, row->line, name,
              excerpt, problem);
    hint_at_value(csv, column, value, error);
    return false;
}

static bool is_space(char character)
{
    return character == ' ' || character == '\t' || character == '\r' || character == '\n';
}

static const char not_utf8[] = "is not UTF-8 text";

/* Copies a field without surrounding white space. Returns a problem if it is not UTF-8 or too
 * long. */
static const char *copy_field(const struct csv_field *field, char text[DECLARED_FIELD_BYTES])
{
    const char *begin = field->text;
    size_t length = field->length;
    for (; length > 0 && is_space(*begin); length--)
        begin++;
    while (length > 0 && is_space(begin[length - 1]))
        length--;
    if (length >= DECLARED_FIELD_BYTES)
        return "is longer than 4,095 bytes";
    if (utf8_valid_prefix(begin, length) != length)
        return not_utf8;
    memcpy(text, begin, length);
    text[length] = '\0';
    return NULL;
}

static bool read_value(struct declared_csv *csv, const struct csv_record *record, struct declared_row *row,
                       int column, struct error *error)
{
    const struct declared_column *declared = &csv->columns[column];
    char *text = csv->text[column], problem[DECLARED_PROBLEM_BYTES];
    const struct csv_field *field =
        csv->position[column] >= 0 ? &record->fields[csv->position[column]] : NULL;
    const char *unreadable = field != NULL ? copy_field(field, text) : NULL;

    row->values[column] = NULL;
    if (unreadable != NULL) {
        declared_csv_refuse(csv, row, column, unreadable, error);
        if (unreadable == not_utf8)
            error_hint(error, "save the file as CSV UTF-8, or: iconv -f WINDOWS-1252 -t UTF-8");
        return false;
    }
    if (field == NULL || text[0] == '\0') {
        row->values[column] = declared->fallback;
        return !(declared->flags & DECLARED_REQUIRED) ||
               declared_csv_refuse(csv, row, column, "is empty but is required", error);
    }
    row->values[column] = text;
    return declared_value_check(declared->type, declared->choices, text, problem) ||
           declared_csv_refuse(csv, row, column, problem, error);
}

/* Whether all fields are empty: spreadsheets leave such rows. */
static bool is_blank(const struct csv_record *record)
{
    for (int i = 0; i < record->field_count; i++)
        for (size_t at = 0; at < record->fields[i].length; at++)
            if (!is_space(record->fields[i].text[at]))
                return false;
    return true;
}

enum csv_outcome declared_csv_next(struct declared_csv *csv, struct declared_row *row, struct error *error)
{
    struct csv_record record;
    do {
        enum csv_outcome outcome = next_record(csv, &record, error);
        if (outcome != CSV_RECORD)
            return outcome;
    } while (is_blank(&record));
    row->line = record.line;
    if (record.field_count != csv->header_fields) {
        error_set(error, ERROR_INPUT, "%s, line %" PRId64 ": has %d fields, the header has %d", csv->path,
                  record.line, record.field_count, csv->header_fields);
        error_hint(error, "a value with a comma stands in quotation marks: \"Research, Berlin\"");
        return CSV_FAILED;
    }
    for (int i = 0; i < csv->column_count; i++)
        if (!read_value(csv, &record, row, i, error))
            return CSV_FAILED;
    return CSV_RECORD;
}
