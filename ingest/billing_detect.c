/* ingest/billing_detect.c: see billing_detect.h. */
#include "ingest/billing_detect.h"

#include "base/byte_source.h"
#include "ingest/focus_columns.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { SAMPLE_BYTES = 64 << 10 };

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

/* ---- what is no bill ---- */

/* The first bytes of the file as it is, then what gzip makes of them; false with `what` set where there are
 * none to judge. */
static bool read_sample(struct billing_detection *detection, char sample[SAMPLE_BYTES + 1], size_t *length,
                        bool *failed, struct error *error)
{
    size_t got = 0;
    struct error unreadable = { 0 };
    *length = 0;
    *failed = false;
    struct byte_source *source = byte_source_open(detection->path, 0, 0, error);
    if (source == NULL) {
        *failed = true;
        return false;
    }
    bool ok = true;
    do {
        ok = byte_source_read(source, sample + *length, SAMPLE_BYTES - *length, &got, &unreadable);
        *length += ok ? got : 0;
    } while (ok && got > 0 && *length < SAMPLE_BYTES);
    byte_source_close(source);
    sample[*length] = '\0';
    if (!ok)
        snprintf(detection->what, sizeof detection->what, "not readable: %.200s", unreadable.message);
    else if (*length == 0)
        snprintf(detection->what, sizeof detection->what, "an empty file");
    return ok && *length > 0;
}

static bool begins_with(const char *sample, size_t length, const char *magic)
{
    return length >= strlen(magic) && memcmp(sample, magic, strlen(magic)) == 0;
}

static bool note_gzip(struct billing_detection *detection, struct error *error)
{
    unsigned char magic[2];
    FILE *file = fopen(detection->path, "rb");
    if (file == NULL)
        return error_set_errno(error, "%s", detection->path);
    detection->is_gzip =
        fread(magic, 1, sizeof magic, file) == sizeof magic && magic[0] == 0x1f && magic[1] == 0x8b;
    fclose(file);
    return true;
}

/* Files that lie beside bills, by what they begin with or hold. */
static const char *name_other(const char *sample, size_t length)
{
    static const struct {
        const char *key, *what;
    } manifests[] = {
        { "\"reportKeys\"", "the manifest of an AWS Cost and Usage Report" },
        { "\"dataFiles\"", "the manifest of an AWS Data Export" },
        { "\"blobs\"", "the manifest of an Azure Cost Management export" },
    };
    if (begins_with(sample, length, "PAR1"))
        return "a Parquet file: bills are read as CSV";
    if (begins_with(sample, length, "PK\x03\x04"))
        return "a zip archive or a workbook: bills are read as CSV, plain or gzip";
    if (begins_with(sample, length, "\xff\xfe") || begins_with(sample, length, "\xfe\xff"))
        return "text in UTF-16: bills are read in UTF-8";
    size_t start = begins_with(sample, length, "\xef\xbb\xbf") ? 3 : 0;
    start += strspn(sample + start, " \t\r\n");
    if (sample[start] != '{' && sample[start] != '[')
        return NULL;
    for (size_t i = 0; i < sizeof manifests / sizeof manifests[0]; i++) {
        if (strstr(sample, manifests[i].key) != NULL)
            return manifests[i].what;
    }
    return "JSON, and no manifest that is known";
}

/* ---- the header ---- */

/* The one that stands most often in the first line, outside quotes. */
static char find_delimiter(const char *sample)
{
    static const char delimiters[] = ",;\t|";
    int counts[sizeof delimiters] = { 0 }, best = 0;
    bool quoted = false;
    for (; *sample != '\0' && (quoted || (*sample != '\n' && *sample != '\r')); sample++) {
        const char *found = strchr(delimiters, *sample);
        if (*sample == '"')
            quoted = !quoted;
        else if (!quoted && found != NULL)
            counts[found - delimiters]++;
    }
    for (int i = 1; delimiters[i] != '\0'; i++) {
        if (counts[i] > counts[best])
            best = i;
    }
    return delimiters[best];
}

static bool copy_names(struct billing_detection *detection, const struct csv_record *header,
                       struct error *error)
{
    detection->names = calloc((size_t)header->field_count + 1, sizeof *detection->names);
    for (int i = 0; detection->names != NULL && i < header->field_count; i++) {
        detection->names[i] = strndup(header->fields[i].text, header->fields[i].length);
        if (detection->names[i] == NULL)
            return error_set(error, ERROR_FAILED, "out of memory");
        detection->column_count = i + 1;
    }
    return detection->names != NULL || error_set(error, ERROR_FAILED, "out of memory");
}

/* The format's column that a header's name stands for; −1: none. */
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
        if (other != format && find_column(other, name) >= 0)
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

static struct billing_fit fit_format(const struct billing_detection *detection,
                                     const struct billing_format *format)
{
    struct billing_fit fit = { .format = format };
    bool present[BILLING_COLUMNS_MAXIMUM] = { false };
    for (int i = 0; i < detection->column_count; i++) {
        int column = find_column(format, detection->names[i]);
        if (column < 0 || present[column])
            continue;
        present[column] = true;
        fit.known++;
        if (known_elsewhere(format, detection->names[i]))
            continue;
        if (fit.own_count < DETECTION_OWN_MAXIMUM)
            fit.own[fit.own_count] = detection->names[i];
        fit.own_count++;
    }
    fit_missing(&fit, present);
    return fit;
}

/* What lacks less comes first, then what knows more. */
static int compare_fits(const void *left_fit, const void *right_fit)
{
    const struct billing_fit *left = left_fit, *right = right_fit;
    if (left->missing_count != right->missing_count)
        return left->missing_count < right->missing_count ? -1 : 1;
    if (left->known != right->known)
        return left->known > right->known ? -1 : 1;
    return strcmp(left->format->name, right->format->name);
}

static bool is_sacct(const struct billing_detection *detection)
{
    for (int i = 0; i < detection->column_count; i++) {
        if (strcasecmp(detection->names[i], "JobID") == 0 || strcasecmp(detection->names[i], "JobIDRaw") == 0)
            return true;
    }
    return false;
}

static void choose(struct billing_detection *detection)
{
    const struct billing_format *format;
    struct billing_fit *fits = detection->fits;
    for (int i = 0; i < BILLING_FORMATS_MAXIMUM && (format = billing_format_at(i)) != NULL; i++)
        fits[detection->fit_count++] = fit_format(detection, format);
    qsort(fits, (size_t)detection->fit_count, sizeof fits[0], compare_fits);
    if (fits[0].missing_count > 0 && is_sacct(detection))
        snprintf(detection->what, sizeof detection->what, "job records of sacct");
    else if (fits[0].missing_count > 0)
        snprintf(detection->what, sizeof detection->what, "no bill of a known format");
    else if (detection->fit_count > 1 && fits[1].missing_count == 0 && fits[1].known == fits[0].known)
        snprintf(detection->what, sizeof detection->what, "a tie: its columns are as much %s's as %s's",
                 fits[0].format->name, fits[1].format->name);
    else
        detection->format = fits[0].format;
}

/* ---- what speaks against it ---- */

/* Columns that FOCUS does not have in the version that the others speak of. */
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

/* What the first rows say that the header does not. */
static bool judge_rows(struct billing_detection *detection, struct csv_reader *reader,
                       const struct csv_record *header, struct error *error)
{
    struct billing_row rows[BILLING_ROWS_MAXIMUM];
    struct billing_file file = { 0 };
    struct csv_record record;
    struct error refused = { 0 };
    enum csv_outcome outcome = CSV_END;
    int count = 0, bad = 0;
    char first[256] = "";
    bool ok = billing_file_open(&file, detection->format, detection->path, "XXX", header, &refused);
    while (ok && count < DETECTION_ROWS &&
           (outcome = csv_reader_next(reader, &record, &refused)) == CSV_RECORD) {
        ok = count++ > 0 || billing_file_begin(&file, &record, &refused);
        int row_count = ok ? billing_read_rows(&file, &record, rows) : 0;
        if (row_count == 0 || rows[0].problem.reason[0] == '\0')
            continue;
        const char *column = rows[0].problem.column;
        if (bad++ == 0)
            snprintf(first, sizeof first, "line %lld%s%.60s: %.150s", (long long)record.line,
                     column != NULL ? ", column " : "", column != NULL ? column : "", rows[0].problem.reason);
    }
    billing_file_free(&file);
    if (refused.kind == ERROR_FAILED) {
        *error = refused;
        return false;
    }
    if (!ok || outcome == CSV_FAILED)
        say_against(detection, "%.300s", refused.message);
    else if (count == 0)
        say_against(detection, "no row behind the header");
    if (bad > 0)
        say_against(detection, "%d of the first %d rows cannot be read; the first: %s", bad, count, first);
    return true;
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
        goto done;
    }
    ok = copy_names(detection, &header, error);
    if (!ok)
        goto done;
    choose(detection);
    if (detection->format == NULL)
        goto done;
    if (detection->delimiter != ',')
        say_against(detection, "its columns are separated by '%s': bills are read with commas",
                    detection->delimiter == '\t' ? "\\t" : (const char[]){ detection->delimiter, '\0' });
    if (detection->fits[0].currency_missing)
        say_against(detection,
                    "no column of a currency: sources.csv must give the source a billing_currency");
    if (detection->format == &focus_format)
        judge_focus(detection);
    ok = judge_rows(detection, reader, &header, error);
    snprintf(detection->what, sizeof detection->what, "a bill of format %s", detection->format->name);
done:
    csv_reader_close(reader);
    return ok;
}

bool billing_detect(const char *path, struct billing_detection *detection, struct error *error)
{
    size_t length;
    bool failed;
    *detection = (struct billing_detection){ .path = path };
    char *sample = malloc(SAMPLE_BYTES + 1);
    if (sample == NULL)
        return error_set(error, ERROR_FAILED, "out of memory");
    bool ok = note_gzip(detection, error);
    if (ok && read_sample(detection, sample, &length, &failed, error)) {
        const char *other = name_other(sample, length);
        if (other != NULL)
            snprintf(detection->what, sizeof detection->what, "%s", other);
        else
            detection->delimiter = find_delimiter(sample);
    } else {
        ok = ok && !failed;
    }
    free(sample);
    return ok && (detection->delimiter == '\0' || detect_table(detection, error));
}

void billing_detection_free(struct billing_detection *detection)
{
    for (int i = 0; i < detection->column_count; i++)
        free(detection->names[i]);
    free(detection->names);
    *detection = (struct billing_detection){ 0 };
}
