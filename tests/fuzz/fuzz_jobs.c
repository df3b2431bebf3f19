/* Any bytes as each job format; the first byte chooses it. Every record is whole, and what is set
 * aside says why. */
#include "tests/fuzz/fuzz.h"

#include "ingest/jobs/job_format.h"

#include <stdlib.h>
#include <string.h>

static void check(enum job_outcome outcome, const struct job_record *record)
{
    if (outcome == JOB_QUARANTINED && record->reason[0] == '\0')
        abort();
    if (outcome == JOB_RECORD && (record->state == NULL || record->job_id_raw.length == 0 ||
                                  (record->started && !record->start.known)))
        abort();
    for (size_t i = 0; outcome == JOB_RECORD && i < record->hold_count; i++) {
        const struct job_hold *hold = &record->holds[i], *next = i + 1 < record->hold_count ? hold + 1 : NULL;
        if (hold->node.length == 0 || (hold->end.known && hold->end.at <= hold->start))
            abort();
        if (next != NULL && strcmp(hold->node.text, next->node.text) == 0 &&
            (!hold->end.known || hold->end.at > next->start))
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct job_format *const formats[] = {
        &sacct_format,  &sacct_json_format, &plain_csv_format,       &plain_json_format, &sagemaker_format,
        &vertex_format, &azureml_format,    &kubernetes_jobs_format, &pbs_format
    };
    static const char columns[] =
        "JobID,JobIDRaw,Cluster,Submit,Start,End,Elapsed,State,NNodes,AllocTRES,NodeList,JobName";
    struct job_format_options options = { 0 };
    struct job_record record;
    struct error error = { 0 };
    if (size == 0)
        return 0;
    const struct job_format *format = formats[(data[0] >> 2) % (sizeof formats / sizeof formats[0])];
    options.columns = data[0] & 1 ? columns : NULL;
    options.delimiter = data[0] & 2 && format == &sacct_format ? "|#" : NULL;
    void *reader = format->open(format, fuzz_file(data + 1, size - 1), &options, &error);
    enum job_outcome outcome = JOB_RECORD;
    while (reader != NULL && outcome != JOB_END && outcome != JOB_FAILED) {
        outcome = format->next(reader, &record, &error);
        check(outcome, &record);
    }
    format->close(reader);
    return 0;
}
