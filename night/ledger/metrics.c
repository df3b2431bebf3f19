/* night/ledger/metrics.c: see metrics.h. */
#include "night/ledger/metrics.h"

#include "base/postgres/database.h"
#include "base/system/file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char success[] = "kstar_last_run_success_timestamp_seconds";

static void put_head(FILE *out, const char *name, const char *type, const char *help)
{
    fprintf(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

/* A metric of one sample, a whole number. */
static void put(FILE *out, const char *name, const char *help, int64_t value)
{
    put_head(out, name, "gauge", help);
    fprintf(out, "%s %" PRId64 "\n", name, value);
}

/* ---- the last success ---- */

/* The time in the file that is there now; 0 if there is none. */
static int64_t success_of_file(const char *path)
{
    char line[256];
    int64_t when = 0;
    FILE *file = fopen(path, "re");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, success, sizeof success - 1) == 0 && line[sizeof success - 1] == ' ')
            when = strtoll(line + sizeof success, NULL, 10);
    }
    if (file != NULL)
        fclose(file);
    return when;
}

static int64_t success_of_database(PGconn *connection)
{
    struct error ignored;
    PGresult *result = database_query_file(connection, "run/last_success.sql", 0, NULL, &ignored);
    int64_t when = result != NULL ? strtoll(PQgetvalue(result, 0, 0), NULL, 10) : 0;
    PQclear(result);
    return when;
}

static int64_t last_success(const char *path, PGconn *connection, const struct metrics_run *run, time_t now)
{
    bool is_good =
        run->exit_code == ERROR_NONE || run->exit_code == ERROR_ATTENTION || run->exit_code == ERROR_BUDGET;
    if (is_good && run->number[0] == '\0') /* the ledger does not have this run */
        return now;
    int64_t when = connection != NULL ? success_of_database(connection) : 0;
    return when != 0 ? when : success_of_file(path);
}

/* ---- the file ---- */

static void put_run(FILE *out, const char *path, PGconn *connection, const struct metrics_run *run)
{
    time_t now = time(NULL);
    int64_t when = last_success(path, connection, run, now);
    put_head(out, "kstar_build_info", "gauge", "The version of kstar.");
    fprintf(out, "kstar_build_info{version=\"%s\"} 1\n", KSTAR_VERSION);
    put(out, "kstar_last_run_end_timestamp_seconds", "When the last night ended.", now);
    put_head(out, "kstar_last_run_duration_seconds", "gauge", "How long it took.");
    fprintf(out, "kstar_last_run_duration_seconds %.3f\n", run->seconds);
    put(out, "kstar_last_run_exit_code", "Its exit code: 0, 4 and 8 are good.", run->exit_code);
    if (when != 0)
        put(out, success, "When a night last ended with 0, 4 or 8.", when);
    put(out, "kstar_last_run_peak_memory_bytes", "The most memory that kstar itself held.",
        run->peak_memory_bytes);
}

static bool put_database(FILE *out, PGconn *connection, const struct metrics_run *run, struct error *error)
{
    if (run->is_interrupted && !database_execute(connection, "SET statement_timeout = '1s'", error))
        return false;
    PGresult *samples = database_query_file(connection, "run/metrics.sql", 1, &run->number, error);
    if (samples == NULL)
        return false;
    for (int row = 0; row < PQntuples(samples); row++) {
        const char *name = PQgetvalue(samples, row, 0);
        if (row == 0 || strcmp(name, PQgetvalue(samples, row - 1, 0)) != 0)
            put_head(out, name, PQgetvalue(samples, row, 1), PQgetvalue(samples, row, 2));
        fprintf(out, "%s%s %s\n", name, PQgetvalue(samples, row, 3), PQgetvalue(samples, row, 4));
    }
    PQclear(samples);
    return true;
}

bool metrics_write(const char *path, PGconn *connection, const struct metrics_run *run, struct error *error)
{
    const unsigned owner_and_group = 0640;
    struct error unasked = { 0 };
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    put_run(out, path, connection, run);
    bool asked = connection == NULL || put_database(out, connection, run, &unasked);
    fclose(out);
    /* write what is known, even if the database gave no values */
    bool ok = file_write(path, text, length, owner_and_group, error);
    free(text);
    if (ok && !asked)
        *error = unasked;
    return ok && asked;
}
