/* advise/cost_plot.h: cost against the node count as a picture in text, for a terminal. */
#ifndef KSTAR_ADVISE_COST_PLOT_H
#define KSTAR_ADVISE_COST_PLOT_H

#include "model/cost/cost_curve.h"

#include <stdio.h>

/* C(K) against K (in doublings) up to `largest`, from cost 0 on: 'o' measured, '.' by the law or
 * the growth rule, '|' K* (0: none). `unit` is the unit of costs: "USD". */
void cost_plot(FILE *out, const struct cost_curve *curve, unsigned largest, unsigned k_star,
               const char *unit);

#endif
