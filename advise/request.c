/* advise/request.c: see request.h. */
#include "advise/request.h"

#include "advise/scenario.h"
#include "forecast/scenario_file.h"

#include <math.h>
#include <stdlib.h>

/* "1,2,4,8" into request->allowed. */
static bool read_allowed(const char *text, struct advise_request *request, struct error *error)
{
    struct node_limits *limits = &request->question.limits;
    for (const char *rest = text; *rest != '\0';) {
        char *end;
        unsigned long k = strtoul(rest, &end, 10);
        bool ended = *end == '\0' || (*end == ',' && end[1] != '\0');
        if (end == rest || *rest == '-' || !ended || k < 1 || k > NODE_LIMITS_LARGEST)
            return error_set(error, ERROR_USAGE,
                             "advise: --allowed \"%s\" is not a list of node counts (1,2,4,8)", text);
        if (limits->allowed_count == ADVISE_ALLOWED_SIZES)
            return error_set(error, ERROR_USAGE, "advise: --allowed has more than %d node counts",
                             ADVISE_ALLOWED_SIZES);
        request->allowed[limits->allowed_count++] = (unsigned)k;
        rest = end + (*end == ',');
    }
    limits->allowed = request->allowed;
    return limits->allowed_count > 0 || error_set(error, ERROR_USAGE, "advise: --allowed is empty");
}

/* Values that were not given become 0. Returns whether any was given, not counting the share of
 * spot. */
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

/* Applies a scenario's values where no option gives one. */
static bool apply_scenario(const char *name, struct advise_request *request, struct error *error)
{
    struct scenario scenario;
    request->price_factor = request->longer = 1;
    request->spot_given = !isnan(request->question.interruption.price_share);
    if (name == NULL)
        return true;
    bool ok = scenario_read(name, &scenario, error);
    if (ok) {
        bool rate_given = !isnan(request->question.interruption.rate);
        advise_scenario_defaults(&scenario, &request->question);
        request->rate_is_of_a_node = !rate_given && !isnan(request->question.interruption.rate);
        request->price_factor = advise_scenario_price(&scenario);
        request->longer = advise_scenario_hours(&scenario, request->family);
        advise_scenario_omitted(&scenario, request->family, request->omitted, sizeof request->omitted);
    }
    scenario_free(&scenario);
    return ok;
}

/* Sets all numbers to NaN, which means not given. */
static void forget_numbers(struct advise_request *request)
{
    struct advise_question *question = &request->question;
    struct scaling_law *law = &question->law;
    struct job_price *price = &question->price;
    struct interruption *interruption = &question->interruption;
    law->serial_fraction = law->communication_coefficient = law->step = law->t1_hours = NAN;
    price->per_node_hour = price->per_wall_hour = price->waiting_per_hour = NAN;
    request->hours = request->fail_above = question->deadline_hours = question->budget = NAN;
    interruption->price_share = interruption->rate = NAN;
    interruption->checkpoint_hours = interruption->restart_hours = NAN;
}

/* The operand FAMILY is the same as --family. */
static bool read_operand(int first_operand, int argc, char **argv, struct advise_request *request,
                         struct error *error)
{
    bool is_double = argc - first_operand > (request->family == NULL ? 1 : 0);
    if (is_double) {
        error_set(error, ERROR_USAGE, "advise: answers about one family at a time, not also about \"%s\"",
                  argv[argc - 1]);
        error_hint(error, "put a name of several words into quotation marks");
        return false;
    }
    if (first_operand < argc)
        request->family = argv[first_operand];
    return true;
}

static bool read_options(const struct command *command, int argc, char **argv, struct advise_request *request,
                         struct error *error)
{
    int first_operand;
    struct advise_question *question = &request->question;
    struct scaling_law *law = &question->law;
    struct job_price *price = &question->price;
    struct interruption *interruption = &question->interruption;
    const struct option_entry entries[] = {
        { "family", OPTION_TEXT, "NAME", "the same as FAMILY", &request->family },
        { "curve", OPTION_TEXT, "FILE",
          "instead of a law: sizes measured, a CSV of k and hours; needs --price", &request->curve_file },
        { "k", OPTION_PLACE, "N", "judge this node count", &request->k },
        { "fail-above", OPTION_NUMBER, "SHARE",
          "with --k: end with 10 if that costs more than this share above K*, 0.1 for 10 % of its cost; with 4 if it cannot be judged",
          &request->fail_above },
        { "hours", OPTION_NUMBER, "HOURS",
          "with --k and measured sizes: what the job takes there; default: of the measured work",
          &request->hours },
        { "serial", OPTION_NUMBER, "S", "serial fraction s of the scaling law", &law->serial_fraction },
        { "comm", OPTION_NUMBER, "C", "communication coefficient c", &law->communication_coefficient },
        { "step", OPTION_NUMBER, "D", "one-off price d of leaving a single node; default 0", &law->step },
        { "price", OPTION_NUMBER, "P", "price of one node for one hour", &price->per_node_hour },
        { "currency", OPTION_TEXT, "CODE", "of the prices given; default USD", &request->currency },
        { "fixed", OPTION_NUMBER, "F",
          "fixed overhead per wall-clock hour; default 0, or that of the family's latest statement",
          &price->per_wall_hour },
        { "t1", OPTION_NUMBER, "HOURS", "run time on one node; default 1", &law->t1_hours },
        { "deadline", OPTION_NUMBER, "HOURS", "also the cheapest K that is done in time",
          &question->deadline_hours },
        { "budget", OPTION_NUMBER, "MONEY", "also the fastest K that costs no more, without waiting",
          &question->budget },
        { "waiting", OPTION_NUMBER, "W",
          "cost of an hour of waiting for the result, besides F; default 0, or that of the family's latest "
          "statement",
          &price->waiting_per_hour },
        { "spot", OPTION_NUMBER, "SHARE", "on spot capacity at this share of P, a price on demand",
          &interruption->price_share },
        { "preemptions", OPTION_NUMBER, "RATE",
          "interruptions per node-hour (per accelerator-hour if K counts those): of spot, or by failing nodes; "
          "default 0, or the rate of the family's latest statement",
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
        { "next", OPTION_FLAG, NULL,
          "what to measure next in each family, what that costs and the most that it can save; with no option but --json",
          &request->next },
        { "plot", OPTION_FLAG, NULL, "also draw cost against K", &request->plot },
        { "json", OPTION_FLAG, NULL, "print JSON", &request->json },
        { 0 },
    };
    forget_numbers(request);
    if (!options_read(command, entries, argc, argv, &request->common, &first_operand, error))
        return false;
    request->has_law = !isnan(law->serial_fraction) || !isnan(law->communication_coefficient) ||
                       !isnan(law->step) || !isnan(law->t1_hours);
    return read_operand(first_operand, argc, argv, request, error);
}

/* Whether measured sizes answer, not a law given by hand. */
static bool is_answered_by_sizes(const struct advise_request *request)
{
    return request->family != NULL || request->curve_file != NULL;
}

bool advise_request_is_list(const struct advise_request *request)
{
    return !is_answered_by_sizes(request) && !request->has_law &&
           isnan(request->question.price.per_node_hour);
}

static bool check_request(const struct advise_request *request, struct error *error)
{
    const bool is_measured = is_answered_by_sizes(request), is_by_law = !is_measured;
    const struct advise_question *question = &request->question;
    const struct scaling_law *law = &question->law;
    const struct job_price *price = &question->price;
    const struct interruption *interruption = &question->interruption;
    const struct {
        bool wrong;
        const char *message;
    } checks[] = {
        { request->next, "--next is about all families, and goes with no option but --json" },
        { request->family != NULL && request->curve_file != NULL, "a family and --curve go one at a time" },
        { is_by_law && isnan(law->serial_fraction), "--serial is missing (or FAMILY, or --curve)" },
        { is_by_law && isnan(law->communication_coefficient), "--comm is missing" },
        { request->family == NULL && isnan(price->per_node_hour), "--price is missing" },
        { is_measured && request->has_law,
          "measured sizes give the law: omit --serial, --comm, --step and --t1" },
        { request->family != NULL && request->currency != NULL,
          "prices of a family are in its statement's currency: omit --currency" },
        { is_by_law && !isnan(request->hours), "--hours needs FAMILY or --curve" },
        { !isnan(request->fail_above) && request->k == 0, "--fail-above goes with --k" },
        { request->fail_above < 0, "--fail-above is below 0" },
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

/* The defaults of values that neither an option nor a family gives. */
static void settle_defaults(struct advise_request *request)
{
    struct advise_question *question = &request->question;
    struct scaling_law *law = &question->law;
    struct job_price *price = &question->price;
    question->deadline_hours = isnan(question->deadline_hours) ? 0 : question->deadline_hours;
    question->budget = isnan(question->budget) ? 0 : question->budget;
    law->step = isnan(law->step) ? 0 : law->step;
    law->t1_hours = isnan(law->t1_hours) ? 1 : law->t1_hours;
    request->currency = request->currency != NULL ? request->currency : "USD";
    if (request->family == NULL) {
        price->per_wall_hour = isnan(price->per_wall_hour) ? 0 : price->per_wall_hour;
        price->waiting_per_hour = isnan(price->waiting_per_hour) ? 0 : price->waiting_per_hour;
    }
    question->limits.smallest = (unsigned)request->smallest;
    question->limits.largest = (unsigned)request->largest;
}

bool advise_request_read(const struct command *command, int argc, char **argv, struct advise_request *request,
                         struct error *error)
{
    if (!read_options(command, argc, argv, request, error))
        return false;
    if (advise_request_is_list(request))
        return true;
    if (!check_request(request, error))
        return false;
    settle_defaults(request);
    if (!apply_scenario(request->scenario, request, error))
        return false;
    request->interruption_given = settle_interruption(&request->question.interruption);
    return request->allowed_list == NULL || read_allowed(request->allowed_list, request, error);
}

struct advise_row *advise_request_answer(const struct advise_request *request, struct advise_answer *answer)
{
    struct advise_row *rows = calloc(ADVISE_CURVE_ROWS, sizeof *rows);
    if (advise(&request->question, rows, ADVISE_CURVE_ROWS, answer) != K_STAR_INVALID)
        return rows;
    free(rows);
    return NULL;
}
