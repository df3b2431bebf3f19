/* ingest/jobs/plain_csv.c: job format "csv": a CSV whose header has fields of plain_job.h, in any
 * order; other fields are ignored. */
#include "ingest/jobs/plain_job.h"

#include "base/text/csv_reader.h"

#include <stdio.h>
#include <stdlib.h>

struct plain_csv {
    struct csv_reader *csv;
    struct job_format_options options;
    int places[PLAIN_JOB_FIELDS]; /* −1: the file has no such column */
    int columns;
};

static void plain_csv_close(void *opened)
{
    struct plain_csv *reader = opened;
    if (reader == NULL)
        return;
    csv_reader_close(reader->csv);
    free(reader);
}

static bool refuse_without(const struct csv_record *header, const char *path, const char *name,
                           const char *others, struct error *error)
{
    error_set(error, ERROR_INPUT, "%s, line 1: column %s is missing%s", path, name, others);
    error_hint(error, "%s",
               header->field_count > 1
                   ? "docs/formats.md lists the columns"
                   : "the line is one column: sources.csv or --delimiter names another delimiter");
    return false;
}

/* Finds the columns and checks that there are enough. */
static bool find_columns(struct plain_csv *reader, const struct csv_record *header, const char *path,
                         struct error *error)
{
    static const enum plain_job_field needed[] = { PLAIN_JOB_ID, PLAIN_JOB_STATE, PLAIN_JOB_START,
                                                   PLAIN_JOB_END };
    reader->columns = header->field_count;
    if (!csv_header_find(header, path, plain_job_names, PLAIN_JOB_FIELDS, reader->places, error))
        return false;
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++)
        if (reader->places[needed[i]] < 0)
            return refuse_without(header, path, plain_job_names[needed[i]], "", error);
    if (reader->places[PLAIN_JOB_NODES] < 0 && reader->places[PLAIN_JOB_NODE_LIST] < 0)
        return refuse_without(header, path, "nodes", " (and node_list)", error);
    return true;
}

static void *plain_csv_open(const struct job_format *format, const char *path,
                            const struct job_format_options *options, struct error *error)
{
    (void)format;
    struct csv_record header;
    struct plain_csv *reader = calloc(1, sizeof *reader);
    reader->options = *options;
    char delimiter = (char)(options->delimiter != NULL ? options->delimiter[0] : ',');
    reader->csv = csv_reader_open(path, delimiter, NULL, error);
    enum csv_outcome outcome =
        reader->csv != NULL ? csv_reader_next(reader->csv, &header, error) : CSV_FAILED;
    if (outcome != CSV_RECORD || !find_columns(reader, &header, path, error)) {
        plain_csv_close(reader);
        return NULL;
    }
    return reader;
}

static enum job_outcome plain_csv_next(void *opened, struct job_record *record, struct error *error)
{
    struct plain_csv *reader = opened;
    struct csv_record csv;
    struct text_slice fields[PLAIN_JOB_FIELDS] = { 0 };
    enum csv_outcome outcome = csv_reader_next(reader->csv, &csv, error);
    if (outcome != CSV_RECORD)
        return outcome == CSV_END ? JOB_END : JOB_FAILED;
    *record = (struct job_record){ .line = csv.line, .raw = { csv.raw, csv.raw_length } };
    if (csv.field_count != reader->columns) {
        snprintf(record->reason, sizeof record->reason, "has %d fields where the header has %d",
                 csv.field_count, reader->columns);
        return JOB_QUARANTINED;
    }
    for (int field = 0; field < PLAIN_JOB_FIELDS; field++) {
        const struct csv_field *from = reader->places[field] >= 0 ? &csv.fields[reader->places[field]] : NULL;
        if (from != NULL && from->length > 0)
            fields[field] = (struct text_slice){ from->text, from->length };
    }
    return plain_job_read(fields, &reader->options, record) ? JOB_RECORD : JOB_QUARANTINED;
}

static int64_t plain_csv_position(const void *opened)
{
    return csv_reader_position(((const struct plain_csv *)opened)->csv);
}

static bool plain_csv_recognises(const struct job_sample *sample)
{
    const char *delimiter = sample->options->delimiter;
    return job_sample_has_column(sample, delimiter != NULL ? delimiter : ",", plain_job_names[PLAIN_JOB_ID]);
}

const struct job_format plain_csv_format = {
    .name = "csv",
    .recognises = plain_csv_recognises,
    .open = plain_csv_open,
    .next = plain_csv_next,
    .position = plain_csv_position,
    .close = plain_csv_close,
};
