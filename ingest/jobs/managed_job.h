/* ingest/jobs/managed_job.h: training jobs of SageMaker, Vertex AI and Azure Machine Learning.
 *
 * Such a job is a cloud resource itself: the bill names it, and its lines are the job's (allocation
 * rule 1). A service is one file with a table of where its JSON says what; documents are read as
 * json_records.h has them. K is the number of instances.
 */
#ifndef KSTAR_INGEST_JOBS_MANAGED_JOB_H
#define KSTAR_INGEST_JOBS_MANAGED_JOB_H

#include "ingest/jobs/job_format.h"

#include <cjson/cJSON.h>

enum { MANAGED_PATHS = 3 };

/* Paths below a job, those that come first count before the others; NULL where there are fewer. */
struct managed_paths {
    const char *paths[MANAGED_PATHS];
};

struct managed_service {
    const char *wrapper; /* a member that holds the job in what is sent about it, or NULL */
    struct managed_paths resource_id, name, state, account, user, labels;
    struct managed_paths submit, start,
        end; /* times: ISO 8601, or since 1970 in seconds (also fractions) or milliseconds */
    struct managed_paths elapsed_seconds;
    const char *(*base_state)(const cJSON *job,
                              const char *state); /* Slurm's; "UNKNOWN" for one that nobody knows */
    int64_t (*instances)(const cJSON *job);       /* K; −1 where it does not say */
    bool (*holds_nothing)(const cJSON *job);      /* and is passed over; NULL: all hold something */
};

/* The functions of a struct job_format with a service; the others are job_json.h's. */
void *managed_job_open(const struct job_format *format, const char *path,
                       const struct job_format_options *options, struct error *error);
enum job_outcome managed_job_next(void *opened, struct job_record *record, struct error *error);

/* The sum of a count over an array, without counts that are not above 0; −1 if none remains, or no
 * job has so many. */
int64_t managed_sum(const cJSON *array, const char *path);

/* A word and its meaning. The list ends with { NULL, NULL }. An unknown word is "UNKNOWN". */
struct managed_word {
    const char *word, *state;
};
const char *managed_state(const struct managed_word *words, const char *word);

#endif
