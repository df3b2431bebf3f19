/* cli/verify.c: kstar verify: proves published months again from the stored data.
 *
 * verify_lines.h adds up lines, and verify_files.h reads files. Each other proof is one query of
 * sql/verify, a row of the table below. All of them read one state of the database, in a READ ONLY
 * transaction. A second session, which sees the same state, unpacks the archived parts of a closed
 * month into temporary tables. Nothing is allocated again: the proofs are the identities of the
 * publication, computed from what it stored.
 */
#include "cli/verify_answer.h"

#include "base/postgres/database.h"
#include "base/postgres/identity.h"
#include "cli/command.h"
#include "cli/connect.h"
#include "cli/verify_files.h"
#include "cli/verify_lines.h"
#include "explain/explain_archive.h"
#include "print/json_print.h"
#include "print/print_line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In order from the lines to the files. */
static const struct proof {
    const char *file;     /* of sql/verify */
    const char *identity; /* the proven identity */
    const char *things;   /* the things that it counts */
    bool is_of_closed;
} proofs[] = {
    { "verify/texts.sql", "the texts of the lines are those that were read", "lines", false },
    { "verify/invoices.sql", "the invoices are their lines", "invoices", false },
    { "verify/charges.sql", "the charges of each invoice are the invoice", "sums", false },
    { "verify/shared.sql", "pools and tax handed on what they were given", "sums", false },
    { "verify/payers.sql", "the rows of each payer are its charges", "payers of invoices", false },
    { "verify/cents.sql", "the rows of each invoice add up to it in cents", "rows", false },
    { "verify/internal.sql", "internal charges add up to zero", "rows", false },
    { "verify/sums.sql", "the sums on sheets and pages are those of their details", "sums", false },
    { "verify/jobs.sql", "each job's true cost is the sum of its rows", "jobs", false },
    { "verify/prices.sql", "the discounts are of the invoices", "invoices", false },
    { "verify/adjustments.sql", "the adjustments are what is due", "sums", false },
    { "verify/journals.sql", "the issued journals balance and are as issued", "issues", false },
    { "verify/archive.sql", "the archived parts are those of the close", "chunks", true },
};
enum { PROOFS = sizeof proofs / sizeof proofs[0] };
static const struct proof lines_proof = { NULL, "the lines are those that were read", "lines", false };
static const struct proof parts_proof = { "verify/parts.sql", "the archived parts add up to the statement",
                                          "parts", true };
static const struct proof files_proof = { NULL, "the files are as the nights wrote them", "files", false };

enum { ANSWER_COMPARED, ANSWER_DIFFERING, ANSWER_FIRST, ANSWER_WHY };
enum { MONTH_PERIOD, MONTH_DAY, MONTH_STATUS, MONTH_RUN, MONTH_OUT, MONTH_IS_PRUNED, MONTH_IS_CLOSED };

struct verification {
    PGconn *connection;
    char snapshot[64];
    cJSON *json; /* NULL: text */
    bool has_differences, waits;
    char first[2 * VERIFY_TEXT]; /* the first difference of all months */
};

/* ---- an answer as text ---- */

static const char *outcome_of(const struct verify_answer *answer)
{
    if (answer->why[0] != '\0' && answer->differing == 0)
        return "not proven";
    if (answer->why[0] != '\0' && answer->first[0] == '\0')
        return "not proven";
    return answer->differing > 0 ? "differs" : "proven";
}

static void add_json(cJSON *list, const char *period, const struct proof *proof,
                     const struct verify_answer *answer)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "month", period);
    cJSON_AddStringToObject(object, "proof", proof->identity);
    cJSON_AddStringToObject(object, "outcome", outcome_of(answer));
    json_add_minor(object, "compared", answer->compared);
    json_add_minor(object, "differing", answer->differing);
    cJSON_AddItemToObject(object, "first",
                          answer->first[0] != '\0' ? cJSON_CreateString(answer->first) : cJSON_CreateNull());
    cJSON_AddItemToObject(object, "why",
                          answer->why[0] != '\0' ? cJSON_CreateString(answer->why) : cJSON_CreateNull());
    cJSON_AddItemToArray(list, object);
}

static void report_proof(struct verification *verification, const char *period, const struct proof *proof,
                         const struct verify_answer *answer)
{
    const char *outcome = outcome_of(answer);
    bool differs = strcmp(outcome, "differs") == 0;
    if (differs && !verification->has_differences)
        snprintf(verification->first, sizeof verification->first, "%s: %s", period, answer->first);
    verification->has_differences = verification->has_differences || differs;
    verification->waits = verification->waits || answer->waits;
    if (verification->json != NULL)
        add_json(verification->json, period, proof, answer);
    else if (differs)
        print_line(stdout, "  differs     %s: %lld of %lld %s, first: %s", proof->identity,
                   (long long)answer->differing, (long long)answer->compared, proof->things, answer->first);
    else if (strcmp(outcome, "proven") != 0)
        print_line(stdout, "  not proven  %s: %s", proof->identity, answer->why);
    else
        print_line(stdout, "  proven      %s (%lld %s)", proof->identity, (long long)answer->compared,
                   proof->things);
}

/* ---- proofs ---- */

static bool ask(PGconn *connection, const struct proof *proof, const char *month,
                struct verify_answer *answer, struct error *error)
{
    const char *const parameters[] = { month, rules_identity };
    int count = strcmp(proof->file, "verify/invoices.sql") == 0 ? 2 : 1;
    PGresult *result = database_query_file(connection, proof->file, count, parameters, error);
    *answer = (struct verify_answer){ 0 };
    if (result == NULL)
        return false;
    answer->compared = strtoll(PQgetvalue(result, 0, ANSWER_COMPARED), NULL, 10);
    answer->differing = strtoll(PQgetvalue(result, 0, ANSWER_DIFFERING), NULL, 10);
    snprintf(answer->first, sizeof answer->first, "%s", PQgetvalue(result, 0, ANSWER_FIRST));
    snprintf(answer->why, sizeof answer->why, "%s", PQgetvalue(result, 0, ANSWER_WHY));
    /* pruned data were compared with nothing; a difference with a reason waits for the night */
    answer->waits = answer->why[0] != '\0' && answer->differing > 0;
    if (answer->why[0] != '\0')
        answer->first[0] = '\0';
    PQclear(result);
    return true;
}

static bool prove_lines(struct verification *verification, const PGresult *months, int row,
                        struct error *error)
{
    struct verify_answer answer = { 0 };
    bool ok = true;
    if (result_flag(months, row, MONTH_IS_PRUNED))
        snprintf(answer.why, sizeof answer.why, "the lines were pruned");
    else
        ok = verify_lines(verification->connection, PQgetvalue(months, row, MONTH_DAY), &answer, error);
    if (ok)
        report_proof(verification, PQgetvalue(months, row, MONTH_PERIOD), &lines_proof, &answer);
    return ok;
}

/* Unpacks the parts in a session of its own. Its temporary tables go with the transaction. */
static bool prove_parts(struct verification *verification, const char *period, const char *month,
                        struct error *error)
{
    char begin[160];
    struct verify_answer answer;
    struct explain_question question = { .period = period };
    snprintf(question.month, sizeof question.month, "%s", month);
    snprintf(begin, sizeof begin, "BEGIN ISOLATION LEVEL REPEATABLE READ; SET TRANSACTION SNAPSHOT '%s'",
             verification->snapshot);
    PGconn *session = database_connect_again(verification->connection, error);
    bool ok = session != NULL && database_execute(session, begin, error) &&
              database_run_file(session, "explain/explained.sql", error) &&
              explain_archive_load(session, &question, error) &&
              ask(session, &parts_proof, month, &answer, error);
    if (ok)
        report_proof(verification, period, &parts_proof, &answer);
    PQfinish(session);
    return ok;
}

static bool prove_files(struct verification *verification, const PGresult *months, int row, const char *out,
                        struct error *error)
{
    struct verify_answer answer = { .waits = true };
    const struct verify_statement statement = { PQgetvalue(months, row, MONTH_PERIOD),
                                                PQgetvalue(months, row, MONTH_STATUS),
                                                PQgetvalue(months, row, MONTH_RUN) };
    const char *folder = out != NULL ? out : PQgetvalue(months, row, MONTH_OUT);
    if (folder[0] == '\0') {
        snprintf(answer.why, sizeof answer.why, "no night has written them: name their folder with --out");
        report_proof(verification, statement.period, &files_proof, &answer);
        return true;
    }
    bool ok = verify_files(folder, &statement, &answer, error);
    if (ok)
        report_proof(verification, statement.period, &files_proof, &answer);
    return ok;
}

static bool prove_month(struct verification *verification, const PGresult *months, int row, const char *out,
                        struct error *error)
{
    const char *period = PQgetvalue(months, row, MONTH_PERIOD), *month = PQgetvalue(months, row, MONTH_DAY);
    bool is_closed = result_flag(months, row, MONTH_IS_CLOSED);
    struct verify_answer answer = { 0 };
    if (verification->json == NULL)
        print_line(stdout, "%s, %s", period, is_closed ? "closed" : "open");
    bool ok = prove_lines(verification, months, row, error);
    for (int i = 0; ok && i < PROOFS; i++) {
        if (proofs[i].is_of_closed && !is_closed)
            continue;
        ok = ask(verification->connection, &proofs[i], month, &answer, error);
        if (ok)
            report_proof(verification, period, &proofs[i], &answer);
    }
    if (ok && is_closed && answer.differing == 0)
        ok = prove_parts(verification, period, month, error);
    return ok && prove_files(verification, months, row, out, error);
}

static bool begin(struct verification *verification, struct error *error)
{
    PGresult *snapshot = NULL;
    bool ok = database_run_file(verification->connection, "report/begin.sql", error) &&
              (snapshot = database_query(verification->connection, "SELECT pg_export_snapshot()", 0, NULL,
                                         error)) != NULL;
    if (ok)
        snprintf(verification->snapshot, sizeof verification->snapshot, "%s", PQgetvalue(snapshot, 0, 0));
    PQclear(snapshot);
    return ok;
}

static bool prove(struct verification *verification, const char *period, const char *out, struct error *error)
{
    PGresult *months = NULL;
    bool ok = begin(verification, error) &&
              (months = database_query_file(verification->connection, "verify/months.sql", 1, &period,
                                            error)) != NULL;
    if (ok && period != NULL && PQntuples(months) == 0) {
        ok = error_set(error, ERROR_INPUT, "there is no statement of %s", period);
        error_hint(error, "kstar status lists the months that have one");
    }
    if (ok && PQntuples(months) == 0 && verification->json == NULL)
        puts("no statement is published");
    for (int i = 0; ok && i < PQntuples(months); i++)
        ok = prove_month(verification, months, i, out, error);
    PQclear(months);
    database_rollback(verification->connection);
    return ok;
}

/* Sets the exit code of all proofs together. */
static bool conclude(struct verification *verification, struct error *error)
{
    if (verification->json != NULL && !json_print(verification->json, error))
        return false;
    if (verification->has_differences) {
        error_set(error, ERROR_CONSERVATION, "what is stored is not what was published: %s",
                  verification->first);
        error_hint(error,
                   "a file that somebody has changed: kstar report writes it again; the database: compare it "
                   "with a backup");
        return false;
    }
    if (verification->waits)
        error->kind = ERROR_ATTENTION;
    return true;
}

static bool run(const struct command *command, int argc, char **argv, struct error *error)
{
    const char *out = NULL;
    bool json = false, is_reader;
    const struct option_entry entries[] = {
        { "out", OPTION_TEXT, "DIR", "where the files are (default: where the last night wrote them)", &out },
        { "json", OPTION_FLAG, NULL, "print JSON", &json },
        { 0 },
    };
    struct common_options options;
    int first_operand;
    if (!options_read(command, entries, argc, argv, &options, &first_operand, error))
        return false;
    const char *period = argv[first_operand];
    if (argc - first_operand > 1) {
        error_set(error, ERROR_USAGE, "verify: takes at most one PERIOD such as 2026-09");
        error_hint(error, "kstar verify --help shows an example");
        return false;
    }
    if (period != NULL && !period_operand(command, period, error))
        return false;
    PGconn *connection = connect_existing_or_reader(&options, &is_reader, error);
    bool ok = connection != NULL;
    if (ok && is_reader) {
        ok = error_set(error, ERROR_DATABASE, "a reader sees the rows of some cost centres alone");
        error_hint(error, "run kstar verify as a member of kstar_report or kstar_ingest");
    }
    if (ok) {
        struct verification verification = { .connection = connection };
        verification.json = json ? cJSON_CreateArray() : NULL;
        ok = prove(&verification, period, out, error);
        if (ok)
            ok = conclude(&verification, error);
        else
            cJSON_Delete(verification.json);
    }
    connect_close(connection);
    return ok;
}

const struct command command_verify = {
    .name = "verify",
    .summary = "prove published months again from what is stored",
    .usage = "kstar verify [PERIOD] [options]",
    .description =
        "Adds up again what is stored of PERIOD, or of every month that has a statement: lines as they were "
        "read, charges,\n"
        "rows and cents, jobs, adjustments, issued journals, the archived parts of a closed month, and the "
        "files in OUT.\n"
        "A line for each says whether it is proven. Changes nothing. Exit code 5 if something differs, 4 if "
        "something could\n"
        "not be proven that a person can mend; what was pruned is named and no fault.",
    .examples = "kstar verify\n"
                "kstar verify 2026-09 --out out",
    .run = run,
};
