/* model/damped_trend.h: what a monthly series will be, by Holt's method with a damped trend.
 *
 *     forecast of the month h ahead = level + (phi + phi^2 + ... + phi^h) trend
 *     level_t = alpha y_t + (1 - alpha) (level_{t-1} + phi trend_{t-1})
 *     trend_t = beta (level_t - level_{t-1}) + (1 - beta) phi trend_{t-1}
 *
 * E. S. Gardner and E. McKenzie, "Forecasting trends in time series" (Management Science 31, 1985); the start by a
 * regression on the first ten months, and phi between 0.8 and 0.98, as R. J. Hyndman and others have it
 * (Forecasting with Exponential Smoothing, 2008, section 2.6; Forecasting: Principles and Practice, section 8.2),
 * or at the first month without trend. The start, alpha, beta and phi are those of a grid with the smallest sum of
 * absolute one-month errors: absolute, so that one month that jumps is not taken for a trend, and a grid, so that
 * the same series gives the same answer.
 *
 * Fewer than four months have no trend: their mean is the forecast, and `flat` says so. From 24 months on, and
 * where every month is above 0, the months of the year may have factors (month / centred mean over twelve, mean of
 * the years); they are kept where they pay for their eleven parameters by Akaike's criterion.
 */
#ifndef KSTAR_MODEL_DAMPED_TREND_H
#define KSTAR_MODEL_DAMPED_TREND_H

#include <stdbool.h>
#include <stddef.h>

#define DAMPED_TREND_MONTHS        4u  /* fewer have no trend */
#define DAMPED_TREND_SEASON_MONTHS 24u /* fewer have no season */

struct damped_trend {
    size_t count; /* months of the series */
    bool flat;    /* too few for a trend: the mean stands */
    bool seasonal;
    bool started_flat;   /* at the first month, without trend */
    double level, trend; /* after the last month, season taken out */
    double alpha, beta, phi;
    double
        /* root mean square of the one-month errors, season taken out; NaN with fewer than two months */
        residual;
    double season
        [12]; /* factor of the first month of the series, of the second, ...; all 1 where not seasonal */
};

/* Fits `count` consecutive months. No month at all is a level of 0. */
void damped_trend_fit(const double *values, size_t count, struct damped_trend *fit);

/* The month `ahead` (1: the one after the last). */
double damped_trend_at(const struct damped_trend *fit, unsigned ahead);

#endif
