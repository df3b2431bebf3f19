/* Any bytes as node inventory, the first of them choosing the format: every record is whole, and
 * what is set aside says why. */
#include "tests/fuzz/fuzz.h"

#include "ingest/nodes/node_format.h"

#include <stdlib.h>

static const struct node_format *const formats[] = { &sacctmgr_format, &slurmrestd_format,
                                                     &kubernetes_format };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct node_record record;
    struct error error = { 0 };
    enum node_outcome outcome = NODE_RECORD;
    if (size == 0)
        return 0;
    const struct node_format *format = formats[data[0] % (sizeof formats / sizeof formats[0])];
    void *reader = format->open(fuzz_file(data + 1, size - 1), data[0] & 64 ? "|#" : NULL, &error);
    while (reader != NULL && outcome != NODE_END && outcome != NODE_FAILED) {
        outcome = format->next(reader, &record, &error);
        if (outcome == NODE_QUARANTINED && record.reason[0] == '\0')
            abort();
        if (outcome == NODE_RECORD &&
            (record.node.length == 0 || record.resource_id.length == 0 || !record.start.known))
            abort();
    }
    format->close(reader);
    return 0;
}
