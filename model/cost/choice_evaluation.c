/* model/cost/choice_evaluation.c: see choice_evaluation.h. */
#include "model/cost/choice_evaluation.h"

#include "model/cost/k_star.h"
#include "model/cost/verdict_fit.h"
#include "model/scaling/scaling_fit.h"
#include "model/statistics/quantile.h"

#include <math.h>
#include <stdlib.h>

static const struct {
    const char *name, *title;
} rules[CHOICE_RULES] = {
    [CHOICE_USL] = { "usl", "USL, T1 free" },
    [CHOICE_STEPPED] = { "stepped", "stepped law" },
    [CHOICE_STEPPED_MEASURED] = { "stepped_measured", "stepped law, measured cost at the measured K" },
    [CHOICE_CHORDS] = { "log_log", "log-log interpolation, measured cost at the measured K" },
    [CHOICE_KSTAR] = { "kstar", "kstar" },
};

const char *choice_rule_title(enum choice_rule rule)
{
    return rules[rule].title;
}

const char *choice_rule_name(enum choice_rule rule)
{
    return rules[rule].name;
}

/* A rule, and the sizes (all except one) from which it was made. */
struct made_rule {
    enum choice_rule rule;
    struct measured_size sizes[MEASURED_SIZES_MAX];
    size_t count;
    struct scaling_law law;
    struct growth_rule chords;
    struct scaling_fit fit;
    struct cost_curve curve;
};

/* Fits a law of this form, with fewer parameters if the sizes do not determine all. */
static bool fit_form(const struct measurement *runs, size_t count, enum scaling_form form,
                     struct scaling_law *law)
{
    return scaling_fit_form(runs, count, form, law, NULL) ||
           (form == SCALING_STEPPED && scaling_fit_form(runs, count, SCALING_USL, law, NULL));
}

static bool make(struct made_rule *made)
{
    struct measurement runs[MEASURED_SIZES_MAX];
    for (size_t i = 0; i < made->count; i++)
        runs[i] = (struct measurement){ made->sizes[i].k, made->sizes[i].hours };
    switch (made->rule) {
    case CHOICE_USL:
        return fit_form(runs, made->count, SCALING_USL, &made->law);
    case CHOICE_STEPPED:
    case CHOICE_STEPPED_MEASURED:
        return fit_form(runs, made->count, SCALING_STEPPED, &made->law);
    case CHOICE_CHORDS:
        if (made->count < 2)
            return false;
        /* the last growth continues */
        made->chords = growth_rule_of(made->sizes + made->count - 2, 2, 0);
        made->chords.share = 0;
        return true;
    case CHOICE_KSTAR:
    case CHOICE_RULES:
        break;
    }
    scaling_fit(runs, made->count, 0, &made->fit);
    verdict_curve(&made->fit, &(struct job_price){ .per_node_hour = 1 }, &made->curve);
    return true;
}

/* T(k) by the rule; NaN if the rule gives none. */
static double hours_by(const struct made_rule *made, unsigned k)
{
    const struct measured_size *measured = measured_at(made->sizes, made->count, k);
    if (measured != NULL && made->rule != CHOICE_USL && made->rule != CHOICE_STEPPED)
        return measured->hours;
    if (made->rule == CHOICE_KSTAR)
        return cost_curve_hours(&made->curve, k);
    return made->rule == CHOICE_CHORDS ? growth_rule_hours(&made->chords, made->sizes, made->count, k)
                                       : scaling_law_hours(&made->law, k);
}

/* Index of the smallest K among the cheapest ones within a tie. */
static size_t cheapest(const double *costs, size_t count)
{
    double lowest = INFINITY;
    size_t best = 0;
    for (size_t i = 0; i < count; i++) {
        lowest = fmin(lowest, costs[i]); /* fmin ignores NaN */
    }
    while (best + 1 < count && !(costs[best] <= lowest * (1 + K_STAR_TIE)))
        best++;
    return best;
}

static void add(struct choice_costs *costs, double extra)
{
    if (costs->count == costs->capacity) {
        costs->capacity = costs->capacity > 0 ? 2 * costs->capacity : 64;
        costs->extra = realloc(costs->extra, costs->capacity * sizeof *costs->extra);
    }
    costs->extra[costs->count++] = extra;
    costs->found += extra <= K_STAR_TIE;
}

void choice_evaluate(enum choice_rule rule, const struct measured_size *sizes, size_t count,
                     double wall_price, bool hard, struct choice_costs *costs)
{
    double measured[MEASURED_SIZES_MAX];
    for (size_t i = 0; i < count; i++)
        measured[i] = (sizes[i].k + wall_price) * sizes[i].hours;
    size_t best = count > 0 ? cheapest(measured, count) : 0;
    for (size_t out = 1; count >= 3 && out < count; out++) {
        struct made_rule made = { .rule = rule };
        double expected[MEASURED_SIZES_MAX];
        if (hard && out != best)
            continue;
        for (size_t i = 0; i < count; i++) {
            if (i != out)
                made.sizes[made.count++] = sizes[i];
        }
        bool knows = make(&made);
        for (size_t i = 0; i < count; i++) {
            double hours = knows ? hours_by(&made, sizes[i].k) : (i == out ? NAN : sizes[i].hours);
            expected[i] = (sizes[i].k + wall_price) * hours;
        }
        add(costs, measured[cheapest(expected, count)] / measured[best] - 1);
    }
}

struct choice_summary choice_costs_summary(struct choice_costs *costs)
{
    struct choice_summary summary = {
        .folds = costs->count, .mean = NAN, .ninetieth = NAN, .worst = NAN, .found = NAN
    };
    if (costs->count == 0)
        return summary;
    sort_ascending(costs->extra, costs->count);
    summary.mean = 0;
    for (size_t i = 0; i < costs->count; i++)
        summary.mean += costs->extra[i] / (double)costs->count;
    summary.ninetieth = quantile(costs->extra, costs->count, 0.9);
    summary.worst = costs->extra[costs->count - 1];
    summary.found = (double)costs->found / (double)costs->count;
    return summary;
}

void choice_costs_free(struct choice_costs *costs)
{
    free(costs->extra);
    *costs = (struct choice_costs){ 0 };
}
