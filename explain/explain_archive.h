/* explain/explain_archive.h: the archived parts of a closed month, read back. */
#ifndef KSTAR_EXPLAIN_EXPLAIN_ARCHIVE_H
#define KSTAR_EXPLAIN_EXPLAIN_ARCHIVE_H

#include "explain/explain_ask.h"

/* Fills the table `explained` with the archived rows that may be what is asked for; not all that
 * are in it need be. ERROR_INPUT where nothing was archived, ERROR_CONSERVATION where the archive
 * is not that of the close. `attempts` are those of the job, "{1,2}", or NULL. */
bool explain_archive_load(PGconn *connection, const struct explain_question *question, struct error *error);

/* The same by the views of readers, for whoever may read no table. */
bool explain_archive_load_seen(PGconn *connection, const struct explain_question *question,
                               struct error *error);

#endif
