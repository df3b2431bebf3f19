/* night/month/planned_trainings.h: what the trainings of planned_trainings.csv would cost on the K
 * that they ask for, and on K*, by their family's fit and prices (docs/budgets.md).
 *
 *     C(K) = (p K + f) T(K)        T(K) = one-node hours ÷ (K E(K)) × what interrupts such jobs
 *
 * K* is found with the cost of waiting in f. The costs shown are money, without waiting.
 */
#ifndef KSTAR_NIGHT_MONTH_PLANNED_TRAININGS_H
#define KSTAR_NIGHT_MONTH_PLANNED_TRAININGS_H

#include "base/error.h"

#include <libpq-fe.h>

/* Lists the trainings that cost more than the limit, or whose cost is unknown, by today's fits and
 * the latest prices: of `period` ("2026-09") alone, or (NULL) from the earliest open month on.
 * Changes nothing. The caller clears the result; NULL on failure. The connection must not be in a
 * transaction. */
PGresult *planned_trainings_list(PGconn *connection, const char *period, struct error *error);

#endif
