/* night/ledger/interrupt.h: SIGINT and SIGTERM end kstar at once and cleanly.
 *
 * Nothing has to be undone: work lives in a transaction that the server drops with the connection,
 * and files appear by rename. What an interrupt adds: the running statement is cancelled, so that
 * the server does not go on working for nobody; the run ledger says that the run was interrupted;
 * one line stands on standard error; and the process dies by the same signal, so that the caller
 * sees it. A second interrupt, and a few seconds, end it without all that.
 *
 * A signal handler may do none of this: it wakes a thread that does.
 */
#ifndef KSTAR_NIGHT_LEDGER_INTERRUPT_H
#define KSTAR_NIGHT_LEDGER_INTERRUPT_H

#include <libpq-fe.h>

void interrupt_prepare(void); /* installs the handlers; once, from main */

/* From now on an interrupt cancels what `connection` runs; NULL: forget it, before PQfinish. */
void interrupt_cancels(PGconn *connection);

/* From now on calls `notify` with the signal, from another thread, after the cancel. */
void interrupt_notifies(void (*notify)(int signal_number));

/* Where the process is about to die of an interrupt, waits for that: what fails meanwhile, the
 * cancelled statement for one, is no error to print. */
void interrupt_wait(void);

#endif
