/* model/cost/k_star.c: see k_star.h.
 *
 * One search serves three questions: an aim has the value to lower and the K that take part.
 */
#include "model/cost/k_star.h"

#include <math.h>
#include <string.h>

enum aim { CHEAPEST, FASTEST };

struct search {
    const struct cost_curve *curve;
    struct node_limits limits; /* with K0 as minimum and the law's accelerators per node */
    enum aim aim;
    double deadline; /* with the tolerance of a tie; INFINITY: none */
    double budget;   /* the same, for cost */
};

/* ---- The law as a function of real K, above one node ---- */

/* The positive root of cubic x^3 + square x^2 = level. Newton's method starts right of the root,
 * where the left side is convex, so each step decreases towards it. If square < 0, the left side
 * rises and is convex only above -2 square / 3 cubic, and the root is above that. */
static double cubic_root(struct scaling_shape t, double p, double f)
{
    double cubic = 2 * p * t.per_k;
    double square = p * t.constant + f * t.per_k;
    double level = f * t.over_k;
    if (level <= 0)
        return 0;
    if (cubic == 0)
        return square > 0 ? sqrt(level / square) : INFINITY;
    double x =
        square > 0 ? fmin(sqrt(level / square), cbrt(level / cubic)) : cbrt(level / cubic) - square / cubic;
    for (int i = 0; i < 100; i++) {
        double step = ((cubic * x + square) * x * x - level) / ((3 * cubic * x + 2 * square) * x);
        x -= step;
        if (!(step > 1e-15 * x))
            break;
    }
    return x;
}

double k_star_continuous(const struct scaling_law *law, double per_node_hour, double per_wall_hour)
{
    return cubic_root(scaling_law_shape(law, true), per_node_hour, per_wall_hour);
}

double k_fastest_continuous(const struct scaling_law *law)
{
    struct scaling_shape t = scaling_law_shape(law, true);
    if (t.over_k <= 0)
        return 0;
    return t.per_k > 0 ? sqrt(t.over_k / t.per_k) : INFINITY;
}

static double shape_hours(struct scaling_shape t, double k)
{
    return isinf(k) ? t.constant : t.over_k / k + t.constant + t.per_k * k;
}

/* ---- Above the largest measured K: the growth rule is one power of K ---- */

/* A lower bound of (p K + f) T(K), stretch included, from real K on. Each term of the product is
 * a power of K: a rising term is lowest at k, a falling one tends to 0. */
static double tail_from(const struct cost_curve *curve, double p, double f, double k)
{
    const struct interruption *interruption = &curve->interruption;
    double checkpoints = sqrt(2 * interruption->checkpoint_hours * interruption->rate);
    double restarts = interruption->restart_hours * interruption->rate;
    const struct {
        double factor, power;
    } terms[] = { { f, 0 },
                  { f * checkpoints, 0.5 },
                  { f * restarts + p, 1 },
                  { p * checkpoints, 1.5 },
                  { p * restarts, 2 } };
    double sum = 0;
    for (size_t i = 0; i < sizeof terms / sizeof *terms; i++) {
        if (terms[i].factor > 0 && terms[i].power >= curve->growth->beyond)
            sum += terms[i].factor * pow(k, terms[i].power);
    }
    double hours = curve->sizes[curve->size_count - 1].hours;
    return sum * hours * pow(k / cost_curve_largest_k(curve), -curve->growth->beyond);
}

/* Whether (p K + f) T(K) falls for ever without interruptions. T may do so; p K T never does. */
static bool tail_falls(const struct cost_curve *curve, double p, double f)
{
    double growth = curve->growth->beyond;
    return f > 0 && growth > 0 && (p == 0 || growth >= 1);
}

/* ---- Bounds on the rest of the curve ---- */

/* The K from which the law, or the growth rule, is one smooth function. */
static unsigned smooth_from(const struct cost_curve *curve)
{
    return curve->law != NULL ? scaling_law_one_node(curve->law) : cost_curve_largest_k(curve);
}

/* The lowest time, and cost, from k on. For a law: the minimum over real K without stretch,
 * times the stretch at k. k is at least smooth_from(). */
static double least_hours_from(const struct cost_curve *curve, unsigned k)
{
    double work = curve->work > 0 ? curve->work : 1;
    if (curve->law == NULL)
        return work * tail_from(curve, 0, 1, k);
    double best = fmax(k, k_fastest_continuous(curve->law));
    return work * shape_hours(scaling_law_shape(curve->law, true), best) *
           interruption_stretch(&curve->interruption, k);
}

static double least_cost_from(const struct cost_curve *curve, unsigned k)
{
    double p = cost_curve_node_price(curve);
    double f = cost_curve_wall_price(curve);
    double work = curve->work > 0 ? curve->work : 1;
    if (curve->law == NULL)
        return work * tail_from(curve, p, f, k);
    /* The root is infinite only if pB + fD = 0 and pD = 0: then C(K) = pA + fB + fA/K. */
    struct scaling_shape t = scaling_law_shape(curve->law, true);
    double best = fmax(k, k_star_continuous(curve->law, p, f));
    double cost = isinf(best) ? p * t.over_k + f * t.constant : (p * best + f) * shape_hours(t, best);
    return work * cost * interruption_stretch(&curve->interruption, k);
}

/* ---- Looking at every feasible K ---- */

static double value_at(const struct search *search, unsigned k)
{
    double value =
        search->aim == CHEAPEST ? cost_curve_cost(search->curve, k) : cost_curve_hours(search->curve, k);
    if (isnan(value) || cost_curve_hours(search->curve, k) > search->deadline ||
        cost_curve_cost(search->curve, k) > search->budget) {
        return NAN;
    }
    return value;
}

/* Whether the curve continues above the measured sizes. */
static bool goes_on(const struct cost_curve *curve)
{
    return curve->law != NULL || curve->growth != NULL;
}

/* True if no K above k can cost less than `best`, meet the deadline or keep to the budget.
 * Considers only the law or the growth rule; measured K are checked separately. */
static bool nothing_beyond(const struct search *search, unsigned k, double best)
{
    const struct cost_curve *curve = search->curve;
    if (!goes_on(curve) || k < smooth_from(curve))
        return false;
    double least_hours = least_hours_from(curve, k + 1);
    double least_cost = least_cost_from(curve, k + 1);
    double least = search->aim == CHEAPEST ? least_cost : least_hours;
    return least >= best || least_hours > search->deadline || least_cost > search->budget;
}

/* The real K with the lowest value on the law without stretch. */
static double root_of(const struct search *search)
{
    const struct cost_curve *curve = search->curve;
    return search->aim == FASTEST
               ? k_fastest_continuous(curve->law)
               : k_star_continuous(curve->law, cost_curve_node_price(curve), cost_curve_wall_price(curve));
}

static bool never_rises(const struct search *search)
{
    const struct cost_curve *curve = search->curve;
    if (curve->law != NULL)
        return isinf(root_of(search));
    return search->aim == FASTEST
               ? tail_falls(curve, 0, 1)
               : tail_falls(curve, cost_curve_node_price(curve), cost_curve_wall_price(curve));
}

/* True if from k on only the law or the growth rule decides, and the value only falls. */
static bool only_falls(const struct search *search, unsigned k)
{
    const struct cost_curve *curve = search->curve;
    bool alone = k >= cost_curve_largest_k(curve) && isinf(search->budget);
    return goes_on(curve) && alone && curve->interruption.rate == 0 && k > smooth_from(curve) &&
           never_rises(search);
}

struct scan {
    double lowest; /* NaN: no K yet */
    bool ran_out;  /* reached the end of an endless set while the value was still falling */
    unsigned last; /* the K at which the scan stopped */
    unsigned
        /* from this K on the value only falls, and the scan continued at the last K; 0: there is
         * none */
        falls_from;
};

static unsigned largest_of(const struct search *search)
{
    return node_limits_previous(&search->limits, NODE_LIMITS_LARGEST + 1);
}

static void take(struct scan *scan, double value)
{
    if (value < scan->lowest || (isnan(scan->lowest) && !isnan(value)))
        scan->lowest = value;
}

/* Finds the lowest value over the feasible K. Also checks measured K above the point where the
 * scan stops. */
static struct scan scan_all(const struct search *search)
{
    const struct cost_curve *curve = search->curve;
    struct scan scan = { .lowest = NAN };
    unsigned k = 0;
    while ((k = node_limits_next(&search->limits, k)) != 0) {
        take(&scan, value_at(search, k));
        scan.last = k;
        double best = isnan(scan.lowest) ? INFINITY : scan.lowest;
        if (nothing_beyond(search, k, best))
            break;
        if (!goes_on(curve) && k >= cost_curve_largest_k(curve))
            break;
        if (only_falls(search, k)) {
            scan.falls_from = k;
            scan.last = largest_of(search);
            take(&scan, value_at(search, scan.last));
            k = 0;
            break;
        }
    }
    bool at_the_end = k == 0 && goes_on(curve) && node_limits_endless(&search->limits);
    scan.ran_out = at_the_end && value_at(search, scan.last) == scan.lowest;
    for (size_t i = 0; i < curve->size_count && curve->sizes != NULL; i++) {
        unsigned measured = curve->sizes[i].k;
        if (measured > scan.last && cost_curve_override(curve, measured) != NULL &&
            node_limits_allow(&search->limits, measured)) {
            take(&scan, value_at(search, measured));
            scan.last = measured;
        }
    }
    return scan;
}

/* The value falls from `first` to k. Finds the smallest K there within a tie of `lowest`. */
static unsigned leftmost_tie(const struct search *search, unsigned first, unsigned k, double lowest)
{
    while (first < k) {
        unsigned middle = first + (k - first) / 2;
        if (value_at(search, middle) <= lowest * (1 + K_STAR_TIE))
            k = middle;
        else
            first = middle + 1;
    }
    return k;
}

/* The smallest feasible K whose value is within a tie of the lowest. */
static unsigned first_within_tie(const struct search *search, const struct scan *scan)
{
    unsigned k = 0;
    while ((k = node_limits_next(&search->limits, k)) != 0 && k != scan->falls_from) {
        if (value_at(search, k) <= scan->lowest * (1 + K_STAR_TIE))
            return k;
    }
    if (k == 0)
        return 0;
    return node_limits_next(&search->limits, leftmost_tie(search, k, scan->last, scan->lowest) - 1);
}

/* ---- The closed form ---- */

static bool has_closed_form(const struct search *search)
{
    const struct cost_curve *curve = search->curve;
    if (curve->law == NULL || !node_limits_unbroken(&search->limits) || isfinite(search->deadline) ||
        isfinite(search->budget) || curve->interruption.rate > 0) {
        return false;
    }
    for (size_t i = 0; curve->sizes != NULL && i < curve->size_count; i++) {
        if (curve->sizes[i].law_misses)
            return false;
    }
    return true;
}

static enum k_star_outcome closed_form(const struct search *search, unsigned *found)
{
    unsigned smallest = node_limits_next(&search->limits, 0);
    unsigned last = largest_of(search);
    unsigned first = smallest > 1 || last == 1 ? smallest : 2; /* the convex stretch starts here */
    double root = root_of(search);
    if (!(root < NODE_LIMITS_LARGEST) && node_limits_endless(&search->limits)) {
        /* above the step the cost falls for ever, but may never be as low as that of one node */
        *found = 1;
        return smallest == 1 && value_at(search, 1) <= value_at(search, NODE_LIMITS_LARGEST)
                   ? K_STAR_FOUND
                   : K_STAR_UNBOUNDED;
    }
    unsigned below = root < first ? first : root < last ? (unsigned)root : last;
    unsigned above = below < last ? below + 1 : last;
    unsigned best = value_at(search, above) < value_at(search, below) ? above : below;
    double lowest = value_at(search, best);
    best = leftmost_tie(search, first, best, lowest);
    if (smallest == 1 && value_at(search, 1) <= lowest * (1 + K_STAR_TIE))
        best = 1;
    *found = best;
    return K_STAR_FOUND;
}

/* ---- The three questions ---- */

static enum k_star_outcome run(const struct search *search, struct k_star_result *result)
{
    const struct cost_curve *curve = search->curve;
    unsigned k = 0;
    if (has_closed_form(search)) {
        enum k_star_outcome outcome = closed_form(search, &k);
        if (outcome != K_STAR_FOUND)
            return outcome;
    } else {
        struct scan scan = scan_all(search);
        if (isnan(scan.lowest))
            return isfinite(search->deadline) ? K_STAR_DEADLINE_NOT_MET
                   : isfinite(search->budget) ? K_STAR_BUDGET_NOT_MET
                                              : K_STAR_NONE_FEASIBLE;
        if (scan.ran_out)
            return K_STAR_UNBOUNDED;
        k = first_within_tie(search, &scan);
    }
    *result = k_star_at(curve, k);
    return K_STAR_FOUND;
}

struct k_star_result k_star_at(const struct cost_curve *curve, unsigned k)
{
    return (struct k_star_result){
        .k = k,
        .hours = cost_curve_hours(curve, k),
        .cost = cost_curve_cost(curve, k),
        .efficiency = cost_curve_efficiency(curve, k),
        .measured = cost_curve_override(curve, k) != NULL,
    };
}

struct node_limits k_star_limits(const struct cost_curve *curve, const struct node_limits *limits)
{
    struct node_limits effective = *limits;
    if (curve->law != NULL) {
        unsigned k0 = scaling_law_smallest_k(curve->law);
        if (effective.accelerators_per_node == 0)
            effective.accelerators_per_node = curve->law->accelerators_per_node;
        if (effective.step <= 1 && effective.smallest < k0)
            effective.smallest = k0;
    } else if (curve->growth != NULL) {
        if (effective.accelerators_per_node == 0 && curve->growth->one_node > 1)
            effective.accelerators_per_node = curve->growth->one_node;
        if (effective.step <= 1 && effective.smallest < cost_curve_smallest_k(curve))
            effective.smallest = cost_curve_smallest_k(curve);
    }
    return effective;
}

static enum k_star_outcome find(const struct cost_curve *curve, const struct node_limits *limits,
                                enum aim aim, double deadline, double budget, struct k_star_result *result)
{
    memset(result, 0, sizeof *result);
    if (!cost_curve_valid(curve) || !(deadline > 0) || !(budget > 0))
        return K_STAR_INVALID;
    struct search search = { .curve = curve,
                             .limits = k_star_limits(curve, limits),
                             .aim = aim,
                             .deadline = deadline * (1 + K_STAR_TIE),
                             .budget = budget * (1 + K_STAR_TIE) };
    if (node_limits_next(&search.limits, 0) == 0)
        return K_STAR_NONE_FEASIBLE;
    return run(&search, result);
}

enum k_star_outcome k_star(const struct cost_curve *curve, const struct node_limits *limits,
                           struct k_star_result *result)
{
    return find(curve, limits, CHEAPEST, INFINITY, INFINITY, result);
}

enum k_star_outcome k_fastest(const struct cost_curve *curve, const struct node_limits *limits,
                              struct k_star_result *result)
{
    return find(curve, limits, FASTEST, INFINITY, INFINITY, result);
}

enum k_star_outcome k_carbon(const struct cost_curve *curve, const struct node_limits *limits,
                             struct k_star_result *result)
{
    struct cost_curve drawn = *curve;
    drawn.price = (struct job_price){ .per_node_hour = 1 };
    drawn.interruption.price_share = 1;
    return find(&drawn, limits, CHEAPEST, INFINITY, INFINITY, result);
}

enum k_star_outcome k_deadline(const struct cost_curve *curve, const struct node_limits *limits,
                               double deadline_hours, struct k_star_result *result)
{
    if (!isfinite(deadline_hours)) {
        memset(result, 0, sizeof *result);
        return K_STAR_INVALID;
    }
    enum k_star_outcome outcome = find(curve, limits, CHEAPEST, deadline_hours, INFINITY, result);
    if (outcome == K_STAR_DEADLINE_NOT_MET)
        (void)find(curve, limits, FASTEST, INFINITY, INFINITY, result);
    return outcome;
}

enum k_star_outcome k_budget(const struct cost_curve *curve, const struct node_limits *limits, double budget,
                             struct k_star_result *result)
{
    if (!isfinite(budget)) {
        memset(result, 0, sizeof *result);
        return K_STAR_INVALID;
    }
    enum k_star_outcome outcome = find(curve, limits, FASTEST, INFINITY, budget, result);
    if (outcome == K_STAR_BUDGET_NOT_MET)
        (void)find(curve, limits, CHEAPEST, INFINITY, INFINITY, result);
    return outcome;
}

size_t k_star_doublings(const struct cost_curve *curve, const struct node_limits *limits, unsigned from,
                        struct k_doubling *rows, size_t capacity)
{
    struct node_limits effective = k_star_limits(curve, limits);
    size_t count = 0;
    for (unsigned k = from; k > 0 && k <= NODE_LIMITS_LARGEST / 2 && count < capacity; k *= 2) {
        double hours = cost_curve_hours(curve, k);
        double cost = cost_curve_cost(curve, k);
        double hours_saved = hours - cost_curve_hours(curve, 2 * k);
        double extra_cost = cost_curve_cost(curve, 2 * k) - cost;
        if (!node_limits_allow(&effective, k) || !node_limits_allow(&effective, 2 * k) ||
            isnan(hours_saved)) {
            break;
        }
        bool faster = hours_saved > hours * K_STAR_TIE;
        bool dearer = extra_cost > cost * K_STAR_TIE;
        rows[count++] = (struct k_doubling){
            .from = k,
            .to = 2 * k,
            .hours_saved = hours_saved,
            .extra_cost = extra_cost,
            .hours_per_unit = faster && dearer ? hours_saved / extra_cost : NAN,
            .unfavourable = dearer || !faster,
        };
        if (!faster)
            break;
    }
    return count;
}

const struct k_doubling *k_star_first_unfavourable(const struct k_doubling *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (rows[i].unfavourable)
            return &rows[i];
    }
    return NULL;
}
