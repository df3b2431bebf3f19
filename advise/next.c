/* advise/next.c: see next.h. */
#include "advise/next.h"

#include "base/postgres/database.h"
#include "print/json_print.h"
#include "print/result_table.h"

#include <stdio.h>

enum { FIRST_DAY, PERIOD, CURRENCY }; /* sql/model/latest_statement.sql */

static bool print_json(const PGresult *statement, const PGresult *experiments, struct error *error)
{
    cJSON *root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "period", PQgetvalue(statement, 0, PERIOD));
    cJSON_AddStringToObject(root, "currency", PQgetvalue(statement, 0, CURRENCY));
    cJSON_AddItemToObject(root, "experiments", result_table_json(experiments));
    return json_print(root, error);
}

static void print_text(const PGresult *statement, const PGresult *experiments)
{
    char title[128];
    snprintf(title, sizeof title,
             "what to measure next, by the statement of %s and the two months before it, in %s",
             PQgetvalue(statement, 0, PERIOD), PQgetvalue(statement, 0, CURRENCY));
    result_table_print(title, experiments);
}

static bool print_experiments(PGconn *connection, const PGresult *statement, bool json, struct error *error)
{
    const char *const parameters[] = { PQgetvalue(statement, 0, FIRST_DAY) };
    PGresult *experiments =
        database_query_file(connection, "model/next_experiments.sql", 1, parameters, error);
    bool ok = experiments != NULL;
    if (ok && json)
        ok = print_json(statement, experiments, error);
    else if (ok)
        print_text(statement, experiments);
    PQclear(experiments);
    return ok;
}

bool advise_next(PGconn *connection, bool is_reader, bool json, struct error *error)
{
    if (is_reader) {
        error_set(error, ERROR_USAGE, "advise: --next is not for readers of the views");
        error_hint(error, "the page of a cost centre has the experiments of its own jobs");
        return false;
    }
    PGresult *statement = database_query_file(connection, "model/latest_statement.sql", 0, NULL, error);
    bool ok = statement != NULL;
    if (ok && PQntuples(statement) == 0) {
        ok = error_set(error, ERROR_INPUT, "advise: no statement is published");
        error_hint(error, "kstar nightly or kstar model makes one");
    }
    ok = ok && print_experiments(connection, statement, json, error);
    PQclear(statement);
    return ok;
}
