/* ingest/jobs/slurm_run.c: see slurm_run.h. */
#include "ingest/jobs/slurm_run.h"

#include "ingest/jobs/node_list.h"
#include "ingest/jobs/slurm_fields.h"

#include "base/utf8.h"

#include <stdio.h>
#include <string.h>

enum { AN_HOUR = 3600 };

static bool no_nodes(struct text_slice list)
{
    return list.text == NULL || slice_is(list, "None assigned") || slice_is(list, "None") ||
           slice_is(list, "Unknown") || slice_is(list, "(null)");
}

/* Whether `later` may follow `earlier` although its clock shows an earlier time: clocks are put
 * back by an hour. Only jobs_time.sql knows when. */
static bool clock_went_back(const struct slurm_run *run, const struct job_record *record,
                            struct job_time earlier, struct job_time later)
{
    return run->clock_may_go_back && !record->has_offset &&
           earlier.at - later.at <= AN_HOUR * INT64_C(1000000);
}

/* A job is submitted before it starts: a later Submit is wrong and counts as missing. */
static void check_submit(const struct slurm_run *run, struct job_record *record)
{
    if (record->submit.known && record->submit.at > record->start.at &&
        !clock_went_back(run, record, record->submit, record->start))
        record->submit = (struct job_time){ 0 };
}

/* Finds out whether the run started and ended, and how long it took. */
static enum slurm_run_problem find_course(const struct slurm_run *run, struct job_record *record)
{
    bool without_nodes = run->says_nodes && no_nodes(record->node_list);
    bool never = !record->start.known || strcmp(record->state, "PENDING") == 0 ||
                 (without_nodes && run->elapsed_seconds <= 0);
    record->started = !never;
    record->ended = record->end.known || slurm_state_is_final(record->state);
    record->elapsed_seconds = never ? 0 : run->elapsed_seconds;
    record->suspended_seconds = run->suspended_seconds > 0 ? run->suspended_seconds : 0;
    if (never)
        return SLURM_RUN_FINE;
    check_submit(run, record);
    if (record->end.known && record->end.at < record->start.at &&
        !clock_went_back(run, record, record->start, record->end)) {
        char end[64];
        time_format(record->end.at, end);
        snprintf(record->reason, sizeof record->reason, "\"%s\" is before Start", end);
        return SLURM_RUN_END;
    }
    if (record->ended && !record->end.known && record->elapsed_seconds < 0) {
        snprintf(record->reason, sizeof record->reason,
                 "is missing, and so is the elapsed time, of a run that is over");
        return SLURM_RUN_NO_END;
    }
    if (record->elapsed_seconds < 0 && !record->end.known)
        record->elapsed_seconds = 0;
    return SLURM_RUN_FINE;
}

/* The number of nodes from the first source that has one. */
static int64_t stated_node_count(const struct slurm_run *run, const struct job_record *record)
{
    for (size_t i = 0; i < sizeof run->node_counts / sizeof run->node_counts[0]; i++)
        if (run->node_counts[i] > 0)
            return run->node_counts[i];
    int64_t count = slurm_tres(run->trackable.text, run->trackable.length, "node");
    return count > 0 ? count : record->listed_nodes;
}

static int64_t stated_cpus(const struct slurm_run *run)
{
    if (run->cpus[0] >= 0)
        return run->cpus[0];
    int64_t cpus = slurm_tres(run->trackable.text, run->trackable.length, "cpu");
    return cpus >= 0 ? cpus : run->cpus[1];
}

/* Counts the names of a list. A short text may name very many nodes, so a list with more names than
 * the record may have is not expanded. */
static void count_names(const struct slurm_run *run, struct job_record *record, const char **reason)
{
    const struct text_slice list = record->node_list;
    int64_t most = node_list_count(list.text, list.length);
    if (most <= NODE_LIST_MAXIMUM && run->nodes_left != NULL && most > *run->nodes_left) {
        record->listed_names = record->listed_nodes = (int32_t)most;
        return;
    }
    record->listed_names = node_list_expand(list.text, list.length, NULL, NULL, reason);
    record->listed_nodes = node_list_different(list.text, list.length, record->listed_names);
}

static enum slurm_run_problem find_nodes(const struct slurm_run *run, struct job_record *record)
{
    const char *reason = "";
    record->cpus = record->accelerators = -1;
    if (!record->started || no_nodes(record->node_list)) {
        record->node_list = (struct text_slice){ NULL, 0 };
    } else {
        count_names(run, record, &reason);
        if (record->listed_names < 0) {
            char excerpt[96];
            utf8_excerpt(record->node_list.text, record->node_list.length, excerpt, sizeof excerpt);
            snprintf(record->reason, sizeof record->reason, "\"%s\" %s", excerpt, reason);
            return SLURM_RUN_NODE_LIST;
        }
    }
    if (!record->started)
        return SLURM_RUN_FINE;
    int64_t nodes = stated_node_count(run, record);
    if (nodes <= 0 || nodes > INT32_MAX) {
        snprintf(record->reason, sizeof record->reason, "does not say how many nodes a job that ran had");
        return SLURM_RUN_NODES;
    }
    record->node_count = (int32_t)nodes;
    record->cpus = stated_cpus(run);
    record->accelerators = slurm_tres_accelerators(run->trackable.text, run->trackable.length);
    slurm_tres_accelerator_types(run->trackable.text, run->trackable.length, record->accelerator_types,
                                 sizeof record->accelerator_types);
    record->lists_no_accelerators =
        run->trackable.length > 0 && !slurm_tres_names_gres(run->trackable.text, run->trackable.length);
    return SLURM_RUN_FINE;
}

/* Marks the attempt by Submit, which every export has and a requeue changes. If it is missing,
 * other unique values serve. */
static void mark_attempt(const struct slurm_run *run, struct job_record *record)
{
    struct text_slice unique = run->unique_id, index = run->database_index;
    if (record->submit.known) {
        size_t length = time_format(record->submit.at, record->attempt_mark);
        record->attempt_mark[length - 1] = '\0'; /* without Z: it may be local */
    } else if (unique.text != NULL && utf8_valid_prefix(unique.text, unique.length) == unique.length) {
        snprintf(record->attempt_mark, sizeof record->attempt_mark, "SLUID %.*s", (int)unique.length,
                 unique.text);
    } else if (index.text != NULL && utf8_valid_prefix(index.text, index.length) == index.length) {
        snprintf(record->attempt_mark, sizeof record->attempt_mark, "DBIndex %.*s", (int)index.length,
                 index.text);
    }
}

enum slurm_run_problem slurm_run_complete(const struct slurm_run *run, struct job_record *record)
{
    enum slurm_run_problem problem = find_course(run, record);
    if (problem == SLURM_RUN_FINE)
        problem = find_nodes(run, record);
    if (problem == SLURM_RUN_FINE)
        mark_attempt(run, record);
    return problem;
}
