/* report/centres.c: see centres.h. */
#include "report/centres.h"

#include "base/postgres/database.h"
#include "base/time_text.h"
#include "report/workbook_identity.h"
#include "report/workbook_name.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Marks the unmarked names that collide with another name. Returns whether there are any. */
static bool find_collisions(char *const *parts, int count, const bool *is_marked, bool *collides)
{
    bool any = false;
    for (int i = 0; i < count; i++) {
        collides[i] = false;
        for (int j = 0; j < count && !collides[i] && !is_marked[i]; j++)
            collides[i] = j != i && names_collide(parts[i], parts[j]);
        any = any || collides[i];
    }
    return any;
}

/* The part of a file name for each centre, all different, with NULL after the last. A mark may
 * produce the name of another centre; then that one gets a mark, too. */
static char **name_parts(const PGresult *centres)
{
    int count = PQntuples(centres);
    char **parts = calloc((size_t)count + 1, sizeof *parts);
    bool *is_marked = calloc((size_t)count + 1, sizeof *is_marked);
    bool *collides = calloc((size_t)count + 1, sizeof *collides);
    for (int i = 0; i < count; i++)
        parts[i] = file_name_part(PQgetvalue(centres, i, 0), false);
    while (find_collisions(parts, count, is_marked, collides)) {
        for (int i = 0; i < count; i++) {
            if (!collides[i])
                continue;
            free(parts[i]);
            parts[i] = file_name_part(PQgetvalue(centres, i, 0), true);
            is_marked[i] = true;
        }
    }
    free(is_marked);
    free(collides);
    return parts;
}

char **centre_file_names(const char *kind, const char *period, const char *ending, const PGresult *centres)
{
    char **names = name_parts(centres);
    for (char **name = names; *name != NULL; name++) {
        char *part = *name;
        *name = text_of("%s-%s-%s%s", kind, period, part, ending);
        free(part);
    }
    return names;
}

void centre_file_names_free(char **names)
{
    for (char **name = names; *name != NULL; name++)
        free(*name);
    free(names);
}

/* Makes a folder name from a part of a file name: neither hidden nor the parent folder. */
static char *folder_name(const char *part, const char *cost_centre)
{
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): name_parts has one for each row */
    if (part[0] != '.')
        return text_of("%s", part);
    char *marked = file_name_part(cost_centre, true);
    char *folder = text_of("-%s", marked + 1);
    free(marked);
    return folder;
}

static void fill(struct report_centres *centres)
{
    char **files = centre_file_names("chargeback", centres->period, ".xlsx", centres->rows);
    char **parts = name_parts(centres->rows);
    centres->count = PQntuples(centres->rows);
    centres->centres = calloc((size_t)centres->count + 1, sizeof *centres->centres);
    for (int i = 0; i < centres->count; i++) {
        const char *cost_centre = PQgetvalue(centres->rows, i, 0);
        centres->centres[i] = (struct report_centre){
            .cost_centre = cost_centre,
            .name = PQgetisnull(centres->rows, i, 1) ? NULL : PQgetvalue(centres->rows, i, 1),
            .file_name = files[i],
            .folder_name = folder_name(parts[i], cost_centre),
        };
        free(parts[i]);
    }
    free(parts);
    free(files);
}

static bool set_month(PGconn *connection, const char *period, struct error *error)
{
    char month[sizeof "2026-09-01"];
    period_first_day(period, month);
    const char *const parameters[] = { month, "" };
    return database_run_query(connection, "report/scope.sql", 2, parameters, error);
}

static bool read_head(PGconn *connection, struct report_centres *centres, struct error *error)
{
    PGresult *head = centres->head = database_query_file(connection, "report/head.sql", 0, NULL, error);
    if (head == NULL)
        return false;
    if (PQntuples(head) == 0)
        return error_set(error, ERROR_INPUT, "no statement is published for %s", centres->period);
    centres->month_name = PQgetvalue(head, 0, 0);
    centres->status = PQgetvalue(head, 0, 1);
    centres->run_id = PQgetvalue(head, 0, 2);
    centres->kstar_version = PQgetvalue(head, 0, 3);
    return true;
}

bool report_centres_list(PGconn *connection, const char *period, struct report_centres *centres,
                         struct error *error)
{
    *centres = (struct report_centres){ 0 };
    snprintf(centres->period, sizeof centres->period, "%s", period);
    bool ok =
        database_run_file(connection, "report/00_session.sql", error) &&
        database_run_file(connection, "report/begin.sql", error) && set_month(connection, period, error) &&
        read_head(connection, centres, error) &&
        database_run_file(connection, "report/01_lines.sql", error) &&
        (centres->rows = database_query_file(connection, "report/centres.sql", 0, NULL, error)) != NULL &&
        database_commit(connection, error);
    if (ok)
        fill(centres);
    else
        database_rollback(connection);
    return ok;
}

void report_centres_free(struct report_centres *centres)
{
    for (int i = 0; i < centres->count; i++) {
        free(centres->centres[i].file_name);
        free(centres->centres[i].folder_name);
    }
    free(centres->centres);
    PQclear(centres->rows);
    PQclear(centres->head);
    *centres = (struct report_centres){ 0 };
}

bool report_centre_has_written(const struct report_centres *centres, int i, const char *path,
                               const char **why)
{
    struct workbook_identity found, wanted;
    const struct book_head head = {
        .kind = CENTRE_BOOK_KIND,
        .period = centres->period,
        .status = centres->status,
        .run_id = centres->run_id,
        .kstar_version = centres->kstar_version,
        .cost_centre = centres->centres[i].cost_centre,
    };
    if (!workbook_identity_read(path, &found, why))
        return false;
    workbook_identity_of(&head, &wanted);
    bool is_centres = strcmp(found.subject, wanted.subject) == 0 && strcmp(found.title, wanted.title) == 0;
    bool is_this = is_centres && strcmp(found.comments, wanted.comments) == 0;
    *why = is_centres ? "shows an earlier statement" : "is another workbook";
    workbook_identity_free(&wanted);
    workbook_identity_free(&found);
    return is_this;
}
