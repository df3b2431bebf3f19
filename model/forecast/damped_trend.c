/* model/forecast/damped_trend.c: see damped_trend.h. */
#include "model/forecast/damped_trend.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { START_MONTHS = 10, YEAR = 12, TREND_PARAMETERS = 3, SEASON_PARAMETERS = YEAR - 1 };

static const double phi_grid[] = { .80, .85, .90, .95, .98 };
enum { PHIS = sizeof phi_grid / sizeof phi_grid[0], STEPS = 10 /* alpha: 0.1 .. 1; beta: 0 .. 0.9 */ };

static double mean(const double *values, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += values[i];
    return count > 0 ? sum / (double)count : 0;
}

static void fit_flat(const double *values, size_t count, struct damped_trend *fit)
{
    double sum = 0;
    fit->level = mean(values, count);
    for (size_t i = 0; i < count; i++)
        sum += (values[i] - fit->level) * (values[i] - fit->level);
    fit->residual = count > 1 ? sqrt(sum / (double)(count - 1)) : NAN;
}

/* Starts level and trend: from the regression line through the first months (value in the month
 * before the first, and slope), without a trend from their mean, or from the first month alone. */
static void start_walk(const double *values, size_t count, struct damped_trend *fit)
{
    fit->level = values[0];
    fit->trend = 0;
    if (fit->started_flat)
        return;
    size_t n = count < START_MONTHS ? count : START_MONTHS;
    double middle = ((double)n + 1) / 2, average = mean(values, n), product = 0, square = 0;
    for (size_t i = 0; i < n; i++) {
        double x = (double)(i + 1) - middle;
        product += x * (values[i] - average);
        square += x * x;
    }
    fit->trend = fit->trending ? product / square : 0;
    fit->level = average - middle * fit->trend;
}

/* Runs the recursion over the months with the fit's alpha, beta and phi. Sets level and trend
 * after the last month, and the root mean square of the errors. Returns the sum of the absolute
 * errors. */
static double walk(const double *values, size_t count, struct damped_trend *fit)
{
    double sum = 0, squares = 0;
    start_walk(values, count, fit);
    for (size_t i = 0; i < count; i++) {
        double expected = fit->level + fit->phi * fit->trend;
        double level = fit->alpha * values[i] + (1 - fit->alpha) * expected;
        fit->trend = fit->beta * (level - fit->level) + (1 - fit->beta) * fit->phi * fit->trend;
        fit->level = level;
        sum += fabs(values[i] - expected);
        squares += (values[i] - expected) * (values[i] - expected);
    }
    fit->residual = sqrt(squares / (double)(fit->started_flat ? count - 1 : count));
    return sum;
}

/* Finds the grid point with the smallest error, with or without a trend; the first of equal
 * ones. Returns its sum of errors. */
static double fit_grid(const double *values, size_t count, bool trending, struct damped_trend *fit)
{
    double best_sum = DBL_MAX;
    struct damped_trend best = *fit;
    int phis = trending ? PHIS : 1, betas = trending ? STEPS : 1;
    fit->trending = trending;
    for (int p = 0; p < 2 * phis; p++) {
        for (int a = STEPS; a >= 1; a--) {
            for (int b = 0; b < betas; b++) {
                fit->started_flat = p < phis;
                fit->phi = phi_grid[p % phis];
                fit->alpha = a / 10.0;
                fit->beta = b / 10.0;
                double sum = walk(values, count, fit);
                if (sum < best_sum * (1 - 1e-12)) {
                    best_sum = sum;
                    best = *fit;
                }
            }
        }
    }
    *fit = best;
    return best_sum;
}

/* Akaike's criterion, halved, for errors with Laplace's distribution. */
static double criterion(double sum, size_t count, int parameters)
{
    return (double)count * log(fmax(sum, DBL_MIN)) + parameters;
}

/* Fits a level, and a trend if it improves the criterion. Returns the criterion. */
static double fit_level_or_trend(const double *values, size_t count, struct damped_trend *fit)
{
    struct damped_trend trending = *fit;
    double level = criterion(fit_grid(values, count, false, fit), count, 0);
    double trend = criterion(fit_grid(values, count, true, &trending), count, TREND_PARAMETERS);
    if (trend < level)
        *fit = trending;
    return fmin(trend, level);
}

static bool all_positive(const double *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!(values[i] > 0))
            return false;
    }
    return true;
}

/* Seasonal factors with mean 1: month / mean of the twelve months around it (the two outer
 * months count half). */
static void season_factors(const double *values, size_t count, double season[YEAR])
{
    double sums[YEAR] = { 0 }, total = 0;
    unsigned counts[YEAR] = { 0 };
    for (size_t i = YEAR / 2; i + YEAR / 2 < count; i++) {
        double around = (values[i - YEAR / 2] + values[i + YEAR / 2]) / 2;
        for (size_t j = i - YEAR / 2 + 1; j < i + YEAR / 2; j++)
            around += values[j];
        sums[i % YEAR] += values[i] / (around / YEAR);
        counts[i % YEAR]++;
    }
    for (int month = 0; month < YEAR; month++) {
        season[month] = sums[month] / counts[month];
        total += season[month];
    }
    for (int month = 0; month < YEAR; month++)
        season[month] *= YEAR / total;
}

/* Removes the season, fits the rest, and keeps the season if the criterion improves. The
 * comparison uses the same kind of fit (level or trend) as without seasons, because a step in
 * the middle looks like a trend that falls back every year. */
static void fit_season(const double *values, size_t count, double plain, struct damped_trend *fit)
{
    struct damped_trend seasonal = *fit;
    double *adjusted = malloc(count * sizeof *adjusted);
    season_factors(values, count, seasonal.season);
    for (size_t i = 0; i < count; i++)
        adjusted[i] = values[i] / seasonal.season[i % YEAR];
    seasonal.seasonal = true;
    int parameters = SEASON_PARAMETERS + (fit->trending ? TREND_PARAMETERS : 0);
    double sum = fit_grid(adjusted, count, fit->trending, &seasonal);
    if (criterion(sum, count, parameters) < plain) {
        fit_level_or_trend(adjusted, count, &seasonal);
        *fit = seasonal;
    }
    free(adjusted);
}

static void fit_series(const double *values, size_t count, bool has_gaps, struct damped_trend *fit)
{
    for (; count > 0 && *values == 0; values++)
        count--;
    *fit = (struct damped_trend){ .count = count };
    for (int month = 0; month < YEAR; month++)
        fit->season[month] = 1;
    for (size_t i = 0; i < count; i++)
        fit->below_zero = fit->below_zero || values[i] < 0;
    if (count < DAMPED_TREND_MONTHS) {
        fit_flat(values, count, fit);
        return;
    }
    double plain = fit_level_or_trend(values, count, fit);
    if (!has_gaps && count >= DAMPED_TREND_SEASON_MONTHS && all_positive(values, count))
        fit_season(values, count, plain, fit);
}

void damped_trend_fit(const double *values, size_t count, struct damped_trend *fit)
{
    fit_series(values, count, false, fit);
}

void damped_trend_fit_with_gaps(const double *values, size_t count, struct damped_trend *fit)
{
    fit_series(values, count, true, fit);
}

double damped_trend_at(const struct damped_trend *fit, unsigned ahead)
{
    /* phi + .. + phi^h */
    double damped = fit->trending ? fit->phi * (1 - pow(fit->phi, ahead)) / (1 - fit->phi) : 0;
    double value = (fit->level + damped * fit->trend) * fit->season[(fit->count + ahead + YEAR - 1) % YEAR];
    return fit->below_zero ? value : fmax(value, 0);
}
