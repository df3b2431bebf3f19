/* explain/explain_ask.c: see explain_ask.h. */
#include "explain/explain_ask.h"

#include "base/postgres/database.h"
#include "base/time_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The length of FILE in FILE:LINE, split at the last colon. 0 if the text has another form. */
static size_t file_length(const char *line)
{
    const char *colon = strrchr(line, ':');
    if (colon == NULL || colon == line || colon[1] == '\0' || strlen(colon + 1) > 18 ||
        strspn(colon + 1, "0123456789") != strlen(colon + 1))
        return 0;
    return (size_t)(colon - line);
}

bool explain_check(struct explain_question *question, struct error *error)
{
    const char *const asked[] = { question->job, question->cost_centre, question->pool, question->invoice,
                                  question->line };
    int count = 0;
    for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++)
        count += asked[i] != NULL;
    if (question->period == NULL) {
        error_set(error, ERROR_USAGE, "explain: --period is missing");
        error_hint(error, "kstar explain --help shows an example");
        return false;
    }
    if (count > 1)
        return error_set(error, ERROR_USAGE,
                         "explain: give one of --job, --cost-centre, --pool, --invoice and --line");
    if (question->line != NULL && file_length(question->line) == 0)
        return error_set(error, ERROR_USAGE,
                         "explain: --line \"%s\" is not a file and a line such as bill.csv:12",
                         question->line);
    period_first_day(question->period, question->month);
    return true;
}

/* ---- A job ---- */

enum { JOB_CLUSTER, JOB_ATTEMPT, JOB_IS_ASKED, JOB_PERIOD }; /* sql/explain/ask_job.sql */

static bool refuse_job(const struct explain_question *question, const PGresult *attempts, struct error *error)
{
    if (PQntuples(attempts) == 0) {
        error_set(error, ERROR_INPUT, "no job record names job %s", question->job);
        error_hint(error,
                   "give its id as the sheet Jobs has it (900, 900_1, 900+0, NAMESPACE/NAME), or CLUSTER/ID");
        return false;
    }
    error_set(error, ERROR_INPUT, "job %s is not in the statement of %s", question->job, question->period);
    if (PQgetisnull(attempts, 0, JOB_PERIOD))
        error_hint(error, "no statement has it yet: run the night, then ask again");
    else
        error_hint(error, "the latest statement that has it is that of %s",
                   PQgetvalue(attempts, 0, JOB_PERIOD));
    return false;
}

/* Writes the job's attempts of the month as an array: "{1,2}". They must be of one cluster. */
static bool take_attempts(const struct explain_question *question, const PGresult *found, char *array,
                          size_t size, struct error *error)
{
    const char *cluster = NULL;
    size_t used = 1;
    snprintf(array, size, "{");
    for (int i = 0; i < PQntuples(found); i++) {
        if (!result_flag(found, i, JOB_IS_ASKED))
            continue;
        if (cluster != NULL && strcmp(cluster, PQgetvalue(found, i, JOB_CLUSTER)) != 0) {
            error_set(error, ERROR_INPUT, "clusters %s and %s both have a job %s", cluster,
                      PQgetvalue(found, i, JOB_CLUSTER), question->job);
            error_hint(error, "say which: --job %s/%s", cluster, question->job);
            return false;
        }
        used += (size_t)snprintf(array + used, size - used, "%s%s", cluster == NULL ? "" : ",",
                                 PQgetvalue(found, i, JOB_ATTEMPT));
        cluster = PQgetvalue(found, i, JOB_CLUSTER);
    }
    snprintf(array + used, size - used, "}");
    return cluster != NULL || refuse_job(question, found, error);
}

static bool ask_job(PGconn *connection, struct explain_question *question, struct error *error)
{
    const char *slash = strchr(question->job, '/');
    char *cluster = slash == NULL ? NULL : strndup(question->job, (size_t)(slash - question->job));
    const char *const parameters[] = { cluster, slash == NULL ? NULL : slash + 1, question->job,
                                       question->month };
    PGresult *found = database_query_file(connection, "explain/ask_job.sql", 4, parameters, error);
    size_t size = found == NULL ? 1 : 24 * ((size_t)PQntuples(found) + 1);
    question->attempts = calloc(1, size);
    bool ok = found != NULL && take_attempts(question, found, question->attempts, size, error) &&
              database_set(connection, "kstar.explain_attempts", question->attempts, error);
    free(cluster);
    PQclear(found);
    return ok;
}

/* ---- A line ---- */

static bool ask_line(PGconn *connection, const struct explain_question *question, struct error *error)
{
    size_t length = file_length(question->line);
    char *file = strndup(question->line, length);
    bool ok = database_set(connection, "kstar.explain_file", file, error) &&
              database_set(connection, "kstar.explain_line", question->line + length + 1, error);
    free(file);
    return ok;
}

/* line_places.sql */
enum { LINE_FILES, LINE_FILE_NAMES, LINE_FIRST_FILES, LINE_IS_THERE, LINE_PLACES };

static bool check_line(const struct explain_question *question, const PGresult *found, struct error *error)
{
    long files = strtol(PQgetvalue(found, 0, LINE_FILES), NULL, 10);
    const char *names = PQgetvalue(found, 0, LINE_FILE_NAMES);
    int length = (int)file_length(question->line);
    if (files == 0) {
        error_set(error, ERROR_INPUT, "no bill of %s has a file %.*s", question->period, length,
                  question->line);
        error_hint(error, "give its name, or the end of its path. Files of the month: %s",
                   PQgetvalue(found, 0, LINE_FIRST_FILES));
        return false;
    }
    if (files > 1) {
        error_set(error, ERROR_INPUT, "%ld files of %s end in %.*s", files, question->period, length,
                  question->line);
        error_hint(error, "give more of the path: %s", names);
        return false;
    }
    if (!result_flag(found, 0, LINE_IS_THERE)) {
        error_set(error, ERROR_INPUT, "%s has no line %s of %s", names, question->line + length + 1,
                  question->period);
        error_hint(error, "count lines from 1, the header included; a file may hold lines of other months");
        return false;
    }
    return true;
}

bool explain_wanted(PGconn *connection, struct parts_wanted *wanted, void *context, struct error *error)
{
    struct explain_question *question = context;
    wanted->cost_centre = question->cost_centre;
    wanted->pool = question->pool;
    if (question->job == NULL && question->line == NULL)
        return true;
    bool is_line = question->line != NULL;
    size_t length = is_line ? file_length(question->line) : 0;
    char *file = is_line ? strndup(question->line, length) : NULL;
    const char *const of_line[] = { file, is_line ? question->line + length + 1 : NULL };
    const char *const of_job[] = { question->attempts };
    PGresult *found = is_line ? database_query_file(connection, "explain/line_places.sql", 2, of_line, error)
                              : database_query_file(connection, "explain/job_places.sql", 1, of_job, error);
    free(file);
    bool ok = found != NULL && (!is_line || check_line(question, found, error));
    if (ok)
        wanted->places = question->places = strdup(PQgetvalue(found, 0, is_line ? LINE_PLACES : 0));
    PQclear(found);
    return ok;
}

bool explain_ask_seen(PGconn *connection, const struct explain_question *question, struct error *error)
{
    const struct {
        const char *by, *name;
    } named[] = { { "cost centre", question->cost_centre },
                  { "pool", question->pool },
                  { "invoice", question->invoice },
                  { "job", question->job },
                  { "line", question->line },
                  { "month", "" } };
    size_t i = 0;
    while (named[i].name == NULL)
        i++;
    return database_set(connection, "kstar.explain_by", named[i].by, error) &&
           database_set(connection, "kstar.explain_name", named[i].name, error) &&
           database_set(connection, "kstar.explain_attempts", "{}", error) &&
           database_set(connection, "kstar.explain_file", "", error) &&
           database_set(connection, "kstar.explain_line", "0", error) &&
           (question->line == NULL || ask_line(connection, question, error));
}

bool explain_ask(PGconn *connection, struct explain_question *question, struct error *error)
{
    return explain_ask_seen(connection, question, error) &&
           (question->job == NULL || ask_job(connection, question, error));
}

enum { SEEN_ATTEMPTS, SEEN_CLUSTERS, SEEN_CLUSTER_COUNT }; /* ask_job_seen.sql */

bool explain_ask_job_seen(PGconn *connection, const struct explain_question *question, struct error *error)
{
    if (question->job == NULL)
        return true;
    const char *slash = strchr(question->job, '/');
    char *cluster = slash == NULL ? NULL : strndup(question->job, (size_t)(slash - question->job));
    const char *const parameters[] = { cluster, slash == NULL ? NULL : slash + 1, question->job };
    PGresult *found = database_query_file(connection, "explain/ask_job_seen.sql", 3, parameters, error);
    long clusters = found == NULL ? 0 : strtol(PQgetvalue(found, 0, SEEN_CLUSTER_COUNT), NULL, 10);
    bool ok = found != NULL;
    if (ok && clusters != 1) {
        ok = clusters == 0 ? error_set(error, ERROR_INPUT, "none of your cost centres has job %s in %s",
                                       question->job, question->period)
                           : error_set(error, ERROR_INPUT, "clusters %s all have a job %s",
                                       PQgetvalue(found, 0, SEEN_CLUSTERS), question->job);
        error_hint(error,
                   clusters == 0 ? "kstar_views.report_job lists your jobs" : "say which: --job CLUSTER/ID");
    }
    ok = ok && database_set(connection, "kstar.explain_attempts", PQgetvalue(found, 0, SEEN_ATTEMPTS), error);
    free(cluster);
    PQclear(found);
    return ok;
}
