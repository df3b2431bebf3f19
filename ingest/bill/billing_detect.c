/* ingest/bill/billing_detect.c: see billing_detect.h. */
#include "ingest/bill/billing_detect.h"

#include "ingest/bill/focus_columns.h"
#include "ingest/file_kind.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static void say_against(struct billing_detection *detection, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void say_against(struct billing_detection *detection, const char *format, ...)
{
    if (detection->against_count == DETECTION_AGAINST_MAXIMUM)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(detection->against[detection->against_count++], sizeof detection->against[0], format,
              arguments);
    va_end(arguments);
}

/* ---- the header ---- */

/* The column of the format that a name in the header means; −1: none. */
static int find_column(const struct billing_format *format, const char *name)
{
    char canonical[256];
    snprintf(canonical, sizeof canonical, "%s", name);
    if (format->canonical_name != NULL)
        format->canonical_name(name, canonical, sizeof canonical);
    for (int i = 0; i < format->column_count; i++) {
        if (format->columns[i].name != NULL && strcasecmp(format->columns[i].name, canonical) == 0)
            return i;
    }
    return -1;
}

static bool known_elsewhere(const struct billing_format *format, const char *name)
{
    const struct billing_format *other;
    for (int i = 0; (other = billing_format_at(i)) != NULL; i++) {
        if (other->columns != format->columns && find_column(other, name) >= 0)
            return true;
    }
    return false;
}

static void fit_missing(struct billing_fit *fit, const bool *present)
{
    for (int i = 0; i < fit->format->column_count; i++) {
        const struct billing_column *column = &fit->format->columns[i];
        if (column->name == NULL || present[i])
            continue;
        if (column->need == COLUMN_REQUIRED_CURRENCY)
            fit->currency_missing = true;
        if (column->need != COLUMN_REQUIRED)
            continue;
        size_t used = strlen(fit->missing);
        snprintf(fit->missing + used, sizeof fit->missing - used, "%s%s", fit->missing_count > 0 ? ", " : "",
                 column->name);
        fit->missing_count++;
    }
}

/* Whether header and first row are of the format, whatever the currency. */
static bool try_format(struct billing_fit *fit, const struct billing_detection *detection,
                       const struct csv_record *header, const struct csv_record *first, struct error *error)
{
    struct billing_file file = { 0 };
    struct error refused = { 0 };
    bool ok = billing_file_open(&file, fit->format, detection->path, "XXX", header, &refused) &&
              billing_file_begin(&file, first, &refused);
    billing_file_free(&file);
    if (!ok)
        snprintf(fit->refused, sizeof fit->refused, "%.250s", refused.message);
    if (refused.kind == ERROR_FAILED)
        *error = refused;
    return refused.kind != ERROR_FAILED;
}

static bool fit_format(struct billing_fit *fit, const struct billing_detection *detection,
                       const struct billing_format *format, const struct csv_record *header,
                       const struct csv_record *first, struct error *error)
{
    bool present[BILLING_COLUMNS_MAXIMUM] = { false };
    *fit = (struct billing_fit){ .format = format };
    for (int i = 0; i < detection->column_count; i++) {
        int column = find_column(format, detection->names[i]);
        if (column < 0 || present[column])
            continue;
        present[column] = true;
        fit->known++;
        if (known_elsewhere(format, detection->names[i]))
            continue;
        if (fit->own_count < DETECTION_OWN_MAXIMUM)
            fit->own[fit->own_count] = detection->names[i];
        fit->own_count++;
    }
    fit_missing(fit, present);
    return fit->missing_count > 0 || try_format(fit, detection, header, first, error);
}

static bool takes_file(const struct billing_fit *fit)
{
    return fit->missing_count == 0 && fit->known > 0 && fit->refused[0] == '\0';
}

static bool is_before(const struct billing_fit *left, const struct billing_fit *right)
{
    if (takes_file(left) != takes_file(right))
        return takes_file(left);
    if (left->known != right->known)
        return left->known > right->known;
    return left->missing_count < right->missing_count;
}

/* Inserts a fit before those that it beats; equal fits keep the order of the table. */
static void insert_fit(struct billing_detection *detection, const struct billing_fit *fit)
{
    int place = detection->fit_count++;
    for (; place > 0 && is_before(fit, &detection->fits[place - 1]); place--)
        detection->fits[place] = detection->fits[place - 1];
    detection->fits[place] = *fit;
}

/* Names the other formats that read the same columns as the chosen one. */
static void name_variants(struct billing_detection *detection)
{
    char names[256] = "";
    for (int i = 1; i < detection->fit_count; i++) {
        const struct billing_format *other = detection->fits[i].format;
        size_t used = strlen(names);
        if (takes_file(&detection->fits[i]) && other->columns == detection->format->columns)
            snprintf(names + used, sizeof names - used, "%s%s", used > 0 ? ", " : "", other->name);
    }
    if (names[0] != '\0')
        say_against(detection, "the same columns are read by %s: which is meant, the columns do not say",
                    names);
}

/* Whether the format is the first in the table with its columns: it represents the others. */
static bool stands_for_variants(const struct billing_format *format)
{
    int i = 0;
    while (billing_format_at(i)->columns != format->columns)
        i++;
    return billing_format_at(i) == format;
}

/* The first other fit as good as the best; NULL: none. */
static const struct billing_fit *find_tied(const struct billing_detection *detection)
{
    const struct billing_fit *best = &detection->fits[0];
    for (int i = 1; i < detection->fit_count; i++) {
        const struct billing_fit *fit = &detection->fits[i];
        bool is_variant = fit->format->columns == best->format->columns && stands_for_variants(best->format);
        if (!is_variant && takes_file(fit) && fit->known == best->known)
            return fit;
    }
    return NULL;
}

static void choose(struct billing_detection *detection)
{
    const struct billing_fit *fits = detection->fits;
    const struct table_kind *other = table_kind_find(detection->names, detection->column_count);
    const struct billing_fit *next = find_tied(detection);
    if (!takes_file(&fits[0]))
        snprintf(detection->what, sizeof detection->what, "%s",
                 other != NULL ? other->what : "no bill of a known format");
    else if (next != NULL) {
        detection->tied = next->format;
        snprintf(detection->what, sizeof detection->what, "a tie: its columns are as much %s's as %s's",
                 fits[0].format->name, next->format->name);
    } else
        detection->format = fits[0].format;
}

/* ---- problems ---- */

/* Reports columns that FOCUS no longer has in the version that the other columns show. */
static void judge_focus(struct billing_detection *detection)
{
    int version = detection->focus_version = focus_version_guess(detection->names, detection->column_count);
    for (int i = 0; i < detection->column_count; i++) {
        const struct focus_column_rule *rule = focus_column_rule(detection->names[i]);
        if (rule != NULL && rule->last < version)
            say_against(detection, "column %s: FOCUS %d.%d no longer has it", rule->name, version / 10,
                        version % 10);
    }
}

/* Reports problems that only the first rows show. If `outcome` is CSV_RECORD, `record` is the first
 * row. */
static bool judge_rows(struct billing_detection *detection, struct csv_reader *reader,
                       const struct csv_record *header, struct csv_record *record, enum csv_outcome outcome,
                       struct error *unreadable, struct error *error)
{
    struct billing_row rows[BILLING_ROWS_MAXIMUM];
    struct billing_file file = { 0 };
    int count = 0, bad = 0;
    char first[256] = "";
    bool ok = billing_file_open(&file, detection->format, detection->path, "XXX", header, error) &&
              billing_file_begin(&file, outcome == CSV_RECORD ? record : NULL, error);
    while (ok && outcome == CSV_RECORD && count < DETECTION_ROWS) {
        int row_count = billing_read_rows(&file, record, rows);
        count++;
        if (row_count > 0 && rows[0].problem.reason[0] != '\0' && bad++ == 0)
            snprintf(first, sizeof first, "line %lld%s%.60s: %.150s", (long long)record->line,
                     rows[0].problem.column != NULL ? ", column " : "",
                     rows[0].problem.column != NULL ? rows[0].problem.column : "", rows[0].problem.reason);
        outcome = csv_reader_next(reader, record, unreadable);
    }
    billing_file_free(&file);
    if (!ok)
        return false;
    if (outcome == CSV_FAILED)
        say_against(detection, "%.300s", unreadable->message);
    else if (count == 0)
        say_against(detection, "no row behind the header");
    if (bad > 0)
        say_against(detection, "%d of the first %d rows cannot be read; the first: %s", bad, count, first);
    return true;
}

static void judge_choice(struct billing_detection *detection)
{
    snprintf(detection->what, sizeof detection->what, "a bill of format %s", detection->format->name);
    if (detection->delimiter != ',')
        say_against(detection, "its columns are separated by '%s': bills are read with commas",
                    detection->delimiter == '\t' ? "\\t" : (const char[]){ detection->delimiter, '\0' });
    if (detection->fits[0].currency_missing)
        say_against(detection,
                    "no column of a currency: sources.csv must give the source a billing_currency");
    name_variants(detection);
    if (detection->format == &focus_format)
        judge_focus(detection);
}

/* Compares the header (detection->names) and the first rows with each format. */
static bool detect_bill(struct billing_detection *detection, struct csv_reader *reader, struct error *error)
{
    const struct billing_format *format;
    struct billing_fit fit;
    struct csv_record record;
    struct csv_field *fields = calloc((size_t)detection->column_count + 1, sizeof *fields);
    for (int i = 0; i < detection->column_count; i++)
        fields[i] = (struct csv_field){ detection->names[i], strlen(detection->names[i]) };
    struct csv_record header = {
        .line = 1, .field_count = detection->column_count, .fields = fields, .raw = ""
    };
    struct error unreadable = { 0 };
    enum csv_outcome outcome = csv_reader_next(reader, &record, &unreadable);
    bool ok = true;
    for (int i = 0; ok && i < BILLING_FORMATS_MAXIMUM && (format = billing_format_at(i)) != NULL; i++) {
        ok = fit_format(&fit, detection, format, &header, outcome == CSV_RECORD ? &record : NULL, error);
        if (ok)
            insert_fit(detection, &fit);
    }
    if (ok)
        choose(detection);
    if (ok && detection->format != NULL) {
        judge_choice(detection);
        ok = judge_rows(detection, reader, &header, &record, outcome, &unreadable, error);
    }
    free(fields);
    return ok;
}

static bool detect_table(struct billing_detection *detection, struct error *error)
{
    static const struct csv_limits limits = { .columns = BILLING_FILE_COLUMNS_MAXIMUM };
    struct csv_record header;
    struct error refused = { 0 };
    struct csv_reader *reader = csv_reader_open(detection->path, detection->delimiter, &limits, error);
    if (reader == NULL)
        return false;
    bool ok = true;
    if (csv_reader_next(reader, &header, &refused) != CSV_RECORD) {
        snprintf(detection->what, sizeof detection->what, "not readable: %.200s", refused.message);
    } else {
        detection->names = csv_header_names(&header);
        detection->column_count = header.field_count;
        ok = detect_bill(detection, reader, error);
    }
    csv_reader_close(reader);
    return ok;
}

bool billing_detect(const char *path, struct billing_detection *detection, struct error *error)
{
    struct file_kind kind;
    *detection = (struct billing_detection){ .path = path };
    if (!file_kind_find(path, &kind, error))
        return false;
    detection->is_gzip = kind.is_gzip;
    detection->delimiter = kind.delimiter;
    snprintf(detection->what, sizeof detection->what, "%s", kind.what);
    return kind.delimiter == '\0' || detect_table(detection, error);
}

void billing_detection_free(struct billing_detection *detection)
{
    csv_header_names_free(detection->names, detection->column_count);
    *detection = (struct billing_detection){ 0 };
}
