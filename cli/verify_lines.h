/* cli/verify_lines.h: compares the stored lines of a month with the record of their delivery. */
#ifndef KSTAR_CLI_VERIFY_LINES_H
#define KSTAR_CLI_VERIFY_LINES_H

#include "cli/verify_answer.h"

#include <libpq-fe.h>

/* Compares the sum of each chunk's lines (ingest/bill/line_sums.h) in `month` ("2026-09-01"), and
 * the number of each load's. The connection is in a transaction, whose setting
 * kstar.verified_month is changed. */
bool verify_lines(PGconn *connection, const char *month, struct verify_answer *answer, struct error *error);

#endif
