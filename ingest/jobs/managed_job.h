/* ingest/jobs/managed_job.h: training jobs of SageMaker, Vertex AI and Azure Machine Learning.
 *
 * Such a job is itself a cloud resource, which the bill names: its lines belong to the job
 * (allocation rule 1). A service is one file with a table of the paths in its JSON; json_records.h
 * reads the documents. K is the number of instances.
 */
#ifndef KSTAR_INGEST_JOBS_MANAGED_JOB_H
#define KSTAR_INGEST_JOBS_MANAGED_JOB_H

#include "ingest/jobs/job_format.h"

#include <cjson/cJSON.h>

enum { MANAGED_PATHS = 3 };

/* Paths below a job. The first one that is there counts; NULL ends a shorter list. */
struct managed_paths {
    const char *paths[MANAGED_PATHS];
};

/* A word for a state and Slurm's for the same. An unknown word is "UNKNOWN". */
struct managed_word {
    const char *word, *state;
};

struct managed_service {
    const char *wrapper; /* a member that contains the job in an event about it, or NULL */
    struct managed_paths resource_id, name, state, account, user, labels;
    struct managed_paths submit, start,
        end; /* times: ISO 8601, or since 1970 in seconds (also fractions) or milliseconds */
    struct managed_paths elapsed_seconds;
    const struct managed_word *words;    /* of `state`; the list ends with { NULL, NULL } */
    bool (*timed_out)(const cJSON *job); /* whatever `state` says; NULL: none */
    /* K: the count at this path, else the sum over the groups in an array. A service without groups
     * has 1. */
    const char *instances, *groups, *group_instances;
    bool (*holds_nothing)(const cJSON *job); /* such jobs are ignored; NULL: none */
};

/* The functions of a struct job_format with a service; job_json.h has the others. */
void *managed_job_open(const struct job_format *format, const char *path,
                       const struct job_format_options *options, struct error *error);
enum job_outcome managed_job_next(void *opened, struct job_record *record, struct error *error);

#endif
