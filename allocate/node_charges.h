/* allocate/node_charges.h: turns the lines of one node, or of one job, into charges. */
#ifndef KSTAR_ALLOCATE_NODE_CHARGES_H
#define KSTAR_ALLOCATE_NODE_CHARGES_H

#include "allocate/line_charge.h"
#include "model/allocation/charge_sums.h"

/* A period for which the bill names a node as hardware. */
struct billed_span {
    uint32_t presence; /* row of the inventory */
    int64_t from, to;
};

struct node_excess {
    uint32_t node; /* a name of the catalogue */
    mpq_t microseconds;
};

struct node_charges;
struct node_charges *node_charges_open(const struct catalogue *catalogue);
void node_charges_close(struct node_charges *charges);

/* From now on, `see` also receives each part. Used by kstar explain. */
void node_charges_show_parts(struct node_charges *charges, line_part_seer *see, void *context);

/* Whether a line needs the other lines of its resource: the node may have been held, or the line
 * may name a job. */
bool node_charges_wants(const struct catalogue *catalogue, const struct line_class *class);

/* Charges a line that needs no other line. */
void node_charges_take_line(struct node_charges *charges, const struct bill_line *line);

/* Charges all lines of a resource, or lines without a resource. `holds` are the holds of nodes
 * with its name, sorted by start. */
void node_charges_take(struct node_charges *charges, struct bill_line *const *lines, size_t count,
                       const struct node_hold *holds, size_t hold_count);

struct charge_sums *node_charges_sums(const struct node_charges *charges);
struct charge_sums *node_charges_class_sums(const struct node_charges *charges);
const struct billed_span *node_charges_spans(const struct node_charges *charges, size_t *count);
/* Whether a whole line of the class with this index went to a cost centre. */
bool node_charges_centre_class(const struct node_charges *charges, size_t class);
const struct node_excess *node_charges_excess(const struct node_charges *charges, size_t *count);

#endif
