/* cli/interrupt.h: SIGINT and SIGTERM end kstar at once and cleanly.
 *
 * Nothing has to be undone: work lives in a transaction that the server drops with the connection, and files
 * appear by rename. What the handler adds is to cancel the running statement, so that the server does not go
 * on working for nobody, one line on standard error, and death by the same signal, so that the caller sees
 * it.
 */
#ifndef KSTAR_CLI_INTERRUPT_H
#define KSTAR_CLI_INTERRUPT_H

#include <libpq-fe.h>

void interrupt_prepare(void); /* installs the handlers; once, from main */

/* From now on an interrupt cancels what `connection` runs; NULL: forget it, before PQfinish. */
void interrupt_cancels(PGconn *connection);

#endif
