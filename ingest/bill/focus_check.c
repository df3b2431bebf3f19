/* ingest/bill/focus_check.c: see focus_check.h.
 *
 * The header decides which rules apply. Each of them gets a finding and a judge, which knows the
 * positions of its columns. Then every judge checks every row.
 */
#include "ingest/bill/focus_check.h"

#include "base/decimal.h"
#include "base/text/csv_prefetch.h"
#include "base/time_text.h"
#include "base/utf8.h"
#include "ingest/bill/billing_format.h"
#include "ingest/bill/focus_columns.h"
#include "ingest/file_kind.h"
#include "ingest/key_values.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum judge_kind { JUDGE_FIELD_COUNT, JUDGE_TEXT, JUDGE_TYPE, JUDGE_NULL, JUDGE_VALUE, JUDGE_RULE };

struct focus_judge {
    enum judge_kind kind;
    const struct focus_column_rule *column; /* of TYPE, NULL and VALUE */
    const struct focus_rule *rule;          /* of RULE */
    int positions[FOCUS_RULE_COLUMNS];      /* of its columns; −1: it has fewer */
};

/* The positions of the columns of focus_columns.h in a header; −1: missing. */
struct focus_header {
    int field_count;
    int *positions;
    int category, status, class;
};

/* ---- judges ---- */

static struct focus_finding *add_judge(struct focus_check *check, struct focus_judge judge,
                                       const char *column, const char *word)
{
    struct focus_finding *finding = &check->findings[check->finding_count];
    check->judges[check->finding_count++] = judge;
    *finding = (struct focus_finding){ .column = column, .force = FOCUS_MUST };
    snprintf(finding->id, sizeof finding->id, "%s.%s", column != NULL ? column : "row", word);
    return finding;
}

static void set_text(struct focus_finding *finding, const char *text)
{
    snprintf(finding->text, sizeof finding->text, "%s", text);
}

/* "Used|Unused" in words. */
static void set_allowed(struct focus_finding *finding, const char *allowed)
{
    set_text(finding, "is one of ");
    for (char *end = finding->text + strlen(finding->text); *allowed != '\0'; allowed++) {
        *end++ = (char)(*allowed == '|' ? ',' : *allowed);
        if (*allowed == '|')
            *end++ = ' ';
    }
}

static void add_row_rules(struct focus_check *check)
{
    set_text(add_judge(check, (struct focus_judge){ .kind = JUDGE_FIELD_COUNT }, NULL, "fields"),
             "has as many fields as the header");
    set_text(add_judge(check, (struct focus_judge){ .kind = JUDGE_TEXT }, NULL, "text"),
             "is UTF-8 text without NUL");
}

static void add_column_rules(struct focus_check *check, const struct focus_column_rule *column, int position)
{
    static const char *const types[] = {
        [FOCUS_DECIMAL] =
            "is a decimal number: digits, a point, a minus sign, an exponent without a plus sign",
        [FOCUS_TIME] = "is a time in UTC as YYYY-MM-DDTHH:mm:ssZ",
        [FOCUS_KEY_VALUES] = "is a JSON object with unique keys whose values are no objects or lists",
        [FOCUS_JSON] = "is JSON",
    };
    struct focus_judge judge = { .column = column, .positions = { position, -1, -1 } };
    if (column->type != FOCUS_STRING) {
        judge.kind = JUDGE_TYPE;
        set_text(add_judge(check, judge, column->name, "type"), types[column->type]);
    }
    if (column->not_null_from != 0 && column->not_null_from <= check->version) {
        judge.kind = JUDGE_NULL;
        set_text(add_judge(check, judge, column->name, "null"), "is not null");
    }
    if (column->allowed == NULL)
        return;
    judge.kind = JUDGE_VALUE;
    set_allowed(add_judge(check, judge, column->name, "value"), column->allowed);
}

/* The position of a column by its exact name; −1: missing. */
static int position_of(const struct focus_header *header, const char *name)
{
    const struct focus_column_rule *column = name != NULL ? focus_column_rule(name) : NULL;
    return column != NULL ? header->positions[column - focus_column_rules] : -1;
}

static void add_rules_across(struct focus_check *check, const struct focus_header *header,
                             const struct focus_column_rule *column)
{
    for (int i = 0; i < focus_rule_count; i++) {
        const struct focus_rule *rule = &focus_rules[i];
        struct focus_judge judge = { .kind = JUDGE_RULE, .rule = rule };
        bool complete = header->category >= 0;
        if (strcmp(rule->columns[0], column->name) != 0 || check->version < rule->first ||
            check->version > rule->last)
            continue;
        for (int c = 0; c < FOCUS_RULE_COLUMNS; c++) {
            judge.positions[c] = position_of(header, rule->columns[c]);
            complete = complete && (rule->columns[c] == NULL || judge.positions[c] >= 0);
        }
        if (!complete) {
            check->rules_left++;
            continue;
        }
        struct focus_finding *finding = add_judge(check, judge, column->name, "");
        snprintf(finding->id, sizeof finding->id, "%s", rule->id);
        set_text(finding, rule->text);
        finding->force = rule->force;
    }
}

static void choose_rules(struct focus_check *check, const struct focus_header *header)
{
    size_t most = 2 + 3 * (size_t)focus_column_rule_count + (size_t)focus_rule_count;
    check->findings = calloc(most, sizeof *check->findings);
    check->judges = calloc(most, sizeof *check->judges);
    add_row_rules(check);
    for (int i = 0; i < focus_column_rule_count; i++) {
        const struct focus_column_rule *column = &focus_column_rules[i];
        if (column->first > check->version || column->last < check->version)
            continue;
        if (header->positions[i] >= 0)
            add_column_rules(check, column, header->positions[i]);
        add_rules_across(check, header, column);
    }
    check->rules_judged = check->finding_count;
}

/* ---- the header ---- */

static void note_names(struct focus_check *check, const struct focus_header *header, char *const *names)
{
    for (int i = 0; i < focus_column_rule_count; i++) {
        const struct focus_column_rule *column = &focus_column_rules[i];
        bool current = column->first <= check->version && check->version <= column->last;
        check->focus_column_count += current && header->positions[i] >= 0;
        if (current && header->positions[i] < 0 && column->level == FOCUS_MANDATORY &&
            check->missing_count < FOCUS_NAMES_MAXIMUM)
            check->missing[check->missing_count++] = column->name;
    }
    for (int i = 0; i < header->field_count; i++) {
        const struct focus_column_rule *column = focus_column_rule(names[i]);
        bool current = column != NULL && column->first <= check->version && check->version <= column->last;
        if (!current && strncmp(names[i], "x_", 2) != 0 && check->unknown_count < FOCUS_NAMES_MAXIMUM)
            utf8_excerpt(names[i], strlen(names[i]), check->unknown[check->unknown_count++],
                         sizeof check->unknown[0]);
    }
}

static bool find_columns(struct focus_check *check, const struct csv_record *record,
                         struct focus_header *header, struct error *error)
{
    const char **wanted = calloc((size_t)focus_column_rule_count, sizeof *wanted);
    header->positions = calloc((size_t)focus_column_rule_count, sizeof *header->positions);
    for (int i = 0; i < focus_column_rule_count; i++)
        wanted[i] = focus_column_rules[i].name;
    bool ok = csv_header_find(record, check->path, wanted, focus_column_rule_count, header->positions, error);
    free(wanted);
    return ok;
}

static bool read_header(struct focus_check *check, const struct csv_record *record,
                        struct focus_header *header, struct error *error)
{
    char **names = csv_header_names(record);
    const struct table_kind *other = table_kind_find(names, record->field_count);
    bool ok = true;
    header->field_count = check->column_count = record->field_count;
    if (!find_columns(check, record, header, error)) {
        ok = false;
    } else if (other != NULL) {
        ok = error_set(error, ERROR_INPUT, "%s: this is %s", check->path, other->what);
        error_hint(error, "%s", other->hint);
    } else if ((check->version = focus_version_guess(names, record->field_count)) == 0) {
        ok = error_set(error, ERROR_INPUT, "%s: none of its %d columns is FOCUS's", check->path,
                       record->field_count);
        error_hint(error, "kstar ingest billing --detect %s", check->path);
    } else {
        header->category = position_of(header, "ChargeCategory");
        header->status = position_of(header, "CommitmentDiscountStatus");
        header->class = position_of(header, "ChargeClass");
        note_names(check, header, names);
        choose_rules(check, header);
    }
    csv_header_names_free(names, record->field_count);
    return ok;
}

/* ---- rows ---- */

static bool is_plain_decimal(const struct csv_field *field)
{
    struct decimal value;
    return memchr(field->text, '+', field->length) == NULL &&
           decimal_parse(field->text, field->length, &value);
}

static bool is_utc_time(const struct csv_field *field)
{
    time_us time;
    return field->length == strlen("2026-09-01T00:00:00Z") && field->text[10] == 'T' &&
           field->text[19] == 'Z' && time_parse(field->text, field->length, &time);
}

static bool is_json(const struct csv_field *field)
{
    cJSON *value = cJSON_ParseWithLength(field->text, field->length);
    bool ok = value != NULL;
    cJSON_Delete(value);
    return ok;
}

static bool has_type(const struct csv_field *field, enum focus_type type)
{
    switch (type) {
    case FOCUS_DECIMAL:
        return is_plain_decimal(field);
    case FOCUS_TIME:
        return is_utc_time(field);
    case FOCUS_KEY_VALUES:
        return key_values_problem(field->text, field->length) == NULL;
    case FOCUS_JSON:
        return is_json(field);
    case FOCUS_STRING:
        break;
    }
    return true;
}

static bool is_allowed(const struct csv_field *field, const char *allowed)
{
    while (*allowed != '\0') {
        size_t length = strcspn(allowed, "|");
        if (length == field->length && memcmp(allowed, field->text, length) == 0)
            return true;
        allowed += length + (allowed[length] == '|');
    }
    return false;
}

static bool holds(const struct focus_judge *judge, const struct focus_header *header,
                  const struct csv_record *record, struct focus_values *values)
{
    if (judge->kind == JUDGE_FIELD_COUNT)
        return record->field_count == header->field_count;
    if (judge->kind == JUDGE_TEXT)
        return utf8_valid_prefix(record->raw, record->raw_length) == record->raw_length;
    for (int c = 0; c < FOCUS_RULE_COLUMNS; c++)
        values->fields[c] = billing_text(record, judge->positions[c]);
    const struct csv_field *field = &values->fields[0];
    switch (judge->kind) {
    case JUDGE_TYPE:
        return field->text == NULL || has_type(field, judge->column->type);
    case JUDGE_NULL:
        return field->text != NULL;
    case JUDGE_VALUE:
        return field->text == NULL || is_allowed(field, judge->column->allowed);
    default:
        return judge->rule->holds(values);
    }
}

static void note_row(struct focus_finding *finding, const struct csv_record *record,
                     const struct focus_values *values)
{
    const struct csv_field *field = &values->fields[0];
    if (finding->rows++ == 0 && finding->column != NULL) {
        finding->value_is_null = field->text == NULL;
        if (field->text != NULL)
            utf8_excerpt(field->text, field->length, finding->value, sizeof finding->value);
    }
    if (finding->line_count < FOCUS_LINES_SHOWN)
        finding->lines[finding->line_count++] = record->line;
}

static void judge_row(struct focus_check *check, const struct focus_header *header,
                      const struct csv_record *record)
{
    struct focus_values values = { 0 };
    int count = check->finding_count;
    check->rows++;
    if (record->field_count == header->field_count) {
        values.category = billing_text(record, header->category);
        values.status = billing_text(record, header->status);
        values.is_correction = billing_text(record, header->class).text != NULL;
    } else {
        count = 1; /* only the first finding, the number of fields, can be judged */
    }
    for (int i = 0; i < count; i++) {
        if (!holds(&check->judges[i], header, record, &values))
            note_row(&check->findings[i], record, &values);
    }
}

bool focus_check_file(const char *path, struct focus_check *check, struct error *error)
{
    static const struct csv_limits limits = { .columns = BILLING_FILE_COLUMNS_MAXIMUM };
    struct focus_header header = { 0 };
    struct csv_record record;
    enum csv_outcome outcome = CSV_FAILED;
    *check = (struct focus_check){ .path = path };
    struct csv_prefetch *reader = csv_prefetch_open(path, ',', &limits, error);
    if (reader != NULL && csv_prefetch_next(reader, &record, error) == CSV_RECORD &&
        read_header(check, &record, &header, error)) {
        while ((outcome = csv_prefetch_next(reader, &record, error)) == CSV_RECORD)
            judge_row(check, &header, &record);
    }
    csv_prefetch_close(reader);
    free(header.positions);
    return outcome == CSV_END;
}

void focus_check_free(struct focus_check *check)
{
    free(check->findings);
    free(check->judges);
    *check = (struct focus_check){ 0 };
}
