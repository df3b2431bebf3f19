/* model/statistics/student_t.h: quantiles of Student's t distribution.
 *
 * Intervals from few points need t instead of the normal 1.96: at two degrees of freedom, t is
 * 4.30.
 */
#ifndef KSTAR_MODEL_STATISTICS_STUDENT_T_H
#define KSTAR_MODEL_STATISTICS_STUDENT_T_H

/* P(T <= t) with `freedom` > 0 degrees of freedom, by a continued fraction. */
double student_t_probability(double t, double freedom);

/* The t below which a share `probability` (strictly between 0 and 1) of the distribution lies.
 * NaN for other probabilities or freedom <= 0. Accurate to 1e-12 for small `freedom`, to 1e-8 at
 * a million. */
double student_t_quantile(double probability, double freedom);

#endif
