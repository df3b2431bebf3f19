/* ingest/jobs/job_detect.c: see job_detect.h. */
#include "ingest/jobs/job_detect.h"

#include "ingest/json_records.h"
#include "ingest/line_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* clang-format off: a line each */
static const struct job_format *const job_formats[] = {
    &sacct_format,  &sacct_json_format, &plain_csv_format,       &plain_json_format, &sagemaker_format,
    &vertex_format, &azureml_format,    &kubernetes_jobs_format, &pbs_format,
};
/* clang-format on */
enum { FORMAT_COUNT = sizeof job_formats / sizeof job_formats[0], LINE_BYTES = 64 << 10 };
_Static_assert((int)FORMAT_COUNT <= (int)JOB_FORMATS_MAXIMUM, "struct job_detection holds every format");

const struct job_format *job_format_find(const char *name)
{
    for (int i = 0; i < FORMAT_COUNT; i++)
        if (strcmp(job_formats[i]->name, name) == 0)
            return job_formats[i];
    return NULL;
}

const char *job_format_names(char names[JOB_FORMAT_NAMES_BYTES])
{
    size_t used = 0;
    for (int i = 0; i < FORMAT_COUNT && used < JOB_FORMAT_NAMES_BYTES; i++)
        used += (size_t)snprintf(names + used, JOB_FORMAT_NAMES_BYTES - used, "%s%s", i > 0 ? ", " : "",
                                 job_formats[i]->name);
    return names;
}

/* ---- the beginning of a file ---- */

/* A field without the white space and the quotes around it. */
static struct text_slice trim(struct text_slice field)
{
    for (; field.length > 0 && strchr(" \t\"", field.text[0]) != NULL; field.length--)
        field.text++;
    while (field.length > 0 && strchr(" \t\"\r", field.text[field.length - 1]) != NULL)
        field.length--;
    return field;
}

bool job_sample_has_column(const struct job_sample *sample, const char *delimiter, const char *name)
{
    size_t step = strlen(delimiter), length = strlen(name);
    const char *at = sample->line.text, *end = at + sample->line.length;
    while (at != NULL && at < end) {
        const char *next = at;
        while (next < end && ((size_t)(end - next) < step || memcmp(next, delimiter, step) != 0))
            next++;
        struct text_slice field = trim((struct text_slice){ at, (size_t)(next - at) });
        if (field.length == length && strncasecmp(field.text, name, length) == 0)
            return true;
        at = next < end ? next + step : NULL;
    }
    return false;
}

/* The first line that is not blank. */
static bool first_line(struct line_reader *reader, struct line *line, struct error *error)
{
    bool found = true;
    *line = (struct line){ 0 };
    while (line_reader_peek(reader, line, &found, error) && found) {
        if (trim((struct text_slice){ line->text, line->length }).length > 0)
            return true;
        line_reader_take(reader);
    }
    *line = (struct line){ 0 };
    return false;
}

/* Whether the format recognises the first record of a JSON document. */
static bool knows_record(const struct job_format *format, const char *path, struct job_sample *sample)
{
    struct error unreadable = { 0 };
    struct json_record record;
    if (format->json_members == NULL)
        return false;
    struct json_records *records = json_records_open(path, format->json_members, &unreadable);
    if (records == NULL)
        return false;
    bool known = false;
    if (json_records_next(records, &record, &unreadable) == JSON_RECORD) {
        sample->record = record.value;
        known = format->recognises(sample);
        sample->record = NULL;
    }
    json_records_close(records);
    return known;
}

bool job_detect(const char *path, const struct job_format_options *options, struct job_detection *found,
                struct error *error)
{
    struct error unreadable = { 0 };
    struct line line;
    *found = (struct job_detection){ 0 };
    struct line_reader *reader = line_reader_open(path, LINE_BYTES, &unreadable);
    bool is_text = reader != NULL && first_line(reader, &line, &unreadable);
    if (is_text) {
        struct job_sample sample = { .line = { line.text, line.length }, .options = options };
        struct text_slice text = trim(sample.line);
        bool is_json = text.text[0] == '{' || text.text[0] == '[' || text.text[0] == '\x1e';
        for (int i = 0; i < FORMAT_COUNT; i++) {
            const struct job_format *format = job_formats[i];
            if (is_json ? knows_record(format, path, &sample)
                        : format->json_members == NULL && format->recognises(&sample))
                found->formats[found->count++] = format;
        }
    }
    line_reader_close(reader);
    if (unreadable.kind == ERROR_FAILED)
        *error = unreadable;
    return unreadable.kind != ERROR_FAILED;
}
