/* report/shared_tables.h: what one session has computed for the writers of all workbooks.
 *
 * Temporary tables are a session's own. Those that it has filled are written to a file without a
 * name, in binary COPY; a writer beside it fills its own from there. So they are worked out once,
 * however many writers there are.
 */
#ifndef KSTAR_REPORT_SHARED_TABLES_H
#define KSTAR_REPORT_SHARED_TABLES_H

#include "base/error.h"

#include <libpq-fe.h>
#include <stdbool.h>
#include <sys/types.h>

struct shared_table {
    char *name;
    off_t from, to; /* in the file */
};

struct shared_tables {
    int file; /* -1: none */
    struct shared_table *tables;
    int count;
};

/* Keeps all temporary tables of `connection`. To be freed, also after a failure. */
bool shared_tables_keep(struct shared_tables *shared, PGconn *connection, struct error *error);

/* Fills those of another session, which has them empty. Several processes may do so at a time. */
bool shared_tables_fill(const struct shared_tables *shared, PGconn *connection, struct error *error);

void shared_tables_free(struct shared_tables *shared);

#endif
