/* night/month/month_close.c: closing a statement (month.h, docs/close.md). */
#include "night/month/month.h"

#include "base/log.h"
#include "base/postgres/database.h"
#include "base/time_text.h"
#include "night/ledger/run_ledger.h"

static bool freeze(PGconn *connection, const struct month_close_request *request, struct error *error)
{
    const char *const parameters[] = { request->month, request->closed_by, request->accepted };
    return database_run_query(connection, "close/freeze.sql", 3, parameters, error) &&
           database_run_file(connection, "close/freeze_choices.sql", error);
}

static PGresult *find_reasons(PGconn *connection, const char *month, bool is_accepted, struct error *error)
{
    const char *const parameters[] = { month, is_accepted ? "true" : "false" };
    return database_query_file(connection, "close/reasons.sql", 2, parameters, error);
}

static bool close_month(PGconn *connection, struct month_close_request *request, PGresult **reasons,
                        struct error *error)
{
    bool current;
    if (!month_is_current(connection, request->month, &current, error))
        return false;
    if (!current) {
        error_set(error, ERROR_BUSY, "the data of %.7s changed while it was being closed", request->month);
        error_hint(error, "run the same command again");
        return false;
    }
    *reasons = find_reasons(connection, request->month, false, error);
    if (*reasons != NULL && PQntuples(*reasons) == 0)
        request->accepted = NULL; /* no reason had to be accepted */
    if (*reasons != NULL && request->accepted != NULL) {
        PQclear(*reasons);
        *reasons = find_reasons(connection, request->month, true, error);
    }
    if (*reasons == NULL)
        return false;
    int count = PQntuples(*reasons);
    if (count > 0)
        return error_set(error, ERROR_ATTENTION, "%.7s cannot be closed for %d reason%s", request->month,
                         count, count == 1 ? "" : "s");
    /* The parts of the month are computed with today's rules, which are frozen at this moment. */
    return database_run_file(connection, "explain/explained.sql", error) &&
           month_parts_find(connection, NULL, NULL, error) && freeze(connection, request, error) &&
           month_archive(connection, error);
}

bool month_close(PGconn *connection, struct month_close_request *request, PGresult **reasons,
                 struct error *error)
{
    char period[8];
    period_of_day(request->month, period);
    *reasons = NULL;
    run_stage_begin("close", period);
    bool ok = month_begin(connection, &(struct month_work){ .month = request->month }, error) &&
              close_month(connection, request, reasons, error);
    ok = month_end(connection, ok, error);
    if (ok)
        log_event(LOG_INFO, "closed", "statement=%.7s by=\"%s\"", request->month, request->closed_by);
    run_stage_end(ok ? NULL : error, NULL);
    return ok;
}
