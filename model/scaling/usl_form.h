/* model/scaling/usl_form.h: the Universal Scalability Law as other tools fit it, as a check.
 *
 * The form of the loss decides the answer: for one published series three forms give a serial
 * fraction of .0277, .0067 and .0170. kstar's own form is in scaling_fit.h. These are the two
 * published ones, by bounded non-linear least squares with sigma (= s) and kappa (= c) in [0, 1]:
 *
 *   X3  throughput, three parameters (R's package `usl`):
 *           X(K) = lambda K / (1 + sigma (K-1) + kappa K (K-1))
 *   E2  efficiency relative to K = 1, two parameters:
 *           X(K)/(K X(1)) = 1 / (1 + sigma (K-1) + kappa K (K-1))
 *
 * For given sigma and kappa the best lambda is a quotient (variable projection), so the search has
 * at most two parameters. On each face of the box (free, at 0, at 1) it makes Gauss-Newton steps
 * with Levenberg's damping from several starts. The lowest residual sum wins. Reference: R 4.2.2,
 * nls(algorithm = "port").
 */
#ifndef KSTAR_MODEL_SCALING_USL_FORM_H
#define KSTAR_MODEL_SCALING_USL_FORM_H

#include "model/scaling/measurement.h"

#include <stddef.h>

enum usl_form {
    USL_THROUGHPUT_3, /* X3 */
    USL_EFFICIENCY_2  /* E2 */
};

enum usl_outcome {
    USL_FITTED,
    USL_NO_SINGLE_NODE, /* E2 needs a measurement at K = 1 */
    USL_TOO_FEW_SIZES,  /* fewer distinct K than parameters */
    USL_REFUSED         /* a measurement is unusable */
};

struct usl_fit {
    double sigma, kappa; /* 0 .. 1 */
    double lambda;       /* throughput at K = 1 by the law, 1/T; with E2 the measured mean */
    double residual_sum; /* of squared throughput (X3) or efficiency (E2) residuals */
    /* 1 - residual sum / sum of squares about the mean; NaN if the data do not vary */
    double r_squared;
    /* sqrt((1 - sigma)/kappa), at which throughput is highest; INFINITY if kappa = 0 */
    double peak;
    size_t runs; /* n; E2 counts K = 1 */
};

/* Fits 1/T of the measurements (throughput, if measured_hours(SCALING_THROUGHPUT, ...)). */
enum usl_outcome usl_fit(enum usl_form form, const struct measurement *measurements, size_t count,
                         struct usl_fit *fit);

#endif
