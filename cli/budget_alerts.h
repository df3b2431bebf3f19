/* cli/budget_alerts.h: runs a site's own hook for budgets that crossed a threshold
 * (docs/budgets.md).
 *
 * Publishing a statement finds crossings and stores them (sql/results/12_budget_alerts.sql); the
 * functions here send each crossing once. The hook is the site's command line. It reads one JSON
 * line from its standard input, and its arguments have nothing from outside. A crossing counts as
 * sent after the hook has ended with 0. If kstar is killed between the two, it sends the crossing
 * again.
 */
#ifndef KSTAR_CLI_BUDGET_ALERTS_H
#define KSTAR_CLI_BUDGET_ALERTS_H

#include "base/error.h"

#include <libpq-fe.h>
#include <stdbool.h>

/* Runs the hook for each crossing that was not sent yet. A hook that fails is reported to `failed`
 * (ERROR_ATTENTION), and its crossing is sent the next time. If a hook does not end in time, no
 * other is run. False only if the database fails. The connection must not be in a transaction. */
typedef void hook_failed(void *context, const struct error *error);
bool budget_alerts_send(PGconn *connection, const char *command, hook_failed *failed, void *context,
                        struct error *error);

/* Marks all crossings as reported by a night. *count: how many no night had reported before. */
bool budget_alerts_note(PGconn *connection, int *count, struct error *error);

/* A row as a JSON line: {"kind":"alert","period":"2026-09",…}. Decimals keep their digits,
 * unquoted. The caller frees it with free(); NULL if memory runs out. */
char *budget_json_line(const char *kind, const PGresult *rows, int row);

#endif
