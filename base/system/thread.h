/* base/system/thread.h: threads that leave signals to the thread that started them. */
#ifndef KSTAR_BASE_SYSTEM_THREAD_H
#define KSTAR_BASE_SYSTEM_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/* As pthread_create, with all signals blocked in the new thread: the main one gets an interrupt.
 * False with errno where there is no thread to be had. */
bool thread_start(pthread_t *thread, void *(*run)(void *), void *argument);

/* Processors that this process may run on, at least 1. */
int processor_count(void);

/* How many connections share the work: `asked`; if that is 0, one for each processor, at most 16.
 * The server has connections for others, too (kstar's own has 40), and each takes memory. */
int connections_for_work(int asked);

#endif
