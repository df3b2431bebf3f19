/* cli/prune.c: kstar prune: frees the space of replaced deliveries and of old closed months.
 *
 * sql/prune/ finds the rows and removes them in one transaction, with the lock of publishing and
 * while no delivery is loaded. A partition without remaining rows is dropped. From other tables
 * rows are deleted, and after the commit the tables are rewritten, so that the system gets the
 * space back.
 */
#include "base/log.h"
#include "base/postgres/database.h"
#include "base/time_text.h"
#include "cli/command.h"
#include "cli/connect.h"
#include "night/ledger/run_ledger.h"
#include "night/month/month.h"
#include "print/json_print.h"
#include "print/result_table.h"

#include <stdio.h>
#include <stdlib.h>

struct prune_request {
    int keep_months;    /* −1: not given */
    const char *period; /* only this month; NULL: not given */
    bool dry_run, json;
};

struct prune_answer {
    PGresult *months; /* month, reason to keep it ("": it is pruned) */
    PGresult *tables; /* table, rows, bytes, whether it is dropped */
};

enum { REASON = 1 };
enum { TABLE, ROWS, BYTES };

static bool wait_for_deliveries(PGconn *connection, struct error *error)
{
    if (!database_execute(connection, "SET LOCAL lock_timeout = '15s'", error))
        return false;
    return database_run_query(connection, "prune/lock.sql", 0, NULL, error);
}

static bool find(PGconn *connection, const struct prune_request *request, struct prune_answer *answer,
                 struct error *error)
{
    char keep[16] = "", month[16] = "";
    if (request->keep_months >= 0)
        snprintf(keep, sizeof keep, "%d", request->keep_months);
    period_first_day(request->period, month);
    if (!database_set(connection, "kstar.prune_keep", keep, error) ||
        !database_set(connection, "kstar.prune_month", month, error) ||
        !wait_for_deliveries(connection, error) ||
        !database_run_file(connection, "prune/months.sql", error) ||
        !database_run_file(connection, "prune/plan.sql", error))
        return false;
    answer->months = database_query_file(connection, "prune/listed_months.sql", 0, NULL, error);
    answer->tables = answer->months == NULL
                         ? NULL
                         : database_query_file(connection, "prune/listed_tables.sql", 0, NULL, error);
    return answer->tables != NULL;
}

static int months_kept(const struct prune_answer *answer)
{
    int kept = 0;
    for (int i = 0; i < PQntuples(answer->months); i++)
        kept += PQgetvalue(answer->months, i, REASON)[0] != '\0';
    return kept;
}

/* Rewrites the tables that have lost rows, also those of an earlier run that was killed. Otherwise
 * PostgreSQL would keep the space for new rows. */
static bool give_back(PGconn *connection, struct error *error)
{
    PGresult *tables = database_query_file(connection, "prune/rewrites.sql", 0, NULL, error);
    bool ok = tables != NULL;
    for (int i = 0; ok && i < PQntuples(tables); i++) {
        const char *const name[] = { PQgetvalue(tables, i, 0) };
        ok = database_execute(connection, PQgetvalue(tables, i, 1), error);
        PGresult *done =
            ok ? database_query(connection, "DELETE FROM prune_rewrite WHERE table_name = $1", 1, name, error)
               : NULL;
        ok = done != NULL;
        PQclear(done);
    }
    PQclear(tables);
    return ok;
}

static bool prune(PGconn *connection, const struct prune_request *request, struct prune_answer *answer,
                  struct error *error)
{
    bool ok = month_begin(connection, &(struct month_work){ .is_removal = true }, error) &&
              find(connection, request, answer, error);
    bool is_work = ok && !request->dry_run && PQntuples(answer->tables) > 0;
    ok = ok && (!is_work || database_run_file(connection, "prune/remove.sql", error));
    ok = month_end(connection, ok, error);
    if (ok && is_work) {
        for (int i = 0; i < PQntuples(answer->tables); i++)
            log_event(LOG_INFO, "pruned", "table=%s rows=%s bytes=%s", PQgetvalue(answer->tables, i, TABLE),
                      PQgetvalue(answer->tables, i, ROWS), PQgetvalue(answer->tables, i, BYTES));
    }
    return ok && (request->dry_run || give_back(connection, error));
}

static bool print_json(const struct prune_request *request, const struct prune_answer *answer,
                       struct error *error)
{
    cJSON *root = cJSON_CreateObject();
    cJSON_AddBoolToObject(root, "dry_run", request->dry_run);
    cJSON_AddItemToObject(root, "months", result_table_json(answer->months));
    cJSON_AddItemToObject(root, "tables", result_table_json(answer->tables));
    return json_print(root, error);
}

static void print_screen(const struct prune_request *request, const struct prune_answer *answer)
{
    if (PQntuples(answer->months) > 0)
        result_table_print("months", answer->months);
    result_table_print(request->dry_run ? "would go" : "gone", answer->tables);
}

static bool read_request(int argc, char **argv, int first_operand, struct prune_request *request,
                         struct error *error)
{
    int operands = argc - first_operand;
    if (operands > 1 || (operands == 1 && request->keep_months >= 0))
        return error_set(error, ERROR_USAGE, "prune: takes one PERIOD, or --keep-months, or neither");
    request->period = operands == 1 ? argv[first_operand] : NULL;
    if (request->period != NULL && !period_operand(&command_prune, request->period, error))
        return false;
    if (request->keep_months == 0)
        return error_set(error, ERROR_USAGE, "prune: --keep-months is at least 1");
    return true;
}

static bool run(const struct command *command, int argc, char **argv, struct error *error)
{
    struct prune_request request = { .keep_months = -1 };
    const struct option_entry entries[] = {
        { "keep-months", OPTION_COUNT, "N", "prune closed months but the latest N", &request.keep_months },
        { "dry-run", OPTION_FLAG, NULL, "say what would go, and do nothing", &request.dry_run },
        { "json", OPTION_FLAG, NULL, "print JSON", &request.json },
        { 0 },
    };
    struct common_options options;
    struct prune_answer answer = { 0 };
    int first_operand;
    if (!options_read(command, entries, argc, argv, &options, &first_operand, error) ||
        !read_request(argc, argv, first_operand, &request, error))
        return false;
    PGconn *connection = connect_existing(&options, error);
    if (connection != NULL && !request.dry_run)
        run_begin(connection, &(struct run_start){ .command = command->name });
    bool ok = connection != NULL && prune(connection, &request, &answer, error);
    if (ok && request.json)
        ok = print_json(&request, &answer, error);
    else if (ok)
        print_screen(&request, &answer);
    if (ok && months_kept(&answer) > 0)
        ok = error_set(error, ERROR_ATTENTION, "%d month%s for now", months_kept(&answer),
                       months_kept(&answer) == 1 ? " stays" : "s stay");
    PQclear(answer.months);
    PQclear(answer.tables);
    connect_close(connection);
    return ok;
}

const struct command command_prune = {
    .name = "prune",
    .summary = "give back the space of replaced deliveries and of old closed months",
    .usage = "kstar prune [--keep-months N | PERIOD] [options]",
    .description =
        "Removes the lines of deliveries that were replaced; with --keep-months those of closed "
        "months as well, "
        "except\n"
        "the latest N, with what the statement made of each line, and the nodes of attempts that "
        "ended before. "
        "PERIOD:\n"
        "that month alone. Statements, journals, registers of jobs and all workbooks stay what "
        "they are. A later\n"
        "bill for a pruned month is compared and not loaded. A month that is not closed, or that a "
        "later one needs, "
        "stays: exit code 4.",
    .examples = "kstar prune --keep-months 13 --dry-run\n"
                "kstar prune --keep-months 13\n"
                "kstar prune 2025-03",
    .run = run,
};
