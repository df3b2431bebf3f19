/* suggest/suggest.h: proposed rows of reference files, from the bills and job records that were
 * loaded.
 *
 * A proposal covers what no row covers yet. A comment above it states the money behind it.
 * Proposals are written to INBOX/reference/NAME.suggested.csv, which kstar never reads. Values that
 * only a person knows stay empty: owner, GL account, split. A file that exists is not changed.
 * Nothing in the database changes.
 *
 *     struct suggestion files[SUGGESTIONS];
 *     if (!suggest_write(connection, "inbox", files, error)) …
 */
#ifndef KSTAR_SUGGEST_SUGGEST_H
#define KSTAR_SUGGEST_SUGGEST_H

#include "base/error.h"

#include <libpq-fe.h>
#include <limits.h>
#include <stdbool.h>

enum { SUGGESTIONS = 7 };

struct suggestion {
    char path[PATH_MAX];
    int rows;     /* 0: nothing to propose, and no file */
    bool is_kept; /* a file of that name existed and was kept */
};

/* False with ERROR_ATTENTION if nothing was loaded yet. */
bool suggest_write(PGconn *connection, const char *inbox, struct suggestion files[SUGGESTIONS],
                   struct error *error);

#endif
