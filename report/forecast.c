/* report/forecast.c: forecast-NAME.xlsx: a budget scenario compared with others, and inputs that
 * its formulas use.
 *
 * Its sheets are tables like those of the other workbooks. Their queries read lists of one JSON
 * document (forecast/forecast_book.h), which is in a temporary table meanwhile.
 */
#include "base/postgres/database.h"
#include "base/system/file.h"
#include "report/books.h"
#include "report/forecast_sheets.h"
#include "report/report.h"
#include "report/workbook_name.h"

#include <stdlib.h>
#include <string.h>

/* clang-format off: a row each */
static const struct sheet_entry entries[] = {
    { "Summary", 12, 0, NULL, fill_forecast_summary },
    { "Inputs", 1, 0, NULL, fill_forecast_inputs },
    { "Scenarios", 1, 0, NULL, fill_forecast_scenarios },
    { "By cost centre", 9, 0, NULL, fill_forecast_centres },
    { "By component", 10, 0, NULL, fill_forecast_months },
    { "Bridge", 11, 0, NULL, fill_forecast_bridge },
    { "Freed capacity", 8, 0, NULL, fill_forecast_floors },
    { "Committed hardware", 7, SHEET_HIDDEN, NULL, fill_forecast_floor_parts },
    { "Projection", 6, SHEET_HIDDEN, NULL, fill_forecast_projection },
    { "Other cost", 5, SHEET_HIDDEN, NULL, fill_forecast_others },
    { "Trainings", 6, 0, NULL, fill_forecast_trainings },
    { "Training sizes", 5, SHEET_HIDDEN, NULL, fill_forecast_sizes },
    { "Work and price", 4, SHEET_HIDDEN, NULL, fill_forecast_work },
    { "Drivers", 3, SHEET_HIDDEN, NULL, fill_forecast_drivers },
    { "Node counts", 2, SHEET_HIDDEN, NULL, fill_forecast_jobs },
    { "Efficiency", 1, SHEET_HIDDEN, NULL, fill_forecast_curves },
    { "Purchases", 2, SHEET_HIDDEN, NULL, fill_forecast_purchases },
    { "Back-test", 1, SHEET_HIDDEN, NULL, fill_forecast_back_test },
    { "About", 1, 0, NULL, fill_forecast_about },
    { "Columns", 13, SHEET_HIDDEN, NULL, fill_columns },
    { "Inputs", 13, SHEET_AGAIN, NULL, fill_forecast_inputs_result },
    { 0 },
};
/* clang-format on */

static bool fill(struct book *book, struct error *error)
{
    return sheets_write(book, entries, error);
}

/* ---- the file ---- */

static bool read_head(PGconn *connection, PGresult **row, struct book_head *head, struct error *error)
{
    PGresult *found = *row = database_query_file(connection, "report/forecast_head.sql", 0, NULL, error);
    if (found == NULL || PQntuples(found) == 0)
        return found == NULL ? false
                             : error_set(error, ERROR_FAILED, "the last statement of the forecast is gone");
    const char *as_of = PQgetvalue(found, 0, PQfnumber(found, "as_of"));
    *head = (struct book_head){
        .kind = "Forecast",
        .period = PQgetvalue(found, 0, PQfnumber(found, "period")),
        .month_name = PQgetvalue(found, 0, PQfnumber(found, "month_name")),
        .status = "Estimate",
        .run_id = PQgetvalue(found, 0, PQfnumber(found, "forecast_id")),
        .kstar_version = PQgetvalue(found, 0, PQfnumber(found, "kstar_version")),
        .currency = PQgetvalue(found, 0, PQfnumber(found, "currency")),
        .minor_unit_digits = (int)strtol(PQgetvalue(found, 0, PQfnumber(found, "digits")), NULL, 10),
    };
    return time_parse(as_of, strlen(as_of), &head->as_of) ||
           error_set(error, ERROR_FAILED, "as-of %s is no time", as_of);
}

static bool write_one(PGconn *connection, const struct forecast_book *what, const char *path,
                      bool *is_changed, struct error *error)
{
    const char *const parameters[] = { what->rows };
    PGresult *row = NULL;
    struct book_head head;
    if (!database_run_file(connection, "report/begin.sql", error))
        return false;
    PGresult *stored = database_query_file(connection, "report/forecast_rows.sql", 1, parameters, error);
    bool ok = stored != NULL && read_head(connection, &row, &head, error) &&
              book_publish(path, &head, connection, fill, is_changed, error);
    PQclear(stored);
    PQclear(row);
    if (ok)
        return database_commit(connection, error);
    database_rollback(connection);
    return false;
}

/* ---- names ---- */

/* The file name of a forecast, with a mark if names collide when case is ignored. ERROR_INPUT if
 * two scenarios have the same name. */
static char *file_name(const struct forecast_book *books, int count, int which, struct error *error)
{
    char *part = file_name_part(books[which].name, false), *name = NULL;
    bool collides = false;
    for (int i = 0; i < count; i++) {
        char *other = file_name_part(books[i].name, false);
        collides = collides || (i != which && names_collide(part, other));
        free(other);
        if (i < which && strcmp(books[i].name, books[which].name) == 0)
            error_set(error, ERROR_INPUT, "two scenarios are named %s, and a workbook is named after each",
                      books[which].name);
    }
    free(part);
    if (error->kind != ERROR_NONE)
        return NULL;
    part = file_name_part(books[which].name, collides);
    name = text_of("forecast-%s.xlsx", part);
    free(part);
    return name;
}

static bool write_named(PGconn *connection, const struct forecast_book *what, const char *name,
                        const char *out_dir, struct report_summary *summary, struct error *error)
{
    char *path = path_join(out_dir, name);
    bool changed = false;
    if (!write_one(connection, what, path, &changed, error)) {
        free(path);
        return error_in(error, "%s", name);
    }
    report_summary_add(summary, path, changed);
    return true;
}

bool report_forecast(PGconn *connection, const struct forecast_book *books, int count, const char *out_dir,
                     struct report_summary *summary, struct error *error)
{
    char **names = calloc((size_t)count + 1, sizeof *names);
    bool ok = true;
    int lock = -1;
    for (int i = 0; ok && i < count; i++)
        ok = (names[i] = file_name(books, count, i, error)) != NULL;
    ok = ok && directory_make(out_dir, error) &&
         database_run_file(connection, "report/forecast_open.sql", error) &&
         directory_lock(out_dir, REPORT_WAIT_SECONDS, &lock, error);
    for (int i = 0; ok && i < count; i++)
        ok = write_named(connection, &books[i], names[i], out_dir, summary, error);
    directory_unlock(out_dir, lock);
    for (int i = 0; i < count; i++)
        free(names[i]);
    free(names);
    return ok;
}
