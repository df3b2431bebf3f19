/* allocate/month_charges.h: makes the charges of a month from its lines and from the time that
 * jobs held nodes.
 *
 * Earlier steps of sql/allocate prepare rules, attempts and the inventory. Later steps read the
 * charges and no lines.
 */
#ifndef KSTAR_ALLOCATE_MONTH_CHARGES_H
#define KSTAR_ALLOCATE_MONTH_CHARGES_H

#include "allocate/parts_wanted.h"
#include "base/error.h"

#include <libpq-fe.h>
#include <stdbool.h>

/* The readers of a month, each with its own connection: on the transaction's snapshot, or to a
 * worker that holds lines of the month (at least one reader each). A replay on one server, or one
 * reader, reads on the statement's own connection. The number of readers does not change the
 * charges. */
struct line_readers;

/* Starts the readers after sql/allocate/05_lines.sql, in the statement's transaction. Readers on
 * its snapshot open their cursors now: the server sorts lines and holds while the transaction runs
 * the next steps. Other readers start in month_charges. NULL on failure; month_charges reports a
 * failure of a reader. */
struct line_readers *line_readers_begin(PGconn *connection, int readers, struct error *error);

/* Fills charge_sum, class_charge_sum, billed_span, node_excess and centre_class. Call it once. */
bool month_charges(struct line_readers *readers, struct error *error);

/* May be called at any time, also with NULL. It cancels queries that still run and closes the
 * connections. */
void line_readers_close(struct line_readers *readers);

/* Begins, charges and closes in one call. It also fills line_part (sql/explain/line_part.sql): each
 * part of a line that is wanted, with its weight. */
bool month_parts(PGconn *connection, int readers, const struct parts_wanted *wanted, struct error *error);

#endif
