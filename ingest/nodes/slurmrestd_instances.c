/* ingest/nodes/slurmrestd_instances.c: slurmrestd's /slurmdb/vX/instances, and the same from
 * `sacctmgr --json show instance`: the instance of each node, with start and end in seconds since
 * 1970. An end of 0 means that the node still is that instance. */
#include "ingest/json_fields.h"
#include "ingest/json_records.h"
#include "ingest/nodes/node_format.h"

#define YEAR_10000 INT64_C(253402300800)

static const char *const keys[] = { "instances", NULL };

static void *slurmrestd_open(const char *path, const char *delimiter, struct error *error)
{
    (void)delimiter;
    return json_records_open(path, keys, error);
}

/* Reads seconds since 1970 at a path; 0 and unset are no time. False if the value is anything
 * else. */
static bool read_time(const cJSON *value, const char *path, struct node_time *time)
{
    const cJSON *member = json_path(value, path);
    int64_t seconds = 0;
    if (member == NULL || cJSON_IsNull(member) || cJSON_IsFalse(json_path(member, "set")))
        return true;
    if (!json_integer(member, &seconds) || seconds < 0 || seconds >= YEAR_10000)
        return false;
    *time = (struct node_time){ seconds > 0, seconds * 1000000 };
    return true;
}

static enum node_outcome read_record(const cJSON *value, struct node_record *record)
{
    if (!cJSON_IsObject(value))
        return node_record_quarantine(record, NULL, "is not an object");
    record->cluster = slice_of(json_text(value, "cluster"));
    record->node = slice_of(json_text(value, "node_name"));
    record->resource_id = slice_of(json_text(value, "instance_id"));
    record->node_type = slice_of(json_text(value, "instance_type"));
    record->has_offset = true;
    if (record->resource_id.length == 0)
        return NODE_IGNORED;
    if (!read_time(value, "time.time_start", &record->start) || !record->start.known)
        return node_record_quarantine(record, "time_start", "is not a time");
    if (!read_time(value, "time.time_end", &record->end))
        return node_record_quarantine(record, "time_end", "is not a time");
    return node_record_check(record) ? NODE_RECORD : NODE_QUARANTINED;
}

static enum node_outcome slurmrestd_next(void *reader, struct node_record *record, struct error *error)
{
    return node_json_next(reader, read_record, record, error);
}

const struct node_format slurmrestd_format = {
    .name = "slurmrestd",
    .open = slurmrestd_open,
    .next = slurmrestd_next,
    .close = node_json_close,
};
