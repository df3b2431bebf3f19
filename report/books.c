/* report/books.c: see books.h. */
#include "report/books.h"

#include "base/memory.h"
#include "base/postgres/database.h"
#include "base/postgres/kept_plans.h"
#include "base/progress.h"
#include "base/system/file.h"
#include "base/system/thread.h"
#include "report/beside.h"
#include "report/shared_tables.h"
#include "report/workbook_check.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* The result of a task that a writer has taken. In memory that all writers share. */
struct outcome {
    bool is_written, is_changed, has_failed;
    struct error error;
};

struct shelf {
    atomic_int next; /* the first task that no writer has taken */
    atomic_bool has_failed;
    struct outcome outcomes[];
};

struct writer {
    const struct book_place *place;
    const struct book_task *tasks;
    int count;
    struct shelf *shelf;
    const struct shared_tables *tables;
    PGconn *connection;
    struct progress *progress; /* NULL: another writer shows the progress */
};

/* ---- one book ---- */

static bool set_scope(const struct writer *writer, const struct book_task *task, struct error *error)
{
    const char *parameters[] = { writer->place->month, task->cost_centre != NULL ? task->cost_centre : "" };
    return database_run_query(writer->connection, "report/scope.sql", 2, parameters, error);
}

static bool fill_book(const char *pending, const struct book_head *head, PGconn *connection,
                      book_filler *fill, struct error *error)
{
    struct book *book = book_create(pending, head, connection, error);
    if (book != NULL && fill(book, error))
        return book_write(book, error);
    book_discard(book);
    return false;
}

bool book_publish(const char *path, const struct book_head *head, PGconn *connection, book_filler *fill,
                  bool *is_changed, struct error *error)
{
    char *pending = file_pending_path(path);
    bool ok = file_pending_make(pending, error) && fill_book(pending, head, connection, fill, error) &&
              workbook_is_whole(pending, error) && file_publish_if_changed(pending, path, is_changed, error);
    if (!ok)
        unlink(pending);
    free(pending);
    return ok;
}

/* Writes one workbook. */
static bool write_book(const struct writer *writer, const struct book_task *task, bool *is_changed,
                       struct error *error)
{
    struct book_head head = *writer->place->head;
    head.kind = task->kind;
    head.cost_centre = task->cost_centre;
    head.cost_centre_name = task->cost_centre_name;
    char *path = path_join(writer->place->out_dir, task->name);
    bool ok = set_scope(writer, task, error) &&
              (task->publish != NULL
                   ? task->publish(path, &head, writer->connection, is_changed, error)
                   : book_publish(path, &head, writer->connection, task->fill, is_changed, error));
    if (!ok)
        error_in(error, "%s", task->name);
    free(path);
    return ok;
}

/* ---- the writers ---- */

/* Takes and writes tasks until none are left or one has failed. */
static void write_books(const struct writer *writer)
{
    int task;
    kept_plans_begin(writer->connection); /* the tables that the queries read are filled by now */
    while (!atomic_load(&writer->shelf->has_failed) &&
           (task = atomic_fetch_add(&writer->shelf->next, 1)) < writer->count) {
        struct outcome *outcome = &writer->shelf->outcomes[task];
        if (writer->progress != NULL)
            progress_step(writer->progress, task + 1, writer->tasks[task].name);
        if (outcome->is_written)
            continue;
        outcome->is_written = write_book(writer, &writer->tasks[task], &outcome->is_changed, &outcome->error);
        outcome->has_failed = !outcome->is_written;
        if (outcome->has_failed)
            atomic_store(&writer->shelf->has_failed, true);
    }
    kept_plans_end(writer->connection);
}

/* Runs a further writer in its own process, which ends with the caller's. Without a connection
 * it does nothing, and the other writers do its tasks. */
static void write_beside(struct writer writer, const char *snapshot)
{
    struct error error = { 0 };
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    memory_last_words("");
    writer.progress = NULL;
    writer.connection = database_connect_again(writer.place->connection, &error);
    if (writer.connection != NULL && beside_join(writer.connection, snapshot, &error) &&
        shared_tables_fill(writer.tables, writer.connection, &error))
        write_books(&writer);
    PQfinish(writer.connection);
    _exit(EXIT_SUCCESS);
}

static int writer_count(const struct writer *writer)
{
    int due = 0, most = connections_for_work(writer->place->writers);
    for (int i = 0; i < writer->count; i++)
        due += !writer->tasks[i].is_written;
    return most < due ? most : due;
}

/* Writes with further processes beside this one; if some cannot be started, fewer do the work.
 * Returns whether a process ran out of memory. */
static bool write_side_by_side(const struct writer *writer, const char *snapshot)
{
    int wanted = writer_count(writer) - 1, started = 0;
    pid_t *beside = calloc((size_t)(wanted > 0 ? wanted : 1), sizeof *beside);
    fflush(NULL);
    for (; started < wanted; started++) {
        beside[started] = fork();
        if (beside[started] == 0)
            write_beside(*writer, snapshot);
        if (beside[started] < 0)
            break;
    }
    write_books(writer);
    bool is_memory_out = false;
    for (int i = 0; i < started; i++) {
        int status = 0;
        while (waitpid(beside[i], &status, 0) < 0 && errno == EINTR)
            ;
        is_memory_out = is_memory_out || (WIFEXITED(status) && WEXITSTATUS(status) == ERROR_FAILED);
    }
    free(beside);
    return is_memory_out;
}

/* A task that was taken but has no result was lost with its writer. */
static bool was_lost(const struct book_task *task, bool is_memory_out, struct error *error)
{
    error_set(error, ERROR_FAILED,
              is_memory_out ? "%s: out of memory" : "%s: the process that wrote it was killed", task->name);
    error_hint(error, "give kstar more memory, or run less beside it; then run again");
    return false;
}

/* Copies the results of the tasks. Returns the error of the first failed one. */
static bool read_outcomes(const struct shelf *shelf, struct book_task *tasks, int count, bool is_memory_out,
                          struct error *error)
{
    int taken = atomic_load(&shelf->next);
    const struct outcome *failed = NULL;
    for (int i = count - 1; i >= 0; i--) {
        tasks[i].is_written = shelf->outcomes[i].is_written;
        tasks[i].is_changed = shelf->outcomes[i].is_changed;
        failed = shelf->outcomes[i].has_failed ? &shelf->outcomes[i] : failed;
    }
    if (failed != NULL) {
        *error = failed->error;
        return false;
    }
    for (int i = 0; i < count && i < taken; i++)
        if (!tasks[i].is_written)
            return was_lost(&tasks[i], is_memory_out, error);
    return true;
}

bool books_write(const struct book_place *place, struct book_task *tasks, int count, struct error *error)
{
    size_t bytes = sizeof(struct shelf) + (size_t)count * sizeof(struct outcome);
    struct shelf *shelf = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shelf == MAP_FAILED)
        return error_set_errno(error, "memory for %d workbooks", count);
    for (int i = 0; i < count; i++)
        shelf->outcomes[i].is_written = tasks[i].is_written;
    PGresult *snapshot = database_query(place->connection, "SELECT pg_export_snapshot()", 0, NULL, error);
    struct shared_tables shared = { .file = -1 };
    struct progress progress;
    const struct writer writer = { place, tasks, count, shelf, &shared, place->connection, &progress };
    bool ok = snapshot != NULL && (writer_count(&writer) < 2 ||
                                   shared_tables_keep(&shared, place->connection, place->connection, error));
    if (ok) {
        progress_start(&progress, "writing workbooks", count);
        bool is_memory_out = write_side_by_side(&writer, PQgetvalue(snapshot, 0, 0));
        progress_end(&progress);
        ok = read_outcomes(shelf, tasks, count, is_memory_out, error);
    }
    PQclear(snapshot);
    shared_tables_free(&shared);
    munmap(shelf, bytes);
    return ok;
}
