/* model/cost/verdict.c: see verdict.h. */
#include "model/cost/verdict.h"

#include "model/statistics/student_t.h"

#include <math.h>
#include <stdio.h>

const struct verdict_rules VERDICT_RULES = {
    .near_share = 0.05, .misfit_bound = 0.25, .unit_bound = 10, .measured_multiple = 2
};

static const char *const verdict_names[VERDICTS] = {
    [VERDICT_NOT_MEASURED] = "not measured",
    [VERDICT_EXTRAPOLATED] = "extrapolated",
    [VERDICT_AT] = "at K*",
    [VERDICT_INSIDE] = "inside the band",
    [VERDICT_NEAR] = "near K*",
    [VERDICT_BELOW_SHARED] = "below, shared cost alone",
    [VERDICT_BELOW_WITHIN_ERROR] = "below, within measurement error",
    [VERDICT_BELOW] = "below K*",
    [VERDICT_WITHIN_ERROR] = "above, within measurement error",
    [VERDICT_ABOVE] = "above K*",
};

static const char *const reason_texts[VERDICT_REASONS] = {
    [VERDICT_REASON_NO_MEASUREMENT] = "there is no usable measurement",
    [VERDICT_REASON_ONE_SIZE] = "one size says nothing about scaling",
    [VERDICT_REASON_NOT_AT_THIS_SIZE] = "there is no law, and this size was not measured",
    [VERDICT_REASON_BELOW_SMALLEST] = "this size is below the smallest one measured",
    [VERDICT_REASON_MISFIT] =
        "the measurements contradict the law, or each other, by more than 25 %, or differ in their units",
    [VERDICT_REASON_NONE_FEASIBLE] = "no feasible size is measured or on the law",
    [VERDICT_REASON_BELOW_ZERO] =
        "its price is below zero in this statement (discounts exceed charges), so no size is the cheapest",
    [VERDICT_REASON_K_BEYOND] = "this size is beyond twice the largest one measured",
    [VERDICT_REASON_K_STAR_BEYOND] = "K* is beyond twice the largest size measured",
    [VERDICT_REASON_FALLS_FOR_EVER] = "on this law cost falls for ever, so K* is beyond anything measured",
    [VERDICT_REASON_AT] = "no size costs less money",
    [VERDICT_REASON_INSIDE] =
        "a smaller size costs less money, and this one is worth it at the rate of waiting",
    [VERDICT_REASON_SMALL_EXCESS] = "this size costs no more than K*, or too little more to act on",
    [VERDICT_REASON_OWN_NEAR] =
        "by the efficiency measured on this job itself, this size costs no more than K*, or hardly more",
    [VERDICT_REASON_NOT_SURE] = "this size costs more than K*, but measurement error may explain it",
    [VERDICT_REASON_INSIDE_NOISE] = "this size costs more, but by no more than repeats of one size differ",
    [VERDICT_REASON_ABOVE] = "this size costs more than K*, by more than measurement error explains",
    [VERDICT_REASON_ABOVE_NO_INTERVAL] = "this size costs more than K*, but the measurement error is unknown",
    [VERDICT_REASON_ABOVE_GAP] =
        "this size costs more than K*, but K* lies beside a fourfold gap between measured sizes",
    [VERDICT_REASON_ABOVE_BEYOND] = "this size costs more than K*, but it is above the largest size measured",
    [VERDICT_REASON_OWN_ABOVE] =
        "this size costs more by the efficiency measured on this job itself, and by its family's other measurements hardly more than K*",
    [VERDICT_REASON_ABOVE_MEASURED_ONLY] = "a smaller measured size costs less; no law stands behind it",
    [VERDICT_REASON_BELOW_SHARED] =
        "more nodes would lower its share of overhead, which others would bear, and hardly its own cost",
    [VERDICT_REASON_BELOW_MEASURED_ONLY] =
        "a larger measured size costs less and is quicker; no law stands behind it",
};

static const char *const next_texts[MEASURE_NEXTS] = {
    [MEASURE_NOTHING] = "nothing more is needed",
    [MEASURE_A_SIZE] = "it would tell most about how this family scales",
    [MEASURE_BEYOND_OPTIMUM] = "one size beyond the suspected optimum pins K* down best",
    [MEASURE_K_STAR] = "K* rests on the sizes around it and was never measured itself",
    [MEASURE_THE_GAP] = "K* rests on a wide gap between measured sizes",
    [MEASURE_THIS_SIZE] = "jobs run on this size, and its cost is not measured",
    [MEASURE_ONE_NODE] = "without it the price of leaving one node cannot be seen",
    [MEASURE_REPEATS] = "without repeats the noise is unknown",
    [MEASURE_ODD_SIZE] = "the measurements contradict each other most at this size",
    [MEASURE_AGAIN] = "K* rests on a single run of this size",
    [MEASURE_MORE] = "a step may hide in the noise of its runs",
    [MEASURE_NO_SIZE] = "nothing more can be measured: the family allows no other size",
};

const char *verdict_name(enum verdict verdict)
{
    return verdict_names[verdict];
}

const char *verdict_reason_text(enum verdict_reason reason)
{
    return reason_texts[reason];
}

char *verdict_next_text(const struct verdict_answer *answer, char *text, size_t size)
{
    if (answer->next == MEASURE_NOTHING || answer->next == MEASURE_NO_SIZE) {
        snprintf(text, size, "%s", next_texts[answer->next]);
    } else {
        bool is_repeat = answer->next == MEASURE_REPEATS || answer->next == MEASURE_ODD_SIZE ||
                         answer->next == MEASURE_AGAIN || answer->next == MEASURE_MORE;
        snprintf(text, size, "%s K = %u: %s", is_repeat ? "repeat" : "measure", answer->next_k,
                 next_texts[answer->next]);
    }
    return text;
}

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

/* ---- What to measure next ---- */

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

/* The first missing measurement, the most informative first. */
static void advise_next(const struct verdict_question *question, const struct verdict_rules *rules,
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

/* ---- The verdict ---- */

static enum verdict say(struct verdict_answer *answer, enum verdict verdict, enum verdict_reason reason)
{
    answer->verdict = verdict;
    answer->reason = reason;
    return verdict;
}

/* The job's own E ÷ its family's. On any other K the job's time and cost are this factor × those by
 * its own hours and the curve. Both E must be relative to one node to be compared. */
static double own_share(const struct verdict_question *question)
{
    bool comparable = scaling_fit_smallest_k(question->fit) <= scaling_fit_one_node(question->fit);
    double efficiency = cost_curve_efficiency(question->curve, question->k);
    return question->own_efficiency > 0 && comparable && efficiency > 0
               ? question->own_efficiency / efficiency
               : 1;
}

struct cost_curve verdict_money_curve(const struct cost_curve *curve)
{
    struct cost_curve money = *curve;
    money.price.waiting_per_hour = 0;
    return money;
}

/* C(K*)/C(K) on a curve, with the job's own E(K). A job without cost has no cost at K* either. */
static double ratio_on(const struct cost_curve *curve, unsigned k, const struct verdict_answer *answer)
{
    double cost = cost_curve_cost(curve, k);
    return cost > 0 ? answer->own_share * cost_curve_cost(curve, answer->k_star.k) / cost : 1;
}

/* Compares C(K) with C(K*). If K is cheaper than every feasible K (K itself may not be
 * feasible), there is no excess. */
static void compare(const struct verdict_question *question, struct verdict_answer *answer)
{
    unsigned k = question->k, k_star = answer->k_star.k;
    const struct cost_curve money = verdict_money_curve(question->curve);
    answer->own_share = k == k_star ? 1 : own_share(question);
    answer->money_ratio = ratio_on(&money, k, answer);
    answer->cost_ratio = k < k_star ? answer->money_ratio : ratio_on(question->curve, k, answer);
    answer->excess_share = fmax(0, 1 - answer->cost_ratio);
    double hours = cost_curve_hours(&money, k);
    answer->hours_ratio = answer->own_share * cost_curve_hours(&money, k_star) / hours;
    double saved = (answer->hours_ratio - 1) * hours;
    double extra = (1 - answer->money_ratio) * cost_curve_cost(&money, k);
    if (saved > 0 && extra > 0)
        answer->break_even = extra / saved;
}

/* The share of C(K) that the job would save at K*, without overhead that would move to others. */
static double own_fall(const struct verdict_question *question, const struct verdict_answer *answer)
{
    struct cost_curve own = verdict_money_curve(question->curve);
    double cost = cost_curve_cost(&own, question->k);
    own.price.overhead_per_node_hour -= question->shared_per_node_hour;
    own.price.per_wall_hour -= question->shared_per_wall_hour;
    double fall =
        cost_curve_cost(&own, question->k) - answer->own_share * cost_curve_cost(&own, answer->k_star.k);
    return cost > 0 ? fall / cost : 0;
}

/* Finds the ends of the band, and the end nearer to K. */
static enum k_star_outcome find_band(const struct verdict_question *question, struct verdict_answer *answer)
{
    const struct cost_curve *curve = question->curve;
    const struct cost_curve money = verdict_money_curve(curve);
    const struct k_table *table = question->table;
    struct k_star_result *low = &answer->least_money, *high = &answer->with_waiting;
    enum k_star_outcome outcome =
        table != NULL ? k_table_star(table, curve, high) : k_star(curve, question->limits, high);
    enum k_star_outcome of_money =
        table != NULL ? k_table_star(table, &money, low) : k_star(&money, question->limits, low);
    if (of_money != K_STAR_FOUND || low->k > high->k) /* a tie may reverse them */
        *low = *high;
    answer->k_star = question->k < low->k ? *low : *high;
    return outcome;
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

static bool is_above_measured(const struct scaling_fit *fit, unsigned k)
{
    return size_basis_of(fit->sizes, fit->size_count, k) == SIZE_ABOVE;
}

const char *verdict_doubt(const struct scaling_fit *fit, const struct cost_curve *curve,
                          const struct node_limits *limits, unsigned k_star)
{
    struct node_limits feasible = k_star_limits(curve, limits);
    if (k_star_in_gap(fit, &feasible, k_star))
        return "K* lies beside a fourfold gap between measured sizes and has no interval";
    return is_above_measured(fit, k_star) ? "K* is above the largest size measured" : NULL;
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

/* Whether two sizes with known costs alone differ by no more than 95 % of their noise. */
static bool is_inside_noise(const struct verdict_question *question, const struct verdict_answer *answer)
{
    const struct scaling_fit *fit = question->fit;
    const struct measured_size *here = measured_at(fit->sizes, fit->size_count, question->k);
    const struct measured_size *there = measured_at(fit->sizes, fit->size_count, answer->k_star.k);
    if (fit->outcome != SCALING_FIT_MEASURED_ONLY || fit->repeat_freedom == 0 || here == NULL ||
        there == NULL) {
        return false;
    }
    double noise = fit->repeat_noise * sqrt(1.0 / here->repeats + 1.0 / there->repeats);
    return -log(answer->cost_ratio) <= student_t_quantile(0.975, fit->repeat_freedom) * noise;
}

/* The reason why no K can be compared. */
static enum verdict_reason reason_without_costs(const struct cost_curve *curve)
{
    bool below_zero = curve->price.per_node_hour < 0 || cost_curve_node_price(curve) < 0 ||
                      cost_curve_wall_price(curve) < 0;
    return below_zero ? VERDICT_REASON_BELOW_ZERO : VERDICT_REASON_NONE_FEASIBLE;
}

bool verdict_against_k_star(const struct scaling_fit *fit, const struct cost_curve *curve,
                            enum k_star_outcome outcome, const struct k_star_result *k_star,
                            const struct verdict_rules *rules, enum verdict_reason *reason)
{
    if (!verdict_gives_k_star(fit, rules, reason))
        return true;
    if (outcome == K_STAR_UNBOUNDED)
        *reason = VERDICT_REASON_FALLS_FOR_EVER;
    else if (outcome != K_STAR_FOUND)
        *reason = reason_without_costs(curve);
    else if (k_star->k > verdict_largest_k(fit, rules))
        *reason = VERDICT_REASON_K_STAR_BEYOND;
    else
        return false;
    return true;
}

/* Whether a K outside the band, and not near it, is certain. Below the band, only money counts. */
static enum verdict judge_excess(const struct verdict_question *question, const struct verdict_rules *rules,
                                 bool near_by_family, struct verdict_answer *answer)
{
    bool below = question->k < answer->least_money.k;
    enum verdict unsure = below ? VERDICT_BELOW_WITHIN_ERROR : VERDICT_WITHIN_ERROR;
    enum verdict flag = below ? VERDICT_BELOW : VERDICT_ABOVE;
    const struct cost_curve money = verdict_money_curve(question->curve);
    const struct excess_question asked = { .k = question->k,
                                           .side = below ? EXCESS_BELOW : EXCESS_ABOVE,
                                           .own_share = answer->own_share };
    if (is_inside_noise(question, answer))
        return say(answer, unsure, VERDICT_REASON_INSIDE_NOISE);
    if (question->table != NULL)
        k_table_excess(question->table, below ? &money : question->curve, &asked, &answer->excess);
    if (answer->excess.draws > 0 && answer->excess.low <= rules->near_share)
        return say(answer, unsure, VERDICT_REASON_NOT_SURE);
    bool is_known = answer->excess.draws > 0;
    answer->low_confidence = answer->low_confidence || !is_known || near_by_family;
    if (near_by_family)
        return say(answer, flag, VERDICT_REASON_OWN_ABOVE);
    if (question->fit->outcome == SCALING_FIT_MEASURED_ONLY)
        return say(answer, flag,
                   below ? VERDICT_REASON_BELOW_MEASURED_ONLY : VERDICT_REASON_ABOVE_MEASURED_ONLY);
    if (!is_known)
        return say(answer, flag, VERDICT_REASON_ABOVE_NO_INTERVAL);
    struct node_limits feasible = k_star_limits(question->curve, question->limits);
    if (k_star_in_gap(question->fit, &feasible, answer->k_star.k)) {
        answer->excess =
            (struct excess_interval){ 0 }; /* between distant sizes the draws are too uncertain */
        return say(answer, flag, VERDICT_REASON_ABOVE_GAP);
    }
    bool is_beyond = is_above_measured(question->fit, question->k);
    return say(answer, flag, is_beyond ? VERDICT_REASON_ABOVE_BEYOND : VERDICT_REASON_ABOVE);
}

/* Whether a share of C(K) is near. Exactly 5 % is near, although doubles may make it slightly
 * more. */
static bool is_near(double share, const struct verdict_rules *rules)
{
    return share <= rules->near_share + K_STAR_TIE;
}

/* The verdict on a K that can be judged, against the nearer end of the band. */
static enum verdict judge_against_band(const struct verdict_question *question,
                                       const struct verdict_rules *rules, struct verdict_answer *answer)
{
    bool below = question->k < answer->least_money.k;
    bool inside = !below && question->k <= answer->with_waiting.k;
    const char *doubt = verdict_doubt(question->fit, question->curve, question->limits, answer->k_star.k);
    answer->low_confidence = answer->low_confidence || doubt != NULL;
    if (inside)
        answer->k_star = k_star_at(question->curve, question->k);
    compare(question, answer);
    if (question->k == answer->least_money.k)
        return say(answer, VERDICT_AT, VERDICT_REASON_AT);
    if (inside)
        return say(answer, VERDICT_INSIDE, VERDICT_REASON_INSIDE);
    bool near_by_family = is_near(1 - answer->cost_ratio / answer->own_share, rules);
    if (is_near(answer->excess_share, rules))
        return say(answer, VERDICT_NEAR,
                   near_by_family ? VERDICT_REASON_SMALL_EXCESS : VERDICT_REASON_OWN_NEAR);
    if (below && is_near(own_fall(question, answer), rules))
        return say(answer, VERDICT_BELOW_SHARED, VERDICT_REASON_BELOW_SHARED);
    return judge_excess(question, rules, near_by_family, answer);
}

static enum verdict judge(const struct verdict_question *question, const struct verdict_rules *rules,
                          struct verdict_answer *answer)
{
    const struct scaling_fit *fit = question->fit;
    const struct cost_curve *curve = question->curve;
    if (fit->size_count == 0 || fit->outcome == SCALING_FIT_REFUSED || fit->outcome == SCALING_FIT_NO_DATA)
        return say(answer, VERDICT_NOT_MEASURED, VERDICT_REASON_NO_MEASUREMENT);
    if (fit->size_count > 1 && question->k < scaling_fit_smallest_k(fit))
        return say(answer, VERDICT_NOT_MEASURED, VERDICT_REASON_BELOW_SMALLEST);
    enum verdict_reason reason;
    if (!verdict_gives_k_star(fit, rules, &reason))
        return say(answer, VERDICT_NOT_MEASURED, reason);
    enum k_star_outcome outcome = find_band(question, answer);
    answer->unbounded = outcome == K_STAR_UNBOUNDED;
    if (outcome == K_STAR_INVALID || outcome == K_STAR_NONE_FEASIBLE)
        return say(answer, VERDICT_NOT_MEASURED, reason_without_costs(curve));
    if (isnan(cost_curve_cost(curve, question->k)))
        return say(answer, VERDICT_NOT_MEASURED, VERDICT_REASON_NOT_AT_THIS_SIZE);
    unsigned farthest = verdict_largest_k(fit, rules);
    if (question->k > farthest)
        return say(answer, VERDICT_EXTRAPOLATED, VERDICT_REASON_K_BEYOND);
    if (answer->unbounded)
        return say(answer, VERDICT_EXTRAPOLATED, VERDICT_REASON_FALLS_FOR_EVER);
    if (answer->with_waiting.k > farthest)
        return say(answer, VERDICT_EXTRAPOLATED, VERDICT_REASON_K_STAR_BEYOND);
    return judge_against_band(question, rules, answer);
}

enum verdict verdict_of(const struct verdict_question *question, struct verdict_answer *answer)
{
    *answer = (struct verdict_answer){
        .low_confidence = question->fit->confidence == SCALING_CONFIDENCE_LOW ||
                          is_above_measured(question->fit, question->k),
        .cost_ratio = NAN,
        .money_ratio = NAN,
        .hours_ratio = NAN,
        .break_even = NAN,
        .excess_share = NAN,
        .own_share = 1,
    };
    const struct verdict_rules *rules = question->rules != NULL ? question->rules : &VERDICT_RULES;
    judge(question, rules, answer);
    advise_next(question, rules, answer);
    return answer->verdict;
}

unsigned verdict_size_in_time(const struct verdict_question *question, const struct verdict_answer *answer,
                              double job_hours, double deadline_hours)
{
    bool is_below = question->k < answer->least_money.k;
    struct cost_curve curve = is_below ? verdict_money_curve(question->curve) : *question->curve;
    const struct node_limits judged = verdict_limits(question->fit, question->limits, question->rules);
    struct node_limits limits = k_star_limits(&curve, &judged);
    double share = own_share(question), least = INFINITY;
    unsigned best = 0;
    curve.work = cost_curve_work_of(&curve, question->k, job_hours);
    if (!isfinite(curve.work) || !cost_curve_valid(&curve))
        return 0;
    for (unsigned k = node_limits_next(&limits, 0); k > 0; k = node_limits_next(&limits, k)) {
        double times = k == question->k ? 1 : share;
        double cost = times * cost_curve_cost(&curve, k);
        if (times * cost_curve_hours(&curve, k) <= deadline_hours * (1 + K_STAR_TIE) &&
            cost * (1 + K_STAR_TIE) < least) {
            least = cost;
            best = k;
        }
    }
    return best;
}
