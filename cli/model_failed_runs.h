/* cli/model_failed_runs.h: kstar model --failed-runs: the cost of failed runs over the trailing
 * window of a statement. */
#ifndef KSTAR_CLI_MODEL_FAILED_RUNS_H
#define KSTAR_CLI_MODEL_FAILED_RUNS_H

#include "base/error.h"

#include <libpq-fe.h>
#include <stdbool.h>

/* Prints the factor by cost centre and family and the costs by final state, as tables or as JSON.
 * `period` NULL: the latest statement. */
bool model_failed_runs(PGconn *connection, const char *period, bool json, struct error *error);

#endif
