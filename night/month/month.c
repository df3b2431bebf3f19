/* night/month/month.c: see month.h. */
#include "night/month/month.h"

#include "allocate/month_charges.h"
#include "base/log.h"
#include "base/postgres/database.h"
#include "base/postgres/identity.h"
#include "base/postgres/sql_catalogue.h"
#include "base/progress.h"
#include "base/system/thread.h"
#include "base/time_text.h"
#include "night/ledger/run_ledger.h"
#include "night/month/month_facts.h"
#include "night/month/month_families.h"

#include <stdio.h>
#include <string.h>

/* What the steps of one month keep in memory. */
struct month_state {
    struct month_families families;
    struct line_readers *readers;
};

/* A step is a file of sql/, a function of the model, or a part of the merge. */
struct month_step {
    const char *name;
    unsigned uses; /* enum month_use */
    bool (*ask_model)(PGconn *connection, struct month_families *families, struct error *error);
    bool (*merge)(PGconn *connection, struct month_state *state, struct error *error);
};
/* clang-format off */
#define SQL_FILE(name, uses)        { name, uses, NULL, NULL }
#define MODEL(name, uses, function) { name, uses, function, NULL }
#define MERGE(name, uses, function) { name, uses, NULL, function }
/* clang-format on */

static int reader_count; /* as connections_for_work takes it */

void month_set_readers(int count)
{
    reader_count = count;
}

int month_readers(void)
{
    return connections_for_work(reader_count);
}

static bool begin_readers(PGconn *connection, struct month_state *state, struct error *error)
{
    state->readers = line_readers_begin(connection, month_readers(), error);
    return state->readers != NULL;
}

/* Starts the readers that turn lines and held time into charges, while the next steps run. */
static bool begin_merge(PGconn *connection, struct month_state *state, struct error *error)
{
    (void)connection;
    return line_readers_charge(state->readers, error);
}

static bool end_merge(PGconn *connection, struct month_state *state, struct error *error)
{
    (void)connection;
    bool ok = month_charges(state->readers, error);
    line_readers_close(state->readers);
    state->readers = NULL;
    return ok;
}

/* The last step. */
static bool compare_facts(PGconn *connection, struct month_families *families, struct error *error)
{
    (void)families;
    return month_facts_compare(connection, error);
}

enum { STATEMENT = MONTH_PUBLISH | MONTH_REPLAY };

static const struct month_step steps[] = {
    SQL_FILE("allocate/workers/facts.sql", STATEMENT),
    SQL_FILE("allocate/01_rules.sql", STATEMENT | MONTH_ASK),
    SQL_FILE("allocate/02_month.sql", STATEMENT | MONTH_ASK),
    SQL_FILE("allocate/03_replace.sql", STATEMENT),
    SQL_FILE("allocate/04_local_jobs.sql", STATEMENT | MONTH_ASK),
    SQL_FILE("allocate/05_lines.sql", STATEMENT | MONTH_EXPLAIN),
    MERGE("readers of lines and held time", STATEMENT, begin_readers),
    SQL_FILE("allocate/06_rates.sql", STATEMENT),
    SQL_FILE("allocate/07_nodes.sql", STATEMENT | MONTH_EXPLAIN),
    SQL_FILE("allocate/08_jobs.sql", STATEMENT | MONTH_EXPLAIN),
    SQL_FILE("allocate/09_refunds.sql", STATEMENT | MONTH_EXPLAIN),
    SQL_FILE("allocate/10_charge_sums.sql", STATEMENT | MONTH_EXPLAIN),
    MERGE("merge of lines and held time begins", STATEMENT, begin_merge),
    SQL_FILE("allocate/11_held_time.sql", STATEMENT),
    SQL_FILE("results/01_accelerators.sql", STATEMENT),
    MODEL("families fit", STATEMENT, month_families_fit),
    SQL_FILE("model/measured_attempts.sql", STATEMENT),
    MODEL("attempt efficiency", STATEMENT, month_attempt_efficiency),
    MERGE("merge of lines and held time ends", STATEMENT, end_merge),
    SQL_FILE("allocate/12_charges.sql", STATEMENT),
    SQL_FILE("allocate/13_invoices.sql", STATEMENT),
    SQL_FILE("allocate/14_pools.sql", STATEMENT),
    SQL_FILE("allocate/15_tax.sql", STATEMENT),
    SQL_FILE("allocate/16_node_rates.sql", STATEMENT),
    SQL_FILE("allocate/17_internal.sql", STATEMENT),
    SQL_FILE("allocate/18_sums.sql", STATEMENT),
    SQL_FILE("allocate/19_cents.sql", STATEMENT),
    SQL_FILE("allocate/20_prove.sql", STATEMENT),
    SQL_FILE("diff/load_summary.sql", STATEMENT),
    SQL_FILE("close/suspense.sql", STATEMENT),
    SQL_FILE("close/adjustments.sql", MONTH_PUBLISH),
    SQL_FILE("results/02_job_costs.sql", MONTH_PUBLISH),
    SQL_FILE("results/03_heterogeneous_jobs.sql", MONTH_PUBLISH),
    SQL_FILE("results/04_interruptions.sql", MONTH_PUBLISH),
    MODEL("family interruptions", MONTH_PUBLISH, month_family_interruptions),
    MODEL("family curves", MONTH_PUBLISH, month_family_curves),
    MODEL("verdicts", MONTH_PUBLISH, month_verdicts),
    SQL_FILE("results/05_job_results.sql", MONTH_PUBLISH),
    SQL_FILE("results/06_invoice_amounts.sql", MONTH_PUBLISH),
    SQL_FILE("results/07_notes.sql", MONTH_PUBLISH),
    SQL_FILE("results/08_findings.sql", MONTH_PUBLISH),
    SQL_FILE("results/09_prices.sql", MONTH_PUBLISH),
    SQL_FILE("results/10_statement.sql", MONTH_PUBLISH),
    SQL_FILE("results/11_projection.sql", MONTH_PUBLISH),
    SQL_FILE("results/12_budget_alerts.sql", MONTH_PUBLISH),
    MODEL("planned trainings", MONTH_PUBLISH, month_planned_trainings),
    SQL_FILE("results/13_energy.sql", MONTH_PUBLISH),
    SQL_FILE("results/14_forecast.sql", MONTH_PUBLISH),
    SQL_FILE("results/15_serving.sql", MONTH_PUBLISH),
    MODEL("serving fleets", MONTH_PUBLISH, month_serving_fleets),
    SQL_FILE("results/16_waste.sql", MONTH_PUBLISH),
    SQL_FILE("results/17_withdrawn.sql", MONTH_PUBLISH),
    MODEL("facts as they were read", STATEMENT, compare_facts),
};
enum { STEP_COUNT = sizeof steps / sizeof steps[0] };

/* A statement has all data that are loaded. An earlier as-of would claim that all of this was known
 * then. */
static bool check_as_of(PGconn *connection, const char *as_of, struct error *error)
{
    const char *const parameters[] = { as_of };
    if (!database_set(connection, "kstar.as_of", NULL, error))
        return false;
    PGresult *result = database_query_file(connection, "model/as_of_before_data.sql", 1, parameters, error);
    bool ok = result != NULL && PQntuples(result) == 0;
    if (result != NULL && !ok) {
        error_set(error, ERROR_USAGE, "--as-of %s lies before what the data are as of, %s", as_of,
                  PQgetvalue(result, 0, 0));
        error_hint(
            error,
            "the time only stamps the statement and excludes no data: give that time, a later one, or none");
    }
    PQclear(result);
    return ok;
}

static bool list_months(PGconn *connection, const char *period, const char *as_of, struct month_list *list,
                        struct error *error)
{
    char first_day[16] = "";
    period_first_day(period, first_day);
    if ((as_of != NULL && !check_as_of(connection, as_of, error)) ||
        !database_set(connection, "kstar.as_of", as_of, error))
        return false;
    const char *const parameters[] = { rules_identity, period ? first_day : NULL };
    PGresult *result = database_query_file(connection, "model/months.sql", 2, parameters, error);
    if (result == NULL)
        return false;
    int rows = PQntuples(result);
    if (rows > MONTHS_MAXIMUM) {
        PQclear(result);
        return error_set(error, ERROR_INPUT, "%d open months with a bill: more than %d", rows,
                         MONTHS_MAXIMUM);
    }
    list->count = rows;
    for (int i = 0; i < rows; i++) {
        snprintf(list->months[i].month, sizeof list->months[i].month, "%s", PQgetvalue(result, i, 0));
        list->months[i].is_current = result_flag(result, i, 1);
    }
    PQclear(result);
    return true;
}

bool month_list(PGconn *connection, const char *period, const char *as_of, struct month_list *list,
                struct error *error)
{
    if (PQtransactionStatus(connection) != PQTRANS_IDLE)
        return list_months(connection, period, as_of, list, error);
    bool ok = database_begin(connection, error) && list_months(connection, period, as_of, list, error) &&
              database_commit(connection, error);
    database_rollback(connection);
    return ok;
}

bool month_is_current(PGconn *connection, const char *month, bool *current, struct error *error)
{
    const char *const parameters[] = { month, rules_identity };
    return database_query_flag(connection, "model/is_current.sql", 2, parameters, current, error);
}

/* The locks of publishing, and the message if another process holds one. */
static const struct publishing_lock {
    const char *file, *name, *busy;
} locks[] = {
    { "model/publishing_lock.sql", "publish", "another kstar is publishing" },
    { "model/ingest_lock.sql", "ingest", "a delivery is being loaded" },
};

static bool say_busy(PGconn *connection, const struct publishing_lock *lock, struct error *error)
{
    struct error unknown;
    PGresult *holder =
        database_query_file(connection, "model/publishing_holder.sql", 1, &lock->name, &unknown);
    error_set(error, ERROR_BUSY, "%s (server process %s)", lock->busy,
              holder != NULL ? PQgetvalue(holder, 0, 0) : "unknown");
    error_hint(error, "wait for it to end, then run the same command again");
    PQclear(holder);
    return false;
}

static bool take_lock(PGconn *connection, const struct publishing_lock *lock, struct error *error)
{
    static const char lock_not_available[] = "55P03";
    PGresult *result = PQexec(connection, sql_text(lock->file));
    const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    bool taken = PQresultStatus(result) == PGRES_TUPLES_OK;
    bool busy = state != NULL && strcmp(state, lock_not_available) == 0;
    if (!taken && !busy)
        database_error(connection, result, "publishing lock", error);
    PQclear(result);
    return taken || (busy && say_busy(connection, lock, error));
}

/* The session takes the locks, before the transaction. A transaction that waited for a lock would
 * read the data from before its wait. */
static bool take_locks(PGconn *connection, struct error *error)
{
    bool ok = database_execute(connection, "SET lock_timeout = '15s'", error);
    for (size_t i = 0; ok && i < sizeof locks / sizeof locks[0]; i++)
        ok = take_lock(connection, &locks[i], error);
    return ok && database_execute(connection, "RESET lock_timeout", error);
}

static bool give_locks_back(PGconn *connection, struct error *error)
{
    return database_run_query(connection, "model/publishing_unlock.sql", 0, NULL, error);
}

static bool run_step(PGconn *connection, const struct month_step *step, struct month_state *state,
                     struct error *error)
{
    if (step->merge != NULL)
        return step->merge(connection, state, error);
    return step->ask_model != NULL ? step->ask_model(connection, &state->families, error)
                                   : database_run_file(connection, step->name, error);
}

static const char *use_name(enum month_use use)
{
    return use == MONTH_PUBLISH ? "publishing" : use == MONTH_REPLAY ? "replaying" : "explaining";
}

bool month_steps(PGconn *connection, enum month_use use, struct error *error)
{
    struct month_state state = { 0 };
    struct progress progress;
    bool ok = true;
    progress_start(&progress, use_name(use), STEP_COUNT);
    for (int i = 0; ok && i < STEP_COUNT; i++) {
        if ((steps[i].uses & use) == 0)
            continue;
        int64_t start = log_clock_ns();
        progress_step(&progress, i + 1, steps[i].name);
        ok = run_step(connection, &steps[i], &state, error);
        log_event(LOG_DEBUG, "step", "name=\"%s\" seconds=%.2f", steps[i].name,
                  (double)(log_clock_ns() - start) / 1e9);
    }
    progress_end(&progress);
    line_readers_close(state.readers);
    month_families_free(&state.families);
    return ok;
}

/* Steps create functions for themselves. If Citus created them on its workers too, it would read
 * the shards of all tables one after the other from then on. Without Citus the setting has no
 * effect. */
static bool keep_functions_here(PGconn *connection, struct error *error)
{
    return database_set(connection, "citus.create_object_propagation", "deferred", error);
}

bool month_begin(PGconn *connection, const struct month_work *work, struct error *error)
{
    return (work->is_look || take_locks(connection, error)) &&
           database_execute(connection, work->is_removal ? "BEGIN" : "BEGIN ISOLATION LEVEL REPEATABLE READ",
                            error) &&
           keep_functions_here(connection, error) &&
           database_set(connection, "kstar.statement_month", work->month, error) &&
           database_set(connection, "kstar.replayed_month", work->is_replay ? work->month : NULL, error) &&
           database_set(connection, "kstar.version", KSTAR_VERSION, error) &&
           database_set(connection, "kstar.rules", rules_identity, error) &&
           database_set(connection, "kstar.as_of", work->as_of, error);
}

bool month_end(PGconn *connection, bool ok, struct error *error)
{
    struct error ignored;
    ok = ok && database_commit(connection, error);
    if (!ok)
        database_rollback(connection);
    return give_locks_back(connection, ok ? error : &ignored) && ok;
}

bool month_has_statement(PGconn *connection, const char *month, bool *published, struct error *error)
{
    return database_query_flag(connection, "model/has_statement.sql", 1, &month, published, error);
}

bool month_publish(PGconn *connection, const char *month, const char *as_of, struct error *error)
{
    char period[8];
    bool published = true;
    period_of_day(month, period);
    run_stage_begin("publish", period);
    bool ok = month_begin(connection, &(struct month_work){ .month = month, .as_of = as_of }, error);
    if (ok && !month_steps(connection, MONTH_PUBLISH, error))
        ok = error_in(error, "statement %.7s", month);
    ok = ok && month_has_statement(connection, month, &published, error);
    ok = month_end(connection, ok, error);
    if (ok)
        log_event(LOG_INFO, published ? "published" : "withdrawn", "statement=%.7s", month);
    run_stage_end(ok ? NULL : error, NULL);
    return ok;
}
