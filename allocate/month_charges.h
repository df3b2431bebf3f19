/* allocate/month_charges.h: the charges of a month, made from its lines and from what jobs held.
 *
 * The steps of sql/allocate before it have worked out rules, attempts and the inventory; those
 * behind it read charges, no lines.
 */
#ifndef KSTAR_ALLOCATE_MONTH_CHARGES_H
#define KSTAR_ALLOCATE_MONTH_CHARGES_H

#include "base/error.h"

#include <libpq-fe.h>
#include <stdbool.h>

/* Within the transaction of the month's statement. Fills charge_sum, class_charge_sum, billed_span,
 * node_excess and centre_class. As many `readers` as that, each with a connection of its own: on
 * the transaction's snapshot, or to a worker that holds lines of the month, at least one each. A
 * replay on one server is read by one. The charges are the same whatever their number. */
bool month_charges(PGconn *connection, int readers, struct error *error);

/* The same, and fills line_part (sql/explain/line_part.sql): each part of a line with its weight.
 * `places` NULL for the whole month, else for lines and nodes of these hashes alone: "{1,2}"
 * (sql/explain/job_places.sql). */
bool month_parts(PGconn *connection, int readers, const char *places, struct error *error);

#endif
