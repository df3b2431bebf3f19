/* ingest/jobs/slurm_run.h: combines the fields of a Slurm record, from text or JSON.
 *
 * A finished run without an end time ends at start + elapsed. If both are missing, it is
 * SLURM_RUN_NO_END, since the time that it held nodes is unknown. The node count of a job that
 * never ran is only what it requested, so K is 0 for a job without nodes and time. A PENDING record
 * never ran, even if a lagging database already has a start and nodes for it. A job is submitted
 * before it starts: a later submit time is wrong and is dropped.
 */
#ifndef KSTAR_INGEST_JOBS_SLURM_RUN_H
#define KSTAR_INGEST_JOBS_SLURM_RUN_H

#include "ingest/jobs/job_format.h"

#include <stdbool.h>
#include <stdint.h>

/* Values of a record other than the times and texts in struct job_record. −1: not in the record. */
struct slurm_run {
    int64_t elapsed_seconds; /* without suspended time */
    int64_t suspended_seconds;
    bool says_nodes;        /* the form has a list of nodes; record->node_list may still be empty */
    int64_t node_counts[2]; /* the first above 0 counts */
    /* allocated: cpus[0], otherwise the count in `trackable`, otherwise cpus[1] */
    int64_t cpus[2];
    struct text_slice trackable; /* "cpu=12,gres/gpu=2,node=1"; { NULL, 0 }: none */
    struct text_slice unique_id,
        database_index;        /* SLUID, DBIndex: mark attempts whose submit time is unknown */
    bool clock_may_go_back;    /* the zone of the times has summer time */
    const int64_t *nodes_left; /* of struct job_format_options */
};

enum slurm_run_problem {
    SLURM_RUN_FINE,
    SLURM_RUN_END,
    SLURM_RUN_NO_END,
    SLURM_RUN_NODE_LIST,
    SLURM_RUN_NODES
};

/* Fills started, ended, the durations (elapsed_seconds stays −1 if only start and end are
 * given), node_list, node_count, listed_nodes, cpus, accelerators, accelerator_types,
 * lists_no_accelerators and attempt_mark of a record that has texts, state and times. After a
 * problem, record->reason describes it and the caller quarantines the record: it knows the name
 * of the field in its format. */
enum slurm_run_problem slurm_run_complete(const struct slurm_run *run, struct job_record *record);

#endif
