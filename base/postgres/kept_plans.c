/* base/postgres/kept_plans.c: see kept_plans.h. */
#include "base/postgres/kept_plans.h"

#include "base/postgres/sql_catalogue.h"

#include <libpq-events.h>
#include <stdlib.h>
#include <string.h>

/* How often a file was run, and whether it is prepared. They hang on the connection, as libpq's
 * instance data. */
struct kept_plans {
    struct kept_plan {
        const char *name;
        bool is_prepared;
    } * plans;
    int count;
};

static void free_plans(struct kept_plans *kept)
{
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
    PQregisterEventProc(connection, on_event, "kept plans", NULL); /* false: it is registered */
    PQsetInstanceData(connection, on_event, calloc(1, sizeof(struct kept_plans)));
}

/* The file among those that were run; NULL the first time. */
static struct kept_plan *find_or_note(struct kept_plans *kept, const char *name)
{
    for (int i = 0; i < kept->count; i++)
        if (strcmp(kept->plans[i].name, name) == 0)
            return &kept->plans[i];
    kept->plans = realloc(kept->plans, (size_t)(kept->count + 1) * sizeof *kept->plans);
    kept->plans[kept->count++] = (struct kept_plan){ .name = name };
    return NULL;
}

PGresult *kept_plans_run(PGconn *connection, const char *name, int count, const char *const *parameters)
{
    struct kept_plans *kept = PQinstanceData(connection, on_event);
    struct kept_plan *plan = kept != NULL ? find_or_note(kept, name) : NULL;
    if (plan == NULL)
        return NULL;
    if (!plan->is_prepared) {
        PGresult *prepared = PQprepare(connection, name, sql_text(name), count, NULL);
        plan->is_prepared = PQresultStatus(prepared) == PGRES_COMMAND_OK;
        if (!plan->is_prepared)
            return prepared;
        PQclear(prepared);
    }
    return PQexecPrepared(connection, name, count, parameters, NULL, NULL, 0);
}
