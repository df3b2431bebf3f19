/* ingest/jobs/job_limits.c: see job_limits.h. */
#include "ingest/jobs/job_limits.h"

#include "ingest/key_text.h"

#include <inttypes.h>
#include <stdio.h>

static const int64_t LONGEST_SECONDS = (int64_t)100 * 366 * 86400;
enum { NODES_PER_RECORD = 256 };

static bool has_possible_names(struct job_record *record)
{
    const struct {
        const char *column;
        struct text_slice text;
    } names[] = { { "cluster", record->cluster },
                  { "job id", record->job_id },
                  { "raw job id", record->job_id_raw } };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (names[i].text.length > KEY_TEXT_MAXIMUM) {
            record->wrong_column = names[i].column;
            snprintf(record->reason, sizeof record->reason, KEY_TEXT_PROBLEM);
            return false;
        }
    }
    return true;
}

static bool has_possible_numbers(struct job_record *record)
{
    const struct {
        const char *column, *unit;
        int64_t value, most;
    } numbers[] = {
        { "elapsed time", " seconds", record->elapsed_seconds, LONGEST_SECONDS },
        { "suspended time", " seconds", record->suspended_seconds, LONGEST_SECONDS },
        { "CPUs", "", record->cpus, INT32_MAX },
        { "accelerators", "", record->accelerators, INT32_MAX },
    };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        if (numbers[i].value > numbers[i].most) {
            record->wrong_column = numbers[i].column;
            snprintf(record->reason, sizeof record->reason, "%" PRId64 "%s is more than any job has",
                     numbers[i].value, numbers[i].unit);
            return false;
        }
    }
    return true;
}

/* How many nodes the records of a file may name, up to and including the next record. Each record
 * allows some, more than jobs of the largest machines have on average, so that a long file may name
 * more. */
static int64_t next_file_maximum(const struct job_limits *limits)
{
    int64_t by_records = NODES_PER_RECORD * (limits->naming_records + 1);
    return by_records > limits->file_nodes_maximum ? by_records : limits->file_nodes_maximum;
}

void job_limits_next(struct job_limits *limits)
{
    int64_t of_file = next_file_maximum(limits) - limits->named_nodes;
    limits->nodes_left = of_file < limits->record_nodes_maximum ? of_file : limits->record_nodes_maximum;
}

static bool has_possible_nodes(struct job_limits *limits, struct job_record *record)
{
    int64_t names = record->listed_names + (int64_t)record->hold_count;
    int64_t file_maximum = next_file_maximum(limits);
    limits->naming_records++;
    bool is_record = names > limits->record_nodes_maximum;
    if (!is_record && names <= file_maximum - limits->named_nodes) {
        limits->named_nodes += names;
        return true;
    }
    record->wrong_column = "node list";
    snprintf(record->reason, sizeof record->reason,
             "names %" PRId64 " nodes, and %s allows %s %" PRId64
             ": correct the list, or raise the limit in settings.csv",
             names, is_record ? "limit_record_nodes" : "limit_file_nodes",
             is_record ? "a record" : "the records of a file",
             is_record ? limits->record_nodes_maximum : file_maximum);
    return false;
}

bool job_limits_allow(struct job_limits *limits, struct job_record *record)
{
    return has_possible_names(record) && has_possible_numbers(record) && has_possible_nodes(limits, record);
}
