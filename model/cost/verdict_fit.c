/* model/cost/verdict_fit.c: see verdict_fit.h. */
#include "model/cost/verdict_fit.h"

#include <math.h>

const struct verdict_rules VERDICT_RULES = {
    .near_share = 0.05, .misfit_bound = 0.25, .unit_bound = 10, .measured_multiple = 2
};

void verdict_curve(const struct scaling_fit *fit, const struct job_price *price, struct cost_curve *curve)
{
    *curve = (struct cost_curve){
        .law = fit->outcome == SCALING_FIT_LAW ? &fit->law : NULL,
        .growth = fit->outcome == SCALING_FIT_GROWTH ? &fit->growth : NULL,
        .sizes = fit->sizes,
        .size_count = fit->size_count,
        .price = *price,
    };
}

unsigned verdict_largest_k(const struct scaling_fit *fit, const struct verdict_rules *rules)
{
    double farthest =
        (rules != NULL ? rules : &VERDICT_RULES)->measured_multiple * scaling_fit_largest_k(fit);
    return farthest < NODE_LIMITS_LARGEST ? (unsigned)farthest : NODE_LIMITS_LARGEST;
}

struct node_limits verdict_limits(const struct scaling_fit *fit, const struct node_limits *limits,
                                  const struct verdict_rules *rules)
{
    struct node_limits within = *limits;
    unsigned last = verdict_largest_k(fit, rules);
    if (within.largest == 0 || within.largest > last)
        within.largest = last;
    return within;
}

bool verdict_law_usable(const struct scaling_fit *fit, const struct verdict_rules *rules)
{
    if (rules == NULL)
        rules = &VERDICT_RULES;
    if (fit->size_count == 1)
        return scaling_fit_smallest_k(fit) <= scaling_fit_one_node(fit);
    for (size_t i = 1; i < fit->size_count; i++) {
        if (scaling_measured_efficiency(fit, &fit->sizes[i]) > rules->unit_bound ||
            fit->sizes[i].hours > rules->unit_bound * fit->sizes[i - 1].hours)
            return false;
    }
    if (fit->outcome == SCALING_FIT_GROWTH && fit->roughness > rules->misfit_bound)
        return false;
    bool has_curve = fit->outcome == SCALING_FIT_LAW || fit->outcome == SCALING_FIT_GROWTH;
    return !has_curve || sqrt(fit->residual_sum / fit->runs) <= rules->misfit_bound;
}

bool verdict_gives_k_star(const struct scaling_fit *fit, const struct verdict_rules *rules,
                          enum verdict_reason *reason)
{
    *reason = fit->size_count == 1 ? VERDICT_REASON_ONE_SIZE : VERDICT_REASON_MISFIT;
    return fit->size_count != 1 && verdict_law_usable(fit, rules);
}
