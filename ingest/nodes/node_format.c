/* ingest/nodes/node_format.c: see node_format.h. */
#include "ingest/nodes/node_format.h"

#include "base/utf8.h"
#include "ingest/key_text.h"

#include <stdio.h>

enum node_outcome node_record_quarantine(struct node_record *record, const char *column, const char *reason)
{
    record->wrong_column = column;
    snprintf(record->reason, sizeof record->reason, "%s", reason);
    return NODE_QUARANTINED;
}

bool node_record_check(struct node_record *record)
{
    const struct {
        const char *name;
        struct text_slice text;
        bool needed;
    } fields[] = {
        { "node", record->node, true },
        { "instance", record->resource_id, true },
        { "cluster", record->cluster, false },
        { "instance type", record->node_type, false },
    };
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        const char *wrong = NULL;
        if (fields[i].text.length == 0)
            wrong = fields[i].needed ? "is empty" : NULL;
        else if (fields[i].text.length > KEY_TEXT_MAXIMUM)
            wrong = KEY_TEXT_PROBLEM;
        else if (utf8_valid_prefix(fields[i].text.text, fields[i].text.length) < fields[i].text.length)
            wrong = "is not UTF-8";
        if (wrong == NULL)
            continue;
        node_record_quarantine(record, fields[i].name, wrong);
        return false;
    }
    if (record->end.known && record->end.at < record->start.at) {
        node_record_quarantine(record, "end", "is before the start");
        return false;
    }
    return true;
}

enum node_outcome node_json_next(struct json_records *records,
                                 enum node_outcome (*read)(const cJSON *value, struct node_record *record),
                                 struct node_record *record, struct error *error)
{
    struct json_record json;
    enum json_outcome outcome = json_records_next(records, &json, error);
    *record = (struct node_record){ .accelerators = -1, .cpus = -1, .line = json.line, .raw = json.raw };
    if (outcome == JSON_END || outcome == JSON_FAILED)
        return outcome == JSON_END ? NODE_END : NODE_FAILED;
    return outcome == JSON_BROKEN ? node_record_quarantine(record, NULL, json.reason)
                                  : read(json.value, record);
}

void node_json_close(void *records)
{
    json_records_close(records);
}
