/* base/system/thread.h: threads that leave signals to the thread that started them. */
#ifndef KSTAR_BASE_SYSTEM_THREAD_H
#define KSTAR_BASE_SYSTEM_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/* As pthread_create, but with all signals blocked in the new thread: the main thread gets an
 * interrupt. False with errno if no thread can be started. */
bool thread_start(pthread_t *thread, void *(*run)(void *), void *argument);

/* Processors that this process may run on, at least 1. */
int processor_count(void);

/* The number of connections that share the work: `asked`; if that is 0, one for each processor,
 * at most 16. Others need connections of the server, too (kstar's own has 40), and each takes
 * memory. */
int connections_for_work(int asked);

#endif
