/* base/postgres/cursor.h: the rows of a query, read in batches.
 *
 * While the rows of one batch are worked on, the server makes the next, so that both are at work.
 * At most two batches are in memory: one here, one on its way.
 */
#ifndef KSTAR_BASE_POSTGRES_CURSOR_H
#define KSTAR_BASE_POSTGRES_CURSOR_H

#include "base/error.h"

#include <libpq-fe.h>
#include <stdbool.h>

/* Takes one row. False ends the reading with `error`. It must not use the connection: the next
 * batch is on its way there. */
typedef bool cursor_row(const PGresult *rows, int row, void *context, struct error *error);

enum cursor_format { CURSOR_TEXT, CURSOR_BINARY };

/* Gives each row to `take`, then closes the cursor. The file `file` of sql/ declares it by the name
 * `cursor`. After a failure the connection is free for the next statement, such as a ROLLBACK. */
bool cursor_read(PGconn *connection, const char *file, const char *cursor, enum cursor_format format,
                 cursor_row *take, void *context, struct error *error);

#endif
