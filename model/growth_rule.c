/* model/growth_rule.c: see growth_rule.h. All of it in logarithms: x = ln K, y = ln(1/T). */
#include "model/growth_rule.h"

#include <math.h>
#include <string.h>

static const double HALFWAY = 0.5;

static double x_of(const struct measured_size *size)
{
    return log(size->k);
}

static double y_of(const struct measured_size *size)
{
    return -log(size->hours);
}

static double growth_between(const struct measured_size *a, const struct measured_size *b)
{
    return (y_of(b) - y_of(a)) / (x_of(b) - x_of(a));
}

/* The slope of the least-squares line through the sizes. */
static double line_growth(const struct measured_size *sizes, size_t count)
{
    double mean_x = 0, mean_y = 0, above = 0, below = 0;
    for (size_t i = 0; i < count; i++) {
        mean_x += x_of(&sizes[i]) / (double)count;
        mean_y += y_of(&sizes[i]) / (double)count;
    }
    for (size_t i = 0; i < count; i++) {
        double off = x_of(&sizes[i]) - mean_x;
        above += off * (y_of(&sizes[i]) - mean_y);
        below += off * off;
    }
    return above / below;
}

struct growth_rule growth_rule_of(const struct measured_size *sizes, size_t count,
                                  unsigned accelerators_per_node)
{
    struct growth_rule rule = { .one_node = accelerators_per_node > 1 ? accelerators_per_node : 1,
                                .share = HALFWAY };
    size_t first = 0;
    while (first < count && sizes[first].k <= rule.one_node) {
        first++;
    }
    if (count - first < 2) { /* one size above a node, or none: the last growth is all there is */
        first = count - 2;
    }
    rule.beyond = fmin(1, line_growth(sizes + first, count - first));
    return rule;
}

/* ln of throughput at x within the gap sizes[low], sizes[low + 1]. */
static double inside(const struct growth_rule *rule, const struct measured_size *sizes, size_t count,
                     size_t low, double x)
{
    const struct measured_size *a = &sizes[low], *b = &sizes[low + 1];
    double chord = y_of(a) + growth_between(a, b) * (x - x_of(a));
    if (a->k <= rule->one_node && b->k > rule->one_node) {
        return chord;
    }
    double below = low > 0 ? fmin(1, growth_between(a - 1, a)) : 1;
    double most = y_of(a) + below * (x - x_of(a));
    if (low + 2 < count) {
        most = fmin(most, y_of(b) - growth_between(b, b + 1) * (x_of(b) - x));
    }
    return chord + rule->share * fmax(0, most - chord);
}

double growth_rule_hours(const struct growth_rule *rule, const struct measured_size *sizes, size_t count,
                         unsigned k)
{
    size_t at = 0; /* the first size at or above k */
    while (at < count && sizes[at].k < k) {
        at++;
    }
    if (at < count && sizes[at].k == k) {
        return sizes[at].hours;
    }
    if (at == 0) {
        return NAN;
    }
    double x = log(k);
    if (at == count) {
        return exp(-(y_of(&sizes[count - 1]) + rule->beyond * (x - x_of(&sizes[count - 1]))));
    }
    return exp(-inside(rule, sizes, count, at - 1, x));
}

double growth_rule_roughness(const struct growth_rule *rule, const struct measured_size *sizes, size_t count,
                             unsigned *sizes_used, double *largest)
{
    struct measured_size others[MEASURED_SIZES_MAX];
    double squares = 0, most = 0;
    *sizes_used = 0;
    for (size_t i = 1; i + 1 < count; i++) {
        if (sizes[i - 1].k <= rule->one_node && sizes[i + 1].k > rule->one_node) {
            continue;
        }
        memcpy(others, sizes, i * sizeof *sizes);
        memcpy(others + i, sizes + i + 1, (count - i - 1) * sizeof *sizes);
        double off = log(sizes[i].hours / growth_rule_hours(rule, others, count - 1, sizes[i].k));
        squares += off * off;
        most = fmax(most, fabs(off));
        (*sizes_used)++;
    }
    if (largest != NULL) {
        *largest = *sizes_used > 0 ? most : NAN;
    }
    return *sizes_used > 0 ? sqrt(squares / *sizes_used) : NAN;
}
