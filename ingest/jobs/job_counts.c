/* ingest/jobs/job_counts.c: see job_counts.h. */
#include "ingest/jobs/job_counts.h"

#include "base/log.h"
#include "base/postgres/database.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The columns of sql/ingest/jobs_counts.sql. */
enum {
    RECORDS,
    SUPERSEDED,
    STORED,
    NEVER_STARTED,
    RUNNING,
    UNKNOWN_STATES,
    UNKNOWN_STATE,
    NODE_COUNTS_DIFFER,
    TIMES_DIFFER,
    GONE,
    UNNAMED,
    UNKNOWN_NODES,
    MOST_NAMED,
    KNOWN_OF_THOSE,
    UNCHANGED,
    NO_HOURS
};

static const char *value_of(const PGresult *counts, int column)
{
    return PQgetvalue(counts, 0, column);
}

static bool has_some(const PGresult *counts, int column)
{
    return strcmp(value_of(counts, column), "0") != 0;
}

static void log_load(const PGresult *counts, const char *source, const struct ingest_summary *summary)
{
    log_event(
        LOG_INFO, "ingest",
        "kind=jobs source=\"%s\" label=\"%s\" records=%s superseded=%s stored=%s unchanged=%s never_started=%s running=%s "
        "ignored=%" PRId64 " quarantined=%" PRId64,
        source, summary->label, value_of(counts, RECORDS), value_of(counts, SUPERSEDED),
        value_of(counts, STORED), value_of(counts, UNCHANGED), value_of(counts, NEVER_STARTED),
        value_of(counts, RUNNING), summary->ignored, summary->quarantined);
}

static void log_doubts(const PGresult *counts, const char *source)
{
    if (has_some(counts, UNKNOWN_STATES))
        log_event(LOG_WARNING, "unknown_state", "source=\"%s\" jobs=%s state=\"%s\"", source,
                  value_of(counts, UNKNOWN_STATES), value_of(counts, UNKNOWN_STATE));
    if (has_some(counts, NO_HOURS))
        log_event(LOG_WARNING, "no_hours",
                  "source=\"%s\" jobs=%s note=\"they completed, and their records have no start, or no nodes "
                  "and no time\"",
                  source, value_of(counts, NO_HOURS));
    if (has_some(counts, NODE_COUNTS_DIFFER))
        log_event(LOG_WARNING, "node_counts_differ", "source=\"%s\" jobs=%s", source,
                  value_of(counts, NODE_COUNTS_DIFFER));
    if (has_some(counts, TIMES_DIFFER))
        log_event(LOG_WARNING, "elapsed_differs",
                  "source=\"%s\" jobs=%s note=\"End - Start is not Elapsed: is the time zone right?\"",
                  source, value_of(counts, TIMES_DIFFER));
    if (has_some(counts, GONE))
        log_event(LOG_WARNING, "jobs_gone",
                  "source=\"%s\" jobs=%s note=\"they ran when they were last seen, and are there no more\"",
                  source, value_of(counts, GONE));
    if (has_some(counts, UNNAMED))
        log_event(LOG_WARNING, "jobs_unnamed",
                  "source=\"%s\" jobs=%s note=\"they run on: the file shows nothing of their namespace and "
                  "kind, or is an old one\"",
                  source, value_of(counts, UNNAMED));
    if (has_some(counts, UNKNOWN_NODES))
        log_event(
            LOG_WARNING, "unknown_nodes",
            "source=\"%s\" jobs=%s nodes=%s known=%s note=\"they name more than twice the nodes that their "
            "cluster is known to have: are their node lists right?\"",
            source, value_of(counts, UNKNOWN_NODES), value_of(counts, MOST_NAMED),
            value_of(counts, KNOWN_OF_THOSE));
}

bool job_counts_log(PGconn *connection, const char *source, int delivery_id,
                    const struct ingest_summary *summary, struct error *error)
{
    char id[16];
    snprintf(id, sizeof id, "%d", delivery_id);
    const char *const parameters[] = { source, id };
    PGresult *counts = database_query_file(connection, "ingest/jobs_counts.sql", 2, parameters, error);
    if (counts == NULL)
        return false;
    log_load(counts, source, summary);
    log_doubts(counts, source);
    PQclear(counts);
    return true;
}
