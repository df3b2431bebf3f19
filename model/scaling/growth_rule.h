/* model/scaling/growth_rule.h: the time of fixed work where no law comes near enough to the
 * measurements.
 *
 * In one sentence: at a measured K we believe the measurement, and between and beyond the measured
 * K throughput keeps the growth that its neighbours show.
 *
 * Growth is the slope of throughput against K, both in logarithms: 1 doubles throughput with every
 * doubling of K, 0 adds nothing. Real series bend downwards in that picture, so between two
 * measured K
 *
 *   - the straight line that joins them (the chord) is the least that is to be expected;
 *   - the line from the lower one that goes on with the growth below it (at most 1), or from the
 *     upper one that goes back with the growth above it, whichever is lower, is the most; above the
 *     largest K nobody knows a growth, and 0 is taken, so that nothing short of it is faster than
 *     it (the chord's own, where the largest K is slower than the one below);
 *   - T(K) is taken halfway (`share` 0.5). Where the neighbours lie below the chord, the chord
 *     stands.
 *
 * In the gap across which a single node is left the chord alone counts: the price of leaving a node
 * is paid there, and no neighbour knows it. Beyond the largest K, throughput grows as the
 * least-squares line through all measured K above one node does, at most 1. Below the smallest K
 * nothing is known.
 *
 * Why halfway, and its price on real series: docs/mathematics.md and `kstar model --evaluate`.
 */
#ifndef KSTAR_MODEL_SCALING_GROWTH_RULE_H
#define KSTAR_MODEL_SCALING_GROWTH_RULE_H

#include "model/scaling/measurement.h"

#include <stddef.h>

struct growth_rule {
    unsigned one_node; /* the largest K that is a single node, at least 1 */
    double share;      /* where between the chord (0) and the neighbours' lines (1): 0.5 */
    double beyond; /* growth above the largest measured K, at most 1; below 0 where more nodes are slower */
};

/* The rule for two or more distinct sizes, ascending. accelerators_per_node as in scaling_law. */
struct growth_rule growth_rule_of(const struct measured_size *sizes, size_t count,
                                  unsigned accelerators_per_node);

/* T(K) in hours: the measured mean at a measured K. NaN below the smallest one. */
double growth_rule_hours(const struct growth_rule *rule, const struct measured_size *sizes, size_t count,
                         unsigned k);

/* The same for many K, ascending, into `hours`. */
void growth_rule_hours_at(const struct growth_rule *rule, const struct measured_size *sizes, size_t count,
                          const unsigned *ks, size_t k_count, double *hours);

/* How far the sizes lie from what the others say of them: root mean square of ln(T/T̂) over the
 * inner sizes, each left out in turn, those beside the leaving of a node apart. *sizes_used gets
 * their number; NaN where there is none. `largest` (may be NULL) gets the largest of them. Without
 * repeats it is the only sign of noise that there is. */
double growth_rule_roughness(const struct growth_rule *rule, const struct measured_size *sizes, size_t count,
                             unsigned *sizes_used, double *largest);

/* The K of the size that contradicts the others most: without it they are least rough; where
 * several are alike in that, the one that lies farthest itself from what its neighbours say. */
unsigned growth_rule_odd_size(const struct growth_rule *rule, const struct measured_size *sizes,
                              size_t count);

#endif
