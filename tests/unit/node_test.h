/* tests/unit/node_test.h: what the tests of formats of node inventory share: a file, and all of it
 * read as one text. */
#ifndef KSTAR_TESTS_UNIT_NODE_TEST_H
#define KSTAR_TESTS_UNIT_NODE_TEST_H

#include "ingest/nodes/node_format.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/scratch_file.h"

static void describe_time(const struct node_time *time, char text[64])
{
    if (time->known)
        time_format(time->at, text);
    else
        snprintf(text, 64, "-");
}

static void add_record(const struct node_record *record, char *text, size_t size)
{
    char start[64], end[64];
    describe_time(&record->start, start);
    describe_time(record->seen.known ? &record->seen : &record->end,
                  end); /* of a snapshot, when it was seen */
    snprintf(text, size, "%d: %.*s/%.*s is %.*s (%.*s) %s to %s%s\n", (int)record->line,
             (int)record->cluster.length, record->cluster.text ? record->cluster.text : "",
             (int)record->node.length, record->node.text, (int)record->resource_id.length,
             record->resource_id.text, (int)record->node_type.length,
             record->node_type.text ? record->node_type.text : "", start, end,
             record->has_offset ? " UTC" : "");
    if (record->accelerators >= 0 || record->cpus >= 0)
        snprintf(text + strlen(text) - 1, size - strlen(text), ", %d accelerators, %d CPUs\n",
                 (int)record->accelerators, (int)record->cpus);
}

/* The whole file as one text, a line per outcome. */
static const char *read_nodes(const struct node_format *format, const char *bytes, const char *delimiter)
{
    static char all[8192];
    struct node_record record;
    struct error error = { 0 };
    enum node_outcome outcome;
    write_bytes(bytes, strlen(bytes));
    all[0] = '\0';
    void *reader = format->open(path, delimiter, &error);
    if (reader == NULL) {
        snprintf(all, sizeof all, "%s", error.message + strlen(path));
        return all;
    }
    while ((outcome = format->next(reader, &record, &error)) != NODE_END && outcome != NODE_FAILED) {
        char *end = all + strlen(all);
        size_t room = sizeof all - strlen(all);
        if (outcome == NODE_RECORD)
            add_record(&record, end, room);
        else if (outcome == NODE_IGNORED)
            snprintf(end, room, "%d: ignored\n", (int)record.line);
        else
            snprintf(end, room, "%d: %s %s\n", (int)record.line,
                     record.wrong_column ? record.wrong_column : "it", record.reason);
    }
    if (outcome == NODE_FAILED)
        snprintf(all + strlen(all), sizeof all - strlen(all), "failed: %s\n",
                 strrchr(error.message, ':') + 2);
    format->close(reader);
    return all;
}

#endif
