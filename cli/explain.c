/* cli/explain.c: kstar explain: the parts of a charge. Writes only with --store. */
#include "base/postgres/database.h"
#include "cli/command.h"
#include "cli/connect.h"
#include "explain/explain_archive.h"
#include "explain/explain_print.h"
#include "night/month/month.h"
#include "print/print_line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct statement_state {
    char status[16]; /* as printed: "Final" or "Preliminary" */
    char currency[8];
    bool is_final;
    bool is_reader; /* the user may read only the views */
};

static bool read_state(PGconn *connection, const struct explain_question *question,
                       struct statement_state *state, struct error *error)
{
    const char *const parameters[] = { question->month };
    PGresult *result = database_query_file(
        connection, state->is_reader ? "explain/statement_seen.sql" : "explain/statement.sql", 1, parameters,
        error);
    bool ok = result != NULL;
    if (ok && PQntuples(result) == 0) {
        ok = error_set(error, ERROR_INPUT, "there is no statement of %s", question->period);
        error_hint(error, "kstar status lists the months that have one");
    } else if (ok) {
        snprintf(state->status, sizeof state->status, "%s", PQgetvalue(result, 0, 0));
        snprintf(state->currency, sizeof state->currency, "%s", PQgetvalue(result, 0, 1));
        state->is_final = strcmp(state->status, "Final") == 0;
    }
    PQclear(result);
    return ok;
}

/* If the month does not have the name, the error lists the names that it has. */
static bool check_found(PGconn *connection, const struct explain_question *question, struct error *error)
{
    const struct {
        const char *what, *name;
    } named[] = { { "pool", question->pool },
                  { "cost centre", question->cost_centre },
                  { "invoice", question->invoice },
                  { "line", question->line } };
    bool ok = true;
    for (size_t i = 0; ok && i < sizeof named / sizeof named[0]; i++) {
        const char *const parameters[] = { question->month, named[i].what };
        if (named[i].name == NULL)
            continue;
        PGresult *names = database_query_file(connection, "explain/names.sql", 2, parameters, error);
        ok = names != NULL;
        if (ok && PQntuples(names) > 0) {
            ok = error_set(error, ERROR_INPUT, "the statement of %s has no %s %s", question->period,
                           named[i].what, named[i].name);
            if (!PQgetisnull(names, 0, 0))
                error_hint(error, "there are: %s", PQgetvalue(names, 0, 0));
        }
        PQclear(names);
    }
    return ok;
}

/* Several files may end in the same path: then the question is refused. */
static bool check_one_file(PGconn *connection, const struct explain_question *question, struct error *error)
{
    PGresult *files = question->line == NULL
                          ? NULL
                          : database_query_file(connection, "explain/asked_files.sql", 0, NULL, error);
    bool ok = question->line == NULL || files != NULL;
    if (files != NULL && PQntuples(files) > 0) {
        ok = error_set(error, ERROR_INPUT, "several files of %s have the line %s", question->period,
                       question->line);
        error_hint(error, "give more of the path: %s", PQgetvalue(files, 0, 0));
    }
    PQclear(files);
    return ok;
}

/* Finds the parts: of an open month from the present data, of a closed one from its archive. */
static bool find_parts(PGconn *connection, struct explain_question *question, struct statement_state *state,
                       struct error *error)
{
    return read_state(connection, question, state, error) && explain_ask(connection, question, error) &&
           database_run_file(connection, "explain/explained.sql", error) &&
           (state->is_final ? explain_archive_load(connection, question, error)
                            : month_parts_check(connection, question->month, error) &&
                                  month_parts_find(connection, explain_wanted, question, error)) &&
           database_run_file(connection, "explain/asked.sql", error) &&
           check_found(connection, question, error) && check_one_file(connection, question, error);
}

static bool check_any(PGconn *connection, const struct explain_question *question, struct error *error)
{
    PGresult *any = database_query_file(connection, "explain/asked_any.sql", 0, NULL, error);
    bool ok = any != NULL;
    if (ok && !result_flag(any, 0, 0)) {
        ok = error_set(error, ERROR_INPUT, "your cost centres have nothing of that in %s", question->period);
        error_hint(error, "kstar_views.report_cost_centre lists your cost centres");
    }
    PQclear(any);
    return ok;
}

/* Whether a reader's cost centres have parts of the month. An open month has none unless somebody
 * stored them. */
static bool check_stored(PGconn *connection, const struct explain_question *question,
                         const struct statement_state *state, struct error *error)
{
    const char *const parameters[] = { question->month };
    bool is_stored = true;
    if (!state->is_final &&
        !database_query_flag(connection, "explain/stored_seen.sql", 1, parameters, &is_stored, error))
        return false;
    if (is_stored)
        return true;
    error_set(error, ERROR_INPUT,
              "the statement of %s is open, and nothing of your cost centres is stored of it",
              question->period);
    error_hint(error,
               "ask whoever runs the nights for kstar explain --period %s --store, or wait for its close",
               question->period);
    return false;
}

/* For a reader: the stored parts of his cost centres. */
static bool find_seen(PGconn *connection, const struct explain_question *question,
                      struct statement_state *state, struct error *error)
{
    return read_state(connection, question, state, error) &&
           check_stored(connection, question, state, error) &&
           explain_ask_seen(connection, question, error) &&
           database_run_file(connection, "explain/explained.sql", error) &&
           explain_archive_load_seen(connection, question, error) &&
           explain_ask_job_seen(connection, question, error) &&
           database_run_file(connection, "explain/asked.sql", error) &&
           check_any(connection, question, error) && check_one_file(connection, question, error);
}

struct explain_output {
    bool json, csv, store;
};

static bool answer(PGconn *connection, struct explain_question *question, const struct explain_output *output,
                   bool is_reader, struct error *error)
{
    struct statement_state state = { .is_reader = is_reader };
    const struct month_work work = { .month = question->month, .is_look = true };
    bool ok = month_begin(connection, &work, error) &&
              (is_reader ? find_seen(connection, question, &state, error)
                         : find_parts(connection, question, &state, error));
    struct explain_heading heading = { .period = question->period,
                                       .month = question->month,
                                       .status = state.status,
                                       .currency = state.currency,
                                       .is_reader = is_reader,
                                       .question = question };
    if (ok && output->csv)
        ok = explain_print_csv(connection, &heading, error);
    else if (ok && output->json)
        ok = explain_print_json(connection, &heading, error);
    else if (ok)
        ok = explain_print_text(connection, &heading, error);
    database_rollback(connection);
    return ok;
}

static bool is_whole_month(const struct explain_question *question)
{
    return question->job == NULL && question->cost_centre == NULL && question->pool == NULL &&
           question->invoice == NULL && question->line == NULL;
}

/* Stores the parts of an open month for readers. */
static bool store(PGconn *connection, const struct explain_question *question, struct error *error)
{
    struct statement_state state = { 0 };
    if (!read_state(connection, question, &state, error))
        return false;
    if (state.is_final) {
        error_set(error, ERROR_USAGE, "the statement of %s is closed", question->period);
        error_hint(error, "its close has stored what it is made of");
        return false;
    }
    if (!month_parts_store(connection, question->month, error))
        return false;
    print_line(stdout, "stored what %s is made of: readers may ask for it until its next statement",
               question->period);
    return true;
}

static bool run(const struct command *command, int argc, char **argv, struct error *error)
{
    struct explain_question question = { 0 };
    struct explain_output output = { 0 };
    const struct option_entry entries[] = {
        { "period", OPTION_PERIOD, "YYYY-MM", "the month of the statement", &question.period },
        { "job", OPTION_TEXT, "JOB", "the charge of a job: its id or CLUSTER/ID", &question.job },
        { "cost-centre", OPTION_TEXT, "NAME", "the charges of a cost centre", &question.cost_centre },
        { "pool", OPTION_TEXT, "NAME", "the cost of a pool, and who pays it", &question.pool },
        { "invoice", OPTION_TEXT, "ID", "the charges of an invoice: its number", &question.invoice },
        { "line", OPTION_TEXT, "FILE:LINE", "the charges of one bill line: its file and line number",
          &question.line },
        { "json", OPTION_FLAG, NULL, "print JSON", &output.json },
        { "csv", OPTION_FLAG, NULL, "print CSV, every part with all its columns", &output.csv },
        { "store", OPTION_FLAG, NULL, "store the whole open month for readers instead of printing it",
          &output.store },
        { 0 },
    };
    struct common_options options;
    if (!options_read_alone(command, entries, argc, argv, &options, error) ||
        !explain_check(&question, error))
        return false;
    if (output.json && output.csv)
        return error_set(error, ERROR_USAGE, "explain: give one of --json and --csv");
    if (output.store && (output.json || output.csv || !is_whole_month(&question)))
        return error_set(error, ERROR_USAGE, "explain: --store takes --period alone");
    bool is_reader = false;
    PGconn *connection = output.store ? connect_existing(&options, error)
                                      : connect_existing_or_reader(&options, &is_reader, error);
    bool ok = connection != NULL && (output.store ? store(connection, &question, error)
                                                  : answer(connection, &question, &output, is_reader, error));
    connect_close(connection);
    free(question.attempts);
    free(question.places);
    return ok;
}

const struct command command_explain = {
    .name = "explain",
    .summary = "what a charge is made of, line by line",
    .usage = "kstar explain --period YYYY-MM [options]",
    .description =
        "Prints each bill line that a charge is made of: its file and line, who held the node and when, the\n"
        "charge's part of the line, the rule that decided and the file that declares the rule. Then it prints\n"
        "what pools, tax and internal charges add, and the sum, which equals the statement's to the last digit.\n"
        "A closed month is explained as it was closed, also after kstar prune; adjustments by later statements\n"
        "follow. Readers see what their own cost centres are charged: in closed months, and in an open one after\n"
        "--store, until its next statement.",
    .examples = "kstar explain --period 2026-09 --job 41001\n"
                "kstar explain --period 2026-09 --line billing/aws/2026-09/bill.csv:12\n"
                "kstar explain --period 2026-09 --csv > parts.csv",
    .run = run,
};
