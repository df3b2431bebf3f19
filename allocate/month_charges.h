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
 * the next steps. Other readers start in line_readers_charge. NULL on failure; a failure of a
 * reader is reported by line_readers_charge or month_charges. */
struct line_readers *line_readers_begin(PGconn *connection, int readers, struct error *error);

/* Reads rules, attempts and the inventory after sql/allocate/10_charge_sums.sql, then has the
 * readers make charges. They keep these in memory until month_charges, so the transaction can run
 * steps that need no charges. Call it once. */
bool line_readers_charge(struct line_readers *readers, struct error *error);

/* Fills charge_sum, class_charge_sum, billed_span, node_excess and centre_class. Waits for the
 * readers. Call it once, after line_readers_charge. */
bool month_charges(struct line_readers *readers, struct error *error);

/* May be called at any time, also with NULL. It cancels queries that still run and closes the
 * connections. */
void line_readers_close(struct line_readers *readers);

/* All of this in one call, for an explanation. It also fills line_part (sql/explain/line_part.sql):
 * each wanted part of a line, with its weight. */
bool month_parts(PGconn *connection, int readers, const struct parts_wanted *wanted, struct error *error);

#endif
