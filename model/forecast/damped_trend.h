/* model/forecast/damped_trend.h: forecasts a monthly series by Holt's method with a damped trend.
 *
 *     forecast h months ahead = level + (phi + phi^2 + ... + phi^h) trend
 *     level_t = alpha y_t + (1 - alpha) (level_{t-1} + phi trend_{t-1})
 *     trend_t = beta (level_t - level_{t-1}) + (1 - beta) phi trend_{t-1}
 *
 * Without a trend, the forecast of every month is the level.
 *
 * Source: E. S. Gardner and E. McKenzie, "Forecasting trends in time series" (Management Science
 * 31, 1985). The range of phi, 0.8 to 0.98, and the start by a regression on the first ten months
 * (without a trend: their mean) follow R. J. Hyndman and others (Forecasting with Exponential
 * Smoothing, 2008, section 2.6; Forecasting: Principles and Practice, section 8.2). The other
 * possible start is the first month, with trend 0.
 *
 * Start, alpha, beta and phi are chosen from a grid: the point with the smallest sum of absolute
 * one-month errors. Absolute errors keep one extreme month from looking like a trend. A grid gives
 * the same answer for the same series. alpha may be 1: then the level is the last month, so a step
 * in the series is a new level at once. Among equal points the largest alpha wins, so a step in
 * the very last month is followed, too.
 *
 * More parameters must lower Akaike's criterion, n ln(sum of absolute errors) + parameters
 * (Laplace distribution, halved). The trend has three: its start, beta and phi. The seasonal
 * factors have eleven. A factor is the mean over the years of month / centred twelve-month mean.
 * Seasons need 24 months, all above 0 and without gaps. They must lower the criterion with the
 * kind of fit (level or trend) that was kept without them. Otherwise a step in the middle of 24
 * months would look like a trend that falls back every year.
 *
 * The series begins with its first month that is not 0. With fewer than four months there is no
 * trend: the forecast is their mean. If no month was below 0, the forecast is not below 0.
 */
#ifndef KSTAR_MODEL_FORECAST_DAMPED_TREND_H
#define KSTAR_MODEL_FORECAST_DAMPED_TREND_H

#include <stdbool.h>
#include <stddef.h>

#define DAMPED_TREND_MONTHS        4u  /* fewer have no trend */
#define DAMPED_TREND_SEASON_MONTHS 24u /* fewer have no season */

struct damped_trend {
    size_t count;  /* months of the series, from its first one that is not 0 on */
    bool trending; /* has a trend; else only a level */
    bool seasonal;
    bool started_flat;   /* started at the first month, with trend 0 */
    bool below_zero;     /* a month was below 0, so the forecast may be, too */
    double level, trend; /* after the last month, without the season */
    double alpha, beta, phi;
    double
        /* root mean square of the one-month errors without season; a first month at which the
         * series was started does not count; NaN with fewer than two months */
        residual;
    double season
        /* factors of the first month of the series, of the second, ...; all 1 without seasons */
        [12];
};

/* Fits `count` consecutive months. No months give a level of 0. */
void damped_trend_fit(const double *values, size_t count, struct damped_trend *fit);

/* The same for a series with missing months. It is unknown to which month of the year a value
 * belongs, so no seasons are fitted. */
void damped_trend_fit_with_gaps(const double *values, size_t count, struct damped_trend *fit);

/* The forecast `ahead` months after the last one (1: the next month). */
double damped_trend_at(const struct damped_trend *fit, unsigned ahead);

#endif
