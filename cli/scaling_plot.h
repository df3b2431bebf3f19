/* cli/scaling_plot.h: a picture of a family's scaling in text, for a terminal. */
#ifndef KSTAR_CLI_SCALING_PLOT_H
#define KSTAR_CLI_SCALING_PLOT_H

#include "model/cost/cost_curve.h"

#include <stdio.h>

/* E(K) against K (in doublings) in 72 columns: 'o' measured, '.' by the fit, '|' K*. The curve has
 * at least two sizes; k_star 0: there is none. */
void scaling_plot(FILE *out, const struct cost_curve *curve, unsigned k_star);

#endif
