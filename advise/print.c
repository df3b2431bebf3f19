/* advise/print.c: see print.h. */
#include "advise/print.h"

#include "advise/sentence.h"
#include "advise/cost_plot.h"
#include "model/cost/verdict.h"
#include "model/cost/verdict_texts.h"
#include "print/json_print.h"
#include "print/print_line.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROWS_SHOWN_WHOLE = 16 };

/* ---- as text ---- */

static const char *mark(const struct advise_answer *answer, unsigned k)
{
    bool cheapest = answer->k_star_outcome == K_STAR_FOUND && answer->k_star.k == k;
    bool fastest = answer->k_fastest_outcome == K_STAR_FOUND && answer->k_fastest.k == k;
    bool in_time =
        answer->deadline_asked && answer->k_deadline_outcome == K_STAR_FOUND && answer->k_deadline.k == k;
    if (cheapest)
        return fastest ? "K* = K_fast" : "K*";
    return fastest ? "K_fast" : in_time ? "deadline" : "";
}

/* A long curve is printed in full at its start, then only at powers of two and at marked K. */
static bool is_shown(const struct advise_answer *answer, size_t row, unsigned k)
{
    return row < ROWS_SHOWN_WHOLE || (k & (k - 1)) == 0 || mark(answer, k)[0] != '\0';
}

/* The words for times in an answer. */
struct time_words {
    const char *column, *amount;
};

static const struct time_words in_hours = { "hours", "hours" };
/* The times are of a step, or of a unit of throughput. */
static const struct time_words in_own_time = { "time", "of time" };

/* Money and hours for people: six digits; from ten thousand on two decimal places and no
 * exponent. */
struct figure {
    char text[32];
};

static struct figure figure(double value)
{
    struct figure figure;
    snprintf(figure.text, sizeof figure.text, fabs(value) >= 9999.995 && fabs(value) < 1e15 ? "%.2f" : "%.6g",
             value);
    return figure;
}

static void print_curve(const struct advise_answer *answer, const struct advise_row *rows,
                        const struct time_words *words)
{
    printf("%7s %9s %11s %14s %14s\n", "K", "speedup", "efficiency", words->column, "cost");
    for (size_t i = 0; i < answer->row_count; i++) {
        const struct advise_row *row = &rows[i];
        if (!is_shown(answer, i, row->k))
            continue;
        const char *note = mark(answer, row->k);
        printf("%7u %9.3f %10.1f%% %14s %14s%s%s\n", row->k, row->speedup, 100 * row->efficiency,
               figure(row->hours).text, figure(row->cost).text, note[0] ? "  " : "", note);
    }
}

static void print_result(const char *name, enum k_star_outcome outcome, const struct k_star_result *result,
                         const struct time_words *words)
{
    switch (outcome) {
    case K_STAR_FOUND:
        printf("%-10s K = %u: cost %s, %s %s, efficiency %.1f%%\n", name, result->k,
               figure(result->cost).text, figure(result->hours).text, words->amount,
               100 * result->efficiency);
        break;
    case K_STAR_UNBOUNDED:
        printf("%-10s none: it falls for ever with more nodes; give --max-k\n", name);
        break;
    case K_STAR_DEADLINE_NOT_MET:
        printf("%-10s none: no allowed K is fast enough", name);
        if (result->k > 0)
            printf("; the fastest, K = %u, takes %s hours", result->k, figure(result->hours).text);
        printf("\n");
        break;
    case K_STAR_BUDGET_NOT_MET:
        printf("%-10s none: no allowed K is cheap enough", name);
        if (result->k > 0)
            printf("; the cheapest, K = %u, costs %s", result->k, figure(result->cost).text);
        printf("\n");
        break;
    case K_STAR_NONE_FEASIBLE:
    case K_STAR_INVALID:
        printf("%-10s none: no K is allowed\n", name);
        break;
    }
}

static void print_doublings(const struct advise_answer *answer, const struct time_words *words)
{
    char saved[32], per_unit[32];
    snprintf(saved, sizeof saved, "%s saved", words->column);
    snprintf(per_unit, sizeof per_unit, "%s per unit", words->column);
    printf("\n%7s %7s %14s %14s %16s\n", "from", "to", saved, "extra cost", per_unit);
    for (size_t i = 0; i < answer->doubling_count; i++) {
        const struct k_doubling *row = &answer->doublings[i];
        printf("%7u %7u %14s %14s ", row->from, row->to, figure(row->hours_saved).text,
               figure(row->extra_cost).text);
        if (isnan(row->hours_per_unit))
            printf("%16s", "-");
        else
            printf("%16.6g", row->hours_per_unit);
        printf("%s\n", row->unfavourable ? "  unfavourable" : "");
    }
    if (answer->first_unfavourable != NULL)
        printf("first unfavourable doubling: %u to %u\n", answer->first_unfavourable->from,
               answer->first_unfavourable->to);
}

static void print_text(const struct advise_question *question, const struct advise_answer *answer,
                       const struct advise_row *rows, const struct time_words *words)
{
    print_curve(answer, rows, words);
    printf("\n");
    print_result("K*", answer->k_star_outcome, &answer->k_star, words);
    print_result("K_fast", answer->k_fastest_outcome, &answer->k_fastest, words);
    if (!isnan(answer->speed_extra_cost))
        printf("price of pure speed: %s more for %s %s less\n", figure(answer->speed_extra_cost).text,
               figure(answer->speed_hours_saved).text, words->amount);
    if (answer->deadline_asked) {
        printf("deadline of %s hours:\n", figure(question->deadline_hours).text);
        print_result("K_deadline", answer->k_deadline_outcome, &answer->k_deadline, words);
    }
    if (answer->budget_asked) {
        printf("budget of %s%s:\n", figure(question->budget).text,
               question->price.waiting_per_hour > 0 ? ", without waiting" : "");
        print_result("K_budget", answer->k_budget_outcome, &answer->k_budget, words);
    }
    if (answer->doubling_count > 0)
        print_doublings(answer, words);
}

static void print_family(const struct advise_request *request, const struct advise_family_answer *of)
{
    const struct month_family *family = of->family;
    double waiting = of->curve.price.waiting_per_hour;
    const char *law = scaling_fit_law_name(&family->fit);
    print_line(stdout, "%s: %s%sby %s; %.6g an hour of one K, %.6g an hour besides%s%s%s%s; %s", family->name,
               family->series, family->series[0] != '\0' ? " " : "",
               strcmp(law, "none") == 0 ? "no law" : law, cost_curve_node_price(&of->curve),
               cost_curve_wall_price(&of->curve), of->month[0] ? ", prices of " : "", of->month,
               waiting > 0 ? ", waiting counted at " : ", waiting not counted",
               waiting > 0 ? figure(waiting).text : "", advise_time_text(family, request));
    if (request->k == 0 && family->other_hardware[0] != '\0')
        print_line(stdout, "%s%s", family->other_hardware + strspn(family->other_hardware, "; "),
                   family->fit.confidence == SCALING_CONFIDENCE_LOW ? "; low confidence" : "");
    printf("%s%s\n", of->interrupted, of->interrupted[0] ? "\n" : "");
}

/* Prints the band: the K of least money, and the K with waiting counted. */
static void print_band(const struct advise_family_answer *of)
{
    const struct verdict_answer *answer = &of->verdict;
    double waiting = of->curve.price.waiting_per_hour;
    if (waiting > 0 && answer->with_waiting.k > 0)
        printf("band: K = %u costs the least money; with waiting counted at %s an hour K = %u does\n",
               answer->least_money.k, figure(waiting).text, answer->with_waiting.k);
}

/* The money that the job would save at K*, with its interval. Waiting is not counted as money. */
struct excess_money {
    double excess, low, high; /* NaN: unknown */
};

static struct excess_money money_of_excess(const struct advise_request *request,
                                           const struct advise_family_answer *of)
{
    const struct verdict_answer *answer = &of->verdict;
    const struct cost_curve money = verdict_money_curve(&of->curve);
    double cost = cost_curve_cost(&money, (unsigned)request->k);
    bool is_known = answer->excess.draws > 0;
    return (struct excess_money){ .excess = cost * fmax(0, 1 - answer->money_ratio),
                                  .low = is_known ? cost * answer->excess.money_low : NAN,
                                  .high = is_known ? cost * answer->excess.money_high : NAN };
}

static void print_excess(const struct advise_request *request, const struct advise_family_answer *of)
{
    const struct verdict_answer *answer = &of->verdict;
    struct excess_money money = money_of_excess(request, of);
    printf("K = %d costs %s more than K = %u", request->k, figure(money.excess).text, answer->k_star.k);
    if (!isnan(money.low))
        printf(" (95 %%: %s to %s)", figure(money.low).text, figure(money.high).text);
    printf(", %.1f%% of its cost; K = %u takes %.3g times as long\n", 100 * fmax(0, 1 - answer->money_ratio),
           answer->k_star.k, answer->hours_ratio);
}

/* The node count of the advice: that of --k, else K*. 0: there is none. */
static double advised_k(const struct advise_request *request, const struct advise_family_answer *of)
{
    return request->k > 0 ? (double)request->k : (double)of->verdict.with_waiting.k;
}

static void print_checkpoints(const struct advise_request *request, const struct advise_family_answer *of)
{
    const struct interruption *interruption = &of->curve.interruption;
    double k = advised_k(request, of);
    double every = interruption_checkpoint_hours(interruption, k);
    if (!isnan(every))
        printf(
            "checkpoints: on K = %.0f best every %.3g hours; with interruptions they add %.2g%% to the time\n",
            k, every, 100 * (interruption_stretch(interruption, k) - 1));
}

static void print_verdict(const struct advise_request *request, const struct advise_family_answer *of)
{
    const struct verdict_answer *answer = &of->verdict;
    char text[256];
    if (request->k > 0) {
        printf("\n");
        print_line(stdout, "K = %d is %s: %s%s%s", request->k, verdict_name(answer->verdict),
                   verdict_reason_text(answer->reason), of->family->other_hardware,
                   answer->low_confidence ? "; low confidence" : "");
    } else if (advise_is_beyond(answer)) {
        printf("\n%s: the advice above ends at K = %u\n", verdict_reason_text(answer->reason),
               request->question.limits.largest);
    }
    if (request->k > 0 && answer->excess_share > 0)
        print_excess(request, of);
    if (request->k > 0 && !isnan(answer->break_even) && advise_has_hours(of->family, request))
        printf("it is right only if an hour is worth more than %s\n", figure(answer->break_even).text);
    print_band(of);
    print_checkpoints(request, of);
    if (of->interval.range_count > 0)
        printf("95 %% interval on K*: %s\n", k_interval_text(&of->interval, text, sizeof text));
    printf("next: %s\n", verdict_next_text(answer, text, sizeof text));
}

/* ---- as JSON ---- */

/* Adds k and cost under their names; null if there is none. */
static void add_result(cJSON *root, const char *k_name, const char *cost_name, bool found,
                       const struct k_star_result *result)
{
    cJSON_AddItemToObject(root, k_name, found ? cJSON_CreateNumber(result->k) : cJSON_CreateNull());
    cJSON_AddItemToObject(root, cost_name, found ? cJSON_CreateNumber(result->cost) : cJSON_CreateNull());
}

/* The outcome of a deadline or a budget, for which print_result() has a sentence. */
static const char *outcome_name(enum k_star_outcome outcome)
{
    switch (outcome) {
    case K_STAR_FOUND:
        return "found";
    case K_STAR_UNBOUNDED:
        return "falls for ever";
    case K_STAR_DEADLINE_NOT_MET:
    case K_STAR_BUDGET_NOT_MET:
        return "not met";
    case K_STAR_NONE_FEASIBLE:
    case K_STAR_INVALID:
        break;
    }
    return "no K is allowed";
}

static cJSON *optional_k(unsigned k)
{
    return k > 0 ? cJSON_CreateNumber(k) : cJSON_CreateNull();
}

/* Adds the values that print_verdict() prints about --k. */
static void add_judged(cJSON *root, const struct advise_request *request,
                       const struct advise_family_answer *of)
{
    const struct verdict_answer *answer = &of->verdict;
    unsigned k = (unsigned)request->k;
    cJSON_AddNumberToObject(root, "k", k);
    cJSON_AddStringToObject(root, "verdict", verdict_name(answer->verdict));
    cJSON_AddStringToObject(root, "reason", verdict_reason_text(answer->reason));
    cJSON_AddBoolToObject(root, "low_confidence", answer->low_confidence);
    json_add_number(root, "hours_at_k", cost_curve_hours(&of->curve, k));
    json_add_number(root, "cost_at_k", cost_curve_cost(&of->curve, k));
    json_add_number(root, "hours_at_k_star", answer->k_star.k > 0 ? answer->k_star.hours : NAN);
    json_add_number(root, "cost_ratio", answer->cost_ratio);
    json_add_number(root, "excess_share", answer->excess_share);
    cJSON_AddItemToObject(root, "compared_with_k", optional_k(answer->k_star.k));
    json_add_number(root, "break_even_per_hour",
                    advise_has_hours(of->family, request) ? answer->break_even : NAN);
    struct excess_money money = money_of_excess(request, of);
    json_add_number(root, "excess", money.excess);
    json_add_number(root, "excess_low", money.low);
    json_add_number(root, "excess_high", money.high);
}

static void add_family(cJSON *root, const struct advise_request *request,
                       const struct advise_family_answer *of)
{
    char text[256];
    cJSON_AddStringToObject(root, "family", of->family->name);
    cJSON_AddStringToObject(root, "series", of->family->series);
    cJSON_AddStringToObject(root, "law", scaling_fit_law_name(&of->family->fit));
    cJSON_AddStringToObject(root, "other_hardware",
                            of->family->other_hardware + strspn(of->family->other_hardware, "; "));
    cJSON_AddStringToObject(root, "hours_are", advise_time_text(of->family, request));
    cJSON_AddStringToObject(root, "interruptions", of->interrupted);
    cJSON_AddNumberToObject(root, "price_per_k_hour", cost_curve_node_price(&of->curve));
    cJSON_AddNumberToObject(root, "price_per_wall_hour", cost_curve_wall_price(&of->curve));
    json_add_number(root, "waiting_per_hour", of->curve.price.waiting_per_hour);
    json_add_number(root, "checkpoint_interval_hours",
                    interruption_checkpoint_hours(&of->curve.interruption, advised_k(request, of)));
    json_add_number(root, "interruption_share",
                    interruption_stretch(&of->curve.interruption, advised_k(request, of)) - 1);
    cJSON_AddItemToObject(root, "k_least_money", optional_k(of->verdict.least_money.k));
    cJSON_AddItemToObject(root, "k_with_waiting", optional_k(of->verdict.with_waiting.k));
    cJSON_AddItemToObject(root, "prices_of",
                          of->month[0] != '\0' ? cJSON_CreateString(of->month) : cJSON_CreateNull());
    cJSON_AddBoolToObject(root, "k_star_is_beyond_measured", advise_is_beyond(&of->verdict));
    cJSON_AddStringToObject(root, "k_star_interval", k_interval_text(&of->interval, text, sizeof text));
    if (request->k > 0)
        add_judged(root, request, of);
    cJSON_AddStringToObject(root, "next_measurement", verdict_next_text(&of->verdict, text, sizeof text));
}

/* `of` NULL: no family. */
static bool print_json(const struct advise_request *request, const struct advise_answer *answer,
                       const struct advise_row *rows, const struct advise_family_answer *of,
                       struct error *error)
{
    char sentence[ADVISE_SENTENCE];
    cJSON *root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "answer", advise_sentence(request, answer, rows, of, sentence));
    cJSON_AddStringToObject(root, "currency", request->currency);
    add_result(root, "k_star", "cost_at_k_star", answer->k_star_outcome == K_STAR_FOUND, &answer->k_star);
    add_result(root, "k_fastest", "cost_at_k_fastest", answer->k_fastest_outcome == K_STAR_FOUND,
               &answer->k_fastest);
    add_result(root, "k_deadline", "cost_at_k_deadline",
               answer->deadline_asked && answer->k_deadline_outcome == K_STAR_FOUND, &answer->k_deadline);
    if (answer->deadline_asked)
        cJSON_AddStringToObject(root, "deadline_outcome", outcome_name(answer->k_deadline_outcome));
    if (answer->budget_asked) {
        add_result(root, "k_budget", "cost_at_k_budget", answer->k_budget_outcome == K_STAR_FOUND,
                   &answer->k_budget);
        cJSON_AddStringToObject(root, "budget_outcome", outcome_name(answer->k_budget_outcome));
    }
    if (request->omitted[0] != '\0')
        cJSON_AddStringToObject(root, "skipped", request->omitted);
    if (of != NULL)
        add_family(root, request, of);
    cJSON *curve = cJSON_AddArrayToObject(root, "curve");
    for (size_t i = 0; i < answer->row_count; i++) {
        cJSON *row = cJSON_CreateObject();
        cJSON_AddNumberToObject(row, "k", rows[i].k);
        cJSON_AddNumberToObject(row, "speedup", rows[i].speedup);
        cJSON_AddNumberToObject(row, "efficiency", rows[i].efficiency);
        cJSON_AddNumberToObject(row, "hours", rows[i].hours);
        cJSON_AddNumberToObject(row, "cost", rows[i].cost);
        cJSON_AddItemToArray(curve, row);
    }
    return json_print(root, error);
}

static void print_plot(const struct advise_request *request, const struct advise_answer *answer,
                       const struct advise_row *rows, const struct advise_family_answer *of)
{
    const struct advise_question *question = &request->question;
    const struct cost_curve by_law = {
        .law = &answer->law, .work = 1, .price = question->price, .interruption = question->interruption
    };
    unsigned largest = answer->row_count > 0 ? rows[answer->row_count - 1].k : 0;
    cost_plot(stdout, of != NULL ? &of->curve : &by_law, largest,
              answer->k_star_outcome == K_STAR_FOUND ? answer->k_star.k : 0, request->currency);
    printf("\n");
}

bool advise_print(const struct advise_request *request, const struct advise_answer *answer,
                  const struct advise_row *rows, const struct advise_family_answer *of, struct error *error)
{
    if (request->json)
        return print_json(request, answer, rows, of, error);
    char sentence[ADVISE_SENTENCE];
    printf("%s\n\n", advise_sentence(request, answer, rows, of, sentence));
    if (of != NULL)
        print_family(request, of);
    if (request->plot)
        print_plot(request, answer, rows, of);
    print_text(&request->question, answer, rows,
               of == NULL || advise_has_hours(of->family, request) ? &in_hours : &in_own_time);
    if (of != NULL)
        print_verdict(request, of);
    if (request->omitted[0] != '\0')
        printf("\nnot used from the scenario, as they are not for all hardware or all cost centres: %s\n",
               request->omitted);
    return true;
}
