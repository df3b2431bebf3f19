/* ingest/jobs/slurm_run.h: what the fields of a Slurm record mean together, from text or JSON.
 *
 * A run that is over but whose end is not known ends at its start + elapsed. Without either it is
 * SLURM_RUN_NO_END: nobody knows what it held. The node count of a job that never ran is what it
 * asked for, so K is 0 for a job without nodes and without time. A PENDING record never ran, even
 * where a lagging database has a start and nodes for it already. A job is submitted before it
 * starts: a later submit time is wrong, and the record is left without one.
 */
#ifndef KSTAR_INGEST_JOBS_SLURM_RUN_H
#define KSTAR_INGEST_JOBS_SLURM_RUN_H

#include "ingest/jobs/job_format.h"

#include <stdbool.h>
#include <stdint.h>

/* What a record says beside the times and texts that are in struct job_record already. −1 where it
 * does not say. */
struct slurm_run {
    int64_t elapsed_seconds; /* without suspended time */
    int64_t suspended_seconds;
    bool says_nodes;        /* the form has a list of nodes; record->node_list may still be empty */
    int64_t node_counts[2]; /* the first above 0 counts */
    /* allocated; the first that is known, with the trackable resources between them */
    int64_t cpus[2];
    struct text_slice trackable; /* "cpu=12,gres/gpu=2,node=1"; { NULL, 0 }: none */
    struct text_slice unique_id,
        database_index;        /* SLUID, DBIndex: attempts where the submit time is not known */
    bool clock_may_go_back;    /* the times are of a zone that knows summer time */
    const int64_t *nodes_left; /* of struct job_format_options */
};

enum slurm_run_problem {
    SLURM_RUN_FINE,
    SLURM_RUN_END,
    SLURM_RUN_NO_END,
    SLURM_RUN_NODE_LIST,
    SLURM_RUN_NODES
};

/* Fills started, ended, the durations (elapsed_seconds stays −1 if only start and end are given),
 * node_list, node_count, listed_nodes, cpus, accelerators, accelerator_types, lists_no_accelerators
 * and attempt_mark of a record whose texts, state and times are there. On a problem record->reason
 * says what it is, and `record` is to be quarantined: the caller knows what its form calls the
 * field. */
enum slurm_run_problem slurm_run_complete(const struct slurm_run *run, struct job_record *record);

#endif
