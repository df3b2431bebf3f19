/* ingest/bill/bill_file.c: see bill_file.h. */
#include "ingest/bill/bill_file.h"

#include "base/postgres/identity.h"

#include <stdlib.h>
#include <string.h>

/* Copies a record so that the copy outlives its reader. The copy is one block of memory that begins
 * with the fields. */
static void copy_record(struct csv_record *copy, const struct csv_record *record)
{
    size_t fields = (size_t)record->field_count * sizeof *record->fields, length = 0;
    for (int i = 0; i < record->field_count; i++)
        length += record->fields[i].length;
    *copy = *record;
    struct csv_field *field = malloc(fields + length + record->raw_length + 1);
    copy->fields = field;
    char *text = (char *)field + fields;
    for (int i = 0; i < record->field_count; i++, text += field->length, field++) {
        *field = (struct csv_field){ text, record->fields[i].length };
        if (field->length > 0)
            memcpy(text, record->fields[i].text, field->length);
    }
    if (record->raw_length > 0)
        memcpy(text, record->raw, record->raw_length);
    copy->raw = text;
}

bool bill_file_understand(const struct bill_file *bill, struct billing_file *file, struct error *error)
{
    if (!billing_file_open(file, bill->settings->format, bill->path, bill->settings->currency, &bill->header,
                           error))
        return false;
    if (bill->settings->field_bytes > 0)
        file->field_bytes = bill->settings->field_bytes;
    file->clock = bill->settings->clock;
    return billing_file_begin(file, bill->has_first ? &bill->first : NULL, error);
}

static void add(XXH3_state_t *state, const char *text, size_t length)
{
    uint64_t prefix = text != NULL ? length : UINT64_MAX;
    XXH3_128bits_update(state, &prefix, sizeof prefix);
    if (text != NULL)
        XXH3_128bits_update(state, text, length);
}

/* Hashes everything but a chunk's bytes that decides which rows it makes. A program that reads
 * differently has another context, and reads chunks again. */
static void find_context(struct bill_file *bill, const char *signature)
{
    XXH3_state_t *state = XXH3_createState();
    const struct billing_settings *settings = bill->settings;
    const char *const texts[] = { loader_identity,
                                  settings->source,
                                  settings->format->name,
                                  settings->time_zone,
                                  settings->currency,
                                  signature,
                                  bill->rows.lines_end_in_cr ? "CR" : "LF" };
    const uint64_t limits[] = { settings->limits.record_bytes, (uint64_t)settings->limits.columns,
                                settings->field_bytes };
    XXH3_128bits_reset(state);
    XXH3_128bits_update(state, limits, sizeof limits);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        add(state, texts[i], texts[i] != NULL ? strlen(texts[i]) : 0);
    add(state, bill->header.raw, bill->header.raw_length);
    bill->context = XXH3_128bits_digest(state);
    XXH3_freeState(state);
}

static bool read_beginning(struct bill_file *bill, struct csv_reader *reader, struct error *error)
{
    struct csv_record record;
    if (csv_reader_next(reader, &record, error) != CSV_RECORD)
        return false;
    copy_record(&bill->header, &record);
    bill->rows = csv_reader_place(reader);
    enum csv_outcome outcome = csv_reader_next(reader, &record, error);
    bill->has_first = outcome == CSV_RECORD;
    if (bill->has_first)
        copy_record(&bill->first, &record);
    return bill->has_first || outcome == CSV_END;
}

bool bill_file_open(struct bill_file *bill, const struct billing_settings *settings, const char *path,
                    struct error *error)
{
    *bill = (struct bill_file){ .settings = settings, .path = path };
    struct billing_file file = { 0 };
    struct csv_reader *reader = csv_reader_open(path, ',', &settings->limits, error);
    bool ok =
        reader != NULL && read_beginning(bill, reader, error) && bill_file_understand(bill, &file, error);
    if (ok)
        find_context(bill, file.signature);
    csv_reader_close(reader);
    billing_file_free(&file);
    return ok;
}

void bill_file_close(struct bill_file *bill)
{
    free((void *)bill->header.fields);
    free((void *)bill->first.fields);
    *bill = (struct bill_file){ 0 };
}
