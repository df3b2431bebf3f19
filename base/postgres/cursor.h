/* base/postgres/cursor.h: the rows of a query, read in batches.
 *
 * While kstar processes the rows of a batch, the server makes the next one. At most two batches are
 * in memory: the current one, and one that is being received.
 */
#ifndef KSTAR_BASE_POSTGRES_CURSOR_H
#define KSTAR_BASE_POSTGRES_CURSOR_H

#include "base/error.h"

#include <libpq-fe.h>
#include <stdbool.h>

/* Takes a row. False ends the reading with `error`. The function must not use the connection, which
 * receives the next batch. */
typedef bool cursor_row(const PGresult *rows, int row, void *context, struct error *error);

enum cursor_format { CURSOR_TEXT, CURSOR_BINARY };

/* Passes each row to `take`, then closes the cursor. The file `file` of sql/ declares it under
 * the name `cursor`. After a failure the connection is free for the next statement, such as a
 * ROLLBACK. */
bool cursor_read(PGconn *connection, const char *file, const char *cursor, enum cursor_format format,
                 cursor_row *take, void *context, struct error *error);

#endif
