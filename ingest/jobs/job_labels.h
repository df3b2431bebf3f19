/* ingest/jobs/job_labels.h: stores labels and tags of a job as its comment, "team=vision,
 * stage=train" in the order of the file, so that rules can match them. A label named run_group
 * declares the group of attempts at one result. */
#ifndef KSTAR_INGEST_JOBS_JOB_LABELS_H
#define KSTAR_INGEST_JOBS_JOB_LABELS_H

#include "ingest/jobs/job_format.h"

#include <cjson/cJSON.h>

/* The 50 tags of a SageMaker job fit, each of 384 characters of four bytes. */
enum { JOB_LABELS_BYTES = 128 << 10, RUN_GROUP_BYTES = 256 };

struct job_labels {
    char text[JOB_LABELS_BYTES]; /* labels that do not fit are dropped */
    char run_group[RUN_GROUP_BYTES];
};

/* Forgets the labels of the job before. */
void job_labels_clear(struct job_labels *labels);

/* Adds { "team": "vision" } or [{ "Key": "team", "Value": "vision" }]. Anything else adds nothing.
 */
void job_labels_add(struct job_labels *labels, const cJSON *value);

/* Sets comment and run_group of `record`, which then point into `labels`. */
void job_labels_put(const struct job_labels *labels, struct job_record *record);

#endif
