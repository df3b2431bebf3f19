/* ingest/jobs/job_horizon.c: see job_horizon.h. */
#include "ingest/jobs/job_horizon.h"

#include "base/log.h"
#include "base/postgres/database.h"
#include "base/time_text.h"

#include <inttypes.h>
#include <stdio.h>

/* Keeps the first such time for the summary of the night. */
static void note_time(struct ingest_summary *summary, const char *label, const char *line, const char *what,
                      const char *name, const char *time, const char *horizon)
{
    if (summary != NULL && summary->time_beyond[0] == '\0')
        snprintf(
            summary->time_beyond, sizeof summary->time_beyond,
            "%.400s, line %s, %s%.300s: %s sets no horizon, since no other time is near; the records end at %s",
            label, line, what, name, time, horizon);
}

static bool warn_of_times_beyond(PGconn *connection, const char *source, struct ingest_summary *summary,
                                 struct error *error)
{
    const char *parameters[] = { source };
    PGresult *beyond = database_query_file(connection, "ingest/jobs_beyond.sql", 1, parameters, error);
    if (beyond == NULL)
        return false;
    for (int i = 0; i < PQntuples(beyond); i++) {
        note_time(summary, PQgetvalue(beyond, i, 0), PQgetvalue(beyond, i, 1), "job ",
                  PQgetvalue(beyond, i, 2), PQgetvalue(beyond, i, 3), PQgetvalue(beyond, i, 4));
        log_event(
            LOG_WARNING, "time_beyond",
            "source=\"%s\" file=\"%s\" line=%s job=\"%s\" time=%s horizon=%s note=\"no other time of the source is "
            "near: it sets no horizon. Correct the record, or raise horizon_gap_hours in settings.csv\"",
            source, PQgetvalue(beyond, i, 0), PQgetvalue(beyond, i, 1), PQgetvalue(beyond, i, 2),
            PQgetvalue(beyond, i, 3), PQgetvalue(beyond, i, 4));
    }
    PQclear(beyond);
    return true;
}

void job_horizon_warn_snapshot(const char *source, const struct job_snapshot *snapshot,
                               struct ingest_summary *summary)
{
    char time[32], seen[32], line[24];
    if (!snapshot->seen.known)
        snprintf(seen, sizeof seen, "unknown");
    else
        time_format(snapshot->seen.at, seen);
    for (size_t i = 0; i < snapshot->far_time_count; i++) {
        const struct job_far_time *far = &snapshot->far_times[i];
        time_format(far->at, time);
        snprintf(line, sizeof line, "%" PRId64, far->line);
        note_time(summary, summary->label, line, "", far->object, time, seen);
        log_event(
            LOG_WARNING, "time_beyond",
            "source=\"%s\" file=\"%s\" line=%s object=\"%s\" time=%s horizon=%s note=\"no other time of the source is "
            "near: it sets no horizon. Check the clock of its node, or raise horizon_gap_hours in settings.csv\"",
            source, summary->label, line, far->object, time, seen);
    }
}

bool job_horizon_put(PGconn *connection, const char *source, struct ingest_summary *summary,
                     struct error *error)
{
    const char *parameters[] = { source };
    return database_run_query(connection, "ingest/jobs_horizon.sql", 1, parameters, error) &&
           warn_of_times_beyond(connection, source, summary, error);
}

bool job_horizon_put_all(PGconn *connection, struct error *error)
{
    PGresult *sources = database_query_file(connection, "ingest/jobs_sources.sql", 0, NULL, error);
    bool ok = sources != NULL;
    for (int i = 0; ok && i < PQntuples(sources); i++)
        ok = job_horizon_put(connection, PQgetvalue(sources, i, 0), NULL, error);
    PQclear(sources);
    return ok;
}
