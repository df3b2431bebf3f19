/* cli/interrupt.c: see interrupt.h. PQcancel is documented to be safe in a signal handler. */
#include "cli/interrupt.h"

#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static PGcancel *volatile running;

static void end(int signal_number)
{
    static const char message[] =
        "error: interrupted; the open transaction is dropped, run the command again\n";
    char ignored[64];
    if (running != NULL)
        PQcancel(running, ignored, sizeof ignored);
    if (write(STDERR_FILENO, message, sizeof message - 1) < 0)
        _exit(128 + signal_number);
    raise(signal_number); /* SA_RESETHAND: this time it kills, once the handler returns */
}

void interrupt_prepare(void)
{
    struct sigaction action = { 0 };
    action.sa_handler = end;
    action.sa_flags = (int)SA_RESETHAND;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

void interrupt_cancels(PGconn *connection)
{
    PGcancel *before = running;
    running = connection ? PQgetCancel(connection) : NULL;
    PQfreeCancel(before);
}
