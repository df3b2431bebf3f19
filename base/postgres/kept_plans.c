/* base/postgres/kept_plans.c: see kept_plans.h. */
#include "base/postgres/kept_plans.h"

#include <libpq-events.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The queries that were run, each with the name of its plan once it is prepared. They belong to the
 * connection, as instance data of libpq. */
struct kept_plans {
    struct kept_plan {
        char *query, name[64]; /* PostgreSQL cuts longer names */
        bool is_prepared;
    } * plans;
    int count;
};

static void free_plans(struct kept_plans *kept)
{
    for (int i = 0; kept != NULL && i < kept->count; i++)
        free(kept->plans[i].query);
    if (kept != NULL)
        free(kept->plans);
    free(kept);
}

static int on_event(PGEventId event, void *information, void *context)
{
    (void)context;
    if (event == PGEVT_CONNDESTROY)
        free_plans(PQinstanceData(((PGEventConnDestroy *)information)->conn, on_event));
    return 1;
}

void kept_plans_end(PGconn *connection)
{
    free_plans(PQinstanceData(connection, on_event));
    PQsetInstanceData(connection, on_event, NULL);
}

void kept_plans_begin(PGconn *connection)
{
    kept_plans_end(connection);
    PQclear(PQexec(connection, "DEALLOCATE ALL"));
    PQregisterEventProc(connection, on_event, "kept plans", NULL); /* false: already registered */
    PQsetInstanceData(connection, on_event, calloc(1, sizeof(struct kept_plans)));
}

/* Finds a query that was run before; NULL the first time, when it is noted. */
static struct kept_plan *find_or_note(struct kept_plans *kept, const char *file, const char *query)
{
    for (int i = 0; i < kept->count; i++)
        if (strcmp(kept->plans[i].query, query) == 0)
            return &kept->plans[i];
    kept->plans = realloc(kept->plans, (size_t)(kept->count + 1) * sizeof *kept->plans);
    struct kept_plan *plan = &kept->plans[kept->count];
    *plan = (struct kept_plan){ .query = strdup(query) };
    snprintf(plan->name, sizeof plan->name, "%d %s", kept->count++, file);
    return NULL;
}

/* The plan of a query that was run before. NULL if there is none, or if it could not be made;
 * `failed` is then the error. */
static const struct kept_plan *plan_of(PGconn *connection, const char *file, const char *query, int count,
                                       PGresult **failed)
{
    struct kept_plans *kept = PQinstanceData(connection, on_event);
    struct kept_plan *plan = kept != NULL ? find_or_note(kept, file, query) : NULL;
    *failed = NULL;
    if (plan == NULL || plan->is_prepared)
        return plan;
    PGresult *prepared = PQprepare(connection, plan->name, query, count, NULL);
    plan->is_prepared = PQresultStatus(prepared) == PGRES_COMMAND_OK;
    if (!plan->is_prepared) {
        *failed = prepared;
        return NULL;
    }
    PQclear(prepared);
    return plan;
}

PGresult *kept_plans_run(PGconn *connection, const char *file, const char *query, int count,
                         const char *const *parameters)
{
    PGresult *failed;
    const struct kept_plan *plan = plan_of(connection, file, query, count, &failed);
    return plan != NULL ? PQexecPrepared(connection, plan->name, count, parameters, NULL, NULL, 0) : failed;
}

bool kept_plans_send(PGconn *connection, const char *file, const char *query, int count,
                     const char *const *parameters)
{
    PGresult *failed;
    const struct kept_plan *plan = plan_of(connection, file, query, count, &failed);
    if (failed != NULL) {
        PQclear(failed);
        return false;
    }
    int sent = plan != NULL ? PQsendQueryPrepared(connection, plan->name, count, parameters, NULL, NULL, 0)
                            : PQsendQueryParams(connection, query, count, NULL, parameters, NULL, NULL, 0);
    return sent == 1;
}
