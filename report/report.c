/* report/report.c: see report.h.
 *
 * A call is one transaction. It first reads the statement's head and the record of the files
 * (written.h). If some files are outdated, it adds up the statement's lines and results
 * (sql/report/01_lines.sql to 06_experiments.sql, some of them in a second session: beside.h).
 * Then it writes the workbooks (books.h), each under the scope (everybody, or one cost centre) that
 * the queries read.
 */
#include "report/report.h"

#include "base/postgres/database.h"
#include "base/postgres/identity.h"
#include "base/system/file.h"
#include "base/system/thread.h"
#include "base/time_text.h"
#include "report/beside.h"
#include "report/books.h"
#include "report/centres.h"
#include "report/journal.h"
#include "report/page/page.h"
#include "report/sheets.h"
#include "report/workbook_name.h"
#include "report/written.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The folder, the month and the connection of one call. */
struct run {
    PGconn *connection;
    const char *period, *out_dir;
    int writers;
    const char *only_centre; /* NULL: all of the month's files */
    char month[sizeof "2026-09-01"];
    PGresult *head_row;
    struct book_head head;
    struct report_summary *summary;
    char facts[FACTS_BYTES]; /* the facts from which the files are written */
    struct written written;
};

void report_summary_add(struct report_summary *summary, char *path, bool changed)
{
    size_t bytes = (size_t)(summary->file_count + 1) * sizeof *summary->files;
    summary->files = realloc(summary->files, bytes);
    summary->files[summary->file_count++] = (struct report_file){ .path = path, .changed = changed };
    summary->changed_count += changed;
}

void report_summary_free(struct report_summary *summary)
{
    for (int i = 0; i < summary->file_count; i++)
        free(summary->files[i].path);
    for (int i = 0; i < summary->stale_count; i++)
        free(summary->stale[i].path);
    free(summary->files);
    free(summary->stale);
    *summary = (struct report_summary){ 0 };
}

static bool set_month(struct run *run, struct error *error)
{
    const char *parameters[] = { run->month, "" };
    return database_run_query(run->connection, "report/scope.sql", 2, parameters, error);
}

static bool read_head(struct run *run, struct error *error)
{
    PGresult *row = run->head_row = database_query_file(run->connection, "report/head.sql", 0, NULL, error);
    if (row == NULL)
        return false;
    if (PQntuples(row) == 0) {
        error_set(error, ERROR_INPUT, "no statement is published for %s", run->period);
        error_hint(error, "kstar model --period %s makes one, where it has a bill", run->period);
        return false;
    }
    run->head = (struct book_head){
        .period = run->period,
        .month_name = PQgetvalue(row, 0, 0),
        .status = PQgetvalue(row, 0, 1),
        .run_id = PQgetvalue(row, 0, 2),
        .kstar_version = PQgetvalue(row, 0, 3),
        .currency = PQgetvalue(row, 0, 5),
        .minor_unit_digits = (int)strtol(PQgetvalue(row, 0, 6), NULL, 10),
    };
    const char *as_of = PQgetvalue(row, 0, 4);
    return time_parse(as_of, strlen(as_of), &run->head.as_of) ||
           error_set(error, ERROR_FAILED, "statement of %s: as-of %s is no time", run->period, as_of);
}

static void add_stale(struct report_summary *summary, char *path, const char *what)
{
    size_t bytes = (size_t)(summary->stale_count + 1) * sizeof *summary->stale;
    summary->stale = realloc(summary->stale, bytes);
    summary->stale[summary->stale_count++] = (struct report_stale){ .path = path, .what = what };
}

/* ---- files of each cost centre ---- */

static bool is_listed(char *const *names, const char *name)
{
    for (; *names != NULL; names++) {
        if (strcmp(*names, name) == 0)
            return true;
    }
    return false;
}

#define DATA_KIND "Data"

/* A kind of file, of which each cost centre has its own. */
struct centre_file {
    enum report_kind group;
    const char *kind, *ending, *book_kind;
    book_filler *fill;
    book_publisher *publish;
};

static const struct centre_file centre_files[] = {
    { REPORT_CHARGEBACK, "chargeback", ".xlsx", CENTRE_BOOK_KIND, chargeback_fill, NULL },
    { REPORT_CHARGEBACK, "data", ".xlsx", DATA_KIND, data_fill, NULL },
    { REPORT_PAGE, "page", ".html", CENTRE_BOOK_KIND, NULL, page_publish },
    { REPORT_PAGE, "lines", ".csv", CENTRE_BOOK_KIND, NULL, page_lines_publish },
};
enum { CENTRE_FILES = sizeof centre_files / sizeof *centre_files };

/* Finds files in the folder whose name is that of a cost centre's file of this month, but is not
 * in `names`. */
static bool find_stale(struct run *run, const struct centre_file *file, char *const *names,
                       struct error *error)
{
    struct directory_listing listing = { 0 };
    char pattern[64];
    snprintf(pattern, sizeof pattern, "%s-%s-*%s", file->kind, run->period, file->ending);
    if (!directory_list(run->out_dir, &listing, error))
        return false;
    for (int i = 0; i < listing.count; i++) {
        const char *name = listing.names[i];
        if (fnmatch(pattern, name, 0) != 0 || is_listed(names, name))
            continue;
        add_stale(run->summary, path_join(run->out_dir, name),
                  "is of a cost centre that the statement no longer has");
    }
    directory_listing_free(&listing);
    return true;
}

static bool find_stale_of_group(struct run *run, enum report_kind group, char *const *names,
                                struct error *error)
{
    bool ok = true;
    for (int i = 0; ok && i < CENTRE_FILES; i++)
        ok = centre_files[i].group != group || find_stale(run, &centre_files[i], names, error);
    return ok;
}

/* ---- files of months without a statement ---- */

/* Finds the period in the name of a month's file. False if there is none. */
static bool period_of_file(const char *name, char period[8])
{
    static const char *const patterns[] = { "chargeback-*.xlsx", "data-*.xlsx", "review-*.xlsx",
                                            "journal-*.csv",     "page-*.html", "lines-*.csv" };
    time_us month;
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
        if (fnmatch(patterns[i], name, 0) != 0)
            continue;
        const char *place = name + strcspn(name, "-") + 1;
        snprintf(period, 8, "%s", place);
        return period_parse(period, &month) && strchr(".-", place[7]) != NULL;
    }
    return false;
}

bool report_find_withdrawn(PGconn *connection, const char *out_dir, struct report_summary *summary,
                           struct error *error)
{
    struct directory_listing listing = { 0 };
    char period[8], asked[8] = "", month[sizeof "2026-09-01"];
    bool is_stated = false, ok = directory_list(out_dir, &listing, error);
    for (int i = 0; ok && i < listing.count; i++) {
        if (!period_of_file(listing.names[i], period))
            continue;
        /* names are sorted, so the months of a kind are consecutive */
        if (strcmp(period, asked) != 0) {
            const char *const parameters[] = { period_first_day(period, month) };
            ok = database_query_flag(connection, "model/has_statement.sql", 1, parameters, &is_stated, error);
            stpcpy(asked, period);
        }
        if (ok && !is_stated)
            add_stale(summary, path_join(out_dir, listing.names[i]),
                      "is of a month that has no statement any more");
    }
    directory_listing_free(&listing);
    return ok;
}

/* ---- files that need not be written ---- */

static const enum report_kind all_kinds[] = { REPORT_CHARGEBACK, REPORT_REVIEW, REPORT_JOURNAL, REPORT_PAGE };
enum { KINDS = sizeof all_kinds / sizeof all_kinds[0] };

/* Removes kinds whose files are unchanged from *kinds, and adds these files to the summary. */
static bool leave_written(struct run *run, unsigned *kinds, struct error *error)
{
    bool ok = true;
    for (int i = 0; ok && i < KINDS; i++) {
        char **names = (*kinds & all_kinds[i]) != 0
                           ? written_group(&run->written, run->period, all_kinds[i], run->facts)
                           : NULL;
        if (names == NULL)
            continue;
        *kinds &= ~(unsigned)all_kinds[i];
        for (int name = 0; names[name] != NULL; name++)
            report_summary_add(run->summary, path_join(run->out_dir, names[name]), false);
        ok = find_stale_of_group(run, all_kinds[i], names, error);
        free(names);
    }
    return ok;
}

/* ---- files to write ---- */

struct plan {
    struct book_task *tasks;
    int count;
    PGresult *centres; /* owns the cost centres' texts in the tasks */
};

static struct book_task *plan_book(const struct run *run, struct plan *plan, enum report_kind group,
                                   const char *kind, book_filler *fill, char *name)
{
    plan->tasks = realloc(plan->tasks, (size_t)(plan->count + 1) * sizeof *plan->tasks);
    struct book_task *task = &plan->tasks[plan->count++];
    *task = (struct book_task){ .name = name, .kind = kind, .fill = fill, .group = group };
    task->is_written = written_has(&run->written, run->period, group, run->facts, name);
    return task;
}

/* Plans one kind of file for each cost centre, or only for the requested one. */
static bool plan_centres(struct run *run, struct plan *plan, const struct centre_file *file,
                         struct error *error)
{
    PGresult *centres = plan->centres;
    char **names = centre_file_names(file->kind, run->period, file->ending, centres);
    bool ok = run->only_centre != NULL || find_stale(run, file, names, error);
    for (int i = 0; i < PQntuples(centres); i++) {
        if (run->only_centre != NULL && strcmp(run->only_centre, PQgetvalue(centres, i, 0)) != 0)
            continue;
        struct book_task *task =
            plan_book(run, plan, file->group, file->book_kind, file->fill, text_of("%s", names[i]));
        task->publish = file->publish;
        task->cost_centre = PQgetvalue(centres, i, 0);
        task->cost_centre_name = PQgetisnull(centres, i, 1) ? NULL : PQgetvalue(centres, i, 1);
    }
    centre_file_names_free(names);
    return ok;
}

static bool plan_files_of_centres(struct run *run, unsigned kinds, struct plan *plan, struct error *error)
{
    plan->centres = database_query_file(run->connection, "report/centres.sql", 0, NULL, error);
    bool ok = plan->centres != NULL;
    for (int i = 0; ok && i < CENTRE_FILES; i++)
        if ((kinds & centre_files[i].group) != 0)
            ok = plan_centres(run, plan, &centre_files[i], error);
    return ok;
}

/* Plans the workbooks. The largest ones, those of all cost centres, are first, so no writer waits
 * for them at the end. */
static bool plan_books(struct run *run, unsigned kinds, struct plan *plan, struct error *error)
{
    if ((kinds & REPORT_REVIEW) != 0)
        plan_book(run, plan, REPORT_REVIEW, "Review", review_fill, text_of("review-%s.xlsx", run->period));
    if ((kinds & REPORT_CHARGEBACK) != 0) {
        plan_book(run, plan, REPORT_CHARGEBACK, DATA_KIND, data_fill, text_of("data-%s.xlsx", run->period));
        plan_book(run, plan, REPORT_CHARGEBACK, CENTRE_BOOK_KIND, chargeback_fill,
                  text_of("chargeback-%s.xlsx", run->period));
    }
    bool ok =
        (kinds & (REPORT_CHARGEBACK | REPORT_PAGE)) == 0 || plan_files_of_centres(run, kinds, plan, error);
    if (ok && (kinds & REPORT_PAGE) != 0 && run->only_centre == NULL)
        plan_book(run, plan, REPORT_PAGE, "Page", NULL, text_of("page-%s.html", run->period))->publish =
            page_publish;
    return ok;
}

/* ---- the call ---- */

/* Writes the journal's file and moves it to its place. With `commit_first`, the database commits
 * before: a posting key that was seen must never be given to another journal. */
static bool write_journal(struct run *run, bool commit_first, struct error *error)
{
    char *name = text_of("journal-%s.csv", run->period);
    char *path = path_join(run->out_dir, name);
    char *pending = file_pending_path(path);
    bool changed = false;
    bool ok = file_pending_make(pending, error) && journal_write(run->connection, pending, error) &&
              (!commit_first || database_commit(run->connection, error)) &&
              file_publish_if_changed(pending, path, &changed, error);
    if (ok) {
        report_summary_add(run->summary, path, changed);
        path = NULL;
    } else {
        file_discard(pending);
        error_in(error, "%s", name);
    }
    free(pending);
    free(path);
    free(name);
    return ok;
}

/* Records the workbooks of a group after all of them are written. */
static bool note_books(struct run *run, const struct plan *plan, enum report_kind group, struct error *error)
{
    char **names = calloc((size_t)plan->count + 1, sizeof *names);
    int count = 0;
    for (int i = 0; i < plan->count; i++)
        if (plan->tasks[i].group == group)
            names[count++] = plan->tasks[i].name;
    bool ok = written_note(&run->written, run->period, group, run->facts, names, error);
    free(names);
    return ok;
}

/* Fills the tables that all workbooks and pages share. */
static bool fill_tables(struct run *run, unsigned kinds, struct error *error)
{
    struct beside beside;
    bool has_second = run->writers != 1 && processor_count() > 1;
    bool has_review = (kinds & (REPORT_REVIEW | REPORT_PAGE)) != 0;
    bool ok = beside_begin(&beside, run->connection, run->month, has_review, has_second, error) &&
              database_run_file(run->connection, "report/01_lines.sql", error) &&
              database_run_file(run->connection, "report/04_workbooks.sql", error) &&
              (!has_review || database_run_file(run->connection, "report/06_experiments.sql", error)) &&
              ((kinds & REPORT_PAGE) == 0 || database_run_file(run->connection, "page/fill.sql", error));
    return beside_end(&beside, run->connection, ok, error);
}

static bool write_books(struct run *run, unsigned kinds, struct error *error)
{
    struct plan plan = { 0 };
    const struct book_place place = { run->connection, &run->head, run->month, run->out_dir, run->writers };
    bool ok = fill_tables(run, kinds, error) && plan_books(run, kinds, &plan, error) &&
              books_write(&place, plan.tasks, plan.count, error);
    for (int i = 0; i < KINDS; i++)
        if ((kinds & all_kinds[i]) != 0 && run->only_centre == NULL)
            ok = ok && note_books(run, &plan, all_kinds[i], error);
    for (int i = 0; ok && run->only_centre != NULL && i < plan.count; i++)
        ok = written_note_single(&run->written, run->period, plan.tasks[i].group, plan.tasks[i].name, error);
    for (int i = 0; i < plan.count; i++) {
        if (plan.tasks[i].is_written)
            report_summary_add(run->summary, path_join(run->out_dir, plan.tasks[i].name),
                               plan.tasks[i].is_changed);
        free(plan.tasks[i].name);
    }
    free(plan.tasks);
    PQclear(plan.centres);
    return ok;
}

static bool write_and_note_journal(struct run *run, struct error *error)
{
    char *const names[] = { text_of("journal-%s.csv", run->period), NULL };
    bool ok = journal_fill(run->connection, 0, error) && journal_check(run->connection, error) &&
              write_journal(run, false, error) &&
              written_note(&run->written, run->period, REPORT_JOURNAL, run->facts, names, error);
    free(names[0]);
    return ok;
}

static bool write_kinds(struct run *run, unsigned kinds, struct error *error)
{
    const unsigned books = kinds & (REPORT_CHARGEBACK | REPORT_REVIEW | REPORT_PAGE);
    if (!written_facts(run->connection, run->facts, error))
        return false;
    written_read(run->out_dir, &run->written);
    bool ok =
        (run->only_centre != NULL || (leave_written(run, &kinds, error) &&
                                      written_begin(&run->written, run->period, kinds, run->facts, error))) &&
        ((kinds & books) == 0 || write_books(run, kinds & books, error)) &&
        ((kinds & REPORT_JOURNAL) == 0 || write_and_note_journal(run, error));
    written_free(&run->written);
    return ok;
}

static bool write_run(struct run run, unsigned kinds, struct error *error)
{
    PGconn *connection = run.connection;
    const char *out_dir = run.out_dir;
    time_us month;
    if (!period_parse(run.period, &month))
        return error_set(error, ERROR_USAGE, "\"%s\" is not a period like 2026-09", run.period);
    period_first_day(run.period, run.month);

    /* a nightly run and a report write the same temporary files, so one of them waits and reads the
     * statement after the wait */
    int lock = -1;
    bool ok = directory_make(out_dir, error) && directory_lock(out_dir, REPORT_WAIT_SECONDS, &lock, error) &&
              database_run_file(connection, "report/00_session.sql", error) &&
              database_run_file(connection, "page/tables.sql", error) &&
              database_run_file(connection, "report/begin.sql", error) && set_month(&run, error) &&
              read_head(&run, error) && write_kinds(&run, kinds, error);
    if (ok)
        ok = database_commit(connection, error);
    else
        database_rollback(connection);
    directory_unlock(out_dir, lock);
    PQclear(run.head_row);
    return ok;
}

bool report_write(PGconn *connection, const char *period, const char *out_dir, enum report_kind kinds,
                  int writers, struct report_summary *summary, struct error *error)
{
    return write_run((struct run){ .connection = connection,
                                   .period = period,
                                   .out_dir = out_dir,
                                   .writers = writers,
                                   .summary = summary },
                     kinds, error);
}

bool report_page_of(PGconn *connection, const char *period, const char *out_dir, const char *cost_centre,
                    struct report_summary *summary, struct error *error)
{
    int before = summary->file_count;
    bool ok = write_run((struct run){ .connection = connection,
                                      .period = period,
                                      .out_dir = out_dir,
                                      .writers = 1,
                                      .summary = summary,
                                      .only_centre = cost_centre },
                        REPORT_PAGE, error);
    if (!ok || summary->file_count > before)
        return ok;
    error_set(error, ERROR_INPUT, "the statement of %s has no cost centre \"%s\"", period, cost_centre);
    error_hint(error, "kstar report page --period %s writes the pages of all that it has", period);
    return false;
}

/* Reads the issue's number and its missing settings for the caller. */
static bool read_journal_state(struct run *run, struct journal_request *request, struct error *error)
{
    PGresult *state = database_query_file(run->connection, "report/journal_state.sql", 0, NULL, error);
    if (state == NULL)
        return false;
    if (!PQgetisnull(state, 0, 0))
        request->posting_keys = text_of("%s", PQgetvalue(state, 0, 0));
    if (!PQgetisnull(state, 0, 1))
        request->lacking = text_of("%s", PQgetvalue(state, 0, 1));
    PQclear(state);
    return true;
}

static bool note_journal(struct run *run, struct error *error)
{
    char *name = text_of("journal-%s.csv", run->period);
    written_read(run->out_dir, &run->written);
    bool ok = written_note_single(&run->written, run->period, REPORT_JOURNAL, name, error);
    written_free(&run->written);
    free(name);
    return ok;
}

/* A statement that is out of date gets no new posting key: a key must stand for the current
 * data. */
static bool check_current(struct run *run, struct error *error)
{
    const char *const parameters[] = { rules_identity };
    PGresult *stale = database_query_file(run->connection, "report/journal_stale.sql", 1, parameters, error);
    bool ok = stale != NULL && PQntuples(stale) == 0;
    if (stale != NULL && !ok) {
        error_set(error, ERROR_ATTENTION, "the statement of %s is not what the data say", run->period);
        error_hint(error, "run kstar nightly first; kstar status says what waits");
    }
    PQclear(stale);
    return ok;
}

static bool issue_journal(struct run *run, struct error *error)
{
    return check_current(run, error) && database_run_file(run->connection, "report/journal_issue.sql", error);
}

bool report_journal(PGconn *connection, const char *period, const char *out_dir,
                    struct journal_request *request, struct report_summary *summary, struct error *error)
{
    struct run run = { .connection = connection, .period = period, .out_dir = out_dir, .summary = summary };
    period_first_day(period, run.month);
    const char *begin = request->issue ? "report/journal_begin.sql" : "report/begin.sql";
    int lock = -1;
    bool ok = directory_make(out_dir, error) && directory_lock(out_dir, REPORT_WAIT_SECONDS, &lock, error) &&
              database_run_file(connection, "report/00_session.sql", error) &&
              database_run_file(connection, begin, error) && set_month(&run, error) &&
              read_head(&run, error) && journal_fill(connection, request->number, error) &&
              (!request->issue || issue_journal(&run, error)) && read_journal_state(&run, request, error) &&
              write_journal(&run, true, error) && note_journal(&run, error);
    if (!ok)
        database_rollback(connection);
    directory_unlock(out_dir, lock);
    PQclear(run.head_row);
    return ok;
}
