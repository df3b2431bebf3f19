/* allocate/bill_line.h: a line of the month as it is read, and the time that a job held a node. */
#ifndef KSTAR_ALLOCATE_BILL_LINE_H
#define KSTAR_ALLOCATE_BILL_LINE_H

#include "allocate/catalogue.h"

/* The position of a line. A record of some formats has several lines. */
struct line_place {
    int32_t file_id; /* 0: positions are not read */
    int64_t line_number;
    int32_t row_in_record;
};

struct bill_line {
    const struct line_class *class;
    struct line_place place;
    struct resource_line line;
    bool is_unlisted; /* the bill gives no list cost: line.list_cost is a substitute */
    /* its consumed quantity in seconds, unsigned; a job's own resource may be several instances */
    bool has_consumed_time;
    struct exact_decimal consumed_seconds;
};

void bill_line_open(struct bill_line *line);
void bill_line_close(struct bill_line *line);

/* Sets the time of a line: line->line.seconds, states_time and the consumed seconds. The time is
 * the consumed quantity, or else the pricing quantity. A quantity counts as a time if its unit
 * is a unit of time and it is above 0 and at most the charge period. NULL: the bill gives no
 * such quantity. */
void bill_line_set_time(struct bill_line *line, const struct exact_decimal *consumed,
                        const struct exact_decimal *pricing);

struct node_hold {
    int64_t start, end;
    size_t attempt; /* index of the attempt */
    uint32_t cluster, node_name;
    int64_t cpus, accelerators; /* millionths; -1: unknown */
};

#endif
