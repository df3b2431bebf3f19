/* model/scaling/growth_rule.h: T(K) if no scaling law is near enough to the measurements.
 *
 * At a measured K the measurement counts. Between and beyond the measured K, throughput keeps the
 * growth of its neighbours.
 *
 * Growth is the slope of throughput against K, both in logarithms. 1 doubles throughput with every
 * doubling of K, 0 adds nothing. Real series bend downwards in that picture. So between two
 * measured K
 *
 *   - the least to expect is the chord, the straight line that joins them;
 *   - the most is the lower of two lines: from the lower K with the growth below it (at most 1), or
 *     back from the upper K with the growth above it. The growth above the largest K is taken as 0,
 *     so that no K below it is faster. If the largest K is slower than the one below, its line is
 *     the chord;
 *   - T(K) is halfway between them (`share` 0.5), and on the chord if the lines lie below it.
 *
 * In the gap in which a single node is left, the chord alone counts, because no neighbour shows the
 * price of leaving a node. Beyond the largest K, throughput grows as the least-squares line through
 * all measured K above one node, at most 1. Below the smallest K nothing is known.
 *
 * docs/mathematics.md, section 2, has the cost of the rule on real series; `kstar model --evaluate`
 * computes it.
 */
#ifndef KSTAR_MODEL_SCALING_GROWTH_RULE_H
#define KSTAR_MODEL_SCALING_GROWTH_RULE_H

#include "model/scaling/measurement.h"

#include <stddef.h>

struct growth_rule {
    unsigned one_node; /* the largest K that is a single node, at least 1 */
    double share;      /* position between the chord (0) and the neighbours' lines (1): 0.5 */
    /* growth above the largest measured K, at most 1; below 0 if more nodes are slower */
    double beyond;
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

/* How far the sizes are from their prediction by the others: root mean square of ln(T/T̂) over the
 * inner sizes, each predicted without itself. Sizes beside the step from one node do not count.
 * *sizes_used gets the number of sizes; without any the result is NaN. `largest` (may be NULL) gets
 * the largest of these values. Without repeats this is the only sign of noise. */
double growth_rule_roughness(const struct growth_rule *rule, const struct measured_size *sizes, size_t count,
                             unsigned *sizes_used, double *largest);

/* The K of the size that contradicts the others most: without it the other sizes are least rough.
 * Of several such sizes, the one farthest from its neighbours' prediction. */
unsigned growth_rule_odd_size(const struct growth_rule *rule, const struct measured_size *sizes,
                              size_t count);

#endif
