/* ingest/reference/reference.c: see reference.h.
 *
 * One loop reads all files. A row of a CSV becomes a row of a temporary table: file, line, key, and
 * the fields as a JSON object of texts. So no file needs code or SQL of its own. declared_csv.c
 * checks each field while reading. Checks over several rows or files are one query
 * (sql/ingest/reference_check.sql) over the new files and the contents in force of all others. Then
 * SQL converts records to rows of the tables.
 */
#define _GNU_SOURCE /* FNM_CASEFOLD */
#include "ingest/reference/reference.h"

#include "base/log.h"
#include "base/postgres/copy_stream.h"
#include "base/postgres/database.h"
#include "base/system/file.h"
#include "base/text/near_name.h"
#include "ingest/jobs/job_horizon.h"
#include "ingest/reference/reference_tables.h"
#include "ingest/reference/review_decisions.h"

#include <cjson/cJSON.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char staged_copy[] =
    "COPY staged_reference (file, line, key, record) FROM STDIN (FORMAT binary)";

struct reference_file {
    const struct reference_table *table;
    char *path;       /* owned */
    const char *name; /* in it */
    char sha256[SHA256_HEX_BYTES];
    struct file_stamp stamp; /* the state of the file before it was read */
    int64_t rows;
    bool unchanged;
};

/* ---- one file ---- */

/* Appends a part of the key; U+001F separates the parts. */
static void extend_key(char *key, size_t size, const char *part)
{
    size_t used = strlen(key);
    snprintf(key + used, size - used, "%s%s", used > 0 ? "\x1f" : "", part);
}

static void stage_row(struct reference_file *file, const struct declared_row *row, struct copy_stream *rows)
{
    const struct reference_table *table = file->table;
    char key[2 * DECLARED_FIELD_BYTES] = "";
    cJSON *record = cJSON_CreateObject();
    for (int i = 0; table->columns[i].name != NULL; i++) {
        if (row->values[i] != NULL)
            cJSON_AddStringToObject(record, table->columns[i].name, row->values[i]);
        if (table->columns[i].flags & DECLARED_KEY)
            extend_key(key, sizeof key, row->values[i]);
    }
    char *json = cJSON_PrintUnformatted(record);
    copy_row(rows, 4);
    copy_text(rows, file->name, strlen(file->name));
    copy_int8(rows, row->line);
    copy_text(rows, key, strlen(key));
    copy_jsonb(rows, json, strlen(json));
    cJSON_free(json);
    cJSON_Delete(record);
    file->rows++;
}

static bool stage_rows(struct reference_file *file, struct declared_csv *csv, struct copy_stream *rows,
                       struct error *error)
{
    struct declared_row row;
    enum csv_outcome outcome;
    while ((outcome = declared_csv_next(csv, &row, error)) == CSV_RECORD) {
        char problem[DECLARED_PROBLEM_BYTES];
        int column;
        if (file->table->check != NULL && !file->table->check(row.values, &column, problem))
            return declared_csv_refuse(csv, &row, column, problem, error);
        stage_row(file, &row, rows);
    }
    return outcome == CSV_END;
}

static bool stage_csv(struct reference_file *file, struct copy_stream *rows, struct error *error)
{
    struct declared_csv *csv =
        declared_csv_open(file->path, file->table->columns, "docs/reference.md", error);
    bool ok = csv != NULL && stage_rows(file, csv, rows, error);
    declared_csv_close(csv);
    return ok;
}

struct decision_staging {
    struct reference_file *file;
    struct copy_stream *rows;
};

static void stage_decision(void *opaque, const struct declared_row *row)
{
    const struct decision_staging *staging = opaque;
    stage_row(staging->file, row, staging->rows);
}

static bool stage_review(struct reference_file *file, struct copy_stream *rows, struct error *error)
{
    struct decision_staging staging = { file, rows };
    return review_decisions_read(file->path, stage_decision, &staging, error);
}

/* Reads a file into the temporary table. */
static bool stage_file(PGconn *connection, struct reference_file *file, struct error *error)
{
    struct copy_stream rows = { 0 };
    bool is_review = file->table->columns == review_decision_columns;
    const char *parameters[] = { file->name, file->table->table, file->path, file->sha256 };
    bool ok = copy_stream_to_connection(&rows, connection, staged_copy, error) &&
              (is_review ? stage_review : stage_csv)(file, &rows, error) &&
              copy_stream_end(&rows, NULL, error) &&
              database_run_query(connection, "ingest/reference_staged_file.sql", 4, parameters, error);
    copy_stream_discard(&rows);
    return ok;
}

/* ---- all files ---- */

static const char its_names[] =
    "a reference file is named after its table, as pools.csv, or is a review-YYYY-MM.xlsx; "
    "docs/reference.md lists them";

struct reference_files {
    struct reference_file *file; /* owned */
    int count;
};

/* Adds an empty file. */
static struct reference_file *another_file(struct reference_files *files)
{
    files->file = realloc(files->file, (size_t)(files->count + 1) * sizeof *files->file);
    files->file[files->count] = (struct reference_file){ 0 };
    return &files->file[files->count];
}

static void free_files(struct reference_files *files)
{
    for (int i = 0; i < files->count; i++)
        free(files->file[i].path);
    free(files->file);
}

static bool add_file(struct reference_files *files, const char *path, struct error *error)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const struct reference_table *table = reference_table_find(name);
    if (!path_is_text(path, error))
        return false;
    if (table == NULL) {
        const char *meant = NULL;
        for (table = reference_tables; table->file != NULL; table++)
            near_name_keep(name, table->file, &meant);
        error_set(error, ERROR_INPUT, "%s: unknown reference file", path);
        if (meant != NULL)
            error_hint(error, "did you mean %s?", meant);
        else
            error_hint(error, "%s", its_names);
        return false;
    }
    for (int i = 0; i < files->count; i++)
        if (strcmp(files->file[i].name, name) == 0)
            return error_set(error, ERROR_INPUT, "%s: %s was given already", path, files->file[i].path);
    struct reference_file *file = another_file(files);
    file->path = strdup(path);
    file->table = table;
    file->name = file->path + (name - path);
    files->count++;
    return file_stamp(path, &file->stamp, error) && file_sha256(path, file->sha256, error);
}

/* Whether a file was written by kstar suggest, for people. */
static bool is_suggested(const char *name)
{
    return fnmatch("*.suggested.csv", name, FNM_CASEFOLD) == 0;
}

/* Whether a file is meant as a reference file, in any letter case: a Pools.CSV is refused, not
 * ignored. */
static bool is_meant(const char *name)
{
    return fnmatch("*.csv", name, FNM_CASEFOLD) == 0 || fnmatch("review-*.xlsx", name, FNM_CASEFOLD) == 0;
}

static bool add_folder(struct reference_files *files, const char *path, struct error *error)
{
    struct directory_listing listing;
    const int before = files->count;
    bool ok = true;
    if (!directory_list(path, &listing, error))
        return false;
    for (int i = 0; ok && i < listing.count; i++) {
        char *file = path_join(path, listing.names[i]);
        if (is_suggested(listing.names[i]))
            ;
        else if (is_meant(listing.names[i]) && !path_is_directory(file))
            ok = add_file(files, file, error);
        else
            log_event(LOG_WARNING, "skipped", "file=\"%s\" reason=\"no *.csv and no review-*.xlsx\"", file);
        free(file);
    }
    directory_listing_free(&listing);
    if (ok && files->count == before) {
        ok = error_set(error, ERROR_INPUT, "%s: holds no reference file", path);
        error_hint(error, "%s", its_names);
    }
    return ok;
}

/* Marks the files whose content is already in force. */
static bool mark_unchanged(PGconn *connection, struct reference_files *files, struct ingest_summary *summary,
                           struct error *error)
{
    for (int i = 0; i < files->count; i++) {
        struct reference_file *file = &files->file[i];
        const char *parameters[] = { file->name, file->sha256 };
        if (!database_query_flag(connection, "ingest/reference_in_force.sql", 2, parameters, &file->unchanged,
                                 error))
            return false;
        summary->files += !file->unchanged;
    }
    summary->unchanged = summary->files == 0;
    if (summary->files < files->count)
        log_event(LOG_INFO, "unchanged", "kind=reference files=%" PRId64, files->count - summary->files);
    return true;
}

/* Checks that no file changed while it was read: its rows must belong to its hash. */
static bool check_stamps(const struct reference_files *files, struct error *error)
{
    for (int i = 0; i < files->count; i++)
        if (!file_is_as_stamped(files->file[i].path, &files->file[i].stamp, error))
            return false;
    return true;
}

/* Refuses the files if rows or files contradict each other, with the first problem. */
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
        error_hint(error, "%s", PQgetvalue(result, 0, 2));
    }
    PQclear(result);
    return ok;
}

/* Reports rows that change closed months: those keep the choices that they were closed with. */
static bool report_late_choices(PGconn *connection, struct ingest_summary *summary, struct error *error)
{
    if (!database_run_file(connection, "ingest/reference_late.sql", error))
        return false;
    PGresult *result = database_query_file(connection, "ingest/reference_late_choices.sql", 0, NULL, error);
    for (int i = 0; result != NULL && i < PQntuples(result); i++)
        log_event(LOG_WARNING, "late_choice", "message=\"%s, line %s speaks of %s: it takes effect from %s\"",
                  PQgetvalue(result, i, 0), PQgetvalue(result, i, 1), PQgetvalue(result, i, 2),
                  PQgetvalue(result, i, 3));
    summary->late = result != NULL ? PQntuples(result) : 0;
    PQclear(result);
    return result != NULL;
}

/* Describes the decisions of the review workbooks with these names. */
static bool word_decisions(PGconn *connection, const cJSON *names, char *words, size_t size,
                           struct error *error)
{
    char *list = cJSON_PrintUnformatted(names);
    const char *parameters[] = { list };
    PGresult *result = database_query_file(connection, "ingest/decisions_summary.sql", 1, parameters, error);
    cJSON_free(list);
    if (result != NULL)
        snprintf(words, size, "%s", PQgetvalue(result, 0, 0));
    PQclear(result);
    return result != NULL;
}

/* Logs each new review, and puts all of them into the summary: people who return decisions want to
 * see that they arrived. */
static bool report_decisions(PGconn *connection, const struct reference_files *files,
                             struct ingest_summary *summary, struct error *error)
{
    cJSON *all = cJSON_CreateArray();
    bool ok = true;
    char words[sizeof summary->decided];
    for (int i = 0; ok && i < files->count; i++) {
        const struct reference_file *file = &files->file[i];
        if (file->unchanged || file->table->columns != review_decision_columns)
            continue;
        cJSON *name = cJSON_CreateArray();
        cJSON_AddItemToArray(name, cJSON_CreateString(file->name));
        cJSON_AddItemToArray(all, cJSON_CreateString(file->name));
        ok = word_decisions(connection, name, words, sizeof words, error);
        if (ok)
            log_event(LOG_INFO, "decisions", "file=\"%s\" message=\"%s\"", file->path, words);
        cJSON_Delete(name);
    }
    if (ok && cJSON_GetArraySize(all) > 0)
        ok = word_decisions(connection, all, summary->decided, sizeof summary->decided, error);
    cJSON_Delete(all);
    return ok;
}

static bool replace_tables(PGconn *connection, struct reference_files *files, struct ingest_summary *summary,
                           struct error *error)
{
    if (!database_run_file(connection, "ingest/reference_staging.sql", error))
        return false;
    for (int i = 0; i < files->count; i++)
        if (!files->file[i].unchanged && !stage_file(connection, &files->file[i], error))
            return false;
    return check_stamps(files, error) &&
           database_run_file(connection, "ingest/reference_in_force_staged.sql", error) &&
           check_staged(connection, error) && report_late_choices(connection, summary, error) &&
           database_run_file(connection, "ingest/reference_replace.sql", error) &&
           report_decisions(connection, files, summary, error) &&
           database_run_file(connection, "ingest/nodes_resolve.sql", error) &&
           job_horizon_put_all(connection, error);
}

bool ingest_reference(PGconn *connection, const struct delivery_request *request,
                      struct ingest_summary *summary, struct error *error)
{
    struct reference_files files = { 0 };
    bool ok = false;
    *summary = (struct ingest_summary){ 0 };

    for (int i = 0; i < request->path_count; i++) {
        const char *path = request->paths[i];
        if (!(path_is_directory(path) ? add_folder(&files, path, error) : add_file(&files, path, error)))
            goto done;
    }
    if (!database_begin(connection, error) || !mark_unchanged(connection, &files, summary, error))
        goto done;
    if (!summary->unchanged && !replace_tables(connection, &files, summary, error))
        goto done;
    if (!request->dry_run && !database_commit(connection, error))
        goto done;
    for (int i = 0; i < files.count; i++) {
        const struct reference_file *file = &files.file[i];
        summary->rows += file->rows;
        if (!file->unchanged && !request->dry_run)
            log_event(LOG_INFO, "ingest", "kind=reference file=\"%s\" rows=%" PRId64, file->path, file->rows);
    }
    ok = true;
done:
    database_rollback(connection);
    free_files(&files);
    return ok;
}
