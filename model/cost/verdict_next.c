/* model/cost/verdict_next.c: see verdict_next.h. */
#include "model/cost/verdict_next.h"

#include "model/cost/verdict_fit.h"

#include <math.h>

static void measure(struct verdict_answer *answer, enum measure_next next, unsigned k)
{
    answer->next = next;
    answer->next_k = k;
}

/* A feasible size in the (geometric) middle of the widest gap that overlaps from .. to. 0: no gap
 * is wider than `widest`. */
static unsigned gap_wider_than(double widest, const struct verdict_question *question, unsigned from,
                               unsigned to)
{
    const struct scaling_fit *fit = question->fit;
    unsigned middle = 0;
    for (size_t i = 0; i + 1 < fit->size_count; i++) {
        unsigned low = fit->sizes[i].k;
        unsigned high = fit->sizes[i + 1].k;
        unsigned k = node_limits_next(question->limits, (unsigned)(sqrt((double)low * high) - 0.5));
        if (low <= to && high >= from && (double)high / low > widest && k > low && k < high) {
            widest = (double)high / low;
            middle = k;
        }
    }
    return middle;
}

/* The same for gaps wider than a doubling. */
static unsigned widest_gap(const struct verdict_question *question, unsigned from, unsigned to)
{
    return gap_wider_than(2, question, from, to);
}

/* A size in a gap around K*, or if there is none, in the widest gap of all. */
static unsigned gap_to_fill(double widest, const struct verdict_question *question, unsigned k_star)
{
    unsigned around = gap_wider_than(widest, question, k_star, k_star);
    return around > 0 ? around : gap_wider_than(widest, question, 0, NODE_LIMITS_LARGEST);
}

/* The end of the band that a measurement would make more certain: the lower end for a job below
 * the band, else the upper end. */
static const struct k_star_result *end_in_question(const struct verdict_question *question,
                                                   const struct verdict_answer *answer)
{
    return question->k < answer->least_money.k ? &answer->least_money : &answer->with_waiting;
}

/* Whether the choice of K* depends on a gap between measured sizes. */
static bool rests_on_a_gap(const struct verdict_question *question, struct verdict_answer *answer)
{
    const struct scaling_fit *fit = question->fit;
    unsigned k_star = end_in_question(question, answer)->k;
    bool measured = measured_at(fit->sizes, fit->size_count, k_star) != NULL;
    bool is_by_law = fit->outcome == SCALING_FIT_LAW && !fit->stands_by_noise;
    if (!is_by_law && k_star > 0 && !measured) {
        measure(answer, MEASURE_K_STAR, k_star);
        return true;
    }
    unsigned gap =
        (fit->outcome == SCALING_FIT_GROWTH || !measured) ? widest_gap(question, k_star, k_star) : 0;
    if (gap > 0)
        measure(answer, MEASURE_THE_GAP, gap);
    return gap > 0;
}

/* The feasible size to try beyond the larger of K* and the largest measured one. */
static unsigned size_beyond(const struct verdict_question *question, unsigned k)
{
    unsigned beyond = node_limits_next(question->limits, k < NODE_LIMITS_LARGEST / 2 ? 2 * k - 1 : k);
    return beyond > 0 ? beyond : node_limits_next(question->limits, k);
}

/* Whether K* depends on a single run of its own size. */
static bool rests_on_one_run(const struct scaling_fit *fit, const struct k_star_result *k_star)
{
    const struct measured_size *size = measured_at(fit->sizes, fit->size_count, k_star->k);
    return k_star->measured && size != NULL && size->repeats < 2;
}

/* K* if no size was repeated; otherwise the size nearest to K* that was run once. */
static unsigned size_to_repeat(const struct scaling_fit *fit, unsigned k_star)
{
    unsigned nearest = k_star > 0 ? k_star : scaling_fit_smallest_k(fit);
    double least = INFINITY;
    for (size_t i = 0; i < fit->size_count && fit->repeat_freedom > 0; i++) {
        double away = fabs(log((double)fit->sizes[i].k / k_star));
        if (fit->sizes[i].repeats < 2 && away < least) {
            least = away;
            nearest = fit->sizes[i].k;
        }
    }
    return nearest;
}

/* The interval of the end in question. */
static const struct k_interval *interval_of(const struct verdict_question *question,
                                            const struct verdict_answer *answer)
{
    bool below = question->k < answer->least_money.k;
    return below && question->curve->price.waiting_per_hour > 0 ? question->money_interval
                                                                : question->interval;
}

static bool ends_beyond(const struct k_interval *interval, unsigned largest)
{
    return interval != NULL && interval->range_count > 0 &&
           interval->ranges[interval->range_count - 1].to > largest;
}

/* The smallest size, to which E is relative, or the one whose repeats differ most. */
static unsigned most_scattered(const struct scaling_fit *fit)
{
    unsigned odd = scaling_fit_smallest_k(fit);
    double widest = 0;
    for (size_t i = 0; i < fit->size_count; i++) {
        double spread = fit->sizes[i].square_spread / fit->sizes[i].repeats;
        if (spread > widest) {
            widest = spread;
            odd = fit->sizes[i].k;
        }
    }
    return odd;
}

/* For a fit that is not believed: asks to repeat the size that contradicts the others most.
 * Across a gap wider than a doubling, the contradiction may only be apparent. */
static void ask_for_odd_size(const struct verdict_question *question, const struct verdict_rules *rules,
                             struct verdict_answer *answer)
{
    const struct scaling_fit *fit = question->fit;
    bool is_rough = fit->outcome == SCALING_FIT_GROWTH && fit->roughness > rules->misfit_bound;
    unsigned gap = is_rough ? widest_gap(question, fit->odd_k, fit->odd_k) : 0;
    if (gap > 0)
        measure(answer, MEASURE_A_SIZE, gap);
    else
        measure(answer, MEASURE_ODD_SIZE, is_rough ? fit->odd_k : most_scattered(fit));
}

/* Whether another size would help: no law is accepted, or none can be tested. */
static bool lacks_sizes(const struct scaling_fit *fit)
{
    return fit->reason == SCALING_REASON_NO_FREEDOM || fit->reason == SCALING_REASON_FEW_SIZES ||
           fit->reason == SCALING_REASON_STEP_UNTESTED || fit->outcome == SCALING_FIT_MEASURED_ONLY;
}

/* The size that helps a law most. 0: none is needed or left. */
static unsigned size_for_a_law(const struct verdict_question *question, unsigned k_star, unsigned beyond)
{
    if (!lacks_sizes(question->fit))
        return 0;
    unsigned gap = gap_to_fill(2, question, k_star);
    return gap > 0 ? gap : beyond;
}

void verdict_next(const struct verdict_question *question, const struct verdict_rules *rules,
                  struct verdict_answer *answer)
{
    const struct scaling_fit *fit = question->fit;
    const struct k_star_result *end = end_in_question(question, answer);
    unsigned largest = scaling_fit_largest_k(fit);
    unsigned smallest = scaling_fit_smallest_k(fit);
    unsigned first = node_limits_next(question->limits, 0);
    unsigned beyond = largest > 0 ? size_beyond(question, largest) : 0;
    unsigned for_a_law = size_for_a_law(question, end->k, beyond);
    if (largest == 0) {
        measure(answer, MEASURE_A_SIZE, first);
    } else if (fit->size_count > 1 && !verdict_law_usable(fit, rules)) {
        ask_for_odd_size(question, rules, answer);
    } else if (smallest > first && smallest > scaling_fit_one_node(fit)) {
        measure(answer, MEASURE_ONE_NODE, first);
    } else if (fit->size_count < 3 && beyond > 0) {
        measure(answer, MEASURE_A_SIZE, beyond);
    } else if (beyond > 0 && (answer->unbounded || end->k >= largest ||
                              ends_beyond(interval_of(question, answer), largest))) {
        measure(answer, MEASURE_BEYOND_OPTIMUM, beyond);
    } else if (rests_on_a_gap(question, answer)) {
        return;
    } else if (question->k > largest) {
        measure(answer, MEASURE_THIS_SIZE, question->k);
    } else if (for_a_law > 0) {
        measure(answer, MEASURE_A_SIZE, for_a_law);
    } else if (fit->repeat_freedom == 0 || fit->reason == SCALING_REASON_BY_CHANCE) {
        measure(answer, MEASURE_REPEATS, size_to_repeat(fit, end->k));
    } else if (rests_on_one_run(fit, end)) {
        measure(answer, MEASURE_AGAIN, end->k);
    } else if (answer->verdict >= VERDICT_BELOW_WITHIN_ERROR &&
               measured_at(fit->sizes, fit->size_count, question->k) == NULL) {
        measure(answer, MEASURE_THIS_SIZE, question->k);
    } else if (fit->reason == SCALING_REASON_BY_NOISE && end->k > 0) {
        measure(answer, MEASURE_MORE, end->k);
    } else if (fit->confidence == SCALING_CONFIDENCE_LOW && lacks_sizes(fit)) {
        unsigned between = gap_to_fill(1, question, end->k);
        measure(answer, between > 0 ? MEASURE_A_SIZE : MEASURE_NO_SIZE, between);
    } else {
        measure(answer, MEASURE_NOTHING, 0);
    }
}
