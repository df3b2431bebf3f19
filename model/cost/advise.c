/* model/cost/advise.c: see advise.h. */
#include "model/cost/advise.h"

#include <math.h>
#include <string.h>

static struct scaling_law law_of(const struct advise_question *question)
{
    struct scaling_law law = question->law;
    if (law.t1_hours == 0)
        law.t1_hours = 1;
    if (law.step > 0)
        law.form = SCALING_STEPPED;
    return law;
}

static struct cost_curve curve_of(const struct advise_question *question, const struct scaling_law *law)
{
    struct cost_curve curve = { .law = law };
    if (question->curve != NULL)
        curve = *question->curve;
    curve.price = question->price;
    curve.interruption = question->interruption;
    return curve;
}

static struct advise_row row_on(const struct cost_curve *curve, unsigned k)
{
    double efficiency = cost_curve_efficiency(curve, k);
    return (struct advise_row){
        .k = k,
        .speedup = efficiency * k / cost_curve_base_k(curve),
        .efficiency = efficiency,
        .hours = cost_curve_hours(curve, k),
        .cost = cost_curve_cost(curve, k),
    };
}

/* The last K of the curve: the maximum, or twice the fastest K within ADVISE_CURVE_LARGEST. */
static unsigned curve_end(const struct advise_question *question, const struct advise_answer *answer)
{
    if (!node_limits_endless(&question->limits))
        return NODE_LIMITS_LARGEST;
    if (answer->k_fastest_outcome == K_STAR_FOUND && answer->k_fastest.k < ADVISE_CURVE_LARGEST / 2)
        return 2 * answer->k_fastest.k;
    return ADVISE_CURVE_LARGEST;
}

/* The next K of the curve above k; `before` K are listed already. 0: there are no more. */
static unsigned next_of_curve(const struct cost_curve *curve, const struct node_limits *limits,
                              const struct advise_answer *answer, unsigned k, size_t before)
{
    if (before < ADVISE_CURVE_WHOLE)
        return node_limits_next(limits, k);
    const struct k_star_result *const found[] = { &answer->k_star, &answer->k_fastest, &answer->k_deadline,
                                                  &answer->k_budget };
    unsigned next = 1;
    while (next <= k || (next <= NODE_LIMITS_LARGEST && !node_limits_allow(limits, next)))
        next *= 2;
    for (size_t i = 0; i < sizeof found / sizeof found[0]; i++)
        if (found[i]->k > k && found[i]->k < next)
            next = found[i]->k;
    for (size_t i = 0; curve->sizes != NULL && i < curve->size_count; i++)
        if (curve->sizes[i].k > k && curve->sizes[i].k < next && node_limits_allow(limits, curve->sizes[i].k))
            next = curve->sizes[i].k;
    return next <= NODE_LIMITS_LARGEST ? next : 0;
}

enum k_star_outcome advise(const struct advise_question *question, struct advise_row *rows, size_t capacity,
                           struct advise_answer *answer)
{
    memset(answer, 0, sizeof *answer);
    answer->law = law_of(question);
    answer->speed_extra_cost = NAN;
    answer->speed_hours_saved = NAN;
    struct cost_curve curve = curve_of(question, &answer->law);
    bool deadline_valid = question->deadline_hours >= 0 && isfinite(question->deadline_hours);
    answer->k_star_outcome = k_star(&curve, &question->limits, &answer->k_star);
    bool budget_valid = question->budget >= 0 && isfinite(question->budget);
    if (answer->k_star_outcome == K_STAR_INVALID || !deadline_valid || !budget_valid) {
        answer->k_star_outcome = K_STAR_INVALID;
        answer->k_fastest_outcome = K_STAR_INVALID;
        answer->k_deadline_outcome = K_STAR_INVALID;
        return K_STAR_INVALID;
    }
    answer->k_fastest_outcome = k_fastest(&curve, &question->limits, &answer->k_fastest);
    if (answer->k_star_outcome == K_STAR_FOUND && answer->k_fastest_outcome == K_STAR_FOUND) {
        answer->speed_extra_cost = answer->k_fastest.cost - answer->k_star.cost;
        answer->speed_hours_saved = answer->k_star.hours - answer->k_fastest.hours;
    }
    answer->deadline_asked = question->deadline_hours > 0;
    if (answer->deadline_asked)
        answer->k_deadline_outcome =
            k_deadline(&curve, &question->limits, question->deadline_hours, &answer->k_deadline);
    answer->budget_asked = question->budget > 0;
    struct cost_curve money = curve; /* no budget pays for waiting */
    money.price.waiting_per_hour = 0;
    if (answer->budget_asked)
        answer->k_budget_outcome = k_budget(&money, &question->limits, question->budget, &answer->k_budget);
    struct node_limits limits = k_star_limits(&curve, &question->limits);
    answer->doubling_count =
        k_star_doublings(&curve, &limits, node_limits_next(&limits, 0), answer->doublings, ADVISE_DOUBLINGS);
    answer->first_unfavourable = k_star_first_unfavourable(answer->doublings, answer->doubling_count);

    unsigned end = curve_end(question, answer), k = 0;
    for (size_t before = 0; (k = next_of_curve(&curve, &limits, answer, k, before)) != 0 && k <= end;
         before++) {
        struct advise_row row = row_on(&curve, k);
        if (isnan(row.hours))
            continue;
        if (answer->row_count < capacity)
            rows[answer->row_count++] = row;
        else
            answer->rows_omitted++;
    }
    return answer->k_star_outcome;
}
