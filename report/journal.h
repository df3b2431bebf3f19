/* report/journal.h: the journal of a month: balanced debit and credit lines that book its
 * statement (docs/journal.md).
 *
 * sql/report/journal.sql fills temporary tables, which the file journal-YYYY-MM.csv reads. The
 * database keeps each issued journal. If the statement books
 * the same amounts as the last issue, the journal is that issue, with its posting key and its
 * bytes. Otherwise it is a preview, which begins with the reversal of the last issue.
 */
#ifndef KSTAR_REPORT_JOURNAL_H
#define KSTAR_REPORT_JOURNAL_H

#include "base/error.h"

#include <libpq-fe.h>
#include <stdbool.h>

/* Fills the tables of report/00_session.sql for the month in kstar.statement_month, in a
 * transaction. `number` 0 uses the current statement; otherwise issue `number` is read as it
 * was. ERROR_INPUT if that number was never issued. */
bool journal_fill(PGconn *connection, int number, struct error *error);

/* Writes the filled journal to `path` in the current layout. */
bool journal_write(PGconn *connection, const char *path, struct error *error);

/* Whether the filled journal books the amounts of the current statement. */
bool journal_check(PGconn *connection, struct error *error);

#endif
