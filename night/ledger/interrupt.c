/* night/ledger/interrupt.c: see interrupt.h. */
#include "night/ledger/interrupt.h"

#include "base/log.h"
#include "base/status_line.h"
#include "base/system/thread.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

enum { GRACE_SECONDS = 5 };

static volatile sig_atomic_t asked; /* the signal; 0: none yet */
static sem_t wake;
static pid_t owner; /* forked writers of workbooks inherit the handlers, but not the thread */

/* What the thread cancels and calls; the lock guards both. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static PGcancel *running;
static void (*on_interrupt)(int signal_number);

static void die(int signal_number)
{
    signal(signal_number, SIG_DFL);
    kill(getpid(), signal_number);
}

static void ask(int signal_number)
{
    int before = errno;
    if (asked || getpid() != owner) {
        die(signal_number);
    } else {
        asked = signal_number;
        alarm(GRACE_SECONDS);
        sem_post(&wake);
    }
    errno = before;
}

static void give_up(int alarm_signal)
{
    (void)alarm_signal;
    die(asked);
}

static void say(void)
{
    static const char message[] = "interrupted; the open transaction is dropped, run the command again";
    status_line_hide();
    if (log_format() == LOG_JSON)
        log_event(LOG_ERROR, "error", "message=\"%s\" exit_code=%d", message, 128 + (int)asked);
    else
        dprintf(STDERR_FILENO, "error: %s\n", message); /* the work may be inside stdio */
}

static void *end(void *nothing)
{
    char ignored[64];
    while (sem_wait(&wake) != 0)
        ;
    pthread_mutex_lock(&lock);
    if (running != NULL)
        PQcancel(running, ignored, sizeof ignored);
    if (on_interrupt != NULL)
        on_interrupt(asked);
    say();
    die(asked);
    return nothing;
}

static void handle(int signal_number, void (*handler)(int))
{
    struct sigaction action = { 0 };
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART; /* the work goes on until the thread ends the process */
    sigemptyset(&action.sa_mask);
    struct sigaction before;
    /* nohup ignores a signal, and then it stays ignored */
    if (sigaction(signal_number, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaction(signal_number, &action, NULL);
}

void interrupt_prepare(void)
{
    pthread_t thread;
    owner = getpid();
    if (sem_init(&wake, 0, 0) != 0 || !thread_start(&thread, end, NULL))
        return; /* then a signal kills kstar like any program */
    pthread_detach(thread);
    handle(SIGINT, ask);
    handle(SIGTERM, ask);
    handle(SIGALRM, give_up);
}

void interrupt_cancels(PGconn *connection)
{
    pthread_mutex_lock(&lock);
    PQfreeCancel(running);
    running = connection ? PQgetCancel(connection) : NULL;
    pthread_mutex_unlock(&lock);
}

void interrupt_notifies(void (*notify)(int signal_number))
{
    pthread_mutex_lock(&lock);
    on_interrupt = notify;
    pthread_mutex_unlock(&lock);
}

void interrupt_wait(void)
{
    while (asked)
        pause();
}
