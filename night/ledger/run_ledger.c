/* night/ledger/run_ledger.c: see run_ledger.h. */
#include "night/ledger/run_ledger.h"

#include "base/exit_codes.h"
#include "base/log.h"
#include "base/postgres/database.h"
#include "base/utf8.h"
#include "night/ledger/interrupt.h"
#include "night/ledger/metrics.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

/* The run of this process. The lock is there for the thread that ends it on an interrupt. */
static struct {
    pthread_mutex_t lock;
    PGconn *connection;  /* NULL: nothing is noted */
    const char *metrics; /* NULL: no such file */
    char number[24];
    int64_t started_ns, stage_started_ns;
    int stage; /* number of the last one that began */
    int worst; /* exit code of its worst delivery */
    bool has_warned;
} ledger = { .lock = PTHREAD_MUTEX_INITIALIZER };

enum { PARAMETERS_MAXIMUM = 9 };

/* Room for a number as a query parameter. */
struct number_text {
    char text[32];
};

static const char *whole(int64_t number, struct number_text *text)
{
    snprintf(text->text, sizeof text->text, "%" PRId64, number);
    return text->text;
}

static const char *seconds_since(int64_t start_ns, struct number_text *text)
{
    snprintf(text->text, sizeof text->text, "%.3f", (double)(log_clock_ns() - start_ns) / 1e9);
    return text->text;
}

/* After a restart of the server the session is gone: connects once more. */
static bool session_is_there(struct error *error)
{
    if (PQstatus(ledger.connection) == CONNECTION_OK)
        return true;
    PQreset(ledger.connection);
    if (PQstatus(ledger.connection) != CONNECTION_OK)
        return database_error(ledger.connection, NULL, "database", error);
    const char *const number[] = { ledger.number };
    if (!database_run_file(ledger.connection, "session.sql", error))
        return false;
    if (ledger.number[0] == '\0')
        return true;
    return database_run_query(ledger.connection, "run/lock.sql", 1, number, error);
}

/* Runs a statement of the ledger. Parameters may hold any bytes of files: they are made text. */
static PGresult *note(const char *name, int count, const char *const *parameters)
{
    static char clean[PARAMETERS_MAXIMUM][2048];
    const char *texts[PARAMETERS_MAXIMUM] = { NULL };
    struct error error = { 0 };
    PGresult *result = NULL;
    for (int i = 0; i < count; i++)
        if (parameters[i] != NULL)
            texts[i] = utf8_excerpt(parameters[i], strlen(parameters[i]), clean[i], sizeof clean[i]);
    if (session_is_there(&error))
        result = database_query_file(ledger.connection, name, count, texts, &error);
    if (result == NULL && !ledger.has_warned) {
        ledger.has_warned = true;
        log_event(LOG_WARNING, "ledger", "message=\"the run ledger cannot be written: %s\"", error.message);
    }
    return result;
}

/* ---- the run ---- */

static int64_t peak_memory(void)
{
    struct rusage used = { 0 };
    getrusage(RUSAGE_SELF, &used);
    return (int64_t)used.ru_maxrss * 1024;
}

static void write_metrics(int code, bool is_interrupted)
{
    struct error error = { 0 };
    const struct metrics_run run = { .number = ledger.number,
                                     .exit_code = code,
                                     .seconds = (double)(log_clock_ns() - ledger.started_ns) / 1e9,
                                     .peak_memory_bytes = peak_memory(),
                                     .is_interrupted = is_interrupted };
    bool has_database = ledger.connection != NULL && PQstatus(ledger.connection) == CONNECTION_OK;
    if (!metrics_write(ledger.metrics, has_database ? ledger.connection : NULL, &run, &error))
        log_event(LOG_WARNING, "metrics", "message=\"%s\"", error.message);
}

static void end(int code, const char *message, bool is_interrupted)
{
    struct number_text code_text, seconds, memory;
    const char *const parameters[] = { ledger.number,
                                       exit_code_outcome(code),
                                       whole(code, &code_text),
                                       message,
                                       seconds_since(ledger.started_ns, &seconds),
                                       whole(peak_memory(), &memory) };
    if (ledger.connection != NULL && ledger.number[0] != '\0')
        PQclear(note("run/end.sql", 6, parameters));
    bool is_turned_away =
        code == ERROR_BUSY && ledger.number[0] == '\0'; /* the metrics are the other night's */
    if (ledger.metrics != NULL && !is_turned_away)
        write_metrics(code, is_interrupted);
}

/* Called by the thread that an interrupt wakes. The process ends next, so nobody unlocks. */
static void end_interrupted(int signal_number)
{
    pthread_mutex_lock(&ledger.lock);
    end(128 + signal_number, NULL, true);
}

void run_metrics(const char *path)
{
    ledger.metrics = path;
    ledger.started_ns = log_clock_ns();
    interrupt_notifies(end_interrupted);
}

/* Does not return after an interrupt: the cancelled statement then fails, which is no outcome. */
static void enter(void)
{
    interrupt_wait();
    pthread_mutex_lock(&ledger.lock);
}

/* Opens the run's row; false if that fails. */
static bool open_run(PGconn *connection, const struct run_start *start)
{
    struct error error = { 0 };
    ledger.connection = database_connect_again(connection, &error);
    if (ledger.connection == NULL) {
        log_event(LOG_WARNING, "ledger", "message=\"the run ledger cannot be written: %s\"", error.message);
        return false;
    }
    const char *const parameters[] = { start->command, start->inbox, start->out_dir, KSTAR_VERSION };
    PQclear(note("run/stale.sql", 0, NULL));
    PGresult *opened = note("run/begin.sql", 4, parameters);
    if (opened != NULL)
        snprintf(ledger.number, sizeof ledger.number, "%s", PQgetvalue(opened, 0, 0));
    PQclear(opened);
    return opened != NULL;
}

void run_begin(PGconn *connection, const struct run_start *start)
{
    enter();
    ledger.started_ns = log_clock_ns();
    bool is_open = open_run(connection, start);
    if (!is_open) {
        PQfinish(ledger.connection);
        ledger.connection = NULL;
    }
    pthread_mutex_unlock(&ledger.lock);
    if (is_open) {
        log_set_run(ledger.number);
        interrupt_notifies(end_interrupted);
    }
}

void run_end(const struct error *error)
{
    enter();
    end((int)error->kind, error->message[0] != '\0' ? error->message : NULL, false);
    PQfinish(ledger.connection);
    ledger.connection = NULL;
    pthread_mutex_unlock(&ledger.lock);
}

/* ---- its stages ---- */

void run_stage_begin(const char *stage, const char *subject)
{
    log_set_stage(stage);
    enter();
    if (ledger.connection != NULL) {
        struct number_text number;
        ledger.stage_started_ns = log_clock_ns();
        ledger.worst = ERROR_NONE;
        ledger.stage++;
        const char *const parameters[] = { ledger.number, whole(ledger.stage, &number), stage, subject };
        PQclear(note("run/stage_begin.sql", 4, parameters));
    }
    pthread_mutex_unlock(&ledger.lock);
}

void run_stage_end(const struct error *failure, const struct run_counts *counts)
{
    enter();
    if (ledger.connection != NULL) {
        struct number_text number, seconds, files, bytes;
        const char *const parameters[] = { ledger.number,
                                           whole(ledger.stage, &number),
                                           exit_code_outcome(failure != NULL ? (int)failure->kind
                                                                             : ledger.worst),
                                           failure != NULL ? failure->message : NULL,
                                           seconds_since(ledger.stage_started_ns, &seconds),
                                           counts != NULL ? whole(counts->files, &files) : NULL,
                                           NULL,
                                           NULL,
                                           counts != NULL ? whole(counts->bytes, &bytes) : NULL };
        PQclear(note("run/stage_end.sql", 9, parameters));
    }
    pthread_mutex_unlock(&ledger.lock);
    log_set_stage(NULL);
}

void run_delivery(const char *kind, const char *source, const char *label,
                  const struct ingest_summary *summary, const struct error *failure)
{
    if (failure == NULL && summary->unchanged)
        return;
    enter();
    if (ledger.connection != NULL) {
        struct number_text files, rows, quarantined;
        bool is_loaded = failure == NULL;
        const char *const parameters[] = { ledger.number,
                                           kind,
                                           source,
                                           label,
                                           exit_code_outcome(is_loaded ? ERROR_NONE : (int)failure->kind),
                                           is_loaded ? whole(summary->files, &files) : NULL,
                                           is_loaded ? whole(summary->rows, &rows) : NULL,
                                           is_loaded ? whole(summary->quarantined, &quarantined) : NULL,
                                           is_loaded ? summary->pruned_differs : failure->message };
        PQclear(note("run/delivery.sql", 9, parameters));
        if (!is_loaded || summary->quarantined > 0 || summary->pruned > 0)
            ledger.worst = exit_code_graver(ledger.worst, is_loaded ? ERROR_ATTENTION : (int)failure->kind);
    }
    pthread_mutex_unlock(&ledger.lock);
}
