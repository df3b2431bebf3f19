/* model/scaling/growth_rule.c: see growth_rule.h. All of it in logarithms: x = ln K, y =
 * ln(1/T). */
#include "model/scaling/growth_rule.h"

#include <math.h>
#include <string.h>

static const double HALFWAY = 0.5;

/* A measured size as a point: logarithms of K and throughput. */
struct point {
    unsigned k;
    double x, y;
};

static void points_of(const struct measured_size *sizes, size_t count, struct point *points)
{
    for (size_t i = 0; i < count; i++)
        points[i] = (struct point){ .k = sizes[i].k, .x = log(sizes[i].k), .y = -log(sizes[i].hours) };
}

static double growth_between(const struct point *a, const struct point *b)
{
    return (b->y - a->y) / (b->x - a->x);
}

/* The slope of the least-squares line through the points. */
static double line_growth(const struct point *points, size_t count)
{
    double mean_x = 0, mean_y = 0, above = 0, below = 0;
    for (size_t i = 0; i < count; i++) {
        mean_x += points[i].x / (double)count;
        mean_y += points[i].y / (double)count;
    }
    for (size_t i = 0; i < count; i++) {
        double off = points[i].x - mean_x;
        above += off * (points[i].y - mean_y);
        below += off * off;
    }
    return above / below;
}

struct growth_rule growth_rule_of(const struct measured_size *sizes, size_t count,
                                  unsigned accelerators_per_node)
{
    struct growth_rule rule = { .one_node = accelerators_per_node > 1 ? accelerators_per_node : 1,
                                .share = HALFWAY };
    struct point points[MEASURED_SIZES_MAX];
    size_t first = 0;
    points_of(sizes, count, points);
    while (first < count && sizes[first].k <= rule.one_node)
        first++;
    if (count - first < 2) { /* one size above a node, or none: only the last growth is known */
        first = count - 2;
    }
    rule.beyond = fmin(1, line_growth(points + first, count - first));
    return rule;
}

/* ln of throughput at x within the gap points[low], points[low + 1]. */
static double inside(const struct growth_rule *rule, const struct point *points, size_t count, size_t low,
                     double x)
{
    const struct point *a = &points[low], *b = &points[low + 1];
    double chord = a->y + growth_between(a, b) * (x - a->x);
    if (a->k <= rule->one_node && b->k > rule->one_node)
        return chord;
    double below = low > 0 ? fmin(1, growth_between(a - 1, a)) : 1;
    double most = a->y + below * (x - a->x);
    /* Above the largest K no K is faster than it, unless the peak is passed. */
    double above = low + 2 < count ? growth_between(b, b + 1) : fmin(0, growth_between(a, b));
    most = fmin(most, b->y - above * (b->x - x));
    return chord + rule->share * fmax(0, most - chord);
}

void growth_rule_hours_at(const struct growth_rule *rule, const struct measured_size *sizes, size_t count,
                          const unsigned *ks, size_t k_count, double *hours)
{
    struct point points[MEASURED_SIZES_MAX];
    size_t at = 0; /* the first size whose K is at least k */
    points_of(sizes, count, points);
    for (size_t i = 0; i < k_count; i++) {
        while (at < count && sizes[at].k < ks[i])
            at++;
        if (at < count && sizes[at].k == ks[i])
            hours[i] = sizes[at].hours;
        else if (at == 0)
            hours[i] = NAN;
        else if (at == count)
            hours[i] = exp(-(points[at - 1].y + rule->beyond * (log(ks[i]) - points[at - 1].x)));
        else
            hours[i] = exp(-inside(rule, points, count, at - 1, log(ks[i])));
    }
}

double growth_rule_hours(const struct growth_rule *rule, const struct measured_size *sizes, size_t count,
                         unsigned k)
{
    double hours;
    growth_rule_hours_at(rule, sizes, count, &k, 1, &hours);
    return hours;
}

/* Copies all sizes except the one at `held_out`. */
static void others_of(const struct measured_size *sizes, size_t count, size_t held_out,
                      struct measured_size *others)
{
    memcpy(others, sizes, held_out * sizeof *sizes);
    memcpy(others + held_out, sizes + held_out + 1, (count - held_out - 1) * sizeof *sizes);
}

/* ln(T/T̂) of an inner size, where T̂ follows from the other sizes. NaN for an end, and beside
 * the step from one node. */
static double size_off(const struct growth_rule *rule, const struct measured_size *sizes, size_t count,
                       size_t i)
{
    struct measured_size others[MEASURED_SIZES_MAX];
    if (i == 0 || i + 1 == count || (sizes[i - 1].k <= rule->one_node && sizes[i + 1].k > rule->one_node))
        return NAN;
    others_of(sizes, count, i, others);
    return log(sizes[i].hours / growth_rule_hours(rule, others, count - 1, sizes[i].k));
}

double growth_rule_roughness(const struct growth_rule *rule, const struct measured_size *sizes, size_t count,
                             unsigned *sizes_used, double *largest)
{
    double squares = 0, most = 0;
    *sizes_used = 0;
    for (size_t i = 0; i < count; i++) {
        double off = size_off(rule, sizes, count, i);
        if (isnan(off))
            continue;
        squares += off * off;
        most = fmax(most, fabs(off));
        (*sizes_used)++;
    }
    if (largest != NULL) {
        *largest = *sizes_used > 0 ? most : NAN;
    }
    return *sizes_used > 0 ? sqrt(squares / *sizes_used) : NAN;
}

unsigned growth_rule_odd_size(const struct growth_rule *rule, const struct measured_size *sizes, size_t count)
{
    static const double ALIKE = 1e-9;
    struct measured_size others[MEASURED_SIZES_MAX];
    double least = INFINITY, farthest = 0;
    unsigned odd = 0, used;
    for (size_t i = 0; i < count; i++) {
        others_of(sizes, count, i, others);
        double left =
            /* NaN: no size is */
            fmax(0, growth_rule_roughness(rule, others, count - 1, &used, NULL));
        double off = fmax(0, fabs(size_off(rule, sizes, count, i)));
        if (left < least - ALIKE || (left < least + ALIKE && off > farthest)) {
            least = fmin(least, left);
            farthest = off;
            odd = sizes[i].k;
        }
    }
    return odd;
}
