/* model/cost/k_star_interval.c: see k_star_interval.h. */
#include "model/cost/k_star_interval.h"

#include <math.h>
#include <stdlib.h>

/* ---- Delta method ---- */

struct k_sensitivity k_star_sensitivity(const struct scaling_law *law, double per_node_hour,
                                        double per_wall_hour)
{
    double k0 = scaling_law_smallest_k(law);
    double r = k_star_continuous(law, per_node_hour, per_wall_hour) / k0;
    double p = per_node_hour * k0;
    double f = per_wall_hour;
    double s = law->serial_fraction;
    double c = law->communication_coefficient;
    double slope = 6 * p * c * r * r + 2 * (p * (s - c) + f * c) * r;
    return (struct k_sensitivity){
        .serial_fraction = -k0 * (p * r * r + f) / slope,
        .communication_coefficient = -k0 * (2 * p * r * r * r - p * r * r + f * r * r) / slope,
        .step = k0 * f / slope,
    };
}

/* g' Cov g over (s, c, d). */
static double variance_along(const struct scaling_fit *fit, const double gradient[SCALING_PARAMETERS])
{
    double sum = 0;
    for (int i = 0; i < SCALING_PARAMETERS; i++) {
        for (int j = 0; j < SCALING_PARAMETERS; j++)
            sum += gradient[i] * fit->covariance[i][j] * gradient[j];
    }
    return sum;
}

/* The feasible K on both sides of a real root: *below <= root < *above; 0: there is none. If the
 * law has a step at one node, K = 1 counts on neither side. */
static void neighbours(const struct scaling_fit *fit, const struct node_limits *limits, double root,
                       unsigned *below, unsigned *above)
{
    if (!(root < NODE_LIMITS_LARGEST)) {
        *below = node_limits_endless(limits) ? K_STAR_NO_END : node_limits_previous(limits, K_STAR_NO_END);
        *above = 0;
    } else {
        unsigned whole = root < 1 ? 0 : (unsigned)root;
        *below = node_limits_previous(limits, whole + 1);
        *above = node_limits_next(limits, whole);
    }
    if (fit->law.form == SCALING_STEPPED && *below == 1) {
        *below = 0;
    }
}

/* The cheapest feasible K above one node; 0 if there is none. */
static unsigned cheapest_beyond_one(const struct scaling_fit *fit, const struct cost_curve *curve,
                                    const struct node_limits *limits, double root)
{
    unsigned below, above;
    neighbours(fit, limits, root, &below, &above);
    bool is_below =
        above == 0 || (below > 0 && cost_curve_cost(curve, below) <= cost_curve_cost(curve, above));
    return is_below ? below : above;
}

/* Whether a single node may be cheapest. It may if ln C(1) - ln C(K), where K is the cheapest
 * feasible K above one node, is at most its own 95 % error, or if the interval of the root
 * extends down to the step. */
static bool one_node_competes(const struct scaling_fit *fit, const struct cost_curve *curve,
                              const struct node_limits *limits, double root, double margin, double t)
{
    if (fit->law.form != SCALING_STEPPED) {
        return false; /* no step: K = 1 is on the same smooth curve */
    }
    unsigned other = cheapest_beyond_one(fit, curve, limits, root);
    if (root - margin < 2 || other == 0)
        return true;
    if (!node_limits_allow(limits, 1))
        return false;
    double s = fit->law.serial_fraction;
    double c = fit->law.communication_coefficient;
    double d = fit->law.step;
    double p = cost_curve_node_price(curve);
    double f = cost_curve_wall_price(curve);
    double k = other;
    double inefficiency = 1 + d + (k - 1) * s + c * k * (k - 1);
    double gap = log(p + f) - log((p * k + f) / k * inefficiency);
    double gradient[SCALING_PARAMETERS] = {
        [SCALING_SERIAL] = -(k - 1) / inefficiency,
        [SCALING_COMMUNICATION] = -k * (k - 1) / inefficiency,
        [SCALING_STEP] = -1 / inefficiency,
    };
    return gap < t * sqrt(variance_along(fit, gradient));
}

/* The K* for a range of roots. Between neighbours a < b, the cheaper one changes from a to b
 * while the root moves from sqrt(ab) to (a+b)/2, because C is convex with a term in 1/K. So
 * these bounds exclude only K that cannot be K*. */
static struct k_range feasible_around(const struct scaling_fit *fit, const struct node_limits *limits,
                                      double low, double high)
{
    struct k_range range;
    unsigned below;
    unsigned above;
    neighbours(fit, limits, low, &below, &above);
    range.from = above == 0 || (below > 0 && low <= (below + (double)above) / 2) ? below : above;
    neighbours(fit, limits, high, &below, &above);
    range.to = above > 0 && (below == 0 || high * high >= (double)below * above) ? above : below;
    return range;
}

/* ---- Ranges ---- */

unsigned k_star_interval_step(const struct scaling_fit *fit)
{
    unsigned one_node = scaling_fit_one_node(fit);
    bool has_step = fit->outcome == SCALING_FIT_GROWTH || fit->law.form == SCALING_STEPPED ||
                    k_bootstrap_step_is_open(fit);
    return has_step && scaling_fit_smallest_k(fit) <= one_node ? one_node : 0;
}

void k_star_interval_complete(const struct scaling_fit *fit, const struct node_limits *limits,
                              unsigned estimate, struct k_interval *interval)
{
    k_interval_include(interval, estimate > 0 ? estimate : K_STAR_NO_END, k_star_interval_step(fit));
    struct k_range *last = &interval->ranges[interval->range_count - 1];
    if (last->from == K_STAR_NO_END)
        last->from = node_limits_previous(limits, k_bootstrap_largest_k(scaling_fit_largest_k(fit)) + 1);
    if (interval->range_count == 2 &&
        node_limits_next(limits, interval->ranges[0].to) >= interval->ranges[1].from) {
        interval->ranges[0].to = interval->ranges[1].to;
        interval->range_count = 1;
    }
}

/* ---- Which method ---- */

static const double GAP = 4;

bool k_star_in_gap(const struct scaling_fit *fit, const struct node_limits *limits, unsigned k_star)
{
    for (size_t i = 0; i + 1 < fit->size_count; i++) {
        unsigned low = fit->sizes[i].k, high = fit->sizes[i + 1].k, next = node_limits_next(limits, low);
        bool is_beside = k_star >= low && (k_star <= high || i + 2 == fit->size_count);
        if (is_beside && high >= GAP * low && next > 0 && next < high)
            return true;
    }
    return false;
}

static bool has_cubic(const struct cost_curve *curve, const struct node_limits *limits)
{
    for (size_t i = 0; curve->sizes != NULL && i < curve->size_count; i++) {
        if (curve->sizes[i].law_misses)
            return false;
    }
    return curve->interruption.rate == 0 && limits->accelerators_per_node <= 1;
}

enum k_interval_reason k_star_interval_delta(const struct scaling_fit *fit, const struct cost_curve *curve,
                                             const struct node_limits *limits, struct k_interval *interval)
{
    if (fit->outcome == SCALING_FIT_GROWTH)
        return K_INTERVAL_GROWTH;
    if (fit->stands_by_noise)
        return K_INTERVAL_BY_NOISE;
    if (k_bootstrap_step_is_open(fit))
        return K_INTERVAL_STEP_OPEN;
    if (fit->on_bound != 0)
        return K_INTERVAL_ON_BOUND;
    if (k_bootstrap_noise_differs(fit)) /* the covariance assumes one noise */
        return K_INTERVAL_NOISE_DIFFERS;
    if (!has_cubic(curve, limits))
        return K_INTERVAL_NO_CUBIC;
    double p = cost_curve_node_price(curve);
    double f = cost_curve_wall_price(curve);
    double root = k_star_continuous(&fit->law, p, f);
    struct k_sensitivity slope = k_star_sensitivity(&fit->law, p, f);
    double gradient[SCALING_PARAMETERS] = {
        [SCALING_SERIAL] = slope.serial_fraction,
        [SCALING_COMMUNICATION] = slope.communication_coefficient,
        [SCALING_STEP] = slope.step,
    };
    double t = fit->quantile;
    double margin = root > 0 ? t * sqrt(variance_along(fit, gradient)) : NAN;
    if (!isfinite(margin) || one_node_competes(fit, curve, limits, root, margin, t))
        return K_INTERVAL_ONE_COMPETES;
    interval->method = K_INTERVAL_DELTA;
    interval->range_count = 1;
    interval->ranges[0] = feasible_around(fit, limits, root - margin, root + margin);
    return K_INTERVAL_INTERIOR;
}
