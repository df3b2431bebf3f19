/* cli/budget_alerts.h: runs a site's own hook for budgets that crossed a threshold
 * (docs/budgets.md).
 *
 * Publishing a statement finds crossings and keeps them (sql/results/12_budget_alerts.sql); here
 * each is sent once. The hook is the site's command line; it gets one JSON line on its standard
 * input, and nothing from outside stands in its arguments. A crossing counts as sent when the hook
 * has ended with 0: killed between the two, it is sent again.
 */
#ifndef KSTAR_CLI_BUDGET_ALERTS_H
#define KSTAR_CLI_BUDGET_ALERTS_H

#include "base/error.h"

#include <libpq-fe.h>
#include <stdbool.h>

/* Runs the hook for each crossing that none has received. A hook that fails is reported to
 * `failed` (ERROR_ATTENTION), and its crossing is sent the next time; after one that did not end in
 * time no other is run. False only where the database fails. The connection must not be in a
 * transaction. */
typedef void hook_failed(void *context, const struct error *error);
bool budget_alerts_send(PGconn *connection, const char *command, hook_failed *failed, void *context,
                        struct error *error);

/* Marks all crossings as reported by a night. *count: those that no night had reported before. */
bool budget_alerts_note(PGconn *connection, int *count, struct error *error);

/* Rows as JSON lines: {"kind":"alert","period":"2026-09",…}. Decimals stay as they are, unquoted.
 * The caller frees it with free(); NULL without memory. */
char *budget_json_line(const char *kind, const PGresult *rows, int row);

#endif
