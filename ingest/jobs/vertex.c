/* ingest/jobs/vertex.c: job format "vertex": Vertex AI custom jobs, as `gcloud ai custom-jobs list
 * --format=json` prints them and the REST resource shows them. Whole numbers are texts, and times
 * have nanoseconds. */
#include "ingest/jobs/job_json.h"
#include "ingest/jobs/managed_job.h"
#include "ingest/json_fields.h"

#include <string.h>

static const char *const members[] = { "customJobs", NULL };

static const struct managed_word words[] = {
    { "JOB_STATE_QUEUED", "PENDING" },      { "JOB_STATE_PENDING", "PENDING" },
    { "JOB_STATE_RUNNING", "RUNNING" },     { "JOB_STATE_UPDATING", "RUNNING" },
    { "JOB_STATE_CANCELLING", "RUNNING" },  { "JOB_STATE_SUCCEEDED", "COMPLETED" },
    { "JOB_STATE_FAILED", "FAILED" },       { "JOB_STATE_PARTIALLY_SUCCEEDED", "COMPLETED" },
    { "JOB_STATE_CANCELLED", "CANCELLED" }, { "JOB_STATE_PAUSED", "SUSPENDED" },
    { "JOB_STATE_EXPIRED", "TIMEOUT" },     { NULL, NULL }
};

static const struct managed_service service = {
    .resource_id = { { "name" } },
    .name = { { "displayName" } },
    .state = { { "state" } },
    .user = { { "jobSpec.serviceAccount" } },
    .labels = { { "labels" } },
    .submit = { { "createTime" } },
    .start = { { "startTime" } },
    .end = { { "endTime" } },
    .words = words,
    .groups = "jobSpec.workerPoolSpecs", /* including the first one, the chief */
    .group_instances = "replicaCount",
};

static bool recognises(const struct job_sample *sample)
{
    const char *name = json_text(sample->record, "name");
    return name != NULL && strstr(name, "/customJobs/") != NULL;
}

const struct job_format vertex_format = {
    .name = "vertex",
    .json_members = members,
    .recognises = recognises,
    .service = &service,
    .open = managed_job_open,
    .next = managed_job_next,
    .position = job_json_position,
    .close = job_json_close,
};
