/* ingest/nodes/nodes.c: see nodes.h. The format turns the file into records, and COPY puts them
 * into a temporary table. SQL stores them and makes the inventory (sql/ingest/nodes_*.sql). */
#include "ingest/nodes/nodes.h"

#include "base/log.h"
#include "base/postgres/copy_stream.h"
#include "base/postgres/database.h"
#include "base/text/byte_source.h"
#include "ingest/delivery_of_file.h"
#include "ingest/jobs/job_quarantine.h"
#include "ingest/nodes/node_format.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct node_format *const node_formats[] = {
    &sacctmgr_format,
    &slurmrestd_format,
    &kubernetes_format,
};
enum { FORMAT_COUNT = sizeof node_formats / sizeof node_formats[0], GUESS_BYTES = 16 << 10 };

static const char staged_copy[] =
    "COPY staged_node (line, cluster, node, resource_id, node_type, accelerators, cpus, start_clock, "
    "end_clock, has_offset, seen_at) FROM STDIN (FORMAT binary)";
enum { STAGED_COLUMNS = 11 };

struct node_load {
    PGconn *connection;
    const struct delivery_request *request;
    const char *path; /* its file */
    const struct node_format *format;
    PGresult *source; /* owns the values of sources.csv */
    const char *time_zone, *delimiter;
    char configuration[256]; /* how the file is read; `delivery` hashes it at its end */
    struct delivery delivery;
    struct job_quarantine quarantine;
    struct ingest_summary *summary;
};

/* ---- format ---- */

static bool find_format(struct node_load *load, const char *name, struct error *error)
{
    char known[128] = "";
    for (int i = 0; i < FORMAT_COUNT; i++) {
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", i > 0 ? ", " : "", node_formats[i]->name);
        if (strcmp(node_formats[i]->name, name) == 0)
            load->format = node_formats[i];
    }
    if (load->format == NULL) {
        error_set(error, ERROR_INPUT, "%s: \"%s\" is not a format of node inventory", load->path, name);
        error_hint(error, "known: %s (docs/nodes.md); sources.csv or --format names the format of a source",
                   known);
    }
    return load->format != NULL;
}

/* Guesses the format by the beginning of the file: text, or one of two kinds of JSON. */
static bool guess_format(struct node_load *load, struct error *error)
{
    char beginning[GUESS_BYTES + 1];
    size_t used = 0, got = 1;
    struct byte_source *source = byte_source_open(load->path, 0, 0, error);
    bool ok = source != NULL;
    while (ok && got > 0 && used < GUESS_BYTES) {
        ok = byte_source_read(source, beginning + used, GUESS_BYTES - used, &got, error);
        used += ok ? got : 0;
    }
    byte_source_close(source);
    beginning[used] = '\0';
    const char *first = beginning + strspn(beginning, "\xef\xbb\xbf \t\r\n\x1e");
    if (*first != '{' && *first != '[')
        load->format = &sacctmgr_format;
    else if (strstr(first, "\"instances\"") != NULL || strstr(first, "\"node_name\"") != NULL)
        load->format = &slurmrestd_format;
    else
        load->format = &kubernetes_format;
    return ok;
}

static bool configure(struct node_load *load, struct error *error)
{
    const struct delivery_request *request = load->request;
    const char *parameters[] = { request->source };
    load->source = database_query_file(load->connection, "ingest/nodes_source.sql", 1, parameters, error);
    if (load->source == NULL)
        return false;
    const char *declared = PQgetisnull(load->source, 0, 0) ? NULL : PQgetvalue(load->source, 0, 0);
    load->time_zone = PQgetvalue(load->source, 0, 1);
    load->delimiter = PQgetisnull(load->source, 0, 2) ? NULL : PQgetvalue(load->source, 0, 2);
    if (request->format != NULL || declared != NULL)
        return find_format(load, request->format != NULL ? request->format : declared, error);
    return guess_format(load, error);
}

/* ---- records ---- */

/* `timestamp` and `timestamptz` have the same wire form. */
static void put_time(struct copy_stream *rows, struct node_time time)
{
    if (time.known)
        copy_timestamptz(rows, time.at);
    else
        copy_null(rows);
}

static void put_count(struct copy_stream *rows, int64_t count)
{
    if (count >= 0 && count <= INT32_MAX)
        copy_int4(rows, (int32_t)count);
    else
        copy_null(rows);
}

static void put_record(struct copy_stream *rows, const char *source, const struct node_record *record)
{
    struct text_slice own = { source, strlen(source) };
    copy_row(rows, STAGED_COLUMNS);
    copy_int8(rows, record->line);
    copy_slice(rows, record->cluster.length > 0 ? record->cluster : own);
    copy_slice(rows, record->node);
    copy_slice(rows, record->resource_id);
    copy_slice(rows, record->node_type);
    put_count(rows, record->accelerators);
    put_count(rows, record->cpus);
    put_time(rows, record->start);
    put_time(rows, record->end);
    copy_bool(rows, record->has_offset);
    put_time(rows, record->seen);
}

static bool stage_records(struct node_load *load, void *reader, struct copy_stream *rows, struct error *error)
{
    struct node_record record;
    enum node_outcome outcome;
    while ((outcome = load->format->next(reader, &record, error)) != NODE_END && outcome != NODE_FAILED) {
        if (outcome == NODE_RECORD)
            put_record(rows, load->request->source, &record);
        else if (outcome == NODE_QUARANTINED)
            job_quarantine_put(&load->quarantine, record.line, record.wrong_column, record.reason,
                               record.raw);
        else
            load->summary->ignored++;
    }
    return outcome == NODE_END && copy_stream_end(rows, &load->summary->rows, error);
}

/* Refuses a file without a readable record: it has another format than the source. */
static bool check_readable(const struct node_load *load, struct error *error)
{
    const struct ingest_summary *summary = load->summary;
    if (summary->quarantined == 0 || (!load->request->strict && summary->rows + summary->ignored > 0))
        return true;
    error_set(error, ERROR_INPUT, "%s, %s", load->path, load->quarantine.shown[0]);
    error_detail(error, "%" PRId64 " of its %" PRId64 " records could not be read", summary->quarantined,
                 summary->quarantined + summary->rows + summary->ignored);
    return false;
}

static bool stage(struct node_load *load, struct error *error)
{
    struct copy_stream rows = { 0 };
    void *reader = load->format->open(load->path, load->delimiter, error);
    bool ok = reader != NULL && copy_stream_to_connection(&rows, load->connection, staged_copy, error) &&
              stage_records(load, reader, &rows, error);
    copy_stream_discard(&rows);
    load->format->close(reader);
    load->summary->quarantined = load->quarantine.count;
    return ok && check_readable(load, error);
}

/* ---- interface ---- */

/* Logs how many nodes a snapshot ends. If these are most nodes, the snapshot may be of other nodes
 * than the one before. */
static bool log_gone(struct node_load *load, const char *const *parameters, struct error *error)
{
    PGresult *result = database_query_file(load->connection, "ingest/nodes_gone.sql", 2, parameters, error);
    if (result == NULL)
        return false;
    long long gone = strtoll(PQgetvalue(result, 0, 0), NULL, 10),
              nodes = strtoll(PQgetvalue(result, 0, 1), NULL, 10);
    PQclear(result);
    bool most = 2 * gone > nodes;
    if (gone > 0)
        log_event(most ? LOG_WARNING : LOG_INFO, "nodes_gone",
                  "source=\"%s\" label=\"%s\" gone=%lld of=%lld note=\"%s\"", load->request->source,
                  load->summary->label, gone, nodes,
                  most ? "is it a snapshot of the same nodes as the one before?" : "");
    return true;
}

static bool store(struct node_load *load, struct error *error)
{
    char delivery_id[16];
    snprintf(delivery_id, sizeof delivery_id, "%d", load->delivery.id);
    const char *parameters[] = { load->request->source, delivery_id, load->time_zone,
                                 load->format->is_snapshot ? "true" : "false" };
    const char *in_zone[] = { load->request->source, load->time_zone };
    return (load->format->is_snapshot
                ? database_run_query(load->connection, "ingest/nodes_snapshot.sql", 2, parameters, error)
                : database_run_query(load->connection, "ingest/nodes_zone.sql", 2, in_zone, error)) &&
           database_run_query(load->connection, "ingest/nodes_store.sql", 4, parameters, error) &&
           (!load->format->is_snapshot || log_gone(load, parameters, error)) &&
           database_run_file(load->connection, "ingest/nodes_resolve.sql", error);
}

static bool load_delivery(struct node_load *load, struct error *error)
{
    struct ingest_summary *summary = load->summary;
    struct delivery *delivery = &load->delivery;
    const char *source = load->request->source;
    if (!configure(load, error))
        return false;
    /* a delivery that is read in another way is another delivery */
    snprintf(load->configuration, sizeof load->configuration, "%s %s %s", load->format->name, load->time_zone,
             load->delimiter ? load->delimiter : "");
    if (!delivery_of_file_open(delivery, load->connection, "nodes", source, load->path, load->configuration,
                               summary, error))
        return false;
    if (summary->unchanged)
        return true;
    bool ok = job_quarantine_begin(&load->quarantine, delivery->id, delivery->files[0].file_id, error) &&
              database_run_file(load->connection, "ingest/nodes_staging.sql", error) && stage(load, error) &&
              store(load, error) && job_quarantine_end(&load->quarantine, load->connection, error) &&
              delivery_close(delivery, load->connection, summary->rows, summary->quarantined, error);
    for (int64_t i = 0;
         ok && load->request->dry_run && i < load->quarantine.count && i < JOB_QUARANTINE_SHOWN; i++)
        log_event(LOG_WARNING, "quarantined", "message=\"%s, %s\"", load->path, load->quarantine.shown[i]);
    if (ok && !load->request->dry_run)
        log_event(LOG_INFO, "ingest",
                  "kind=nodes source=\"%s\" label=\"%s\" format=%s rows=%" PRId64 " ignored=%" PRId64
                  " quarantined=%" PRId64,
                  source, summary->label, load->format->name, summary->rows, summary->ignored,
                  summary->quarantined);
    return ok;
}

bool ingest_nodes(PGconn *connection, const struct delivery_request *request, struct ingest_summary *summary,
                  struct error *error)
{
    struct node_load load = {
        .connection = connection, .request = request, .path = request->paths[0], .summary = summary
    };
    delivery_of_file_label(summary, request->label, load.path, "nodes/%s/", request->source);
    if (!delivery_of_file_check(load.path, "nodes", error))
        return false;
    bool ok = database_begin(connection, error) && load_delivery(&load, error) &&
              (request->dry_run || database_commit(connection, error));
    job_quarantine_discard(&load.quarantine);
    delivery_free(&load.delivery);
    PQclear(load.source);
    database_rollback(connection);
    return ok;
}
