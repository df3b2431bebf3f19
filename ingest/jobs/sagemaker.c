/* ingest/jobs/sagemaker.c: job format "sagemaker": the output of `aws sagemaker
 * describe-training-job` (version 1 of the command line has times in seconds, version 2 ISO times),
 * and EventBridge's "Training Job State Change" events (milliseconds as text). */
#include "ingest/jobs/job_json.h"
#include "ingest/jobs/managed_job.h"
#include "ingest/json_fields.h"

#include <string.h>

static const char *const members[] = { "TrainingJobs", "Events", NULL };

static const struct managed_word words[] = { { "InProgress", "RUNNING" }, { "Completed", "COMPLETED" },
                                             { "Failed", "FAILED" },      { "Stopping", "RUNNING" },
                                             { "Stopped", "CANCELLED" },  { NULL, NULL } };

/* A job that exceeded a limit is Stopped or Failed; its secondary status names the limit. */
static bool timed_out(const cJSON *job)
{
    const char *secondary = json_text(job, "SecondaryStatus");
    return secondary != NULL &&
           (strcmp(secondary, "MaxRuntimeExceeded") == 0 || strcmp(secondary, "MaxWaitTimeExceeded") == 0);
}

static const struct managed_service service = {
    .wrapper = "detail",
    .resource_id = { { "TrainingJobArn" } },
    .name = { { "TrainingJobName" } },
    .state = { { "TrainingJobStatus" } },
    .account = { { "RoleArn" } },
    .labels = { { "Tags" } },
    .submit = { { "CreationTime" } },
    .start = { { "TrainingStartTime" } },
    .end = { { "TrainingEndTime" } },
    .elapsed_seconds = { { "TrainingTimeInSeconds" } },
    .words = words,
    .timed_out = timed_out,
    .instances = "ResourceConfig.InstanceCount",
    .groups = "ResourceConfig.InstanceGroups",
    .group_instances = "InstanceCount",
};

static bool recognises(const struct job_sample *sample)
{
    return json_text(sample->record, "TrainingJobArn") != NULL ||
           json_text(sample->record, "detail.TrainingJobArn") != NULL;
}

const struct job_format sagemaker_format = {
    .name = "sagemaker",
    .json_members = members,
    .recognises = recognises,
    .service = &service,
    .open = managed_job_open,
    .next = managed_job_next,
    .position = job_json_position,
    .close = job_json_close,
};
