/* model/forecast/damped_trend.h: what a monthly series will be, by Holt's method with a damped
 * trend.
 *
 *     forecast of the month h ahead = level + (phi + phi^2 + ... + phi^h) trend
 *     level_t = alpha y_t + (1 - alpha) (level_{t-1} + phi trend_{t-1})
 *     trend_t = beta (level_t - level_{t-1}) + (1 - beta) phi trend_{t-1}
 *
 * or, without a trend, level alone, of which every month ahead is the same.
 *
 * E. S. Gardner and E. McKenzie, "Forecasting trends in time series" (Management Science 31, 1985);
 * the start by a regression on the first ten months (level alone: their mean), and phi between 0.8
 * and 0.98, as R. J. Hyndman and others have it (Forecasting with Exponential Smoothing, 2008,
 * section 2.6; Forecasting: Principles and Practice, section 8.2), or at the first month without
 * trend. The start, alpha, beta and phi are those of a grid with the smallest sum of absolute
 * one-month errors: absolute, so that one month that jumps is not taken for a trend, and a grid, so
 * that the same series gives the same answer. alpha reaches 1, the last month stands: a step is a
 * new level at once. Of equal ones the largest alpha counts, so a step in the very last month is
 * one, too.
 *
 * Each parameter beyond the level's has to pay by Akaike's criterion, n ln(sum of the absolute
 * errors) + parameters (of Laplace's distribution, halved): the trend's three (its start, beta and
 * phi), and the eleven of the months of the year (month / centred mean over twelve, mean of the
 * years), which may have factors from 24 months on, where every month is above 0 and none is left
 * out. These have to pay beside the same of level and trend as is kept without them: a step in the
 * middle of 24 months would else be a trend that falls back every year.
 *
 * A series begins with its first month that is not 0: before it there was nothing to go on. Fewer
 * than four months have no trend: their mean is the forecast, and `flat` says so. A series that
 * never was below 0 does not go there.
 */
#ifndef KSTAR_MODEL_FORECAST_DAMPED_TREND_H
#define KSTAR_MODEL_FORECAST_DAMPED_TREND_H

#include <stdbool.h>
#include <stddef.h>

#define DAMPED_TREND_MONTHS        4u  /* fewer have no trend */
#define DAMPED_TREND_SEASON_MONTHS 24u /* fewer have no season */

struct damped_trend {
    size_t count;  /* months of the series, from its first one that is not 0 */
    bool flat;     /* too few for a trend: the mean stands */
    bool trending; /* else level alone */
    bool seasonal;
    bool started_flat;   /* at the first month, without trend */
    bool below_zero;     /* some month was, so the forecast may be */
    double level, trend; /* after the last month, season taken out */
    double alpha, beta, phi;
    double
        /* root mean square of the one-month errors, season taken out, without a first month that
         * the series was started at; NaN with fewer than two months */
        residual;
    double season
        [12]; /* factor of the first month of the series, of the second, ...; all 1 where not seasonal */
};

/* Fits `count` consecutive months. No month at all is a level of 0. */
void damped_trend_fit(const double *values, size_t count, struct damped_trend *fit);

/* Likewise where months between them, or after the last one, are left out: nobody can say of which
 * month of the year each is, so there are no seasons. */
void damped_trend_fit_with_gaps(const double *values, size_t count, struct damped_trend *fit);

/* The month `ahead` (1: the one after the last). */
double damped_trend_at(const struct damped_trend *fit, unsigned ahead);

#endif
