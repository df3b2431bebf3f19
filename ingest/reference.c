/* ingest/reference.c: see reference.h.
 *
 * One loop for all files. A CSV row becomes one row of a temporary table: file, line, key, and the record as a JSON
 * object of its fields, still text; so no file needs code or SQL of its own. What a field alone can tell is
 * checked here (reference_value.c); what needs other rows or files is one query (sql/ingest/reference_check.sql)
 * over the new files and, for the others, what is in force. Then SQL converts records to rows of the tables.
 */
#include "ingest/reference.h"

#include "base/copy_stream.h"
#include "base/csv_reader.h"
#include "base/database.h"
#include "base/file.h"
#include "base/log.h"
#include "base/utf8.h"
#include "ingest/reference_tables.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char staged_copy[] = "COPY staged_reference (file, line, key, record) FROM STDIN (FORMAT binary)";

enum { FIELD_BYTES = 4096, FILES_MAXIMUM = 64 };

struct reference_file {
    const struct reference_table *table;
    char *path; /* owned */
    char sha256[SHA256_HEX_BYTES];
    int64_t rows;
    bool unchanged;
};

/* ---- one record ---- */

/* Copies a field without surrounding white space; false with the reason if it is no text or too long. */
static bool field_text(const struct csv_field *field, char text[FIELD_BYTES], const char **reason)
{
    const char *begin = field->text;
    size_t length = field->length;
    while (length > 0 && (*begin == ' ' || *begin == '\t'))
        begin++, length--;
    while (length > 0 && (begin[length - 1] == ' ' || begin[length - 1] == '\t'))
        length--;
    *reason = length >= FIELD_BYTES ? "is longer than 4,095 bytes" : "is not UTF-8 text";
    if (length >= FIELD_BYTES || utf8_valid_prefix(begin, length) != length)
        return false;
    memcpy(text, begin, length);
    text[length] = '\0';
    return true;
}

static bool refuse_field(const char *path, int64_t line, const char *column, const struct csv_field *field,
                         const char *reason, struct error *error)
{
    char excerpt[128];
    if (field == NULL || field->length == 0)
        return error_set(error, ERROR_INPUT, "%s, line %" PRId64 ", column %s: is empty but is required", path, line,
                         column);
    utf8_excerpt(field->text, field->length, excerpt, sizeof excerpt);
    return error_set(error, ERROR_INPUT, "%s, line %" PRId64 ", column %s: \"%s\" %s", path, line, column, excerpt,
                     reason);
}

/* Appends a part of the key; parts are kept apart by U+001F. */
static void extend_key(char *key, size_t size, const char *part)
{
    size_t used = strlen(key);
    snprintf(key + used, size - used, "%s%s", used > 0 ? "\x1f" : "", part);
}

/* Checks the fields of `record` and puts them into `object`, and the key columns into `key`. */
static bool read_fields(const struct reference_table *table, const char *path, const struct csv_record *record,
                        const int *positions, cJSON *object, char *key, size_t key_size, struct error *error)
{
    char parameter[FIELD_BYTES] = "";
    for (int i = 0; table->columns[i].name != NULL; i++) {
        const struct reference_column *column = &table->columns[i];
        const struct csv_field *field = positions[i] >= 0 ? &record->fields[positions[i]] : NULL;
        char text[FIELD_BYTES] = "", expected[640];
        const char *reason;

        if (field != NULL && !field_text(field, text, &reason))
            return refuse_field(path, record->line, column->name, field, reason, error);
        if (text[0] == '\0') {
            if (column->flags & REFERENCE_REQUIRED)
                return refuse_field(path, record->line, column->name, NULL, NULL, error);
            if (column->fallback != NULL)
                cJSON_AddStringToObject(object, column->name, column->fallback);
            continue;
        }
        if (!reference_value_check(column, parameter, text, expected, sizeof expected))
            return refuse_field(path, record->line, column->name, field, expected, error);
        if (column->type == REFERENCE_PARAMETER)
            memcpy(parameter, text, sizeof parameter);
        if (column->flags & REFERENCE_KEY)
            extend_key(key, key_size, text);
        cJSON_AddStringToObject(object, column->name, text);
    }
    return true;
}

static bool is_blank(const struct csv_record *record)
{
    for (int i = 0; i < record->field_count; i++)
        for (size_t at = 0; at < record->fields[i].length; at++)
            if (record->fields[i].text[at] != ' ')
                return false;
    return true;
}

static bool stage_record(const struct reference_table *table, const char *path, const struct csv_record *record,
                         const int *positions, struct copy_stream *rows, struct error *error)
{
    char key[2 * FIELD_BYTES] = "";
    cJSON *object = cJSON_CreateObject();
    bool ok = read_fields(table, path, record, positions, object, key, sizeof key, error);
    if (ok) {
        char *json = cJSON_PrintUnformatted(object);
        copy_row(rows, 4);
        copy_text(rows, table->file, strlen(table->file));
        copy_int8(rows, record->line);
        copy_text(rows, key, strlen(key));
        copy_jsonb(rows, json, strlen(json));
        cJSON_free(json);
    }
    cJSON_Delete(object);
    return ok;
}

/* ---- one file ---- */

/* The header: every column of the CSV is known, and every required one is there. */
static bool find_columns(const struct reference_file *file, const struct csv_record *header, int *positions,
                         struct error *error)
{
    const char *names[REFERENCE_COLUMNS_MAXIMUM];
    int count = 0, found = 0;
    while (file->table->columns[count].name != NULL) {
        names[count] = file->table->columns[count].name;
        count++;
    }
    if (!csv_header_find(header, file->path, names, count, positions, error))
        return false;
    for (int i = 0; i < count; i++) {
        if (positions[i] < 0 && (file->table->columns[i].flags & REFERENCE_REQUIRED))
            return error_set(error, ERROR_INPUT, "%s, line %" PRId64 ": column %s is missing", file->path,
                             header->line, names[i]);
        found += positions[i] >= 0;
    }
    for (int column = 0; found < header->field_count && column < header->field_count; column++) {
        char excerpt[64];
        bool known = false;
        for (int i = 0; i < count; i++)
            known = known || positions[i] == column;
        if (known)
            continue;
        utf8_excerpt(header->fields[column].text, header->fields[column].length, excerpt, sizeof excerpt);
        error_set(error, ERROR_INPUT, "%s, line %" PRId64 ": column \"%s\" is not one of this file", file->path,
                  header->line, excerpt);
        error_hint(error, "docs/reference.md lists the columns of %s", file->table->file);
        return false;
    }
    return true;
}

static bool stage_records(struct reference_file *file, struct csv_reader *reader, struct copy_stream *rows,
                          struct error *error)
{
    int positions[REFERENCE_COLUMNS_MAXIMUM], columns;
    struct csv_record record;
    enum csv_outcome outcome = csv_reader_next(reader, &record, error);
    if (outcome == CSV_END)
        return error_set(error, ERROR_INPUT, "%s: is empty; it must have a header at least", file->path);
    if (outcome == CSV_FAILED || !find_columns(file, &record, positions, error))
        return false;
    columns = record.field_count;

    while ((outcome = csv_reader_next(reader, &record, error)) == CSV_RECORD) {
        if (is_blank(&record))
            continue;
        if (record.field_count != columns)
            return error_set(error, ERROR_INPUT, "%s, line %" PRId64 ": has %d fields, its header has %d",
                             file->path, record.line, record.field_count, columns);
        if (!stage_record(file->table, file->path, &record, positions, rows, error))
            return false;
        file->rows++;
    }
    return outcome == CSV_END;
}

/* Reads a file into the temporary table. */
static bool stage_file(PGconn *connection, struct reference_file *file, struct error *error)
{
    char row_count[24];
    struct copy_stream rows = { 0 };
    bool ok = false;
    PGresult *result = NULL;
    struct csv_reader *reader = csv_reader_open(file->path, ',', NULL, error);
    if (reader == NULL || !copy_stream_to_connection(&rows, connection, staged_copy, error))
        goto done;
    if (!stage_records(file, reader, &rows, error) || !copy_stream_end(&rows, NULL, error))
        goto done;
    snprintf(row_count, sizeof row_count, "%" PRId64, file->rows);
    const char *parameters[] = { file->table->file, file->table->table, file->path, file->sha256, row_count };
    result = database_query_file(connection, "ingest/reference_staged_file.sql", 5, parameters, error);
    ok = result != NULL;
done:
    PQclear(result);
    copy_stream_discard(&rows);
    csv_reader_close(reader);
    return ok;
}

/* ---- all files ---- */

struct reference_files {
    struct reference_file file[FILES_MAXIMUM];
    int count;
};

static bool add_file(struct reference_files *files, const char *path, struct error *error)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const struct reference_table *table = reference_table_find(name);
    if (table == NULL) {
        error_set(error, ERROR_INPUT, "%s: is no reference file", path);
        error_hint(error, "a reference file is named after its table, as pools.csv; docs/reference.md lists them");
        return false;
    }
    for (int i = 0; i < files->count; i++)
        if (files->file[i].table == table)
            return error_set(error, ERROR_INPUT, "%s: %s was given already", path, files->file[i].path);
    struct reference_file *file = &files->file[files->count];
    file->table = table;
    file->path = strdup(path);
    if (file->path == NULL)
        return error_set(error, ERROR_FAILED, "out of memory");
    files->count++;
    return file_sha256(path, file->sha256, error);
}

static bool add_folder(struct reference_files *files, const char *path, struct error *error)
{
    struct directory_listing listing;
    bool ok = true;
    if (!directory_list(path, &listing, error))
        return false;
    for (int i = 0; ok && i < listing.count; i++) {
        size_t length = strlen(listing.names[i]);
        if (length < 4 || strcmp(listing.names[i] + length - 4, ".csv") != 0)
            continue;
        char *file = path_join(path, listing.names[i]);
        ok = add_file(files, file, error);
        free(file);
    }
    directory_listing_free(&listing);
    return ok;
}

/* Marks the files whose content is already in force. */
static bool mark_unchanged(PGconn *connection, struct reference_files *files, struct ingest_summary *summary,
                           struct error *error)
{
    for (int i = 0; i < files->count; i++) {
        struct reference_file *file = &files->file[i];
        const char *parameters[] = { file->table->file, file->sha256 };
        PGresult *result = database_query_file(connection, "ingest/reference_in_force.sql", 2, parameters, error);
        if (result == NULL)
            return false;
        file->unchanged = PQntuples(result) > 0;
        summary->files += !file->unchanged;
        PQclear(result);
    }
    summary->unchanged = summary->files == 0;
    if (summary->files < files->count)
        log_event(LOG_INFO, "unchanged", "kind=reference files=%" PRId64, files->count - summary->files);
    return true;
}

/* The first thing wrong across rows and files, if there is one. */
static bool check_staged(PGconn *connection, struct error *error)
{
    PGresult *result = database_query_file(connection, "ingest/reference_check.sql", 0, NULL, error);
    if (result == NULL)
        return false;
    bool ok = PQntuples(result) == 0;
    if (!ok) {
        error_set(error, ERROR_INPUT, "%s", PQgetvalue(result, 0, 0));
        if (strcmp(PQgetvalue(result, 0, 1), "1") != 0)
            error_detail(error, "the first of %s problems in these files", PQgetvalue(result, 0, 1));
    }
    PQclear(result);
    return ok;
}

static bool replace_tables(PGconn *connection, struct reference_files *files, struct error *error)
{
    if (!database_run_file(connection, "ingest/reference_staging.sql", error))
        return false;
    for (int i = 0; i < files->count; i++)
        if (!files->file[i].unchanged && !stage_file(connection, &files->file[i], error))
            return false;
    return database_run_file(connection, "ingest/reference_in_force_staged.sql", error) &&
           check_staged(connection, error) && database_run_file(connection, "ingest/reference_replace.sql", error);
}

bool ingest_reference(PGconn *connection, const struct reference_request *request, struct ingest_summary *summary,
                      struct error *error)
{
    struct reference_files files = { 0 };
    bool ok = false;
    *summary = (struct ingest_summary){ .label = "reference" };

    for (int i = 0; i < request->path_count; i++) {
        const char *path = request->paths[i];
        if (!(path_is_directory(path) ? add_folder(&files, path, error) : add_file(&files, path, error)))
            goto done;
    }
    if (!database_begin(connection, error) || !mark_unchanged(connection, &files, summary, error))
        goto done;
    if (!summary->unchanged && !replace_tables(connection, &files, error))
        goto done;
    if (!database_commit(connection, error))
        goto done;
    for (int i = 0; i < files.count; i++) {
        const struct reference_file *file = &files.file[i];
        summary->rows += file->rows;
        if (!file->unchanged)
            log_event(LOG_INFO, "ingest", "kind=reference file=\"%s\" rows=%" PRId64, file->path, file->rows);
    }
    ok = true;
done:
    database_rollback(connection);
    for (int i = 0; i < files.count; i++)
        free(files.file[i].path);
    return ok;
}
