/* advise/sentence.c: see sentence.h. */
#include "advise/sentence.h"
#include "model/cost/verdict.h"
#include "model/cost/verdict_texts.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* What a cost is for, if times are not those of a job. */
static const char *const costs_of[] = {
    [SCALING_RUN_TIME] = "",
    [SCALING_THROUGHPUT] = " a unit of work",
    [SCALING_STEP_TIME] = " a step",
    [SCALING_EFFICIENCY] = " for an hour's work of one node",
};

struct sentence {
    char *text;
    const char *currency, *unit, *cost_of; /* "USD"; "node"; " a step" */
    bool has_hours;
    bool waits; /* costs include the cost of waiting */
};

static void add(struct sentence *sentence, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(struct sentence *sentence, const char *format, ...)
{
    size_t used = strlen(sentence->text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence->text + used, ADVISE_SENTENCE - used, format, arguments);
    va_end(arguments);
}

/* To the cent, with separators of thousands; amounts below one unit with three digits. */
static void add_money(struct sentence *sentence, double money)
{
    char digits[400]; /* of the largest double */
    add(sentence, "%s ", sentence->currency);
    if (fabs(money) < 1 && money != 0) {
        add(sentence, "%.3g", money);
        return;
    }
    snprintf(digits, sizeof digits, "%.2f", money);
    for (size_t i = 0, left = strcspn(digits, "."); digits[i] != '\0'; i++, left -= left > 0) {
        bool follows = i > 0 && digits[i - 1] != '-' && left > 0 && left % 3 == 0;
        add(sentence, follows ? ",%c" : "%c", digits[i]);
    }
}

static void add_hours(struct sentence *sentence, double hours)
{
    char digits[32];
    snprintf(digits, sizeof digits, hours >= 100 ? "%.0f" : "%.3g", hours);
    add(sentence, "%s hour%s", digits, strcmp(digits, "1") == 0 ? "" : "s");
}

static void add_nodes(struct sentence *sentence, unsigned k)
{
    add(sentence, "%u %s%s", k, sentence->unit, k == 1 ? "" : "s");
}

static void add_cost(struct sentence *sentence, const struct k_star_result *result)
{
    add_money(sentence, result->cost);
    add(sentence, "%s", sentence->cost_of);
    if (sentence->has_hours) {
        add(sentence, " and ");
        add_hours(sentence, result->hours);
    }
}

static void add_fastest(struct sentence *sentence, const struct advise_answer *answer)
{
    const struct k_star_result *fastest = &answer->k_fastest;
    add(sentence, "; ");
    add_nodes(sentence, fastest->k);
    add(sentence, fastest->k == 1 ? " is fastest, for " : " are fastest, for ");
    add_money(sentence, answer->speed_extra_cost);
    add(sentence, " more");
    if (sentence->has_hours) {
        add(sentence, " and ");
        add_hours(sentence, answer->speed_hours_saved);
        add(sentence, " less");
    }
}

static void add_cheapest(struct sentence *sentence, const struct advise_answer *answer)
{
    const struct k_star_result *cheapest = &answer->k_star;
    bool is_fastest = answer->k_fastest_outcome == K_STAR_FOUND && answer->k_fastest.k == answer->k_star.k;
    if (answer->k_star_outcome == K_STAR_UNBOUNDED)
        add(sentence, "no %s count costs least: cost falls for ever with more of them; give --max-k",
            sentence->unit);
    else if (answer->k_star_outcome != K_STAR_FOUND)
        add(sentence, "no %s count is allowed", sentence->unit);
    else {
        add_nodes(sentence, cheapest->k);
        add(sentence, " cost%s least%s%s: ", cheapest->k == 1 ? "s" : "",
            sentence->waits ? " with waiting counted" : "", is_fastest ? ", and nothing is faster" : "");
        add_cost(sentence, cheapest);
        if (!is_fastest && !isnan(answer->speed_extra_cost))
            add_fastest(sentence, answer);
    }
}

/* Adds the K that meets a deadline or a budget, which the sentence has just named. */
static void add_choice(struct sentence *sentence, enum k_star_outcome outcome,
                       const struct k_star_result *result)
{
    if (outcome != K_STAR_FOUND) {
        add(sentence, " none is");
        return;
    }
    add(sentence, " choose ");
    add_nodes(sentence, result->k);
    add(sentence, ": ");
    add_cost(sentence, result);
}

static void add_ends(struct sentence *sentence, const struct advise_question *question,
                     const struct advise_answer *answer)
{
    if (answer->deadline_asked) {
        add(sentence, "; within the deadline of ");
        add_hours(sentence, question->deadline_hours);
        add_choice(sentence, answer->k_deadline_outcome, &answer->k_deadline);
    }
    if (answer->budget_asked) {
        add(sentence, "; within the budget of ");
        add_money(sentence, question->budget);
        add(sentence, "%s", sentence->waits ? ", without waiting," : "");
        add_choice(sentence, answer->k_budget_outcome, &answer->k_budget);
    }
}

/* The curve's row for --k. NULL: it is not on the curve. */
static const struct advise_row *row_of(const struct advise_request *request,
                                       const struct advise_answer *answer, const struct advise_row *rows)
{
    for (size_t i = 0; i < answer->row_count; i++)
        if (rows[i].k == (unsigned)request->k)
            return &rows[i];
    return NULL;
}

double advise_excess_share(const struct advise_request *request, const struct advise_answer *answer,
                           const struct advise_row *rows, const struct advise_family_answer *of)
{
    if (of != NULL) {
        bool is_judged =
            of->verdict.verdict != VERDICT_NOT_MEASURED && of->verdict.verdict != VERDICT_EXTRAPOLATED;
        return is_judged ? fmax(0, 1 - of->verdict.money_ratio) : NAN;
    }
    const struct advise_row *row = row_of(request, answer, rows);
    bool is_known = row != NULL && answer->k_star_outcome == K_STAR_FOUND;
    return is_known ? fmax(0, 1 - answer->k_star.cost / row->cost) : NAN;
}

void advise_fail_above(const struct advise_request *request, const struct advise_answer *answer,
                       const struct advise_row *rows, const struct advise_family_answer *of,
                       struct error *error)
{
    if (isnan(request->fail_above))
        return;
    double share = advise_excess_share(request, answer, rows, of);
    if (isnan(share))
        error->kind = ERROR_ATTENTION;
    else if (share > request->fail_above)
        error->kind = ERROR_ABOVE;
}

static double cost_at_k(const struct advise_request *request, const struct advise_answer *answer,
                        const struct advise_row *rows, const struct advise_family_answer *of)
{
    if (of != NULL) {
        const struct cost_curve money = verdict_money_curve(&of->curve);
        return cost_curve_cost(&money, (unsigned)request->k);
    }
    const struct advise_row *row = row_of(request, answer, rows);
    return row != NULL ? row->cost : NAN;
}

/* Compares --k with the nearer end of the band, or without a band with K*. */
static void add_judged(struct sentence *sentence, const struct advise_request *request,
                       const struct advise_answer *answer, const struct advise_row *rows,
                       const struct advise_family_answer *of)
{
    double cost = cost_at_k(request, answer, rows, of);
    double share = advise_excess_share(request, answer, rows, of);
    unsigned against = of != NULL ? of->verdict.k_star.k : answer->k_star.k;
    bool is_money = of != NULL && sentence->waits; /* the judged ratio has no waiting */
    const char *counted = of == NULL && sentence->waits ? " with waiting counted" : "";
    const char *ends_in_s = request->k == 1 ? "s" : "";
    add_nodes(sentence, (unsigned)request->k);
    if (of != NULL &&
        (of->verdict.verdict == VERDICT_NOT_MEASURED || of->verdict.verdict == VERDICT_EXTRAPOLATED))
        add(sentence, " cannot be judged: %s", verdict_reason_text(of->verdict.reason));
    else if (isnan(share))
        add(sentence,
            " cannot be judged: not allowed, or beyond the curve (--max-k), or nothing costs least");
    else if (of != NULL && of->verdict.verdict == VERDICT_INSIDE)
        add(sentence, " are inside the band: %u cost%s the least money, %u with waiting counted",
            of->verdict.least_money.k, of->verdict.least_money.k == 1 ? "s" : "", of->verdict.with_waiting.k);
    else if ((unsigned)request->k == against)
        add(sentence, " cost%s %s%s", ends_in_s, is_money ? "the least money" : "least", counted);
    else if (share == 0)
        add(sentence, " cost%s as little as %u%s", ends_in_s, against, counted);
    else {
        add(sentence, " cost%s ", ends_in_s);
        add_money(sentence, cost * share);
        add(sentence, "%s more than %u, %.1f %% of %s cost%s", sentence->cost_of, against, 100 * share,
            request->k == 1 ? "its" : "their", counted);
        if (of != NULL)
            add(sentence, "; %s%s", verdict_name(of->verdict.verdict),
                is_money && (unsigned)request->k > against ? " with waiting counted" : "");
    }
}

char *advise_sentence(const struct advise_request *request, const struct advise_answer *answer,
                      const struct advise_row *rows, const struct advise_family_answer *of,
                      char text[ADVISE_SENTENCE])
{
    bool has_hours = of == NULL || advise_has_hours(of->family, request);
    struct sentence sentence = {
        .text = text,
        .currency = request->currency,
        .unit = of != NULL && of->family->accelerators_per_node > 0 ? "accelerator" : "node",
        .cost_of = has_hours || of == NULL ? "" : costs_of[of->family->metric],
        .has_hours = has_hours,
        .waits = request->question.price.waiting_per_hour > 0,
    };
    text[0] = '\0';
    if (request->k > 0)
        add_judged(&sentence, request, answer, rows, of);
    else {
        if (of != NULL && advise_is_beyond(&of->verdict))
            add(&sentence, "K* is not measured (%s); up to there ", verdict_reason_text(of->verdict.reason));
        add_cheapest(&sentence, answer);
    }
    add_ends(&sentence, &request->question, answer);
    add(&sentence, ".");
    if (text[0] >= 'a' && text[0] <= 'z')
        text[0] = (char)(text[0] - 'a' + 'A');
    return text;
}
