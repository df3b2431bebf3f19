/* allocate/month_charges.h: makes the charges of a month from its lines and from the time that
 * jobs held nodes.
 *
 * Earlier steps of sql/allocate prepare rules, attempts and the inventory. Later steps read the
 * charges and no lines.
 */
#ifndef KSTAR_ALLOCATE_MONTH_CHARGES_H
#define KSTAR_ALLOCATE_MONTH_CHARGES_H

#include "base/error.h"

#include <libpq-fe.h>
#include <stdbool.h>

/* Runs in the transaction of the month's statement. Fills charge_sum, class_charge_sum,
 * billed_span, node_excess and centre_class. Uses `readers` readers, each with its own
 * connection: on the transaction's snapshot, or to a worker that holds lines of the month (at
 * least one reader each). A replay on one server uses one reader. The number of readers does not
 * change the charges. */
bool month_charges(PGconn *connection, int readers, struct error *error);

/* Like month_charges, and also fills line_part (sql/explain/line_part.sql): each part of a line
 * with its weight. `places` NULL reads the whole month; otherwise only lines and nodes with
 * these hashes: "{1,2}" (sql/explain/job_places.sql). */
bool month_parts(PGconn *connection, int readers, const char *places, struct error *error);

#endif
