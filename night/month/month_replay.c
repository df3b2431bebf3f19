/* night/month/month_replay.c: closed statements with the facts of today (month.h,
 * docs/late-facts.md).
 *
 * A replay runs the same steps as a publication. Before them close/shadow.sql makes temporary
 * tables that hide the tables of choices and of published results. After them
 * close/replay_store.sql stores the sums.
 */
#include "night/month/month.h"

#include "base/log.h"
#include "base/postgres/database.h"
#include "base/time_text.h"
#include "night/ledger/run_ledger.h"

#include <stdio.h>

/* Fills the list from close/to_replay.sql, which also deletes replays that are no longer needed. */
static bool read_list(PGconn *connection, struct month_list *list, struct error *error)
{
    PGresult *result = database_run_file(connection, "close/replay_forget.sql", error)
                           ? database_query_file(connection, "close/to_replay.sql", 0, NULL, error)
                           : NULL;
    if (result == NULL)
        return false;
    list->count = PQntuples(result);
    if (list->count > MONTHS_MAXIMUM)
        list->count = MONTHS_MAXIMUM; /* twenty years at once: the next night does the rest */
    for (int i = 0; i < list->count; i++)
        snprintf(list->months[i].month, sizeof list->months[i].month, "%s", PQgetvalue(result, i, 0));
    PQclear(result);
    return true;
}

bool month_replay_list(PGconn *connection, struct month_list *list, struct error *error)
{
    *list = (struct month_list){ 0 };
    /* compares the facts of these months with those at their close */
    run_stage_begin("compare", "closed");
    bool ok = month_begin(connection, &(struct month_work){ 0 }, error) && read_list(connection, list, error);
    ok = month_end(connection, ok, error);
    run_stage_end(ok ? NULL : error, NULL);
    return ok;
}

bool month_replay(PGconn *connection, const char *month, struct error *error)
{
    char period[8];
    period_of_day(month, period);
    run_stage_begin("replay", period);
    bool ok = month_begin(connection, &(struct month_work){ .month = month, .is_replay = true }, error);
    if (ok && !(database_run_file(connection, "close/shadow.sql", error) &&
                month_steps(connection, MONTH_REPLAY, error) &&
                database_run_file(connection, "close/replay_store.sql", error)))
        ok = error_in(error, "replay of the closed statement %.7s", month);
    ok = month_end(connection, ok, error);
    if (ok)
        log_event(LOG_INFO, "replayed", "statement=%.7s", month);
    run_stage_end(ok ? NULL : error, NULL);
    return ok;
}

bool month_replay_changed(PGconn *connection, struct error *error)
{
    struct month_list list;
    bool ok = month_replay_list(connection, &list, error);
    for (int i = 0; ok && i < list.count; i++)
        ok = month_replay(connection, list.months[i].month, error);
    return ok;
}
