/* model/cost/verdict_fit.h: how far a fit is believed: whether its E is, whether it gives K*, and
 * up to which K it covers jobs. */
#ifndef KSTAR_MODEL_COST_VERDICT_FIT_H
#define KSTAR_MODEL_COST_VERDICT_FIT_H

#include "model/cost/verdict_answer.h"

/* The rules if the settings give none. */
extern const struct verdict_rules VERDICT_RULES;

/* A curve from a fit: its law or growth rule, its sizes, and prices. Work 1, no interruption. */
void verdict_curve(const struct scaling_fit *fit, const struct job_price *price, struct cost_curve *curve);

/* The largest K that a fit covers: `measured_multiple` × the largest measured. `rules` NULL:
 * VERDICT_RULES. */
unsigned verdict_largest_k(const struct scaling_fit *fit, const struct verdict_rules *rules);

/* The feasible K that a fit covers, up to verdict_largest_k(). `rules` NULL: VERDICT_RULES. */
struct node_limits verdict_limits(const struct scaling_fit *fit, const struct node_limits *limits,
                                  const struct verdict_rules *rules);

/* Whether E of a fit is believed: the fit is near enough to its measurements, and these to each
 * other. False beyond the misfit bound. Two sizes alone are believed unless their E or T is one
 * that no work has. One size alone has an E only within one node, where it is 1. `rules` NULL:
 * VERDICT_RULES. */
bool verdict_law_usable(const struct scaling_fit *fit, const struct verdict_rules *rules);

/* Whether a fit gives K*: it has at least two sizes, and its E is believed. If not, *reason says
 * why. */
bool verdict_gives_k_star(const struct scaling_fit *fit, const struct verdict_rules *rules,
                          enum verdict_reason *reason);

#endif
