/* ingest/bill/billing_format.c: see billing_format.h. */
#include "ingest/bill/billing_format.h"

#include "base/decimal_arithmetic.h"
#include "base/utf8.h"
#include "ingest/currency_code.h"
#include "ingest/file_kind.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const struct billing_format *const billing_formats[] = { &focus_format,           &aws_cur_format,
                                                                &azure_format,           &azure_actual_format,
                                                                &azure_amortized_format, &gcp_format };
enum { FORMAT_COUNT = sizeof billing_formats / sizeof billing_formats[0] };

enum {
    FIELD_BYTES_DEFAULT = 64 << 10,
    /* it is indexed: an index entry has at most a third of a page */
    RESOURCE_ID_BYTES_MAXIMUM = 2000,
};

const struct billing_format *billing_format_find(const char *name, struct error *error)
{
    char known[256] = "";
    for (int i = 0; i < FORMAT_COUNT; i++) {
        if (strcmp(billing_formats[i]->name, name) == 0)
            return billing_formats[i];
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", i > 0 ? ", " : "", billing_formats[i]->name);
    }
    error_set(error, ERROR_INPUT, "unknown billing format: %s", name);
    error_hint(error, "formats: %s", known);
    return NULL;
}

const struct billing_format *billing_format_at(int index)
{
    return index < FORMAT_COUNT ? billing_formats[index] : NULL;
}

/* ---- header ---- */

static bool copy_names(struct billing_file *file, const struct csv_record *header, struct error *error)
{
    for (int i = 0; i < header->field_count; i++) {
        const struct csv_field *field = &header->fields[i];
        if (utf8_valid_prefix(field->text, field->length) < field->length)
            return error_set(error, ERROR_INPUT, "%s, line %lld: the name of column %d is not UTF-8 text",
                             file->path, (long long)header->line, i + 1);
    }
    file->names = csv_header_names(header);
    return true;
}

/* Names every missing required column, and a column with a similar name. */
static bool check_required(const struct billing_file *file, struct error *error)
{
    char missing[512] = "";
    int count = 0;
    bool currency = false;
    for (int i = 0; i < file->format->column_count; i++) {
        const struct billing_column *column = &file->format->columns[i];
        bool required = column->need == COLUMN_REQUIRED ||
                        (column->need == COLUMN_REQUIRED_CURRENCY && file->default_currency.text == NULL);
        if (!required || file->positions[i] >= 0)
            continue;
        size_t used = strlen(missing);
        snprintf(missing + used, sizeof missing - used, "%s%s", count > 0 ? ", " : "", column->name);
        count++;
        currency = column->need == COLUMN_REQUIRED_CURRENCY;
    }
    if (count == 0)
        return true;
    const struct table_kind *other = table_kind_find(file->names, file->field_count);
    if (other != NULL)
        error_set(error, ERROR_INPUT, "%s: this is %s", file->path, other->what);
    else
        error_set(error, ERROR_INPUT, "%s: required column%s missing: %s", file->path, count > 1 ? "s" : "",
                  missing);
    if (other != NULL)
        error_hint(error, "%s", other->hint);
    else if (count == 1 && currency)
        error_hint(error, "a bill without it is read where sources.csv gives its source a billing_currency");
    return false;
}

/* Collects the columns that the format does not know, sorted by name, so that equal content gives
 * equal JSON in any order of columns. The same name twice would make no valid object. */
static bool find_custom(struct billing_file *file, struct error *error)
{
    file->custom = malloc((size_t)file->field_count * sizeof *file->custom);
    bool *known = calloc((size_t)file->field_count, sizeof *known);
    for (int i = 0; i < file->format->column_count; i++) {
        if (file->positions[i] >= 0 && file->format->columns[i].need != COLUMN_ALSO_KEPT)
            known[file->positions[i]] = true;
    }
    for (int i = 0; i < file->field_count; i++) {
        if (known[i] || file->names[i][0] == '\0')
            continue;
        int place = file->custom_count++;
        for (; place > 0 && strcmp(file->names[file->custom[place - 1]], file->names[i]) > 0; place--)
            file->custom[place] = file->custom[place - 1];
        file->custom[place] = i;
    }
    free(known);
    for (int i = 1; i < file->custom_count; i++) {
        /* NOLINTNEXTLINE(clang-analyzer-core.uninitialized.ArraySubscript): below custom_count */
        if (strcmp(file->names[file->custom[i - 1]], file->names[file->custom[i]]) == 0)
            return error_set(error, ERROR_INPUT, "%s: column %s stands twice in the header", file->path,
                             file->names[file->custom[i]]);
    }
    return true;
}

/* The header with the format's spelling of its column names. The fields' texts are in one block of
 * memory; the caller frees it and the fields. */
static void canonical_header(const struct billing_format *format, const struct csv_record *header,
                             char *const *names, struct csv_record *canonical, char **text)
{
    enum { NAME_BYTES = 256 };
    struct csv_field *fields = calloc((size_t)header->field_count, sizeof *fields);
    *text = malloc((size_t)header->field_count * NAME_BYTES);
    *canonical = *header;
    canonical->fields = fields;
    for (int i = 0; i < header->field_count; i++) {
        char *name = *text + (size_t)i * NAME_BYTES;
        format->canonical_name(names[i], name, NAME_BYTES);
        fields[i] = (struct csv_field){ name, strlen(name) };
    }
}

static bool find_columns(struct billing_file *file, const struct csv_record *header, struct error *error)
{
    const char *wanted[BILLING_COLUMNS_MAXIMUM];
    int count = file->format->column_count;
    for (int i = 0; i < count; i++)
        wanted[i] = file->format->columns[i].name;
    if (file->format->canonical_name == NULL)
        return csv_header_find(header, file->path, wanted, count, file->positions, error);
    struct csv_record canonical;
    char *text = NULL;
    canonical_header(file->format, header, file->names, &canonical, &text);
    bool ok = csv_header_find(&canonical, file->path, wanted, count, file->positions, error);
    free((void *)canonical.fields);
    free(text);
    return ok;
}

bool billing_file_open(struct billing_file *file, const struct billing_format *format, const char *path,
                       const char *default_currency, const struct csv_record *header, struct error *error)
{
    *file = (struct billing_file){
        .format = format, .path = path, .field_count = header->field_count, .field_bytes = FIELD_BYTES_DEFAULT
    };
    if (default_currency != NULL)
        file->default_currency = (struct csv_field){ default_currency, strlen(default_currency) };
    return csv_header_check_separator(header, path, error) && copy_names(file, header, error) &&
           find_columns(file, header, error) && check_required(file, error) && find_custom(file, error);
}

bool billing_file_begin(struct billing_file *file, const struct csv_record *first, struct error *error)
{
    return file->format->begin == NULL || file->format->begin(file, first, error);
}

/* ---- texts of the present record ---- */

struct billing_scratch {
    struct billing_scratch *next;
    char text[];
};

static void free_scratch(struct billing_file *file)
{
    while (file->scratch != NULL) {
        struct billing_scratch *next = file->scratch->next;
        free(file->scratch);
        file->scratch = next;
    }
}

char *billing_room(struct billing_file *file, size_t bytes)
{
    struct billing_scratch *scratch = malloc(sizeof *scratch + bytes);
    scratch->next = file->scratch;
    file->scratch = scratch;
    return scratch->text;
}

void billing_file_free(struct billing_file *file)
{
    if (file->format != NULL && file->format->close != NULL)
        file->format->close(file);
    free_scratch(file);
    csv_header_names_free(file->names, file->field_count);
    free(file->custom);
    *file = (struct billing_file){ 0 };
}

/* ---- rows ---- */

void billing_note(struct billing_row *row, const char *column, const char *format, ...)
{
    if (row->problem.reason[0] != '\0')
        return;
    va_list arguments;
    va_start(arguments, format);
    row->problem.column = column;
    vsnprintf(row->problem.reason, sizeof row->problem.reason, format, arguments);
    va_end(arguments);
}

static bool is_null(const char *text, size_t length)
{
    switch (length) {
    case 0:
        return true;
    case 4:
        return memcmp(text, "NULL", 4) == 0 || memcmp(text, "null", 4) == 0;
    case 6:
        return memcmp(text, "(null)", 6) == 0;
    default:
        return false;
    }
}

struct csv_field billing_text(const struct csv_record *record, int position)
{
    struct csv_field field = { NULL, 0 };
    if (position >= 0 && !is_null(record->fields[position].text, record->fields[position].length))
        field = record->fields[position];
    return field;
}

bool billing_text_is(const struct csv_field *text, const char *wanted)
{
    return text->text != NULL && text->length == strlen(wanted) &&
           strncasecmp(text->text, wanted, text->length) == 0;
}

void billing_read_currency(const struct billing_file *file, const char *column, struct billing_row *row)
{
    char excerpt[80];
    struct csv_field *text = &row->texts[TEXT_BILLING_CURRENCY];
    if (text->text == NULL)
        *text = file->default_currency;
    if (text->text == NULL) {
        billing_note(row, column, "a currency is required, but this is null");
    } else if (!currency_code_is(text->text, text->length)) {
        billing_note(row, column, "\"%s\" " CURRENCY_CODE_PROBLEM,
                     utf8_excerpt(text->text, text->length, excerpt, sizeof excerpt));
        /* without a currency, the money of the row cannot be read */
        *text = (struct csv_field){ NULL, 0 };
    }
}

void billing_read_time(const struct billing_file *file, const struct csv_record *record, int position,
                       enum billing_time time, struct billing_row *row)
{
    char excerpt[80];
    struct csv_field text = billing_text(record, position);
    bool is_clock;
    if (text.text != NULL && time_parse_clock(text.text, text.length, &row->times[time], &is_clock)) {
        row->time_known[time] = true;
        if (is_clock)
            row->times[time] = source_clock_moment(file->clock, row->times[time]);
    } else if (text.text == NULL)
        billing_note(row, file->names[position], "a time is required, but this is null");
    else
        billing_note(row, file->names[position], "\"%s\" is not a time such as 2026-09-01T00:00:00Z",
                     utf8_excerpt(text.text, text.length, excerpt, sizeof excerpt));
}

void billing_read_amount(const struct billing_file *file, const struct csv_record *record, int position,
                         enum billing_amount amount, bool required, struct billing_row *row)
{
    char excerpt[80];
    struct csv_field text = billing_text(record, position);
    if (text.text != NULL && decimal_parse(text.text, text.length, &row->amounts[amount]))
        row->amount_known[amount] = true;
    else if (text.text == NULL && required)
        billing_note(row, file->names[position], "a decimal number is required, but this is null");
    else if (text.text != NULL)
        billing_note(row, file->names[position], "\"%s\" is not a decimal number",
                     utf8_excerpt(text.text, text.length, excerpt, sizeof excerpt));
}

/* Notes bytes that are not UTF-8: the column is named, and its field is not used. */
static void check_encoding(const struct billing_file *file, const struct csv_record *record,
                           struct billing_row *row)
{
    if (utf8_valid_prefix(record->raw, record->raw_length) == record->raw_length)
        return;
    for (int i = 0; i < record->field_count; i++) {
        const struct csv_field *field = &record->fields[i];
        size_t valid = utf8_valid_prefix(field->text, field->length);
        if (valid < field->length)
            billing_note(row, file->names[i], field->text[valid] == '\0' ? "a NUL byte" : "not UTF-8 text");
    }
    for (int i = 0; i < TEXT_COUNT; i++) {
        struct csv_field *text = &row->texts[i];
        if (text->text == NULL || utf8_valid_prefix(text->text, text->length) == text->length)
            continue;
        *text = (struct csv_field){ NULL, 0 };
        if (i == TEXT_INVOICE_ID || i == TEXT_INVOICE_ISSUER_NAME || i == TEXT_BILLING_CURRENCY)
            row->invoice_known = false;
    }
    billing_note(row, NULL, "not UTF-8 text");
}

static void check_lengths(const struct billing_file *file, const struct csv_record *record,
                          struct billing_row *row)
{
    if (row->texts[TEXT_RESOURCE_ID].length > RESOURCE_ID_BYTES_MAXIMUM)
        billing_note(row, "ResourceId", "longer than the limit of %d bytes", RESOURCE_ID_BYTES_MAXIMUM);
    if (record->raw_length <= file->field_bytes)
        return;
    for (int i = 0; i < record->field_count; i++) {
        if (record->fields[i].length > file->field_bytes)
            billing_note(row, file->names[i], "longer than the limit of %zu bytes", file->field_bytes);
    }
}

void billing_cancel(struct billing_file *file, const struct decimal *amount)
{
    decimal_add(&file->cancelled, amount, &file->cancelled);
}

static void empty_row(struct billing_row *row)
{
    memset(row->time_known, 0, sizeof row->time_known);
    memset(row->amount_known, 0, sizeof row->amount_known);
    memset(row->texts, 0, sizeof row->texts);
    row->problem.column = NULL;
    row->problem.reason[0] = '\0';
    row->invoice_known = false;
}

void billing_merge_rows(struct billing_row *rows, int count)
{
    int worst = 0;
    while (worst < count - 1 && rows[worst].problem.reason[0] == '\0')
        worst++;
    rows[0].problem = rows[worst].problem;
    for (int amount = AMOUNT_BILLED_COST; amount <= AMOUNT_EFFECTIVE_COST; amount++) {
        for (int i = 1; i < count; i++)
            rows[0].amount_known[amount] =
                rows[0].amount_known[amount] && rows[i].amount_known[amount] &&
                decimal_add(&rows[0].amounts[amount], &rows[i].amounts[amount], &rows[0].amounts[amount]);
    }
}

int billing_read_rows(struct billing_file *file, const struct csv_record *record,
                      struct billing_row rows[BILLING_ROWS_MAXIMUM])
{
    free_scratch(file);
    empty_row(&rows[0]);
    if (record->field_count != file->field_count) {
        billing_note(&rows[0], NULL, "%d fields, but the header has %d", record->field_count,
                     file->field_count);
        return 1;
    }
    int most = file->format->rows_maximum > 1 ? file->format->rows_maximum : 1;
    for (int i = 1; i < most; i++)
        empty_row(&rows[i]);
    int count = file->format->read_rows(file, record, rows);
    bool problem = false;
    if (count == 0) { /* rows[0] still names the invoice whose money the record takes back */
        rows[0].invoice_known = rows[0].texts[TEXT_BILLING_CURRENCY].text != NULL;
        check_encoding(file, record, &rows[0]);
    }
    for (int i = 0; i < count; i++) {
        rows[i].invoice_known = rows[i].texts[TEXT_BILLING_CURRENCY].text != NULL;
        check_encoding(file, record, &rows[i]);
        check_lengths(file, record, &rows[i]);
        problem = problem || rows[i].problem.reason[0] != '\0';
    }
    if (!problem)
        return count;
    billing_merge_rows(rows, count);
    return 1;
}
