/* base/thread.c: see thread.h. */
#include "base/thread.h"

#include <errno.h>
#include <signal.h>

bool thread_start(pthread_t *thread, void *(*run)(void *), void *argument)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int outcome = pthread_create(thread, NULL, run, argument);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = outcome;
    return outcome == 0;
}
