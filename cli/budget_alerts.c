/* cli/budget_alerts.c: see budget_alerts.h. */
#include "cli/budget_alerts.h"

#include "base/log.h"
#include "base/postgres/database.h"
#include "base/system/child_process.h"
#include "print/result_table.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_COLUMNS = 4, HOOK_SECONDS = 60 }; /* period, cost centre, measure, threshold */

char *budget_json_line(const char *kind, const PGresult *rows, int row)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "kind", kind);
    result_row_add(object, rows, row, DECIMALS_AS_NUMBERS);
    char *line = cJSON_PrintUnformatted(object);
    cJSON_Delete(object);
    return line;
}

/* The line that a hook reads, with its newline. */
static char *hook_input(const PGresult *alert, struct error *error)
{
    char *line = budget_json_line("alert", alert, 0);
    size_t length = line != NULL ? strlen(line) : 0;
    char *input = line != NULL ? realloc(line, length + 2) : NULL;
    if (input == NULL) {
        free(line);
        error_set(error, ERROR_FAILED, "out of memory");
        return NULL;
    }
    memcpy(input + length, "\n", 2);
    return input;
}

/* How a hook ended. error.kind is ERROR_NONE if the hook succeeded. */
struct hook_end {
    bool late; /* it was killed because it did not end in time */
    struct error error;
};

/* Runs the hook for one crossing. False if the database or memory fails. */
static bool run_hook(PGconn *connection, const char *command, const char *const *key, struct hook_end *ended,
                     struct error *error)
{
    PGresult *alert = database_query_file(connection, "budget/alerts.sql", KEY_COLUMNS, key, error);
    if (alert == NULL)
        return false;
    bool ok = true;
    if (PQntuples(alert) > 0) {
        char *input = hook_input(alert, error);
        ok = input != NULL;
        if (ok && !child_process_hook(command, input, HOOK_SECONDS, &ended->late, &ended->error)) {
            ended->error.kind = ERROR_ATTENTION;
            error_detail(&ended->error, "%s %s: %s past %s %%", key[0], key[1], key[2], key[3]);
            error_hint(&ended->error, "the alert is kept: the next run tells it again");
        }
        free(input);
    }
    PQclear(alert);
    return ok;
}

/* Sends one crossing, in a transaction that locks its row, so that two runs do not send it
 * twice. */
static bool send_alert(PGconn *connection, const char *command, const char *const *key,
                       struct hook_end *ended, struct error *error)
{
    PGresult *claimed = NULL;
    bool ok =
        database_begin(connection, error) &&
        (claimed = database_query_file(connection, "budget/claim.sql", KEY_COLUMNS, key, error)) != NULL;
    if (ok && PQntuples(claimed) > 0)
        ok = run_hook(connection, command, key, ended, error);
    if (ok && PQntuples(claimed) > 0 && ended->error.kind == ERROR_NONE) {
        ok = database_run_query(connection, "budget/sent.sql", KEY_COLUMNS, key, error);
        log_event(LOG_INFO, "alert", "period=%s cost_centre=\"%s\" measure=%s threshold=%s", key[0], key[1],
                  key[2], key[3]);
    }
    ok = ok && database_commit(connection, error);
    if (!ok)
        database_rollback(connection);
    PQclear(claimed);
    return ok;
}

bool budget_alerts_send(PGconn *connection, const char *command, hook_failed *failed, void *context,
                        struct error *error)
{
    PGresult *unsent = database_query_file(connection, "budget/unsent.sql", 0, NULL, error);
    bool ok = unsent != NULL;
    for (int i = 0; ok && i < PQntuples(unsent); i++) {
        const char *key[KEY_COLUMNS];
        struct hook_end ended = { 0 };
        for (int column = 0; column < KEY_COLUMNS; column++)
            key[column] = PQgetvalue(unsent, i, column);
        ok = send_alert(connection, command, key, &ended, error);
        if (ok && ended.error.kind != ERROR_NONE)
            failed(context, &ended.error);
        if (ended.late) /* each of the others would take as long */
            break;
    }
    PQclear(unsent);
    return ok;
}

bool budget_alerts_note(PGconn *connection, int *count, struct error *error)
{
    PGresult *noted = database_query_file(connection, "budget/note.sql", 0, NULL, error);
    *count = noted != NULL ? PQntuples(noted) : 0;
    PQclear(noted);
    return noted != NULL;
}
