/* ingest/measure/measured_files.c: see measured_files.h. */
#include "ingest/measure/measured_files.h"

#include "base/log.h"
#include "base/system/file.h"
#include "ingest/measure/mlperf_log.h"
#include "ingest/measure/throughput_log.h"

#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool problem(struct measured_values *measured, const char *text)
{
    snprintf(measured->problem, sizeof measured->problem, "%s", text);
    return false;
}

/* Whether a found file is in or below the folder: a pattern can write ".." in many ways. */
static bool lies_within(const char *folder, size_t folder_length, const char *path)
{
    if (strncmp(path, folder, folder_length) != 0)
        return false;
    const char *part = path + folder_length;
    while (strcmp(part, "..") != 0 && strncmp(part, "../", 3) != 0) {
        part += strcspn(part, "/");
        if (*part++ == '\0')
            return true;
    }
    return false;
}

/* Appends a text, with a backslash before each of these characters. */
static char *put_escaped(char *end, const char *text, size_t length, const char *special)
{
    for (size_t i = 0; i < length; i++) {
        if (strchr(special, text[i]) != NULL)
            *end++ = '\\';
        *end++ = text[i];
    }
    *end = '\0';
    return end;
}

/* Finds the files that fit the pattern, in or below the folder of the CSV, by name. Only what
 * the CSV names is a pattern, and only if no file has exactly this name: "runs [8 nodes]/" is an
 * ordinary folder. Call globfree(). */
static bool find_files(const char *csv_path, const char *pattern, glob_t *found,
                       struct measured_values *measured)
{
    const char *slash = strrchr(csv_path, '/');
    const size_t folder_length = slash ? (size_t)(slash + 1 - csv_path) : 0;
    static const char of_patterns[] = "\\*?[";
    const size_t length = folder_length + strlen(pattern);
    char *whole = malloc(2 * length + 1);
    *found = (glob_t){ 0 };
    snprintf(whole, length + 1, "%.*s%s", (int)folder_length, csv_path, pattern);
    bool is_name = access(whole, F_OK) == 0;
    char *end = put_escaped(whole, csv_path, folder_length, of_patterns);
    put_escaped(end, pattern, strlen(pattern), is_name ? of_patterns : "\\");
    bool is_found = pattern[0] != '/' && glob(whole, 0, NULL, found) == 0;
    free(whole);
    for (size_t i = 0; is_found && i < found->gl_pathc; i++)
        is_found = lies_within(csv_path, folder_length, found->gl_pathv[i]);
    if (is_found)
        return true;
    globfree(found);
    return problem(measured, "names no file in the folder of this one");
}

bool measured_files_hash(const char *csv_path, const char *pattern, char **hashes)
{
    glob_t found;
    struct measured_values ignored;
    struct error unread; /* reading the file reports it */
    if (!find_files(csv_path, pattern, &found, &ignored))
        return false;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char hash[SHA256_HEX_BYTES] = "";
        size_t length = *hashes != NULL ? strlen(*hashes) : 0;
        file_sha256(found.gl_pathv[i], hash, &unread);
        *hashes = realloc(*hashes, length + sizeof hash);
        memcpy(*hashes + length, hash, strlen(hash) + 1);
    }
    globfree(&found);
    return true;
}

bool measured_from_traces(const char *csv_path, const char *pattern, struct measured_values *measured,
                          struct error *error)
{
    glob_t found;
    *measured = (struct measured_values){ 0 };
    if (!find_files(csv_path, pattern, &found, measured))
        return false;
    struct trace_breakdown *ranks = calloc(found.gl_pathc, sizeof *ranks);
    measured->values = calloc(1, sizeof *measured->values);
    bool ok = true;
    for (size_t i = 0; ok && i < found.gl_pathc; i++)
        ok = torch_trace_read(found.gl_pathv[i], false, &ranks[i], error);
    ok = ok && trace_check_ranks(ranks, (int)found.gl_pathc, found.gl_pathv, error);
    if (ok) {
        measured->values[0] = trace_compute_share(ranks, (int)found.gl_pathc);
        measured->count = 1;
        measured->shares = trace_shares(ranks, (int)found.gl_pathc);
        measured->shares_from = "trace";
        ok = measured->values[0] > 0 || problem(measured, "shows no compute");
    }
    free(ranks);
    globfree(&found);
    return ok;
}

bool measured_from_logs(const char *csv_path, const char *pattern, struct measured_values *measured,
                        struct error *error)
{
    glob_t found;
    *measured = (struct measured_values){ 0 };
    if (!find_files(csv_path, pattern, &found, measured))
        return false;
    measured->values = calloc(found.gl_pathc, sizeof *measured->values);
    bool ok = true;
    for (size_t i = 0; ok && i < found.gl_pathc; i++) {
        struct mlperf_run run;
        ok = mlperf_log_read(found.gl_pathv[i], &run, error);
        if (ok && run.success)
            measured->values[measured->count++] = run.seconds;
        else if (ok)
            log_event(LOG_WARNING, "unfinished_run", "file=\"%s\" note=\"not a success: no measurement\"",
                      found.gl_pathv[i]);
    }
    if (ok && measured->count == 0)
        ok = problem(measured, "names no run that was a success");
    globfree(&found);
    return ok;
}

bool measured_from_training(const char *csv_path, const char *pattern, bool step_time,
                            struct measured_values *measured, struct error *error)
{
    glob_t found;
    *measured = (struct measured_values){ 0 };
    if (!find_files(csv_path, pattern, &found, measured))
        return false;
    measured->values = calloc(found.gl_pathc, sizeof *measured->values);
    bool ok = true;
    for (size_t i = 0; ok && i < found.gl_pathc; i++)
        ok = throughput_log_read(found.gl_pathv[i], step_time ? LOGGED_STEP_TIME : LOGGED_THROUGHPUT,
                                 &measured->values[measured->count++], NULL, error);
    globfree(&found);
    return ok;
}

bool measured_from_job(const char *csv_path, const char *pattern, bool step_time,
                       struct measured_values *measured, struct error *error)
{
    glob_t found;
    struct throughput_samples samples = { 0 };
    double steady;
    *measured = (struct measured_values){ 0 };
    if (!find_files(csv_path, pattern, &found, measured))
        return false;
    bool ok = found.gl_pathc == 1 || problem(measured, "names several files, and a job at work has one log");
    ok = ok && throughput_log_read(found.gl_pathv[0], step_time ? LOGGED_STEP_TIME : LOGGED_THROUGHPUT,
                                   &steady, &samples, error);
    measured->values = calloc(THROUGHPUT_SAMPLES, sizeof *measured->values);
    memcpy(measured->values, samples.values, sizeof samples.values);
    measured->count = samples.count;
    measured->identity = samples.identity;
    globfree(&found);
    return ok;
}

bool measured_nodes(const char *csv_path, const char *name, int *nodes, struct measured_values *measured,
                    struct error *error)
{
    glob_t found;
    *measured = (struct measured_values){ 0 };
    if (!find_files(csv_path, name, &found, measured))
        return false;
    bool ok = mlperf_system_nodes(found.gl_pathv[0], nodes, error);
    globfree(&found);
    return ok;
}
