/* model/cost/cost_envelope.h: the cheapest K at every price, as a list of steps.
 *
 * C(K) = p (K T + (f/p) T), so at a given K the cost is a straight line over f/p. The cheapest K is
 * the lower envelope of these lines. It is a step function of f/p, and it rises.
 */
#ifndef KSTAR_MODEL_COST_COST_ENVELOPE_H
#define KSTAR_MODEL_COST_COST_ENVELOPE_H

#include <stddef.h>

/* From this f/p on, ks[at] is cheapest. */
struct cost_step {
    double from;
    unsigned at;
};

/* Writes the steps of K* over f/p >= 0, ascending, into `steps` (caller's, room for `count`), and
 * returns their number. `ks` are ascending, hours[i] is T(ks[i]) or NaN. Of a tie the smaller K is
 * the cheapest, as in k_star(). */
size_t cost_envelope(const unsigned *ks, const double *hours, size_t count, struct cost_step *steps);

/* The last step at or below f/p. There must be one step. */
size_t cost_step_at(const struct cost_step *steps, size_t count, double ratio);

#endif
