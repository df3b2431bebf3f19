/* allocate/line_charge.h: adds a line of the bill, or a part of one, to its charge and class
 * charge. */
#ifndef KSTAR_ALLOCATE_LINE_CHARGE_H
#define KSTAR_ALLOCATE_LINE_CHARGE_H

#include "allocate/bill_line.h"
#include "model/allocation/charge_sums.h"

/* The rules of docs/allocation.md. The first rule that matches takes the line. */
enum { RULE_SEPARATE = 0, RULE_JOB, RULE_NODE, RULE_POOL, RULE_COST_CENTRE, RULE_NONE };

/* The part of a line that one payer pays. Each cost has the scale of the line's cost +
 * extra_digits. If the line is divided, this part is weight / weights of the line; otherwise
 * both are NULL. */
struct line_part {
    mpz_srcptr units[COST_COUNT];
    unsigned extra_digits;
    mpz_srcptr weight, weights;
    /* of rule 2: who held the node, and when; otherwise NULL */
    const struct resource_part *timed;
};

/* Receives a part and the key of its charge. The pointers are valid during the call only. */
typedef void line_part_seer(const struct bill_line *line, const struct charge_key *key,
                            const struct line_part *part, void *context);

/* The receivers of parts: their charges and, if `see` is set, a caller, one part at a time. */
struct charge_sink {
    const struct catalogue *catalogue;
    struct charge_sums *sums, *class_sums;
    line_part_seer *see; /* may be NULL */
    void *context;
};

/* The key of the charge of a line for a payer by `rule`. The caller sets node and
 * is_of_another_statement. */
struct charge_key line_charge_key(const struct bill_line *line, int rule, enum charge_target target,
                                  uint32_t payer);

/* Adds the costs of a part, and one line, to the charge of that key and to its class charge. The
 * caller adds the priced time. The result is valid until the next call. */
struct charge *line_charge_add_part(const struct charge_sink *sink, const struct bill_line *line,
                                    const struct charge_key *key, const struct line_part *part);

/* Adds the line as a whole. */
void line_charge_add(const struct charge_sink *sink, const struct bill_line *line,
                     const struct charge_key *key);

#endif
