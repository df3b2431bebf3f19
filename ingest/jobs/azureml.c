/* ingest/jobs/azureml.c: job format "azureml": Azure Machine Learning jobs as the ARM REST
 * interface lists them ("value"). ARM has no times of the run: startTimeUtc and endTimeUtc are
 * copied from the run history, beside or below `properties`. A sweep, a pipeline or an AutoML
 * job holds no nodes itself. The jobs that it starts are separate jobs, which name it as their
 * parent. */
#define _GNU_SOURCE /* strcasestr */
#include "ingest/jobs/job_json.h"
#include "ingest/jobs/managed_job.h"
#include "ingest/json_fields.h"

#include <string.h>

static const char *const members[] = { "value", NULL };

static const struct managed_word words[] = {
    { "NotStarted", "PENDING" },    { "Starting", "PENDING" },    { "Provisioning", "PENDING" },
    { "Preparing", "PENDING" },     { "Queued", "PENDING" },      { "Scheduled", "PENDING" },
    { "Running", "RUNNING" },       { "Finalizing", "RUNNING" },  { "CancelRequested", "RUNNING" },
    { "NotResponding", "RUNNING" }, { "Completed", "COMPLETED" }, { "Failed", "FAILED" },
    { "Canceled", "CANCELLED" },    { "Paused", "SUSPENDED" },    { NULL, NULL }
};

static bool holds_nothing(const cJSON *job)
{
    static const char *const parents[] = { "Sweep", "Pipeline", "AutoML", NULL };
    const char *type = json_text(job, "properties.jobType");
    for (size_t i = 0; type != NULL && parents[i] != NULL; i++)
        if (strcmp(type, parents[i]) == 0)
            return true;
    return false;
}

static const struct managed_service service = {
    .resource_id = { { "id" } },
    .name = { { "properties.displayName", "name" } },
    .state = { { "properties.status" } },
    .account = { { "properties.experimentName" } },
    .user = { { "systemData.createdBy" } },
    .labels = { { "properties.tags", "tags" } },
    .submit = { { "systemData.createdAt" } },
    .start = { { "properties.startTimeUtc", "startTimeUtc" } },
    .end = { { "properties.endTimeUtc", "endTimeUtc" } },
    .words = words,
    .instances = "properties.resources.instanceCount",
    .holds_nothing = holds_nothing,
};

static bool recognises(const struct job_sample *sample)
{
    const char *id = json_text(sample->record, "id");
    return id != NULL && strcasestr(id, "/Microsoft.MachineLearningServices/") != NULL;
}

const struct job_format azureml_format = {
    .name = "azureml",
    .json_members = members,
    .recognises = recognises,
    .service = &service,
    .open = managed_job_open,
    .next = managed_job_next,
    .position = job_json_position,
    .close = job_json_close,
};
