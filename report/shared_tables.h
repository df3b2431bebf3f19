/* report/shared_tables.h: passes the temporary tables of one session to the writers of all
 * workbooks.
 *
 * Only the session that makes a temporary table can read it. So the filled tables are written to
 * an unnamed file in binary COPY, and each further writer fills its own tables from that file. The
 * tables are computed once, whatever the number of writers.
 */
#ifndef KSTAR_REPORT_SHARED_TABLES_H
#define KSTAR_REPORT_SHARED_TABLES_H

#include "base/error.h"

#include <libpq-fe.h>
#include <stdbool.h>
#include <sys/types.h>

struct shared_table {
    char *name;
    off_t from, to; /* its bytes in the file */
    bool is_analyzed;
};

struct shared_tables {
    int file; /* -1: none */
    struct shared_table *tables;
    int count;
};

/* Copies all temporary tables of `connection` to the file. `names_from` is a session that made the
 * same tables before its transaction began, such as `connection` itself: only its catalogue has
 * them. The caller frees `shared`, also after a failure. */
bool shared_tables_keep(struct shared_tables *shared, PGconn *names_from, PGconn *connection,
                        struct error *error);

/* Fills the empty tables of another session. Several processes may do this at the same time. */
bool shared_tables_fill(const struct shared_tables *shared, PGconn *connection, struct error *error);

void shared_tables_free(struct shared_tables *shared);

#endif
