/* allocate/line_charge.h: adds a line of the bill, or a part, to its charge and class charge. */
#ifndef KSTAR_ALLOCATE_LINE_CHARGE_H
#define KSTAR_ALLOCATE_LINE_CHARGE_H

#include "allocate/bill_line.h"
#include "model/allocation/charge_sums.h"

/* The rules of docs/allocation.md, The first rule that matches takes the line. */
enum { RULE_SET_APART = 0, RULE_JOB, RULE_NODE, RULE_POOL, RULE_COST_CENTRE, RULE_NONE };

/* What a payer has of a line: each cost at the scale of the line's + extra_digits. The rest is of a
 * line that is divided: this part has weight / weights of it, and NULL otherwise. */
struct line_part {
    mpz_srcptr units[COST_COUNT];
    unsigned extra_digits;
    mpz_srcptr weight, weights;
    const struct resource_part *timed; /* of rule 2: who held the node, and when */
};

/* Sees a part and the charge that it goes to; what they point to is gone with the call. */
typedef void line_part_seer(const struct bill_line *line, const struct charge_key *key,
                            const struct line_part *part, void *context);

/* Where parts go: to their charges, and one by one to a caller who wants to see them. */
struct charge_sink {
    const struct catalogue *catalogue;
    struct charge_sums *sums, *class_sums;
    line_part_seer *see; /* NULL: nobody asks */
    void *context;
};

/* The charge of a line for a payer by `rule`. The caller sets node, is_of_another_statement. */
struct charge_key line_charge_key(const struct bill_line *line, int rule, enum charge_target target,
                                  uint32_t payer);

/* Adds a part of the line to the charge of that key, and to its class charge: costs, and a line.
 * Its priced time is the caller's to add. The charge is valid until the next call. */
struct charge *line_charge_add_part(const struct charge_sink *sink, const struct bill_line *line,
                                    const struct charge_key *key, const struct line_part *part);

/* Adds the line as a whole. */
void line_charge_add(const struct charge_sink *sink, const struct bill_line *line,
                     const struct charge_key *key);

#endif
