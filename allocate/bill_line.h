/* allocate/bill_line.h: a line of the month as it is read, and the time that jobs held a node. */
#ifndef KSTAR_ALLOCATE_BILL_LINE_H
#define KSTAR_ALLOCATE_BILL_LINE_H

#include "allocate/catalogue.h"

/* Where a line stands. A record of some formats has several lines. */
struct line_place {
    int32_t file_id; /* 0: not asked for */
    int64_t line_number;
    int32_t row_in_record;
};

struct bill_line {
    const struct line_class *class;
    struct line_place place;
    struct resource_line line;
    bool is_unlisted; /* the bill does not say its list cost: line.list_cost is what stands in for it */
    /* its consumed quantity in seconds, unsigned; a job's own resource may be several instances */
    bool has_consumed_time;
    struct exact_decimal consumed_seconds;
};

void bill_line_open(struct bill_line *line);
void bill_line_close(struct bill_line *line);

/* What the bill says of a line's time: consumed quantity, else pricing quantity, where its unit is
 * one of time and it is above 0 and at most the charge period. Fills line->line.seconds and
 * tells_time, and the consumed seconds. NULL: the bill says none. */
void bill_line_set_time(struct bill_line *line, const struct exact_decimal *consumed,
                        const struct exact_decimal *pricing);

struct node_hold {
    int64_t start, end;
    size_t attempt; /* its index */
    uint32_t cluster, node_name;
    int64_t cpus, accelerators; /* millionths; -1: not said */
};

#endif
