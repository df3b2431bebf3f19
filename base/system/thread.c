/* base/system/thread.c: see thread.h. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "base/system/thread.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

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

int processor_count(void)
{
    if (getenv("KSTAR_TEST_PROCESSORS") != NULL) /* for tests, several of which run at once */
        return 1;
    cpu_set_t processors;
    int count = sched_getaffinity(0, sizeof processors, &processors) == 0
                    ? CPU_COUNT(&processors)
                    : (int)sysconf(_SC_NPROCESSORS_ONLN);
    return count > 1 ? count : 1;
}

int connections_for_work(int asked)
{
    enum { MOST = 16 };
    int count = processor_count();
    if (asked > 0)
        return asked;
    return count < MOST ? count : MOST;
}
