/* night/ledger/interrupt.h: SIGINT and SIGTERM end kstar at once and cleanly.
 *
 * Nothing has to be undone: work is in a transaction that the server drops with the connection, and
 * files appear by rename. An interrupt adds four things. The running statement is cancelled, so
 * that the server does not go on working for nobody. The run ledger records the interrupt. One line
 * is printed on standard error. The process dies by the same signal, so that the caller sees it. A
 * second interrupt, or a timeout of a few seconds, ends the process without all that.
 *
 * A signal handler may do none of this, so it wakes a thread that does.
 */
#ifndef KSTAR_NIGHT_LEDGER_INTERRUPT_H
#define KSTAR_NIGHT_LEDGER_INTERRUPT_H

#include <libpq-fe.h>

void interrupt_prepare(void); /* installs the handlers; once, from main */

/* From now on an interrupt cancels the running statement of `connection`. NULL: forget the
 * connection, before PQfinish. */
void interrupt_cancels(PGconn *connection);

/* From now on calls `notify` with the signal, from another thread, after the cancel. */
void interrupt_notifies(void (*notify)(int signal_number));

/* If the process is about to die of an interrupt, waits for that. A failure meanwhile, such as the
 * cancelled statement, is no error to print. */
void interrupt_wait(void);

#endif
