/* report/books.c: see books.h. */
#include "report/books.h"

#include "base/database.h"
#include "base/file.h"
#include "base/thread.h"
#include "report/workbook_check.h"

#include <stdlib.h>
#include <unistd.h>

enum { WRITERS_MAXIMUM = 8 };

/* What all writers share. */
struct shelf {
    const struct book_place *place;
    struct book_task *tasks;
    int count, next; /* the first that nobody has taken */
    int failed;      /* the first that failed; `count`: none */
    struct error error;
    const char *snapshot;
    pthread_mutex_t lock;
};

struct writer {
    struct shelf *shelf;
    PGconn *connection;
    bool is_lent; /* the connection is the caller's, in its transaction */
    pthread_t thread;
};

/* ---- one book ---- */

static bool set_scope(const struct writer *writer, const struct book_task *task, struct error *error)
{
    const char *parameters[] = { writer->shelf->place->month,
                                 task->cost_centre != NULL ? task->cost_centre : "" };
    PGresult *result = database_query_file(writer->connection, "report/scope.sql", 2, parameters, error);
    PQclear(result);
    return result != NULL;
}

static bool fill_book(const struct writer *writer, const struct book_task *task, const char *pending,
                      struct error *error)
{
    struct book_head head = *writer->shelf->place->head;
    head.kind = task->kind;
    head.cost_centre = task->cost_centre;
    head.cost_centre_name = task->cost_centre_name;
    struct book *book = book_create(pending, &head, writer->connection, error);
    if (book != NULL && task->fill(book, error))
        return book_write(book, error);
    book_discard(book);
    return false;
}

/* Writes a workbook aside and puts it in its place. */
static bool write_book(const struct writer *writer, struct book_task *task, struct error *error)
{
    char *path = path_join(writer->shelf->place->out_dir, task->name);
    char *pending = file_pending_path(path);
    bool ok = set_scope(writer, task, error) && fill_book(writer, task, pending, error) &&
              workbook_is_whole(pending, error) &&
              file_publish_if_changed(pending, path, &task->is_changed, error);
    task->is_written = ok;
    if (!ok) {
        unlink(pending);
        error_in(error, "%s", task->name);
    }
    free(pending);
    free(path);
    return ok;
}

/* ---- the writers ---- */

/* The next task; NULL after the last, and once one has failed. */
static struct book_task *take(struct shelf *shelf)
{
    pthread_mutex_lock(&shelf->lock);
    struct book_task *task =
        shelf->next < shelf->count && shelf->failed == shelf->count ? &shelf->tasks[shelf->next++] : NULL;
    pthread_mutex_unlock(&shelf->lock);
    return task;
}

static void fail(struct shelf *shelf, int task, const struct error *error)
{
    pthread_mutex_lock(&shelf->lock);
    if (task < shelf->failed) {
        shelf->failed = task;
        shelf->error = *error;
    }
    pthread_mutex_unlock(&shelf->lock);
}

/* Sees what the caller's transaction sees. */
static bool join_snapshot(const struct writer *writer, struct error *error)
{
    char statement[128];
    const struct book_task everybody = { 0 };
    snprintf(statement, sizeof statement, "SET TRANSACTION SNAPSHOT '%s'", writer->shelf->snapshot);
    return database_run_file(writer->connection, "report/00_session.sql", error) &&
           database_run_file(writer->connection, "report/begin.sql", error) &&
           database_execute(writer->connection, statement, error) && set_scope(writer, &everybody, error) &&
           database_run_file(writer->connection, "report/01_lines.sql", error);
}

static void *write_books(void *opaque)
{
    struct writer *writer = opaque;
    struct shelf *shelf = writer->shelf;
    struct error error = { 0 };
    struct book_task *task;
    if (!writer->is_lent && !join_snapshot(writer, &error)) {
        fail(shelf, 0, &error);
        return NULL;
    }
    while ((task = take(shelf)) != NULL) {
        error = (struct error){ 0 };
        if (!write_book(writer, task, &error))
            fail(shelf, (int)(task - shelf->tasks), &error);
    }
    return NULL;
}

static int writer_count(int tasks)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    int count = cores < 1 ? 1 : cores > WRITERS_MAXIMUM ? WRITERS_MAXIMUM : (int)cores;
    return count < tasks ? count : tasks;
}

/* Starts further writers beside the caller; where there is no connection or thread to be had, fewer do the
 * same. */
static int start_writers(struct shelf *shelf, struct writer *writers, int wanted)
{
    int started = 1;
    for (; started < wanted; started++) {
        struct error error;
        struct writer *writer = &writers[started];
        *writer = (struct writer){ .shelf = shelf };
        writer->connection = database_connect_again(shelf->place->connection, &error);
        if (writer->connection == NULL || !thread_start(&writer->thread, write_books, writer)) {
            PQfinish(writer->connection);
            break;
        }
    }
    return started;
}

bool books_write(const struct book_place *place, struct book_task *tasks, int count, struct error *error)
{
    PGresult *snapshot = database_query(place->connection, "SELECT pg_export_snapshot()", 0, NULL, error);
    if (snapshot == NULL)
        return false;
    struct shelf shelf = { .place = place,
                           .tasks = tasks,
                           .count = count,
                           .failed = count,
                           .snapshot = PQgetvalue(snapshot, 0, 0) };
    struct writer writers[WRITERS_MAXIMUM];
    writers[0] = (struct writer){ .shelf = &shelf, .connection = place->connection, .is_lent = true };
    pthread_mutex_init(&shelf.lock, NULL);
    int started = start_writers(&shelf, writers, writer_count(count));
    write_books(&writers[0]);
    for (int i = 1; i < started; i++) {
        pthread_join(writers[i].thread, NULL);
        PQfinish(writers[i].connection);
    }
    pthread_mutex_destroy(&shelf.lock);
    PQclear(snapshot);
    if (shelf.failed < count)
        *error = shelf.error;
    return shelf.failed == count;
}
