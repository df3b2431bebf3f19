/* advise/next.h: `kstar advise --next`: the next measurement of each family whose K* is not sure,
 * with its price and the most that it can save, as in the latest statement
 * (sql/schema/21_experiments.sql). */
#ifndef KSTAR_ADVISE_NEXT_H
#define KSTAR_ADVISE_NEXT_H

#include "base/error.h"

#include <libpq-fe.h>
#include <stdbool.h>

/* Prints a table, or JSON. ERROR_INPUT: no statement is published. ERROR_USAGE: a reader of the
 * views has no answer, because the fits are those of all cost centres. */
bool advise_next(PGconn *connection, bool is_reader, bool json, struct error *error);

#endif
