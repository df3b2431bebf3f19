/* ingest/jobs/jobs.c: see jobs.h.
 *
 * The format turns the file into records, and job_staging.c puts them into temporary tables. SQL
 * does the rest in steps over all records at once (sql/ingest/jobs_*.sql). It drops unchanged jobs
 * and turns clock times into points in time, records into attempts, attempts into rows of job, and
 * their nodes into rows of job_hold. The last step is the horizon.
 */
#include "ingest/jobs/jobs.h"

#include "base/log.h"
#include "base/postgres/database.h"
#include "base/progress.h"
#include "base/system/delivered_file.h"
#include "base/system/file.h"
#include "ingest/bill/billing_detect.h"
#include "ingest/delivery_answers.h"
#include "ingest/delivery_guard.h"
#include "ingest/delivery_of_file.h"
#include "ingest/jobs/job_detect.h"
#include "ingest/jobs/job_horizon.h"
#include "ingest/jobs/job_quarantine.h"
#include "ingest/jobs/job_staging.h"
#include "ingest/key_text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const int64_t LONGEST_SECONDS = (int64_t)100 * 366 * 86400;
enum { COLUMNS_FILE_BYTES = 1 << 14, NODES_PER_RECORD = 256 };

static const char columns_file[] = "columns";

struct job_load {
    PGconn *connection;
    const struct delivery_request *request;
    const char *path; /* its file */
    const struct job_format *format;
    bool is_declared; /* sources.csv or --format names the format */
    bool is_detected; /* this file showed the format, which is to be remembered */
    bool is_of_file;  /* the source has no known format: each file shows its own */
    struct job_format_options options;
    PGresult *source; /* owns texts of `options` from sources.csv */
    const char *time_zone;
    char columns[COLUMNS_FILE_BYTES];
    int64_t record_nodes_maximum, file_nodes_maximum; /* bounds of names in node lists */
    int64_t named_nodes, naming_records;              /* so far */
    int64_t nodes_left;                               /* for the next record */
    struct delivery delivery;
    /* how the file is read; `delivery` hashes it at its end */
    char configuration[COLUMNS_FILE_BYTES + 256];
    struct job_quarantine quarantine;
    struct delivery_hold hold;
    struct ingest_summary *summary;
};

/* ---- format ---- */

static bool find_format(struct job_load *load, const char *name, struct error *error)
{
    char known[JOB_FORMAT_NAMES_BYTES];
    load->format = job_format_find(name);
    if (load->format == NULL) {
        error_set(error, ERROR_INPUT, "%s: \"%s\" is not a job format", load->path, name);
        error_hint(error, "known: %s (docs/formats.md); sources.csv or --format names the format of a source",
                   job_format_names(known));
    }
    return load->format != NULL;
}

/* Finds the format by the file. If no format knows the file, the reader of sacct says what is
 * wrong. */
static bool detect_format(struct job_load *load, struct error *error)
{
    const struct delivery_request *request = load->request;
    struct job_detection found;
    if (!job_detect(load->path, &load->options, &found, error))
        return false;
    load->is_detected = found.count == 1;
    load->format = found.count > 0 ? found.formats[0] : &sacct_format;
    if (found.count < 2)
        return true;
    const char *first = found.formats[0]->name, *second = found.formats[1]->name;
    error_set(error, ERROR_INPUT, "%s: may be of format %s or %s, and fits both", load->path, first, second);
    error_hint(error, "add one of these rows to sources.csv: %s,jobs,%s or %s,jobs,%s", request->source,
               first, request->source, second);
    return false;
}

static bool is_bill(const char *path)
{
    struct billing_detection found;
    struct error unreadable = { 0 };
    bool is = billing_detect(path, &found, &unreadable) && found.format != NULL;
    billing_detection_free(&found);
    return is;
}

/* Lists the known formats. A file that no format recognises is read as sacct, and an error of that
 * reader alone would mislead. */
static void say_unrecognised(const struct job_load *load, struct error *error)
{
    char known[JOB_FORMAT_NAMES_BYTES];
    const struct error as_sacct = *error;
    error_set(error, ERROR_INPUT, "%s: no format recognises the file by its first record", load->path);
    error_detail(error, "read as sacct: %s", as_sacct.message);
    error_hint(error,
               "add the row %s,jobs,FORMAT to sources.csv, with one of %s; and the delimiter, if not , or |",
               load->request->source, job_format_names(known));
}

/* After a refusal: hints at the row of sources.csv for another format. */
static void hint_format(const struct job_load *load, struct error *error)
{
    const char *source = load->request->source;
    struct job_detection found;
    struct error unreadable = { 0 };
    if (error->kind != ERROR_INPUT || load->format == NULL || load->request->format != NULL ||
        !job_detect(load->path, &load->options, &found, &unreadable))
        return;
    if (found.count == 1 && found.formats[0] != load->format)
        error_hint(error,
                   "it was read as %s, and is of format %s: sources.csv must have the row %s,jobs,%s, and no "
                   "other of this source and kind",
                   load->format->name, found.formats[0]->name, source, found.formats[0]->name);
    else if (error->hint[0] != '\0')
        ;
    else if (found.count == 0 && is_bill(load->path)) {
        error_set(error, ERROR_INPUT, "%s: this is a bill", load->path);
        error_hint(error, "give it to kstar ingest billing, or put it into billing/SOURCE/ of the inbox");
    } else if (found.count == 0 && !load->is_declared)
        say_unrecognised(load, error);
}

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* If something has that name, it must be a readable file: without its columns, kstar would misread
 * the records. */
static bool columns_file_is_there(const char *beside, bool *is_there, struct error *error)
{
    struct stat status;
    *is_there = lstat(beside, &status) == 0 || errno != ENOENT;
    return !*is_there || path_is_readable(beside, error);
}

/* Joins lines of names to one list with commas. A line may be empty, or end with a comma or CR. */
static size_t join_lines(char *names)
{
    size_t used = 0;
    char *rest = NULL;
    for (char *line = strtok_r(names, "\r\n", &rest); line != NULL; line = strtok_r(NULL, "\r\n", &rest)) {
        size_t length = strlen(line);
        while (length > 0 && strchr(" \t,", line[length - 1]) != NULL)
            length--;
        if (length > 0 && used > 0)
            names[used++] = ',';
        /* moves left: a comma replaces a line's end */
        memmove(names + used, line, length);
        used += length;
    }
    names[used] = '\0';
    return used;
}

static bool read_columns(struct job_load *load, const char *beside, struct error *error)
{
    FILE *file = delivered_file_stream(beside, error);
    if (file == NULL)
        return false;
    size_t length = fread(load->columns, 1, sizeof load->columns - 1, file);
    bool ok = !ferror(file) && feof(file);
    fclose(file);
    if (!ok)
        return error_set(error, ERROR_INPUT, "%s: cannot be read, or is longer than 16 KiB", beside);
    load->columns[length] = '\0';
    if (join_lines(load->columns) > 0)
        load->options.columns = load->columns;
    return true;
}

/* Reads column names, one per line or separated by commas, from a file `columns` beside the
 * delivery. */
static bool read_columns_file(struct job_load *load, struct error *error)
{
    char *folder = strndup(load->path, (size_t)(file_name(load->path) - load->path));
    char *beside = path_join(folder, columns_file);
    bool is_there;
    bool ok =
        columns_file_is_there(beside, &is_there, error) && (!is_there || read_columns(load, beside, error));
    free(beside);
    free(folder);
    return ok;
}

static bool configure(struct job_load *load, struct error *error)
{
    const struct delivery_request *request = load->request;
    const char *parameters[] = { request->source };
    load->source = database_query_file(load->connection, "ingest/jobs_source.sql", 1, parameters, error);
    if (load->source == NULL)
        return false;
    load->time_zone = PQgetvalue(load->source, 0, 1);
    load->options.delimiter = PQgetisnull(load->source, 0, 2) ? NULL : PQgetvalue(load->source, 0, 2);
    load->options.clock_may_go_back = result_flag(load->source, 0, 3);
    load->record_nodes_maximum = strtoll(PQgetvalue(load->source, 0, 4), NULL, 10);
    load->file_nodes_maximum = strtoll(PQgetvalue(load->source, 0, 5), NULL, 10);
    load->options.nodes_left = &load->nodes_left;
    load->options.horizon_gap = strtoll(PQgetvalue(load->source, 0, 6), NULL, 10);
    load->options.horizon = (struct job_time){ .known = !PQgetisnull(load->source, 0, 7),
                                               .at = strtoll(PQgetvalue(load->source, 0, 7), NULL, 10) };
    if (request->delimiter != NULL)
        load->options.delimiter = request->delimiter;
    load->options.columns = request->columns;
    if (request->columns == NULL && !read_columns_file(load, error))
        return false;
    const char *declared = PQgetisnull(load->source, 0, 0) ? NULL : PQgetvalue(load->source, 0, 0);
    const char *detected = PQgetisnull(load->source, 0, 8) ? NULL : PQgetvalue(load->source, 0, 8);
    load->is_declared = request->format != NULL || declared != NULL;
    if (load->is_declared)
        return find_format(load, request->format != NULL ? request->format : declared, error);
    load->is_of_file = detected == NULL;
    return detected != NULL ? find_format(load, detected, error) : detect_format(load, error);
}

/* ---- records ---- */

static bool has_possible_names(struct job_record *record)
{
    const struct {
        const char *column;
        struct text_slice text;
    } names[] = { { "cluster", record->cluster },
                  { "job id", record->job_id },
                  { "raw job id", record->job_id_raw } };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (names[i].text.length > KEY_TEXT_MAXIMUM) {
            record->wrong_column = names[i].column;
            snprintf(record->reason, sizeof record->reason, KEY_TEXT_PROBLEM);
            return false;
        }
    }
    return true;
}

static bool has_possible_numbers(struct job_record *record)
{
    const struct {
        const char *column, *unit;
        int64_t value, most;
    } numbers[] = {
        { "elapsed time", " seconds", record->elapsed_seconds, LONGEST_SECONDS },
        { "suspended time", " seconds", record->suspended_seconds, LONGEST_SECONDS },
        { "CPUs", "", record->cpus, INT32_MAX },
        { "accelerators", "", record->accelerators, INT32_MAX },
    };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        if (numbers[i].value > numbers[i].most) {
            record->wrong_column = numbers[i].column;
            snprintf(record->reason, sizeof record->reason, "%" PRId64 "%s is more than any job has",
                     numbers[i].value, numbers[i].unit);
            return false;
        }
    }
    return true;
}

/* How many nodes the records of a file may name, up to and including the next record. Each record
 * allows some, more than jobs of the largest machines have on average, so that a long file may name
 * more. */
static int64_t next_file_maximum(const struct job_load *load)
{
    int64_t by_records = NODES_PER_RECORD * (load->naming_records + 1);
    return by_records > load->file_nodes_maximum ? by_records : load->file_nodes_maximum;
}

static void find_nodes_left(struct job_load *load)
{
    int64_t of_file = next_file_maximum(load) - load->named_nodes;
    load->nodes_left = of_file < load->record_nodes_maximum ? of_file : load->record_nodes_maximum;
}

/* Limits the nodes that records name. Each is stored, but a hundred bytes can name 65,536 nodes,
 * and a small file enough to fill a disk. */
static bool has_possible_nodes(struct job_load *load, struct job_record *record)
{
    int64_t names = record->listed_names + (int64_t)record->hold_count;
    int64_t file_maximum = next_file_maximum(load);
    load->naming_records++;
    bool is_record = names > load->record_nodes_maximum;
    if (!is_record && names <= file_maximum - load->named_nodes) {
        load->named_nodes += names;
        return true;
    }
    record->wrong_column = "node list";
    snprintf(record->reason, sizeof record->reason,
             "names %" PRId64 " nodes, and %s allows %s %" PRId64
             ": correct the list, or raise the limit in settings.csv",
             names, is_record ? "limit_record_nodes" : "limit_file_nodes",
             is_record ? "a record" : "the records of a file",
             is_record ? load->record_nodes_maximum : file_maximum);
    return false;
}

/* Whether the numbers and the names in keys are possible for a job. A record with a typing error is
 * quarantined, so that it does not stop every night. */
static bool is_possible(struct job_load *load, struct job_record *record)
{
    return has_possible_names(record) && has_possible_numbers(record) && has_possible_nodes(load, record);
}

static bool stage_records(struct job_load *load, void *reader, struct job_staging *staging,
                          struct error *error)
{
    struct job_record record;
    struct progress progress;
    enum job_outcome outcome;
    progress_start(&progress, load->summary->label, load->format->size(reader));
    find_nodes_left(load);
    while ((outcome = load->format->next(reader, &record, error)) != JOB_END && outcome != JOB_FAILED) {
        if (outcome == JOB_RECORD && is_possible(load, &record))
            job_staging_put(staging, load->request->source, &record);
        else if (outcome == JOB_RECORD || outcome == JOB_QUARANTINED)
            job_quarantine_put(&load->quarantine, record.line, record.wrong_column, record.reason,
                               record.raw);
        else
            load->summary->ignored++;
        find_nodes_left(load);
        progress_update(&progress, load->format->position(reader));
    }
    progress_end(&progress);
    return outcome == JOB_END;
}

static bool stage(struct job_load *load, struct error *error)
{
    struct job_staging staging = { 0 };
    bool ok = false;
    void *reader = load->format->open(load->format, load->path, &load->options, error);
    if (reader == NULL || !job_staging_begin(&staging, load->connection, load->time_zone,
                                             load->options.clock_may_go_back, error))
        goto done;
    if (!stage_records(load, reader, &staging, error))
        goto done;
    ok = job_staging_end(&staging, &load->summary->rows, error);
    if (ok && load->format->snapshot != NULL) {
        struct job_snapshot snapshot = { 0 };
        load->format->snapshot(reader, &snapshot);
        job_horizon_warn_snapshot(load->request->source, &snapshot, load->summary);
        ok = job_staging_put_snapshot(load->connection, &snapshot, error);
    }
done:
    job_staging_discard(&staging);
    load->format->close(reader);
    return ok;
}

/* ---- from records to attempts ---- */

/* Converts clock times to points in time. Only here it shows which times the zone of the source
 * has. */
static bool place_in_time(struct job_load *load, struct error *error)
{
    const char *zone[] = { load->time_zone };
    if (!database_run_query(load->connection, "ingest/jobs_time.sql", 1, zone, error))
        return false;
    PGresult *unplaced = database_query_file(load->connection, "ingest/jobs_unplaced.sql", 1, zone, error);
    if (unplaced == NULL)
        return false;
    for (int i = 0; i < PQntuples(unplaced); i++) {
        size_t length = 0;
        unsigned char *raw = PQunescapeBytea((const unsigned char *)PQgetvalue(unplaced, i, 3), &length);
        job_quarantine_put(&load->quarantine, strtoll(PQgetvalue(unplaced, i, 0), NULL, 10),
                           PQgetvalue(unplaced, i, 1), PQgetvalue(unplaced, i, 2),
                           (struct text_slice){ (const char *)raw, raw ? length : 0 });
        PQfreemem(raw);
        load->summary->rows--;
    }
    load->summary->quarantined = load->quarantine.count;
    PQclear(unplaced);
    return true;
}

/* A file without a readable record is refused: it has another format than the source. A file whose
 * records are mostly unreadable is held. */
static bool check_readable(struct job_load *load, struct error *error)
{
    const struct ingest_summary *summary = load->summary;
    int64_t readable = summary->rows + summary->ignored;
    if (summary->quarantined == 0)
        return true;
    if (!load->request->strict && readable > 0) {
        if (!load->request->accept)
            delivery_guard_unreadable(file_name(load->path), summary->quarantined,
                                      summary->quarantined + readable, load->quarantine.shown[0],
                                      load->hold.reason, sizeof load->hold.reason);
        return load->hold.reason[0] == '\0';
    }
    error_set(error, ERROR_INPUT, "%s, %s", load->path, load->quarantine.shown[0]);
    if (readable == 0)
        error_detail(error, "none of its %" PRId64 " records could be read", summary->quarantined);
    else
        error_detail(error, "the first of %" PRId64 " records that cannot be read (--strict)",
                     summary->quarantined);
    return false;
}

static bool check_collision(struct job_load *load, struct error *error)
{
    const char *parameters[] = { load->request->source };
    PGresult *result =
        database_query_file(load->connection, "ingest/jobs_collision.sql", 1, parameters, error);
    if (result == NULL)
        return false;
    bool ok = PQntuples(result) == 0;
    if (!ok)
        error_set(error, ERROR_INPUT, "%s: attempts \"%s\" and \"%s\" have the same number (attempt_id)",
                  load->path, PQgetvalue(result, 0, 0), PQgetvalue(result, 0, 1));
    PQclear(result);
    return ok;
}

/* Runs a query that returns a row with a reason if the delivery must wait. Returns false if it
 * must, or if the query fails. */
static bool hold_for(struct job_load *load, const char *query, struct error *error)
{
    const char *parameters[] = { load->request->source };
    PGresult *result = database_query_file(load->connection, query, 1, parameters, error);
    if (result == NULL)
        return false;
    bool held = PQntuples(result) > 0;
    if (held)
        snprintf(load->hold.reason, sizeof load->hold.reason, "%s", PQgetvalue(result, 0, 0));
    PQclear(result);
    return !held;
}

/* Holds a file if over a tenth of its runs are known under another source or cluster, or if its
 * records lack a fact, such as the nodes, that is known of most of its runs. Two files are not
 * held: a snapshot, which shows the state of its own source, and a file that was loaded before and
 * is read again by another build of kstar. */
static bool check_known(struct job_load *load, struct error *error)
{
    return load->request->accept || load->format->snapshot != NULL || load->delivery.former != 0 ||
           (hold_for(load, "ingest/jobs_repeated.sql", error) &&
            hold_for(load, "ingest/jobs_poorer.sql", error));
}

static bool log_counts(struct job_load *load, struct error *error)
{
    char delivery_id[16];
    snprintf(delivery_id, sizeof delivery_id, "%d", load->delivery.id);
    const char *const parameters[] = { load->request->source, delivery_id };
    PGresult *result = database_query_file(load->connection, "ingest/jobs_counts.sql", 2, parameters, error);
    if (result == NULL)
        return false;
    const char *source = load->request->source, *unknown_states = PQgetvalue(result, 0, 5);
    log_event(
        LOG_INFO, "ingest",
        "kind=jobs source=\"%s\" label=\"%s\" records=%s superseded=%s stored=%s unchanged=%s never_started=%s running=%s "
        "ignored=%" PRId64 " quarantined=%" PRId64,
        source, load->summary->label, PQgetvalue(result, 0, 0), PQgetvalue(result, 0, 1),
        PQgetvalue(result, 0, 2), PQgetvalue(result, 0, 14), PQgetvalue(result, 0, 3),
        PQgetvalue(result, 0, 4), load->summary->ignored, load->summary->quarantined);
    if (strcmp(unknown_states, "0") != 0)
        log_event(LOG_WARNING, "unknown_state", "source=\"%s\" jobs=%s state=\"%s\"", source, unknown_states,
                  PQgetvalue(result, 0, 6));
    if (strcmp(PQgetvalue(result, 0, 15), "0") != 0)
        log_event(LOG_WARNING, "no_hours",
                  "source=\"%s\" jobs=%s note=\"they completed, and their records have no start, or no nodes "
                  "and no time\"",
                  source, PQgetvalue(result, 0, 15));
    if (strcmp(PQgetvalue(result, 0, 7), "0") != 0)
        log_event(LOG_WARNING, "node_counts_differ", "source=\"%s\" jobs=%s", source,
                  PQgetvalue(result, 0, 7));
    if (strcmp(PQgetvalue(result, 0, 8), "0") != 0)
        log_event(LOG_WARNING, "elapsed_differs",
                  "source=\"%s\" jobs=%s note=\"End - Start is not Elapsed: is the time zone right?\"",
                  source, PQgetvalue(result, 0, 8));
    if (strcmp(PQgetvalue(result, 0, 9), "0") != 0)
        log_event(LOG_WARNING, "jobs_gone",
                  "source=\"%s\" jobs=%s note=\"they ran when they were last seen, and are there no more\"",
                  source, PQgetvalue(result, 0, 9));
    if (strcmp(PQgetvalue(result, 0, 10), "0") != 0)
        log_event(LOG_WARNING, "jobs_unnamed",
                  "source=\"%s\" jobs=%s note=\"they run on: the file shows nothing of their namespace and "
                  "kind, or is an old one\"",
                  source, PQgetvalue(result, 0, 10));
    if (strcmp(PQgetvalue(result, 0, 11), "0") != 0)
        log_event(
            LOG_WARNING, "unknown_nodes",
            "source=\"%s\" jobs=%s nodes=%s known=%s note=\"they name more than twice the nodes that their "
            "cluster is known to have: are their node lists right?\"",
            source, PQgetvalue(result, 0, 11), PQgetvalue(result, 0, 12), PQgetvalue(result, 0, 13));
    PQclear(result);
    return true;
}

/* If the format lists all running jobs (job_format.h): records up to when this file reports, for
 * the running jobs that it names and for its clusters. */
static bool note_listed(struct job_load *load, const char *const *source, struct error *error)
{
    return !load->format->lists_runs ||
           (database_run_query(load->connection, "ingest/jobs_extent.sql", 1, source, error) &&
            database_run_file(load->connection, "ingest/jobs_exported_to.sql", error) &&
            database_run_query(load->connection, "ingest/jobs_listing.sql", 1, source, error));
}

/* A running attempt ends at the latest when a later attempt of its job begins. A snapshot itself
 * shows which of its jobs run on. */
static bool note_followed(struct job_load *load, const char *const *source, struct error *error)
{
    return load->format->snapshot != NULL ||
           (database_run_query(load->connection, "ingest/jobs_open.sql", 1, source, error) &&
            database_run_query(load->connection, "ingest/jobs_followed.sql", 1, source, error));
}

/* For a file that another version of kstar read: keeps attempts that began in a closed month, or
 * that a later delivery has a record of. */
static bool keep_others(struct job_load *load, struct error *error)
{
    char former[16];
    const char *const parameters[] = { former };
    snprintf(former, sizeof former, "%d", load->delivery.former);
    return load->delivery.former == 0 ||
           (database_run_query(load->connection, "ingest/jobs_kept.sql", 1, parameters, error) &&
            database_run_file(load->connection, "ingest/jobs_without_kept.sql", error));
}

static bool store(struct job_load *load, struct error *error)
{
    char delivery_id[16];
    snprintf(delivery_id, sizeof delivery_id, "%d", load->delivery.id);
    const char *const source[] = { load->request->source };
    const char *const delivery[] = { delivery_id, load->format->snapshot != NULL ? "true" : "false" };
    return database_run_file(load->connection, "ingest/jobs_recorded.sql", error) &&
           database_run_file(load->connection, "ingest/jobs_unchanged.sql", error) &&
           place_in_time(load, error) && check_readable(load, error) &&
           (load->format->snapshot != NULL ||
            database_run_query(load->connection, "ingest/jobs_same_run.sql", 1, source, error)) &&
           database_run_query(load->connection, "ingest/jobs_attempts.sql", 1, source, error) &&
           check_collision(load, error) && check_known(load, error) && keep_others(load, error) &&
           (load->format->snapshot == NULL ||
            database_run_query(load->connection, "ingest/jobs_known.sql", 1, source, error)) &&
           database_run_query(load->connection, "ingest/jobs_store.sql", 1, source, error) &&
           database_run_query(load->connection, "ingest/jobs_places.sql", 1, delivery, error) &&
           database_run_file(load->connection, "ingest/jobs_store_nodes.sql", error) &&
           (load->format->snapshot == NULL ||
            database_run_file(load->connection, "ingest/jobs_over.sql", error)) &&
           database_run_query(load->connection, "ingest/jobs_resized.sql", 1, source, error) &&
           database_run_query(load->connection, "ingest/jobs_records_to.sql", 2, delivery, error) &&
           job_horizon_put(load->connection, load->request->source, load->summary, error) &&
           note_listed(load, source, error) && note_followed(load, source, error) && log_counts(load, error);
}

/* ---- interface ---- */

static bool remember_format(const struct job_load *load, struct error *error)
{
    const char *const parameters[] = { load->request->source, "jobs", load->format->name };
    return !load->is_detected ||
           database_run_query(load->connection, "ingest/format_remember.sql", 3, parameters, error);
}

static bool load_delivery(struct job_load *load, struct error *error)
{
    struct ingest_summary *summary = load->summary;
    struct delivery *delivery = &load->delivery;
    if (!configure(load, error))
        return false;
    /* a delivery that is read in another way is another delivery */
    snprintf(load->configuration, sizeof load->configuration, "%s %s %s %s", load->format->name,
             load->time_zone, load->options.delimiter ? load->options.delimiter : "",
             load->options.columns ? load->options.columns : "");
    known_deliveries_note(load->request->known, load->is_of_file ? NULL : load->configuration);
    if (!delivery_of_file_open(delivery, load->connection, "jobs", load->request->source, load->path,
                               load->configuration, summary, error) ||
        !delivery_guard_forget(load->connection, load->request->source, summary->label, error))
        return false;
    return summary->unchanged ||
           (job_quarantine_begin(&load->quarantine, delivery->id, delivery->files[0].file_id, error) &&
            database_run_file(load->connection, "ingest/jobs_staging.sql", error) && stage(load, error) &&
            store(load, error) && remember_format(load, error) &&
            job_quarantine_end(&load->quarantine, load->connection, error) &&
            delivery_close(delivery, load->connection, summary->rows, summary->quarantined, error));
}

/* Records that the delivery is held. Returns false. */
static bool hold_back(struct job_load *load, struct error *error)
{
    const struct delivery_request *request = load->request;
    const char *label = load->summary->label;
    const struct delivery_named named = { .kind = "jobs",
                                          .answered = "",
                                          .source = request->source,
                                          .label = label,
                                          .inbox = request->inbox,
                                          .path_count = 1,
                                          .paths = &load->path };
    delivery_answers_write(&named, &load->hold);
    return delivery_guard_remember(&load->delivery, load->connection, request->source, label, request->inbox,
                                   &load->hold, error) &&
           delivery_guard_refuse(label, &load->hold, error);
}

/* Finds out whether known runs would hold the delivery, and why. */
static bool preview_hold(struct job_load *load, struct ingest_preview *preview, struct error *error)
{
    const char *const source[] = { load->request->source };
    if (preview->held[0] != '\0' || load->format->snapshot != NULL)
        return true;
    if (!database_run_file(load->connection, "ingest/jobs_recorded.sql", error) ||
        !database_run_query(load->connection, "ingest/jobs_same_run.sql", 1, source, error) ||
        !database_run_query(load->connection, "ingest/jobs_attempts.sql", 1, source, error) ||
        (!check_known(load, error) && load->hold.reason[0] == '\0'))
        return false;
    snprintf(preview->held, sizeof preview->held, "%.*s", (int)sizeof preview->held - 1, load->hold.reason);
    return true;
}

/* Shows what loading would store, as far as the records alone show it. */
static bool preview_delivery(struct job_load *load, struct ingest_preview *preview, struct error *error)
{
    const struct ingest_summary *summary = load->summary;
    if (!configure(load, error) || !job_quarantine_begin(&load->quarantine, 0, 0, error) ||
        !database_run_file(load->connection, "ingest/jobs_staging.sql", error) || !stage(load, error) ||
        !place_in_time(load, error))
        return false;
    preview->files = 1;
    preview->rows = summary->rows;
    preview->quarantined = summary->quarantined;
    preview->ignored = summary->ignored;
    preview->is_detected = load->is_detected;
    snprintf(preview->format, sizeof preview->format, "%s", load->format->name);
    _Static_assert(sizeof preview->quarantine <= sizeof load->quarantine.shown, "as many are shown");
    memcpy(preview->quarantine, load->quarantine.shown, sizeof preview->quarantine);
    delivery_guard_unreadable(file_name(load->path), summary->quarantined,
                              summary->quarantined + summary->rows + summary->ignored,
                              load->quarantine.shown[0], preview->held, sizeof preview->held);
    if (!preview_hold(load, preview, error))
        return false;
    PGresult *work = database_query_file(load->connection, "ingest/jobs_preview.sql", 0, NULL, error);
    if (work != NULL && PQntuples(work) == 1)
        snprintf(preview->work, sizeof preview->work, "%s", PQgetvalue(work, 0, 0));
    PQclear(work);
    return work != NULL;
}

bool ingest_jobs_preview(PGconn *connection, const struct delivery_request *request,
                         struct ingest_preview *preview, struct error *error)
{
    struct ingest_summary summary;
    struct job_load load = {
        .connection = connection, .request = request, .path = request->paths[0], .summary = &summary
    };
    *preview = (struct ingest_preview){ 0 };
    delivery_of_file_label(&summary, request->label, load.path, "jobs/%s/", request->source);
    snprintf(preview->label, sizeof preview->label, "%s", summary.label);
    bool ok = delivery_of_file_check(load.path, "jobs", error) && database_begin(connection, error) &&
              preview_delivery(&load, preview, error);
    if (!ok)
        hint_format(&load, error);
    job_quarantine_discard(&load.quarantine);
    PQclear(load.source);
    database_rollback(connection);
    return ok;
}

bool ingest_jobs(PGconn *connection, const struct delivery_request *request, struct ingest_summary *summary,
                 struct error *error)
{
    struct job_load load = {
        .connection = connection, .request = request, .path = request->paths[0], .summary = summary
    };
    delivery_of_file_label(summary, request->label, load.path, "jobs/%s/", request->source);
    if (strcmp(file_name(load.path), columns_file) == 0) {
        summary->unchanged = true;
        return true;
    }
    if (!delivery_of_file_check(load.path, "jobs", error))
        return false;
    if (known_deliveries_has(request->known, load.path, summary->label)) {
        delivery_of_file_unchanged("jobs", request->source, summary);
        return true;
    }
    bool ok = database_begin(connection, error) && load_delivery(&load, error) &&
              database_commit(connection, error);
    database_rollback(connection);
    if (load.hold.reason[0] != '\0')
        hold_back(&load, error);
    else if (!ok)
        hint_format(&load, error);
    job_quarantine_discard(&load.quarantine);
    delivery_free(&load.delivery);
    PQclear(load.source);
    return ok;
}
