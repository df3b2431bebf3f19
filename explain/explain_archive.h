/* explain/explain_archive.h: reads the archived parts of a closed month. */
#ifndef KSTAR_EXPLAIN_EXPLAIN_ARCHIVE_H
#define KSTAR_EXPLAIN_EXPLAIN_ARCHIVE_H

#include "explain/explain_ask.h"

/* Fills the table `explained` with the archived rows that may answer the question. It may hold
 * other rows, too. ERROR_INPUT: nothing was archived. ERROR_CONSERVATION: the archive is not the
 * one that the close wrote. question->attempts are the job's, "{1,2}", or NULL. */
bool explain_archive_load(PGconn *connection, const struct explain_question *question, struct error *error);

/* The same through the views of readers, for users who may not read tables. */
bool explain_archive_load_seen(PGconn *connection, const struct explain_question *question,
                               struct error *error);

#endif
