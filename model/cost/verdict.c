/* model/cost/verdict.c: see verdict.h. */
#include "model/cost/verdict.h"

#include "model/cost/verdict_fit.h"
#include "model/cost/verdict_next.h"
#include "model/statistics/student_t.h"

#include <math.h>

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
    verdict_next(question, rules, answer);
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
