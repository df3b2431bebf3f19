/* explain/explain_print.c: see explain_print.h. */
#include "explain/explain_print.h"

#include "base/postgres/cursor.h"
#include "base/postgres/database.h"
#include "base/postgres/sql_catalogue.h"
#include "print/json_print.h"
#include "print/print_line.h"
#include "print/result_table.h"

#include <stdio.h>
#include <string.h>

enum { SUM_WHAT, SUM_EXACT, SUM_CHARGED, SUM_IS_SAME }; /* sql/explain/sums.sql */

/* Compares the sums of the parts with the statement's. A difference is a defect of kstar and is
 * printed. */
static PGresult *find_sums(PGconn *connection, const struct explain_heading *heading, bool *is_same,
                           struct error *error)
{
    PGresult *sums = database_query_file(
        connection, heading->is_reader ? "explain/sums_seen.sql" : "explain/sums.sql", 0, NULL, error);
    *is_same = sums != NULL;
    for (int i = 0; sums != NULL && i < PQntuples(sums); i++)
        *is_same = *is_same && result_flag(sums, i, SUM_IS_SAME);
    return sums;
}

static bool refuse_difference(struct error *error)
{
    error_set(error, ERROR_CONSERVATION, "the parts do not add up to the statement");
    error_hint(error, "this is a mistake of kstar: please report it with what was printed");
    return false;
}

static bool copy_out(PGconn *connection, struct error *error)
{
    char *row;
    int length;
    while ((length = PQgetCopyData(connection, &row, 0)) > 0) {
        size_t written = fwrite(row, 1, (size_t)length, stdout);
        PQfreemem(row);
        if (written != (size_t)length)
            return error_set_errno(error, "standard output");
    }
    PGresult *end = length == -1 ? PQgetResult(connection) : NULL;
    bool ok = PQresultStatus(end) == PGRES_COMMAND_OK;
    if (!ok)
        database_error(connection, end, "explain/copy.sql", error);
    PQclear(end);
    while ((end = PQgetResult(connection)) != NULL)
        PQclear(end);
    return ok;
}

bool explain_print_csv(PGconn *connection, const struct explain_heading *heading, struct error *error)
{
    bool is_same = false;
    PGresult *sums = find_sums(connection, heading, &is_same, error);
    if (sums == NULL)
        return false;
    PQclear(sums);
    PGresult *begun = PQexec(connection, sql_text("explain/copy.sql"));
    bool ok = PQresultStatus(begun) == PGRES_COPY_OUT;
    if (!ok)
        database_error(connection, begun, "explain/copy.sql", error);
    PQclear(begun);
    return ok && copy_out(connection, error) && (is_same || refuse_difference(error));
}

static PGresult *find_adjustments(PGconn *connection, const struct explain_heading *heading,
                                  struct error *error)
{
    const char *const parameters[] = { heading->month };
    return database_query_file(
        connection, heading->is_reader ? "explain/adjustments_seen.sql" : "explain/adjustments.sql", 1,
        parameters, error);
}

/* Readers of JSON keep numbers as doubles, and the number of an attempt needs more digits. */
static void name_attempt_as_text(cJSON *part, const PGresult *rows, int row)
{
    int column = PQfnumber(rows, "attempt_id");
    if (!PQgetisnull(rows, row, column))
        cJSON_ReplaceItemInObject(part, "attempt_id", cJSON_CreateString(PQgetvalue(rows, row, column)));
}

static bool print_part_json(const PGresult *rows, int row, void *context, struct error *error)
{
    bool *is_first = context;
    cJSON *part = cJSON_CreateObject();
    result_row_add(part, rows, row, DECIMALS_AS_TEXT);
    name_attempt_as_text(part, rows, row);
    bool ok = json_list_add(*is_first, part, error);
    *is_first = false;
    return ok;
}

static bool print_parts_json(PGconn *connection, const struct explain_heading *heading, struct error *error)
{
    bool is_first = true;
    cJSON *head = cJSON_CreateObject();
    cJSON_AddStringToObject(head, "period", heading->period);
    cJSON_AddStringToObject(head, "status", heading->status);
    cJSON_AddStringToObject(head, "currency", heading->currency);
    return json_list_begin("parts", head, error) &&
           cursor_read(connection, "explain/list.sql", "asked_parts", CURSOR_TEXT, print_part_json, &is_first,
                       error);
}

bool explain_print_json(PGconn *connection, const struct explain_heading *heading, struct error *error)
{
    bool is_same = false;
    PGresult *sums = find_sums(connection, heading, &is_same, error);
    PGresult *adjustments = sums == NULL ? NULL : find_adjustments(connection, heading, error);
    bool ok = adjustments != NULL && print_parts_json(connection, heading, error);
    if (ok) {
        cJSON *tail = cJSON_CreateObject();
        cJSON_AddItemToObject(tail, "sums", result_table_json(sums));
        cJSON_AddItemToObject(tail, "adjustments", result_table_json(adjustments));
        ok = json_list_end(tail, error);
    }
    PQclear(adjustments);
    PQclear(sums);
    return ok && (is_same || refuse_difference(error));
}

/* Prints the result of a file of sql/ without parameters as a table; nothing if it has no rows. */
static bool print_table(PGconn *connection, const char *title, const char *file, struct error *error)
{
    PGresult *table = database_query_file(connection, file, 0, NULL, error);
    if (table != NULL && PQntuples(table) > 0)
        result_table_print(title, table);
    PQclear(table);
    return table != NULL;
}

/* The statement's sum in statement currency, in cents if it has them; NULL: a line's sum is in its
 * own currency, and a reader's statement has none of a pool or invoice. */
static const char *stated_sum(const struct explain_heading *heading, const PGresult *sums)
{
    for (int i = 0; heading->question->line == NULL && i < PQntuples(sums); i++) {
        if (strcmp(PQgetvalue(sums, i, SUM_WHAT), "together") == 0)
            return PQgetvalue(sums, i, PQgetisnull(sums, i, SUM_CHARGED) ? SUM_EXACT : SUM_CHARGED);
    }
    return NULL;
}

/* "2026-09, Final: cost centre CC-210 is charged USD 120.00" */
static void print_answer(const struct explain_heading *heading, const PGresult *sums)
{
    const struct explain_question *asked = heading->question;
    const struct {
        const char *what, *name, *verb;
    } kinds[] = { { "job ", asked->job, "costs" },   { "cost centre ", asked->cost_centre, "is charged" },
                  { "pool ", asked->pool, "costs" }, { "invoice ", asked->invoice, "is" },
                  { "line ", asked->line, "is" },    { "the parts of ", "the month", "add up to" } };
    const char *sum = stated_sum(heading, sums);
    size_t kind = 0;
    while (kinds[kind].name == NULL)
        kind++;
    print_part(stdout, "%s, %s: %s%s", heading->period, heading->status, kinds[kind].what, kinds[kind].name);
    if (sum != NULL)
        print_part(stdout, " %s %s %s", kinds[kind].verb, heading->currency, sum);
    print_line(stdout, "%s", "");
}

bool explain_print_text(PGconn *connection, const struct explain_heading *heading, struct error *error)
{
    bool is_same = false;
    PGresult *sums = find_sums(connection, heading, &is_same, error);
    if (sums != NULL)
        print_answer(heading, sums);
    bool ok = sums != NULL && print_table(connection, "bill lines", "explain/print_lines.sql", error) &&
              print_table(connection, "pools, tax and internal charges", "explain/print_shared.sql", error) &&
              print_table(connection, "rules", "explain/print_rules.sql", error);
    PGresult *adjustments = ok ? find_adjustments(connection, heading, error) : NULL;
    if (ok)
        result_table_print("sum", sums);
    if (adjustments != NULL && PQntuples(adjustments) > 0)
        result_table_print("since the close: adjustments of the month in later statements", adjustments);
    ok = adjustments != NULL;
    PQclear(adjustments);
    PQclear(sums);
    return ok && (is_same || refuse_difference(error));
}
