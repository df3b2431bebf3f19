/* cli/model_failed_runs.c: see model_failed_runs.h. */
#include "cli/model_failed_runs.h"

#include "base/postgres/database.h"
#include "base/time_text.h"
#include "print/json_print.h"
#include "print/result_table.h"

#include <cjson/cJSON.h>

static bool print_json(const PGresult *factors, const PGresult *states, struct error *error)
{
    cJSON *root = cJSON_CreateObject();
    cJSON_AddItemToObject(root, "factors", result_table_json(factors));
    cJSON_AddItemToObject(root, "states", result_table_json(states));
    return json_print(root, error);
}

bool model_failed_runs(PGconn *connection, const char *period, bool json, struct error *error)
{
    char first_day[16] = "";
    period_first_day(period, first_day);
    const char *const month[] = { first_day };
    PGresult *factors = database_query_file(connection, "model/failed_runs.sql", 1, month, error);
    PGresult *states = factors != NULL
                           ? database_query_file(connection, "model/failed_run_states.sql", 1, month, error)
                           : NULL;
    bool ok = states != NULL;
    if (ok && PQntuples(factors) == 0)
        ok = error_set(error, ERROR_INPUT, "no attempt in a statement%s%s", period ? " of " : "",
                       period ? period : "");
    if (ok && json) {
        ok = print_json(factors, states, error);
    } else if (ok) {
        result_table_print("failed ÷ productive cost, by cost centre and family (*: all)", factors);
        result_table_print("how attempts ended", states);
    }
    PQclear(states);
    PQclear(factors);
    return ok;
}
