/* model/statistics/student_t.c: see student_t.h. */
#include "model/statistics/student_t.h"

#include <float.h>
#include <math.h>

static double away_from_zero(double x)
{
    return fabs(x) < DBL_MIN ? DBL_MIN : x;
}

/* Continued fraction of the incomplete beta function (Abramowitz and Stegun 26.5.8), evaluated by
 * Lentz's method. */
static double beta_fraction(double a, double b, double x)
{
    double c = 1;
    double d = 1 / away_from_zero(1 - (a + b) * x / (a + 1));
    double product = d;
    for (int m = 1; m <= 500; m++) {
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        d = 1 / away_from_zero(1 + even * d);
        c = away_from_zero(1 + even / c);
        product *= c * d;
        double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        d = 1 / away_from_zero(1 + odd * d);
        c = away_from_zero(1 + odd / c);
        product *= c * d;
        if (fabs(c * d - 1) < 4 * DBL_EPSILON)
            break;
    }
    return product;
}

/* I_x(a, b). 1 - x is a separate argument, so that neither end loses digits to cancellation. */
static double incomplete_beta(double a, double b, double x, double complement)
{
    if (x <= 0)
        return 0;
    if (complement <= 0)
        return 1;
    double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(complement));
    if (x < (a + 1) / (a + b + 2))
        return front * beta_fraction(a, b, x) / a;
    return 1 - front * beta_fraction(b, a, complement) / b;
}

double student_t_probability(double t, double freedom)
{
    double square = t * t;
    double tail =
        0.5 * incomplete_beta(freedom / 2, 0.5, freedom / (freedom + square), square / (freedom + square));
    return t > 0 ? 1 - tail : tail;
}

static double density(double t, double freedom)
{
    double front = exp(lgamma((freedom + 1) / 2) - lgamma(freedom / 2)) / sqrt(freedom * acos(-1));
    return front * pow(1 + t * t / freedom, -(freedom + 1) / 2);
}

double student_t_quantile(double probability, double freedom)
{
    if (!(probability > 0 && probability < 1 && freedom > 0))
        return NAN;
    if (probability < 0.5)
        return -student_t_quantile(1 - probability, freedom);
    double low = 0;
    double high = 1;
    while (student_t_probability(high, freedom) < probability && high < 1e300) {
        low = high;
        high *= 2;
    }
    /* Newton's method from the middle of the bracket; steps stay inside the bracket. */
    double t = 0.5 * (low + high);
    for (int i = 0; i < 200 && high - low > 1e-15 * high; i++) {
        double off = student_t_probability(t, freedom) - probability;
        *(off < 0 ? &low : &high) = t;
        double next = t - off / density(t, freedom);
        if (!(next > low && next < high))
            next = 0.5 * (low + high);
        if (fabs(next - t) <= 1e-15 * t)
            return next;
        t = next;
    }
    return t;
}
