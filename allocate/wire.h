/* allocate/wire.h: PostgreSQL's binary results, and numbers of any size to and from it.
 *
 * Times are microseconds since 1970, UTC; infinity and -infinity are INT64_MAX and INT64_MIN.
 */
#ifndef KSTAR_ALLOCATE_WIRE_H
#define KSTAR_ALLOCATE_WIRE_H

#include "base/error.h"
#include "base/postgres/copy_stream.h"
#include "model/allocation/resource.h"

#include <libpq-fe.h>

/* Runs a file of sql/ that has no parameters. The caller clears the result. NULL on failure. */
PGresult *wire_query_file(PGconn *connection, const char *name, struct error *error);
/* The same for a statement given as text. */
PGresult *wire_query(PGconn *connection, const char *sql, struct error *error);

bool wire_bool(const PGresult *result, int row, int column);
int32_t wire_int4(const PGresult *result, int row,
                  int column); /* null: 0; also of a date: days since 2000-01-01 */
int64_t wire_int8(const PGresult *result, int row, int column); /* null: 0 */
int64_t wire_time(const PGresult *result, int row, int column);
/* Reads a numeric at its written scale. Returns false for null and sets `decimal` to 0. The
 * caller has initialised decimal->units. */
bool wire_decimal(const PGresult *result, int row, int column, struct exact_decimal *decimal);

/* A field of a COPY: `units` / 10^scale. */
void copy_exact(struct copy_stream *stream, mpz_srcptr units, unsigned scale);

#endif
