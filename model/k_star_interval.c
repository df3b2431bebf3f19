/* model/k_star_interval.c: see k_star_interval.h. */
#include "model/k_star_interval.h"

#include "model/scaling_system.h"
#include "model/seeded_random.h"
#include "model/student_t.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double TAIL = (1 - K_STAR_INTERVAL_LEVEL) / 2;

const char *k_interval_method_name(enum k_interval_method method)
{
    static const char *const names[] = {
        [K_INTERVAL_NONE] = "none", [K_INTERVAL_DELTA] = "delta", [K_INTERVAL_BOOTSTRAP] = "bootstrap"
    };
    return names[method];
}

bool k_interval_contains(const struct k_interval *interval, unsigned k)
{
    for (size_t i = 0; i < interval->range_count; i++) {
        if (k >= interval->ranges[i].from && k <= interval->ranges[i].to) {
            return true;
        }
    }
    return false;
}

char *k_interval_text(const struct k_interval *interval, char *text, size_t size)
{
    size_t used = 0;
    if (size > 0) {
        text[0] = '\0';
    }
    for (size_t i = 0; i < interval->range_count && used < size; i++) {
        const struct k_range *range = &interval->ranges[i];
        const char *comma = i > 0 ? ", " : "";
        int wrote;
        if (range->to == K_STAR_NO_END) {
            wrote = snprintf(text + used, size - used, "%s%u or more", comma, range->from);
        } else if (range->to == range->from) {
            wrote = snprintf(text + used, size - used, "%s%u", comma, range->from);
        } else {
            wrote = snprintf(text + used, size - used, "%s%u-%u", comma, range->from, range->to);
        }
        used += wrote > 0 ? (size_t)wrote : 0;
    }
    return text;
}

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
        for (int j = 0; j < SCALING_PARAMETERS; j++) {
            sum += gradient[i] * fit->covariance[i][j] * gradient[j];
        }
    }
    return sum;
}

/* Whether a single node may be cheapest: the cost of K = 1 against the cost at the root, ln C(1) - ln
 * C(root), is within its own 95 % error of zero or below, or the interval of the root reaches down to the
 * step. */
static bool one_node_competes(const struct scaling_fit *fit, const struct cost_curve *curve, double root,
                              double reach, double t)
{
    if (fit->law.form != SCALING_STEPPED) {
        return false; /* no step: K = 1 lies on the same smooth curve */
    }
    if (root - reach < 2) {
        return true;
    }
    double s = fit->law.serial_fraction;
    double c = fit->law.communication_coefficient;
    double d = fit->law.step;
    double p = cost_curve_node_price(curve);
    double f = cost_curve_wall_price(curve);
    double inefficiency = 1 + d + (root - 1) * s + c * root * (root - 1);
    double gap = log(p + f) - log((p * root + f) / root * inefficiency);
    /* The root's own shift does not count to first order: cost is flat there. */
    double gradient[SCALING_PARAMETERS] = {
        [SCALING_SERIAL] = -(root - 1) / inefficiency,
        [SCALING_COMMUNICATION] = -root * (root - 1) / inefficiency,
        [SCALING_STEP] = -1 / inefficiency,
    };
    return gap < t * sqrt(variance_along(fit, gradient));
}

/* The feasible K on either side of a real root: *below <= root < *above, 0 where there is none. */
static void neighbours(const struct node_limits *limits, double root, unsigned *below, unsigned *above)
{
    if (!(root < NODE_LIMITS_LARGEST)) {
        *below = node_limits_endless(limits) ? K_STAR_NO_END : node_limits_previous(limits, K_STAR_NO_END);
        *above = 0;
        return;
    }
    unsigned whole = root < 1 ? 0 : (unsigned)root;
    *below = node_limits_previous(limits, whole + 1);
    *above = node_limits_next(limits, whole);
}

/* The K* that a range of roots means. Between neighbours a < b the cheaper one changes from a to b while the
 * root moves from sqrt(ab) to (a+b)/2 (C is convex with a term in 1/K), so these bounds leave out only what
 * cannot be K*. */
static struct k_range feasible_around(const struct node_limits *limits, double low, double high)
{
    struct k_range range;
    unsigned below;
    unsigned above;
    neighbours(limits, low, &below, &above);
    range.from = above == 0 || (below > 0 && low <= (below + (double)above) / 2) ? below : above;
    neighbours(limits, high, &below, &above);
    range.to = above > 0 && (below == 0 || high * high >= (double)below * above) ? above : below;
    return range;
}

/* ---- Bootstrap ---- */

/* Relative noise of one run at a size: see the header. */
static double noise_at(const struct scaling_fit *fit, const struct measured_size *size)
{
    double pooled = fit->freedom > 0 ? sqrt(fit->residual_sum / fit->freedom) : 0;
    if (size->repeats < 2) {
        return pooled;
    }
    return fmax(pooled, sqrt(size->square_spread / (size->repeats - 1)));
}

/* One refit: every run drawn again and solved under the same constraints. False when no law fits the draw. */
static bool draw_law(const struct scaling_fit *fit, struct seeded_random *random, struct scaling_law *law)
{
    struct scaling_system system;
    struct nnls_solution solution;
    double scale = sqrt(fit->freedom / seeded_random_chi_square(random, fit->freedom));
    scaling_system_start(&system, &fit->law);
    for (size_t i = 0; i < fit->size_count; i++) {
        const struct measured_size *size = &fit->sizes[i];
        double around = size->law_misses ? size->hours : size->law_hours;
        double noise = scale * noise_at(fit, size);
        for (unsigned j = 0; j < size->repeats; j++) {
            double hours = around * exp(noise * seeded_random_normal(random));
            if (isfinite(hours) && hours > 0) {
                scaling_system_add(&system, size->k, hours);
            }
        }
    }
    return scaling_system_solve(&system, law, &solution);
}

void k_bootstrap_draw(const struct scaling_fit *fit, uint64_t seed, struct k_bootstrap *bootstrap)
{
    bootstrap->seed = seed;
    bootstrap->count = 0;
    if (fit->freedom == 0) {
        return;
    }
    if (fit->outcome == SCALING_FIT_GROWTH) {
        bootstrap->count = K_STAR_BOOTSTRAP_LAWS;
    }
    if (fit->outcome != SCALING_FIT_LAW) {
        return;
    }
    struct seeded_random random;
    seeded_random_start(&random, seed);
    for (int tries = 0; tries < 2 * K_STAR_BOOTSTRAP_LAWS && bootstrap->count < K_STAR_BOOTSTRAP_LAWS;
         tries++) {
        if (draw_law(fit, &random, &bootstrap->laws[bootstrap->count])) {
            bootstrap->count++;
        }
    }
}

/* The sizes that are judged by measurement, drawn again with the noise of their means. Returns how many. */
static size_t draw_sizes(const struct scaling_fit *fit, const struct cost_curve *curve, double noise,
                         struct seeded_random *random, struct measured_size *sizes)
{
    size_t count = 0;
    for (size_t i = 0; curve->sizes != NULL && i < curve->size_count; i++) {
        if (curve->sizes[i].law_misses || fit->outcome == SCALING_FIT_GROWTH) {
            double of_mean = noise / sqrt(curve->sizes[i].repeats);
            sizes[count] = curve->sizes[i];
            sizes[count++].hours *= exp(of_mean * seeded_random_normal(random));
        }
    }
    return count;
}

/* K* of one draw: of a refitted law, or of the growth rule through drawn sizes. */
static unsigned k_star_of_draw(const struct scaling_fit *fit, const struct cost_curve *curve,
                               const struct node_limits *limits, const struct k_bootstrap *bootstrap,
                               size_t draw)
{
    struct measured_size sizes[MEASURED_SIZES_MAX];
    struct growth_rule growth;
    struct cost_curve drawn = *curve;
    struct seeded_random random;
    double noise = fit->repeat_noise;
    seeded_random_start(&random, bootstrap->seed ^ (UINT64_C(0x5bd1e995) * (draw + 1)));
    if (curve->growth != NULL) {
        noise = fit->noise * sqrt(fit->freedom / seeded_random_chi_square(&random, fit->freedom));
    }
    drawn.size_count = draw_sizes(fit, curve, noise, &random, sizes);
    drawn.sizes = drawn.size_count > 0 ? sizes : NULL;
    if (curve->growth != NULL) {
        growth = growth_rule_of(sizes, drawn.size_count, curve->growth->one_node);
        growth.share = seeded_random_uniform(&random);
        drawn.growth = &growth;
    } else {
        drawn.law = &bootstrap->laws[draw];
    }
    struct k_star_result result;
    enum k_star_outcome outcome = k_star(&drawn, limits, &result);
    return outcome == K_STAR_FOUND ? result.k : K_STAR_NO_END;
}

static int ascending(const void *a, const void *b)
{
    unsigned x = *(const unsigned *)a;
    unsigned y = *(const unsigned *)b;
    return (x > y) - (x < y);
}

/* Adds one K to the set: by widening the range on its side of the step, or as a range of its own. */
static void include(struct k_interval *interval, unsigned k, unsigned one_node)
{
    if (k_interval_contains(interval, k)) {
        return;
    }
    struct k_range *first = &interval->ranges[0];
    struct k_range *last = &interval->ranges[interval->range_count - 1];
    if (k < first->from && (k > one_node || first->from <= one_node)) {
        first->from = k;
    } else if (k < first->from) {
        interval->ranges[1] = *first;
        *first = (struct k_range){ .from = k, .to = k };
        interval->range_count = 2;
    } else if (k > last->to && interval->range_count == 1 && last->to <= one_node) {
        interval->ranges[1] = (struct k_range){ .from = k, .to = k };
        interval->range_count = 2;
    } else if (k > last->to) {
        last->to = k;
    } else if (k <= one_node) {
        first->to = k;
    } else {
        last->from = k;
    }
}

/* The central 95 % of the draws; where it straddles the step, one range on either side of it. */
static void ranges_of_draws(const unsigned *draws, size_t count, unsigned one_node,
                            struct k_interval *interval)
{
    size_t tail = (size_t)(TAIL * (double)count);
    size_t low = tail;
    size_t high = count - 1 - tail;
    size_t above = low; /* the first draw above one node */
    while (above <= high && draws[above] <= one_node) {
        above++;
    }
    if (above == low || above > high) {
        interval->range_count = 1;
        interval->ranges[0] = (struct k_range){ .from = draws[low], .to = draws[high] };
        return;
    }
    size_t from = above + tail < high ? above + tail : high;
    interval->range_count = 2;
    interval->ranges[0] = (struct k_range){ .from = draws[low], .to = draws[above - 1] };
    interval->ranges[1] = (struct k_range){ .from = draws[from], .to = draws[high] };
}

static void by_bootstrap(const struct scaling_fit *fit, const struct cost_curve *curve,
                         const struct node_limits *limits, const struct k_bootstrap *bootstrap,
                         struct k_interval *interval)
{
    unsigned draws[K_STAR_BOOTSTRAP_LAWS];
    size_t count = 0;
    for (size_t i = 0; i < bootstrap->count; i++) {
        draws[count++] = k_star_of_draw(fit, curve, limits, bootstrap, i);
    }
    if (count == 0) {
        return;
    }
    qsort(draws, count, sizeof draws[0], ascending);
    bool growth = fit->outcome == SCALING_FIT_GROWTH;
    unsigned one_node = scaling_fit_one_node(fit);
    bool step_seen = (growth || fit->law.form == SCALING_STEPPED) && scaling_fit_smallest_k(fit) <= one_node;
    ranges_of_draws(draws, count, step_seen ? one_node : 0, interval);

    /* The estimate itself always belongs to the set. */
    struct k_star_result estimate;
    enum k_star_outcome outcome = k_star(curve, limits, &estimate);
    include(interval, outcome == K_STAR_FOUND ? estimate.k : K_STAR_NO_END, step_seen ? one_node : 0);

    /* Nothing feasible lies between the two ranges: they are one. */
    if (interval->range_count == 2 &&
        node_limits_next(limits, interval->ranges[0].to) >= interval->ranges[1].from) {
        interval->ranges[0].to = interval->ranges[1].to;
        interval->range_count = 1;
    }
}

/* ---- Which method ---- */

static bool has_cubic(const struct cost_curve *curve, const struct node_limits *limits)
{
    for (size_t i = 0; curve->sizes != NULL && i < curve->size_count; i++) {
        if (curve->sizes[i].law_misses) {
            return false;
        }
    }
    return curve->interruption.rate == 0 && limits->accelerators_per_node <= 1;
}

/* The interval by the delta method; or the reason why it does not hold. */
static enum k_interval_reason by_delta(const struct scaling_fit *fit, const struct cost_curve *curve,
                                       const struct node_limits *limits, struct k_interval *interval)
{
    if (fit->outcome == SCALING_FIT_GROWTH) {
        return K_INTERVAL_GROWTH;
    }
    if (fit->on_bound != 0) {
        return K_INTERVAL_ON_BOUND;
    }
    if (!has_cubic(curve, limits)) {
        return K_INTERVAL_NO_CUBIC;
    }
    double p = cost_curve_node_price(curve);
    double f = cost_curve_wall_price(curve);
    double root = k_star_continuous(&fit->law, p, f);
    struct k_sensitivity slope = k_star_sensitivity(&fit->law, p, f);
    double gradient[SCALING_PARAMETERS] = {
        [SCALING_SERIAL] = slope.serial_fraction,
        [SCALING_COMMUNICATION] = slope.communication_coefficient,
        [SCALING_STEP] = slope.step,
    };
    double t = student_t_quantile(1 - TAIL, fit->freedom);
    double reach = root > 0 ? t * sqrt(variance_along(fit, gradient)) : NAN;
    if (!isfinite(reach) || one_node_competes(fit, curve, root, reach, t)) {
        return K_INTERVAL_ONE_COMPETES;
    }
    interval->method = K_INTERVAL_DELTA;
    interval->range_count = 1;
    interval->ranges[0] = feasible_around(limits, root - reach, root + reach);
    return K_INTERVAL_INTERIOR;
}

void k_star_interval(const struct scaling_fit *fit, const struct cost_curve *curve,
                     const struct node_limits *limits, const struct k_bootstrap *bootstrap,
                     struct k_interval *interval)
{
    *interval = (struct k_interval){ .reason = K_INTERVAL_NO_LAW };
    struct k_star_result estimate;
    enum k_star_outcome outcome = k_star(curve, limits, &estimate);
    bool has_curve = fit->outcome == SCALING_FIT_LAW || fit->outcome == SCALING_FIT_GROWTH;
    if (!has_curve || (outcome != K_STAR_FOUND && outcome != K_STAR_UNBOUNDED)) {
        return;
    }
    if (fit->freedom == 0) {
        interval->reason = K_INTERVAL_NO_FREEDOM;
        return;
    }
    struct node_limits effective = k_star_limits(curve, limits);
    interval->reason = by_delta(fit, curve, &effective, interval);
    if (interval->reason != K_INTERVAL_INTERIOR) {
        by_bootstrap(fit, curve, &effective, bootstrap, interval);
        interval->method = interval->range_count > 0 ? K_INTERVAL_BOOTSTRAP : K_INTERVAL_NONE;
    }
}
