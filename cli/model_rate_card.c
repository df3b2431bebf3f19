/* cli/model_rate_card.c: see model_rate_card.h. */
#include "cli/model_rate_card.h"

#include "base/postgres/database.h"
#include "base/time_text.h"
#include "print/json_print.h"
#include "print/result_table.h"

#include <cjson/cJSON.h>

bool model_rate_card(PGconn *connection, const char *period, const char *family, bool json,
                     struct error *error)
{
    char first_day[16] = "";
    period_first_day(period, first_day);
    const char *const parameters[] = { first_day, family != NULL ? family : "" };
    PGresult *tiers = database_query_file(connection, "model/rate_card.sql", 2, parameters, error);
    bool ok = tiers != NULL;
    if (ok && PQntuples(tiers) == 0) {
        ok = error_set(error, ERROR_INPUT, "no %s%s has a rate card%s%s", family ? "family " : "family",
                       family ? family : "", period ? " in " : "", period ? period : "");
        error_hint(error,
                   "it needs measurements with a K*, and priced jobs in the month: kstar model --fits");
    } else if (ok && json) {
        ok = json_print(result_table_json(tiers), error);
    } else if (ok) {
        result_table_print(
            "the same work on other node counts: 1 is its cost, and its hours, at K*; waiting counted as shown",
            tiers);
    }
    PQclear(tiers);
    return ok;
}
