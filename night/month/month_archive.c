/* night/month/month_archive.c: the parts of a month's charges, stored when the month is closed, or
 * earlier for readers (month.h, docs/explain.md).
 *
 * PostgreSQL sends the rows as CSV, ordered by cost centre. A chunk has rows of one cost centre, at
 * most CHUNK_BYTES of CSV, and is compressed with gzip. Chunks wait in a temporary file while the
 * connection is busy with rows. */
#include "night/month/month.h"

#include "base/postgres/copy_stream.h"
#include "base/postgres/database.h"
#include "base/postgres/sql_catalogue.h"
#include "base/text/gzip_chunk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK_BYTES = 2 << 20 };

struct archive {
    struct copy_stream spool;
    struct gzip_chunk chunk;
    int32_t chunk_no, owner_no, row_count;
    int32_t *attempts; /* of the chunk, with repetitions */
    size_t attempt_count, attempt_capacity;
};

static int by_number(const void *one, const void *other)
{
    int32_t a = *(const int32_t *)one, b = *(const int32_t *)other;
    return (a > b) - (a < b);
}

/* The distinct attempts of the chunk as an array of PostgreSQL. The caller frees it. */
static char *attempts_text(struct archive *archive)
{
    enum { LONGEST = 13 }; /* ",-1234567890" and its end */
    char *text = malloc(LONGEST * (archive->attempt_count + 1));
    size_t used = 1;
    text[0] = '{';
    if (archive->attempt_count > 1)
        qsort(archive->attempts, archive->attempt_count, sizeof *archive->attempts, by_number);
    for (size_t i = 0; i < archive->attempt_count; i++) {
        if (i == 0 || archive->attempts[i] != archive->attempts[i - 1])
            used += (size_t)snprintf(text + used, LONGEST, "%s%d", used > 1 ? "," : "", archive->attempts[i]);
    }
    text[used++] = '}';
    text[used] = '\0';
    return text;
}

static void end_chunk(struct archive *archive)
{
    if (archive->row_count == 0)
        return;
    gzip_chunk_end(&archive->chunk);
    char *attempts = attempts_text(archive);
    copy_row(&archive->spool, 5);
    copy_int4(&archive->spool, archive->chunk_no++);
    copy_int4(&archive->spool, archive->owner_no);
    copy_int4(&archive->spool, archive->row_count);
    copy_text(&archive->spool, attempts, strlen(attempts));
    copy_text(&archive->spool, (const char *)archive->chunk.bytes, archive->chunk.used);
    free(attempts);
    gzip_chunk_begin(&archive->chunk);
    archive->row_count = 0;
    archive->attempt_count = 0;
}

static void add_attempt(struct archive *archive, int32_t attempt)
{
    if (archive->attempt_count > 0 && archive->attempts[archive->attempt_count - 1] == attempt)
        return;
    if (archive->attempt_count == archive->attempt_capacity) {
        archive->attempt_capacity = archive->attempt_capacity == 0 ? 1024 : 2 * archive->attempt_capacity;
        archive->attempts = realloc(archive->attempts, archive->attempt_capacity * sizeof *archive->attempts);
    }
    archive->attempts[archive->attempt_count++] = attempt;
}

/* A row of explain/archive.sql: "owner,attempt,", then the text that is stored. */
static void add_row(struct archive *archive, const char *row, size_t length)
{
    char *end;
    int32_t owner = (int32_t)strtol(row, &end, 10);
    int64_t attempt = (int64_t)strtoll(end + 1, &end, 10);
    size_t skipped = (size_t)(end + 1 - row);
    if (owner != archive->owner_no || archive->chunk.added >= CHUNK_BYTES)
        end_chunk(archive);
    archive->owner_no = owner;
    archive->row_count++;
    if (attempt != 0)
        add_attempt(archive, (int32_t)(uint32_t)(uint64_t)attempt);
    gzip_chunk_add(&archive->chunk, row + skipped, length - skipped);
}

static bool read_rows(PGconn *connection, struct archive *archive, struct error *error)
{
    char *row;
    int length;
    PGresult *begun = PQexec(connection, sql_text("explain/archive.sql"));
    bool ok = PQresultStatus(begun) == PGRES_COPY_OUT ||
              database_error(connection, begun, "explain/archive.sql", error);
    PQclear(begun);
    while (ok && (length = PQgetCopyData(connection, &row, 0)) > 0) {
        add_row(archive, row, (size_t)length);
        PQfreemem(row);
    }
    if (!ok)
        return false;
    end_chunk(archive);
    for (PGresult *end; (end = PQgetResult(connection)) != NULL; PQclear(end)) {
        if (ok && PQresultStatus(end) != PGRES_COMMAND_OK)
            ok = database_error(connection, end, "explain/archive.sql", error);
    }
    return ok;
}

/* Stores all rows of `explained` as chunks of the open month. */
static bool store_rows(PGconn *connection, struct error *error)
{
    struct archive archive = { 0 };
    int64_t count;
    if (!copy_stream_to_spool(&archive.spool, error))
        return false;
    gzip_chunk_open(&archive.chunk);
    bool ok = database_run_file(connection, "explain/archive_codes.sql", error) &&
              database_run_file(connection, "explain/archive_tables.sql", error) &&
              read_rows(connection, &archive, error) && copy_stream_end(&archive.spool, &count, error) &&
              copy_stream_send_spool(&archive.spool, connection,
                                     "COPY archive_chunk FROM STDIN (FORMAT binary)", error) &&
              database_run_file(connection, "explain/store.sql", error);
    gzip_chunk_close(&archive.chunk);
    copy_stream_discard(&archive.spool);
    free(archive.attempts);
    return ok;
}

bool month_archive(PGconn *connection, struct error *error)
{
    return store_rows(connection, error) && database_run_file(connection, "explain/archive_store.sql", error);
}

static bool store_parts(PGconn *connection, const char *month, struct error *error)
{
    return month_parts_check(connection, month, error) &&
           database_run_file(connection, "explain/explained.sql", error) &&
           month_parts_find(connection, NULL, NULL, error) && store_rows(connection, error);
}

bool month_parts_store(PGconn *connection, const char *month, struct error *error)
{
    bool ok = month_begin(connection, &(struct month_work){ .month = month }, error) &&
              store_parts(connection, month, error);
    return month_end(connection, ok, error);
}
