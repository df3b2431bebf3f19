/* ingest/nodes/node_format.h: the interface of node inventories: a node_record per node and
 * instance.
 *
 * A format is one file that defines one `struct node_format` and one row of the table in nodes.c.
 * It reads a file from front to back and uses no database: nodes.c stores the records. There are
 * two kinds. A history has the start and end of each node as an instance. A snapshot shows the
 * nodes at its time; only the next snapshot shows that a node no longer exists.
 */
#ifndef KSTAR_INGEST_NODES_NODE_FORMAT_H
#define KSTAR_INGEST_NODES_NODE_FORMAT_H

#include "base/error.h"
#include "base/time_text.h"
#include "ingest/json_records.h"
#include "ingest/text_slice.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

struct node_time {
    bool known;
    time_us
        /* UTC if the record has_offset, otherwise the clock time in the zone of the source, read as
         * UTC */
        at;
};

/* One node. Texts are valid until the format's next call, and valid UTF-8. */
struct node_record {
    struct text_slice cluster;     /* empty: the name of the source */
    struct text_slice node;        /* as job records name it */
    struct text_slice resource_id; /* as on the bill, in full or only the part after the last '/' */
    struct text_slice node_type;
    int64_t accelerators, cpus; /* −1: not in the record */
    struct node_time start;     /* from when the node was this instance; always known */
    struct node_time end;       /* unknown: it still is */
    struct node_time seen;      /* of a snapshot: the last sign of life before the snapshot; UTC */
    bool has_offset;            /* start and end are UTC already */

    int64_t line; /* where the record starts, from 1, and its bytes */
    struct text_slice raw;
    const char *wrong_column; /* of NODE_QUARANTINED: NULL for the record as a whole */
    char reason[256];         /* ends a sentence that begins with the column: "is not a time" */
};

enum node_outcome {
    NODE_RECORD,
    NODE_IGNORED,     /* names no instance, by design */
    NODE_QUARANTINED, /* to be quarantined; line, raw, wrong_column and reason are set */
    NODE_END,
    NODE_FAILED, /* `error` says why; nothing of the file may be kept */
};

struct node_format {
    const char *name;
    bool is_snapshot;
    void *(*open)(const char *path, const char *delimiter,
                  struct error *error); /* delimiter NULL: the format's own */
    enum node_outcome (*next)(void *reader, struct node_record *record, struct error *error);
    void (*close)(void *reader); /* NULL is allowed */
};

extern const struct node_format sacctmgr_format, slurmrestd_format, kubernetes_format;

/* Quarantines a record with a column (NULL: the whole record) and a reason. Always returns
 * NODE_QUARANTINED. */
enum node_outcome node_record_quarantine(struct node_record *record, const char *column, const char *reason);

/* The next record of a file of JSON, each read by `read`. */
enum node_outcome node_json_next(struct json_records *records,
                                 enum node_outcome (*read)(const cJSON *value, struct node_record *record),
                                 struct node_record *record, struct error *error);
void node_json_close(void *records);

/* Checks for records of all formats: a node that is not empty, valid text, an end after its start.
 * True if the record is valid; otherwise wrong_column and reason are set. */
bool node_record_check(struct node_record *record);

#endif
