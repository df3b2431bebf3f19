/* report/journal.h: the journal of a month: balanced debit and credit lines that book its statement
 * (docs/journal.md).
 *
 * sql/report/journal.sql makes it, in temporary tables that the sheet "Journal" and
 * journal-YYYY-MM.csv both read. What was issued is kept in the database: a statement that books
 * the same is that issue, with its posting key and its bytes; any other is a preview, which opens
 * with the reversal of the last issue.
 */
#ifndef KSTAR_REPORT_JOURNAL_H
#define KSTAR_REPORT_JOURNAL_H

#include "base/error.h"

#include <libpq-fe.h>
#include <stdbool.h>

/* Fills the tables of report/00_session.sql, in a transaction and for the month in
 * kstar.statement_month: with issue `number` as it was, or, 0, with what the statement gives. A
 * number that was never issued is ERROR_INPUT. */
bool journal_fill(PGconn *connection, int number, struct error *error);

/* Writes what was filled to `path`, in the layout in force. */
bool journal_write(PGconn *connection, const char *path, struct error *error);

#endif
