/* cli/advise.c: kstar advise: what a scaling law and two prices say about the node count, without a database.
 *
 * Reads the question from options, asks model/advise.h, prints the answer as a table or as JSON. Both forms
 * come from the same answer; neither computes anything.
 */
#include "base/error.h"
#include "base/memory.h"
#include "cli/advise_scenario.h"
#include "cli/command.h"
#include "cli/connect.h"
#include "cli/json_print.h"
#include "cli/latest_families.h"
#include "cli/print_line.h"
#include "cli/scenario_file.h"
#include "model/advise.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALLOWED_SIZES = 256, ROWS_SHOWN_WHOLE = 16 };

struct request {
    struct common_options common;
    const char *family;      /* its measurements instead of a law given by hand; NULL: the law */
    int k;                   /* of --family: the size that `hours` are of, and that is judged; 0: none */
    double hours;            /* NAN: of the measured piece of work */
    bool interruption_given; /* by options; else --family takes its own */
    const char *allowed_list, *scenario;
    int smallest, largest; /* of K */
    bool spot_given;       /* by --spot; a scenario's share gives way to a price of spot */
    struct advise_question question;
    unsigned allowed[ALLOWED_SIZES];
    double price_factor, longer; /* of --scenario; 1 without one */
    bool json;
};

/* ---- the question ---- */

/* "1,2,4,8" into request->allowed. */
static bool read_allowed(const char *text, struct request *request, struct error *error)
{
    struct node_limits *limits = &request->question.limits;
    for (const char *rest = text; *rest != '\0';) {
        char *end;
        unsigned long k = strtoul(rest, &end, 10);
        bool ended = *end == '\0' || (*end == ',' && end[1] != '\0');
        if (end == rest || *rest == '-' || !ended || k < 1 || k > NODE_LIMITS_LARGEST)
            return error_set(error, ERROR_USAGE,
                             "advise: --allowed \"%s\" is not a list of node counts (1,2,4,8)", text);
        if (limits->allowed_count == ALLOWED_SIZES)
            return error_set(error, ERROR_USAGE, "advise: --allowed has more than %d node counts",
                             ALLOWED_SIZES);
        request->allowed[limits->allowed_count++] = (unsigned)k;
        rest = end + (*end == ',');
    }
    limits->allowed = request->allowed;
    return limits->allowed_count > 0 || error_set(error, ERROR_USAGE, "advise: --allowed is empty");
}

/* What was not given is nothing. Returns whether anything was, the share of spot apart. */
static bool settle_interruption(struct interruption *interruption)
{
    double *const numbers[] = { &interruption->rate, &interruption->checkpoint_hours,
                                &interruption->restart_hours };
    bool given = false;
    interruption->spot = !isnan(interruption->price_share);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        given = given || !isnan(*numbers[i]);
        if (isnan(*numbers[i]))
            *numbers[i] = 0;
    }
    return given;
}

/* What a scenario says, where no option says it. */
static bool apply_scenario(const char *name, struct request *request, struct error *error)
{
    struct scenario scenario;
    request->price_factor = request->longer = 1;
    request->spot_given = !isnan(request->question.interruption.price_share);
    if (name == NULL)
        return true;
    bool ok = scenario_read(name, &scenario, error);
    if (ok) {
        advise_scenario_defaults(&scenario, &request->question);
        request->price_factor = advise_scenario_price(&scenario);
        request->longer = advise_scenario_hours(&scenario, request->family);
    }
    scenario_free(&scenario);
    return ok;
}

/* A number that is not given is NaN. */
static void forget_numbers(struct request *request)
{
    struct advise_question *question = &request->question;
    struct scaling_law *law = &question->law;
    struct job_price *price = &question->price;
    struct interruption *interruption = &question->interruption;
    law->serial_fraction = law->communication_coefficient = law->step = law->t1_hours = NAN;
    price->per_node_hour = price->per_wall_hour = price->waiting_per_hour = NAN;
    request->hours = question->deadline_hours = question->budget = NAN;
    interruption->price_share = interruption->rate = NAN;
    interruption->checkpoint_hours = interruption->restart_hours = NAN;
}

static bool read_options(const struct command *command, int argc, char **argv, struct request *request,
                         int *first_operand, struct error *error)
{
    struct advise_question *question = &request->question;
    struct scaling_law *law = &question->law;
    struct job_price *price = &question->price;
    struct interruption *interruption = &question->interruption;
    const struct option_entry entries[] = {
        { "family", OPTION_TEXT, "NAME",
          "instead of a law: what this family has measured, at its latest prices", &request->family },
        { "k", OPTION_PLACE, "N", "with --family: judge this node count", &request->k },
        { "hours", OPTION_NUMBER, "HOURS",
          "with --k: what the job takes there; default: of the measured work", &request->hours },
        { "serial", OPTION_NUMBER, "S", "serial fraction s of the scaling law", &law->serial_fraction },
        { "comm", OPTION_NUMBER, "C", "communication coefficient c", &law->communication_coefficient },
        { "step", OPTION_NUMBER, "D", "one-off price d of leaving a single node; default 0", &law->step },
        { "price", OPTION_NUMBER, "P", "price of one node for one hour", &price->per_node_hour },
        { "fixed", OPTION_NUMBER, "F",
          "fixed overhead per wall-clock hour; default 0, or what the family's latest statement says",
          &price->per_wall_hour },
        { "t1", OPTION_NUMBER, "HOURS", "run time on one node; default 1", &law->t1_hours },
        { "deadline", OPTION_NUMBER, "HOURS", "also the cheapest K that is done in time",
          &question->deadline_hours },
        { "budget", OPTION_NUMBER, "MONEY", "also the fastest K that costs no more", &question->budget },
        { "waiting", OPTION_NUMBER, "W",
          "what an hour until the result costs, beside F; default 0, or what the family's latest statement "
          "says",
          &price->waiting_per_hour },
        { "spot", OPTION_NUMBER, "SHARE", "on spot capacity at this share of P, a price on demand",
          &interruption->price_share },
        { "preemptions", OPTION_NUMBER, "RATE",
          "interruptions per node-hour (per accelerator-hour where K counts those): of spot, or by failing "
          "nodes; default 0, or "
          "what the family's latest statement says",
          &interruption->rate },
        { "checkpoint", OPTION_NUMBER, "HOURS", "writing one checkpoint; default 0",
          &interruption->checkpoint_hours },
        { "restart", OPTION_NUMBER, "HOURS", "from an interruption to running again; default 0",
          &interruption->restart_hours },
        { "min-k", OPTION_PLACE, "N", "smallest node count", &request->smallest },
        { "max-k", OPTION_PLACE, "N", "largest node count", &request->largest },
        { "allowed", OPTION_TEXT, "LIST", "only these node counts: 1,2,4,8", &request->allowed_list },
        { "scenario", OPTION_TEXT, "FILE",
          "with the levers of a budget scenario: prices, spot, penalties, node policy", &request->scenario },
        { "json", OPTION_FLAG, NULL, "print JSON", &request->json },
        { 0 },
    };
    forget_numbers(request);
    return options_read(command, entries, argc, argv, &request->common, first_operand, error);
}

static bool check_request(const struct request *request, bool has_operands, struct error *error)
{
    const struct advise_question *question = &request->question;
    const struct scaling_law *law = &question->law;
    const struct job_price *price = &question->price;
    const struct interruption *interruption = &question->interruption;
    const struct {
        bool wrong;
        const char *message;
    } checks[] = {
        { has_operands, "takes no operand" },
        { request->family == NULL && isnan(law->serial_fraction), "--serial is missing (or --family)" },
        { request->family == NULL && isnan(law->communication_coefficient), "--comm is missing" },
        { request->family == NULL && isnan(price->per_node_hour), "--price is missing" },
        { request->family != NULL &&
              (!isnan(law->serial_fraction) || !isnan(law->communication_coefficient) || !isnan(law->step) ||
               !isnan(law->t1_hours)),
          "--family has its own law: leave out --serial, --comm, --step and --t1" },
        { request->family == NULL && request->k > 0, "--k goes with --family" },
        { !isnan(request->hours) && request->k == 0, "--hours goes with --k" },
        { request->hours <= 0, "--hours is not above 0" },
        { law->serial_fraction < 0, "--serial is below 0" },
        { law->communication_coefficient < 0, "--comm is below 0" },
        { law->step < 0, "--step is below 0" },
        { price->per_node_hour < 0, "--price is below 0" },
        { price->per_wall_hour < 0, "--fixed is below 0" },
        { law->t1_hours <= 0, "--t1 is not above 0" },
        { question->deadline_hours <= 0, "--deadline is not above 0" },
        { question->budget <= 0, "--budget is not above 0" },
        { price->waiting_per_hour < 0, "--waiting is below 0" },
        { interruption->price_share <= 0, "--spot is not above 0" },
        { interruption->rate < 0, "--preemptions is below 0" },
        { interruption->checkpoint_hours < 0, "--checkpoint is below 0" },
        { interruption->restart_hours < 0, "--restart is below 0" },
        { request->largest > 0 && request->largest < request->smallest, "--max-k is below --min-k" },
    };
    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++) {
        if (checks[i].wrong) {
            error_set(error, ERROR_USAGE, "advise: %s", checks[i].message);
            error_hint(error, "kstar advise --help");
            return false;
        }
    }
    return true;
}

/* What was not given, and no family says. */
static void settle_defaults(struct request *request)
{
    struct advise_question *question = &request->question;
    struct scaling_law *law = &question->law;
    struct job_price *price = &question->price;
    question->deadline_hours = isnan(question->deadline_hours) ? 0 : question->deadline_hours;
    question->budget = isnan(question->budget) ? 0 : question->budget;
    law->step = isnan(law->step) ? 0 : law->step;
    law->t1_hours = isnan(law->t1_hours) ? 1 : law->t1_hours;
    if (request->family == NULL) {
        price->per_wall_hour = isnan(price->per_wall_hour) ? 0 : price->per_wall_hour;
        price->waiting_per_hour = isnan(price->waiting_per_hour) ? 0 : price->waiting_per_hour;
    }
    question->limits.smallest = (unsigned)request->smallest;
    question->limits.largest = (unsigned)request->largest;
}

static bool read_request(const struct command *command, int argc, char **argv, struct request *request,
                         struct error *error)
{
    int first_operand;
    if (!read_options(command, argc, argv, request, &first_operand, error) ||
        !check_request(request, first_operand < argc, error))
        return false;
    settle_defaults(request);
    if (!apply_scenario(request->scenario, request, error))
        return false;
    request->interruption_given = settle_interruption(&request->question.interruption);
    return request->allowed_list == NULL || read_allowed(request->allowed_list, request, error);
}

/* ---- the answer ---- */

/* With the whole curve, which the caller frees. NULL where a number is out of range. */
static struct advise_row *answer_with_curve(const struct advise_question *question,
                                            struct advise_answer *answer)
{
    if (advise(question, NULL, 0, answer) == K_STAR_INVALID)
        return NULL;
    size_t count = answer->rows_left_out;
    struct advise_row *rows = memory_or_die(calloc(count + 1, sizeof *rows));
    advise(question, rows, count, answer);
    return rows;
}

/* ---- the answer as text ---- */

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

/* A long curve is shown whole at its start, then at powers of two and where something is marked. */
static bool is_shown(const struct advise_answer *answer, size_t row, unsigned k)
{
    return row < ROWS_SHOWN_WHOLE || (k & (k - 1)) == 0 || mark(answer, k)[0] != '\0';
}

/* What the times of an answer are called. */
struct time_words {
    const char *column, *amount;
};

static const struct time_words in_hours = { "hours", "hours" };
static const struct time_words in_own_time = { "time",
                                               "of time" }; /* of a step, or of a unit of throughput */

/* As people read money and hours: six digits, and from ten thousand on two behind the point; never an
 * exponent there. */
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
        printf("budget of %s:\n", figure(question->budget).text);
        print_result("K_budget", answer->k_budget_outcome, &answer->k_budget, words);
    }
    if (answer->doubling_count > 0)
        print_doublings(answer, words);
}

/* ---- the answer as JSON ---- */

/* k and cost under their names; null where there is none. */
static void add_result(cJSON *root, const char *k_name, const char *cost_name, bool found,
                       const struct k_star_result *result)
{
    cJSON_AddItemToObject(root, k_name, found ? cJSON_CreateNumber(result->k) : cJSON_CreateNull());
    cJSON_AddItemToObject(root, cost_name, found ? cJSON_CreateNumber(result->cost) : cJSON_CreateNull());
}

/* Whether K* itself is beyond what the family's measurements may be stretched to: the K* shown is only the
 * end of the curve. */
static bool is_beyond(const struct verdict_answer *answer)
{
    return answer->verdict == VERDICT_EXTRAPOLATED && answer->reason != VERDICT_REASON_K_BEYOND;
}

/* What of an answer is a family's. */
struct family_answer {
    const struct month_family *family;
    const struct cost_curve *curve;
    const struct k_interval *interval;
    const struct verdict_answer *said;
    const char *month;       /* of the prices; "": they were given */
    const char *interrupted; /* what interrupts its jobs, in words; "": nothing */
};

/* What was found of a deadline or a budget, which print_result() says in a sentence. */
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

/* The node count of --k, as print_verdict() has it. On too few nodes nothing is in excess. */
static void add_judged(cJSON *root, unsigned k, const struct family_answer *of)
{
    const struct verdict_answer *said = of->said;
    cJSON_AddNumberToObject(root, "k", k);
    cJSON_AddStringToObject(root, "verdict", verdict_name(said->verdict));
    cJSON_AddStringToObject(root, "reason", verdict_reason_text(said->reason));
    cJSON_AddBoolToObject(root, "low_confidence", said->low_confidence);
    json_add_number(root, "hours_at_k", cost_curve_hours(of->curve, k));
    json_add_number(root, "cost_at_k", cost_curve_cost(of->curve, k));
    json_add_number(root, "hours_at_k_star", said->k_star.k > 0 ? said->k_star.hours : NAN);
    json_add_number(root, "cost_ratio", said->cost_ratio);
    json_add_number(root, "excess_share", said->verdict == VERDICT_AT_OR_BELOW ? 0 : said->excess_share);
}

/* What the times of a family's measurements are, but those of runs. */
static const char *const own_times[] = {
    [SCALING_RUN_TIME] = "hours of the measured work",
    [SCALING_THROUGHPUT] = "time is 1 / throughput",
    [SCALING_STEP_TIME] = "time is that of one step",
    [SCALING_EFFICIENCY] = "time is 1 on one node",
};

static const char *time_text(const struct month_family *family, const struct request *request)
{
    return isnan(request->hours) ? own_times[family->metric] : "hours of the job";
}

static void add_family(cJSON *root, const struct request *request, const struct family_answer *of)
{
    char text[256];
    cJSON_AddStringToObject(root, "family", of->family->name);
    cJSON_AddStringToObject(root, "series", of->family->series);
    cJSON_AddStringToObject(root, "law", scaling_fit_law_name(&of->family->fit));
    cJSON_AddStringToObject(root, "other_hardware",
                            of->family->other_hardware + strspn(of->family->other_hardware, "; "));
    cJSON_AddStringToObject(root, "hours_are", time_text(of->family, request));
    cJSON_AddStringToObject(root, "interruptions", of->interrupted);
    cJSON_AddNumberToObject(root, "price_per_k_hour", cost_curve_node_price(of->curve));
    cJSON_AddNumberToObject(root, "price_per_wall_hour", cost_curve_wall_price(of->curve));
    cJSON_AddItemToObject(root, "prices_of",
                          of->month[0] != '\0' ? cJSON_CreateString(of->month) : cJSON_CreateNull());
    cJSON_AddBoolToObject(root, "k_star_is_beyond_measured", is_beyond(of->said));
    cJSON_AddStringToObject(root, "k_star_interval", k_interval_text(of->interval, text, sizeof text));
    if (request->k > 0)
        add_judged(root, (unsigned)request->k, of);
    cJSON_AddStringToObject(root, "next_measurement", verdict_next_text(of->said, text, sizeof text));
}

/* `of` NULL: of no family. */
static bool print_json(const struct request *request, const struct advise_answer *answer,
                       const struct advise_row *rows, const struct family_answer *of, struct error *error)
{
    cJSON *root = cJSON_CreateObject();
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

/* ---- a family ---- */

/* A price that was paid for spot has its share in it: none is applied again. */
static bool keep_spot_price(struct request *request, struct error *error)
{
    if (request->spot_given) {
        error_set(error, ERROR_USAGE, "advise: the latest price of family %s is of spot capacity already",
                  request->family);
        error_hint(error, "leave out --spot, or give --price on demand");
        return false;
    }
    request->question.interruption.spot = false;
    return true;
}

/* What is given wins over what the family's latest statement says. */
static bool price_family(const struct latest_families *latest, struct request *request,
                         enum month_capacity *capacity, char month[16], struct error *error)
{
    struct job_price *price = &request->question.price, last = { 0 };
    bool known = latest_family_price(latest, request->family, &last, capacity, month);
    if (isnan(price->per_node_hour) && !known) {
        error_set(error, ERROR_INPUT, "advise: no job in a statement gives family %s prices",
                  request->family);
        error_hint(error, "give --price, and --fixed where there is overhead");
        return false;
    }
    if (isnan(price->per_node_hour) && *capacity == CAPACITY_SPOT && !keep_spot_price(request, error))
        return false;
    if (!isnan(price->per_node_hour) && !isnan(price->per_wall_hour) &&
        (!isnan(price->waiting_per_hour) || last.waiting_per_hour <= 0))
        month[0] = '\0';
    if (isnan(price->per_node_hour))
        price->per_node_hour = last.per_node_hour;
    if (isnan(price->per_wall_hour))
        price->per_wall_hour = known ? last.per_wall_hour : 0;
    if (isnan(price->waiting_per_hour))
        price->waiting_per_hour = known ? last.waiting_per_hour : 0;
    return true;
}

/* What interrupts jobs of the family, where no option says it; `from` is as K*'s note of it. */
static void interrupt_family(const struct month_family *family, enum month_capacity capacity,
                             struct request *request, char *from, size_t size)
{
    struct interruption *interruption = &request->question.interruption;
    const struct month_interruption *known =
        &family->interruptions[interruption->spot ? CAPACITY_SPOT : capacity];
    from[0] = '\0';
    if (request->interruption_given || known->from == NULL)
        return;
    interruption->rate = known->interruption.rate;
    interruption->checkpoint_hours = known->interruption.checkpoint_hours;
    interruption->restart_hours = known->interruption.restart_hours;
    month_interruption_text(known, from, size);
}

/* The family's own limits, where none are given. */
static void limit_family(const struct month_family *family, struct request *request)
{
    struct node_limits *limits = &request->question.limits;
    if (limits->allowed_count == 0) {
        limits->allowed = family->limits.allowed;
        limits->allowed_count = family->limits.allowed_count;
        limits->powers_of_two = family->limits.powers_of_two;
    }
    limits->accelerators_per_node = family->limits.accelerators_per_node;
    limits->smallest = limits->smallest > 0 ? limits->smallest : family->limits.smallest;
    limits->largest = limits->largest > 0 ? limits->largest : family->limits.largest;
}

/* What the statement would say of the job, or, where none is given, of one on the largest size measured: by
 * all K that are allowed, as there, so that a K* beyond what was measured is seen to be beyond it. */
static void judge(const struct request *request, const struct month_family *family,
                  const struct cost_curve *curve, const struct node_limits *limits,
                  const struct verdict_rules *rules, struct k_interval *interval,
                  struct verdict_answer *answer)
{
    static struct k_bootstrap bootstrap;
    k_bootstrap_draw(&family->fit, K_STAR_BOOTSTRAP_SEED, &bootstrap);
    k_star_interval(&family->fit, curve, limits, &bootstrap, interval);
    struct verdict_question question = { .fit = &family->fit,
                                         .curve = curve,
                                         .limits = limits,
                                         .interval = interval,
                                         .rules = rules,
                                         .k = request->k > 0 ? (unsigned)request->k
                                                             : scaling_fit_largest_k(&family->fit),
                                         .hours = isnan(request->hours) ? 0 : request->hours };
    verdict_of(&question, answer);
}

static void print_verdict(const struct request *request, const struct month_family *family,
                          const struct cost_curve *curve, const struct k_interval *interval,
                          const struct verdict_answer *answer)
{
    char text[256];
    if (request->k > 0) {
        printf("\n");
        print_line(stdout, "K = %d is %s: %s%s%s", request->k, verdict_name(answer->verdict),
                   verdict_reason_text(answer->reason), family->other_hardware,
                   answer->low_confidence ? "; low confidence" : "");
    } else if (is_beyond(answer)) {
        printf("\n%s: what is said above ends at K = %u\n", verdict_reason_text(answer->reason),
               request->question.limits.largest);
    }
    if (request->k > 0 && answer->excess_share > 0) {
        double percent = 100 * answer->excess_share;
        if (answer->verdict == VERDICT_AT_OR_BELOW) /* nothing is in excess on too few nodes */
            printf("K* costs %.1f%% less", percent);
        else
            printf("%.1f%% of its cost is excess", percent);
        printf("; at K* it takes %.3g times as long\n",
               answer->k_star.hours / cost_curve_hours(curve, (unsigned)request->k));
    }
    if (interval->range_count > 0)
        printf("95 %% interval on K*: %s\n", k_interval_text(interval, text, sizeof text));
    printf("next: %s\n", verdict_next_text(answer, text, sizeof text));
}

/* Whether the answer is in hours of a job, and its costs in money of one. */
static bool has_hours(const struct month_family *family, const struct request *request)
{
    return family->metric == SCALING_RUN_TIME || !isnan(request->hours);
}

static bool can_keep_to(const struct month_family *family, const struct request *request, struct error *error)
{
    bool has_end = request->question.deadline_hours > 0 || request->question.budget > 0;
    if (!has_end || has_hours(family, request))
        return true;
    error_set(error, ERROR_USAGE, "advise: how long a job of family %s takes its measurements do not say: %s",
              family->name, own_times[family->metric]);
    error_hint(error, "--deadline and --budget need --k and --hours: what the job takes on that node count");
    return false;
}

/* Whether the family's measurements say anything of K*: the statement says nothing where they do not. */
static bool has_k_star(const struct month_family *family, const struct verdict_rules *rules,
                       struct error *error)
{
    if (!family->judged)
        return error_set(error, ERROR_INPUT,
                         "advise: family %s was measured under weak scaling, which gives no K*",
                         family->name);
    if (verdict_law_usable(&family->fit, rules))
        return true;
    error_set(error, ERROR_INPUT, "advise: of family %s %s", family->name,
              verdict_reason_text(VERDICT_REASON_MISFIT));
    error_hint(error, "kstar model --fits --family %s shows them", family->name);
    return false;
}

/* The family that is asked for, where it has something to say of K*; else NULL. */
static struct month_family *find_family(struct latest_families *latest, const char *name, struct error *error)
{
    struct month_family *family = month_family_find(&latest->families, name);
    if (family != NULL && family->has_series)
        return has_k_star(family, &latest->families.rules, error) ? family : NULL;
    error_set(error, ERROR_INPUT, "advise: family %s has no measurements", name);
    return NULL;
}

/* What jobs of the family cost by K, as the question has it. */
static void family_curve(const struct month_family *family, const struct request *request,
                         struct cost_curve *curve)
{
    verdict_curve(&family->fit, &request->question.price, curve);
    curve->interruption = request->question.interruption;
    if (!isnan(request->hours))
        curve->work = cost_curve_work_of(curve, (unsigned)request->k, request->hours);
    curve->work = (curve->work > 0 ? curve->work : 1) * request->longer;
}

static void print_family(const struct month_family *family, const struct request *request,
                         const struct cost_curve *curve, const char *month, const char *interrupted)
{
    print_line(stdout, "%s: %s by %s; %.6g an hour of one K, %.6g an hour besides%s%s; %s", family->name,
               family->series, scaling_fit_law_name(&family->fit), cost_curve_node_price(curve),
               cost_curve_wall_price(curve), month[0] ? ", prices of " : "", month,
               time_text(family, request));
    if (request->k == 0 && family->other_hardware[0] != '\0')
        print_line(stdout, "%s", family->other_hardware + strspn(family->other_hardware, "; "));
    printf("%s%s\n", interrupted, interrupted[0] ? "\n" : "");
}

static bool advise_family(struct request *request, PGconn *connection, struct error *error)
{
    struct latest_families latest = { 0 };
    struct advise_answer answer;
    struct advise_row *rows = NULL;
    struct cost_curve curve;
    struct k_interval interval;
    struct verdict_answer said;
    char month[16] = "", interrupted[256] = "";
    enum month_capacity capacity = CAPACITY_ON_DEMAND;
    struct month_family *family = NULL;
    bool ok = latest_families_open(connection, NULL, &latest, error) &&
              (family = find_family(&latest, request->family, error)) != NULL &&
              can_keep_to(family, request, error) && price_family(&latest, request, &capacity, month, error);
    if (ok) {
        request->question.price.per_node_hour *= request->price_factor;
        limit_family(family, request);
        interrupt_family(family, capacity, request, interrupted, sizeof interrupted);
        family_curve(family, request, &curve);
        request->question.curve = &curve;
        judge(request, family, &curve, &request->question.limits, &latest.families.rules, &interval, &said);
        request->question.limits =
            verdict_limits(&family->fit, &request->question.limits, &latest.families.rules);
        rows = answer_with_curve(&request->question, &answer);
        if (rows == NULL)
            ok = error_set(error, ERROR_USAGE, "advise: a number is out of range, or K = %d was not measured",
                           request->k);
    }
    if (ok && request->json) {
        const struct family_answer of = { family, &curve, &interval, &said, month, interrupted };
        ok = print_json(request, &answer, rows, &of, error);
    } else if (ok) {
        print_family(family, request, &curve, month, interrupted);
        print_text(&request->question, &answer, rows, has_hours(family, request) ? &in_hours : &in_own_time);
        print_verdict(request, family, &curve, &interval, &said);
    }
    free(rows);
    request->question.curve = NULL; /* its curve, and the limits it may take from the family, end here */
    latest_families_close(&latest);
    return ok;
}

static bool run(const struct command *command, int argc, char **argv, struct error *error)
{
    struct request request = { 0 };
    struct advise_answer answer;
    if (!read_request(command, argc, argv, &request, error))
        return false;
    if (request.family != NULL) {
        PGconn *connection = connect_database(&request.common, error);
        bool ok = connection != NULL && advise_family(&request, connection, error);
        connect_close(connection);
        return ok;
    }
    request.question.price.per_node_hour *= request.price_factor;
    request.question.law.t1_hours *= request.longer;
    struct advise_row *rows = answer_with_curve(&request.question, &answer);
    bool ok = rows != NULL || error_set(error, ERROR_USAGE, "advise: a number is out of range");
    if (ok && request.json)
        ok = print_json(&request, &answer, rows, NULL, error);
    else if (ok)
        print_text(&request.question, &answer, rows, &in_hours);
    free(rows);
    return ok;
}

const struct command command_advise = {
    .name = "advise",
    .summary = "the cheapest and the fastest node count of a job, from a scaling law and prices",
    .usage = "kstar advise --serial S --comm C --price P [options]\n"
             "       kstar advise --family NAME [options]",
    .description =
        "With a law given by hand no database is needed: 1/E(K) = 1 + d (K > 1) + (K-1) s + c K (K-1); C(K) "
        "= (p K + f) T(K).\n"
        "Costs are in the currency of the prices. The curve ends at --max-k, else at twice the fastest K\n"
        "or at 256. With --family the measurements of a family speak, up to twice the largest K measured.",
    .examples = "kstar advise --serial 0.03 --comm 0.0015 --price 2.10 --fixed 9 --t1 1\n"
                "kstar advise --serial 0.03 --comm 0.0015 --price 2.10 --fixed 9 --deadline 0.15 --allowed "
                "1,2,4,8,16 --json\n"
                "kstar advise --family llm-pretrain --k 64 --hours 30 --budget 50000",
    .run = run,
};
