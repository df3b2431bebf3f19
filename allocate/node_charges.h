/* allocate/node_charges.h: the lines of one node, or of one job, to charges. */
#ifndef KSTAR_ALLOCATE_NODE_CHARGES_H
#define KSTAR_ALLOCATE_NODE_CHARGES_H

#include "allocate/line_charge.h"
#include "model/allocation/charge_sums.h"

/* Time of which the bill names a node as hardware. */
struct billed_span {
    uint32_t presence; /* row of the inventory */
    int64_t from, to;
};

struct node_excess {
    uint32_t node; /* a name */
    mpq_t microseconds;
};

struct node_charges;
struct node_charges *node_charges_open(const struct catalogue *catalogue);
void node_charges_close(struct node_charges *charges);

/* From now on each part goes to `see`, too: for those who ask what a charge is made of. */
void node_charges_show_parts(struct node_charges *charges, line_part_seer *see, void *context);

/* Whether the line needs the other lines of its resource: a node may be held, or a job named. */
bool node_charges_wants(const struct catalogue *catalogue, const struct line_class *class);

/* Charges a line that needs no other. */
void node_charges_take_line(struct node_charges *charges, const struct bill_line *line);

/* Charges all lines of a resource (or of none). `holds`: those of nodes of its name, by start. */
void node_charges_take(struct node_charges *charges, struct bill_line *const *lines, size_t count,
                       const struct node_hold *holds, size_t hold_count);

struct charge_sums *node_charges_sums(const struct node_charges *charges);
struct charge_sums *node_charges_class_sums(const struct node_charges *charges);
const struct billed_span *node_charges_spans(const struct node_charges *charges, size_t *count);
/* Whether a line of the class, by its index, went to a cost centre as a whole. */
bool node_charges_centre_class(const struct node_charges *charges, size_t class);
const struct node_excess *node_charges_excess(const struct node_charges *charges, size_t *count);

#endif
