/* night/month/month_verdicts.c: the verdict on each attempt, from its own p, f and hours and its
 * family's fit. */
#include "base/postgres/database.h"
#include "model/cost/cost_curve.h"
#include "model/cost/verdict.h"
#include "model/cost/verdict_fit.h"
#include "model/cost/verdict_texts.h"
#include "night/month/month_answers.h"
#include "night/month/month_families.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ATTEMPT_ID,
    FAMILY,
    K,
    PRICE,
    OVERHEAD,
    FIXED,
    WAITING,
    JOB_HOURS,
    DEADLINE,
    CAPACITY,
    IS_WHOLE,
    OWN_EFFICIENCY,
    OWN_SCALING,
    RAN_IN_MONTH,
    ACCELERATOR,
    SHARED_BY_NODE,
    SHARED_BY_HOUR,
    WAITING_TEXT,
    UNKNOWN_TYPE
}; /* sql/model/job_costs.sql */

/* The columns, in the order in which copy_verdict writes them. */
static const char copy_verdicts[] =
    "COPY job_verdict (attempt_id, k_star, k_least_money, k_with_waiting, k_star_interval, k_fastest, verdict, "
    "verdict_reason, low_confidence, next_measurement, cost_ratio, hours_ratio, deadline_k, excess_low, "
    "excess_high, from_production, next_k) FROM STDIN (FORMAT binary)";

/* One row of job_verdict. */
struct answer_text {
    const char *verdict;
    char reason[512];
    char interval[64];
    char next[256];
};

static void copy_verdict(struct copy_stream *answers, const char *attempt_id,
                         const struct verdict_answer *judgement, const struct answer_text *text,
                         unsigned fastest, unsigned deadline_k, bool from_production)
{
    bool is_flag = judgement->verdict == VERDICT_ABOVE || judgement->verdict == VERDICT_BELOW;
    bool is_known = is_flag && judgement->excess.draws > 0;
    copy_row(answers, 17);
    copy_int8(answers, strtoll(attempt_id, NULL, 10));
    copy_optional_count(answers, judgement->k_star.k);
    copy_optional_count(answers, judgement->least_money.k);
    copy_optional_count(answers, judgement->with_waiting.k);
    copy_string(answers, text->interval);
    copy_optional_count(answers, fastest);
    copy_string(answers, text->verdict);
    copy_string(answers, text->reason);
    copy_bool(answers, judgement->low_confidence);
    copy_string(answers, text->next);
    copy_optional_float8(answers, judgement->money_ratio);
    copy_optional_float8(answers, judgement->hours_ratio);
    copy_optional_count(answers, deadline_k);
    copy_optional_float8(answers, is_known ? judgement->excess.money_low : NAN);
    copy_optional_float8(answers, is_known ? judgement->excess.money_high : NAN);
    copy_bool(answers, from_production);
    copy_optional_count(answers, judgement->next_k);
}

/* Whether the measurements of the family name no accelerator. */
static bool is_unnamed(const struct month_family *family)
{
    return family->accelerator[0] == '\0' && !family->is_one_of_several;
}

/* What to name before anything is measured, if the accelerator of the job or series is unknown. */
static void what_to_name(const struct month_family *family, const char *accelerator, const char *unknown_type,
                         char *text, size_t size)
{
    if (accelerator[0] != '\0')
        snprintf(text, size, "name the accelerator in the family's measurements");
    else if (unknown_type[0] != '\0')
        snprintf(text, size, "say in node_accelerators.csv what gres_type %.100s is%s", unknown_type,
                 is_unnamed(family) ? ", and name the accelerator in efficiency/*.csv" : "");
    else
        snprintf(text, size, "%s",
                 is_unnamed(family) ? "name the accelerator in node_accelerators.csv and in efficiency/*.csv"
                                    : "name the accelerator of its nodes in node_accelerators.csv");
}

/* What a reason adds if the accelerator of the job or series is unknown. */
static void hardware_text(const struct month_family *family, const char *accelerator,
                          const char *unknown_type, char *text, size_t size)
{
    char unknown[160] = "its own accelerator is unknown";
    if (unknown_type[0] != '\0')
        snprintf(unknown, sizeof unknown, "the accelerator %.100s of its record is unknown", unknown_type);
    if (accelerator[0] != '\0')
        snprintf(text, size, "; it ran on %.100s, and the measurements name no accelerator", accelerator);
    else if (is_unnamed(family))
        snprintf(text, size, "; the measurements name no accelerator, and %s", unknown);
    else if (family->accelerator[0] != '\0')
        snprintf(text, size, "; measured on %.100s, and %s", family->accelerator, unknown);
    else
        snprintf(text, size, "; measured on several accelerators, and %s", unknown);
}

/* The reason in job_verdict: the verdict's reason; if there is a K*, how waiting was counted and
 * what interrupts such jobs; and what is unknown about the hardware. */
static void write_reason(const struct verdict_answer *judgement, const struct month_family *family,
                         enum month_capacity capacity, const char *waiting, const char *hardware,
                         struct answer_text *text)
{
    char rates[256];
    month_interruption_text(&family->interruptions[capacity], rates, sizeof rates);
    bool takes_part = judgement->k_star.k > 0 && rates[0] != '\0';
    bool has_k_star = judgement->k_star.k > 0;
    snprintf(text->reason, sizeof text->reason, "%s%s%s%s%s%s%s", verdict_reason_text(judgement->reason),
             has_k_star ? "; " : "", has_k_star ? waiting : "", takes_part ? "; " : "",
             takes_part ? rates : "", hardware, family->other_hardware);
}

/* The cheapest K within the job's deadline; 0 if no K is fast enough or there is no deadline. Only
 * a completed run shows how much work the job was. */
static unsigned size_in_time(const struct verdict_question *question, const struct verdict_answer *judgement,
                             const PGresult *rows, int row)
{
    if (PQgetisnull(rows, row, DEADLINE) || !result_flag(rows, row, IS_WHOLE))
        return 0;
    return verdict_size_in_time(question, judgement, strtod(PQgetvalue(rows, row, JOB_HOURS), NULL),
                                strtod(PQgetvalue(rows, row, DEADLINE), NULL));
}

/* E(K) measured on the job itself; 0 if there is none. E of another scaling than the family's fit
 * does not count: it is of other work than the job's. */
static double own_efficiency(const struct month_family *family, const PGresult *rows, int row)
{
    bool is_weak = strcmp(PQgetvalue(rows, row, OWN_SCALING), "weak") == 0;
    if (is_weak != (family->scaling == SCALING_WEAK) && !family->goal_work_constant)
        return 0;
    return strtod(PQgetvalue(rows, row, OWN_EFFICIENCY), NULL);
}

/* Asks the model about a job that has a price and a family with a fit. `is_unsure`: it is unknown
 * whether the fit is of the job's accelerator. */
static void judge(struct month_family *family, bool is_unsure, const struct verdict_rules *rules,
                  const PGresult *rows, int row, struct copy_stream *answers)
{
    struct job_price price = { .per_node_hour = strtod(PQgetvalue(rows, row, PRICE), NULL),
                               .overhead_per_node_hour = strtod(PQgetvalue(rows, row, OVERHEAD), NULL),
                               .per_wall_hour = strtod(PQgetvalue(rows, row, FIXED), NULL),
                               .waiting_per_hour = strtod(PQgetvalue(rows, row, WAITING), NULL) };
    unsigned k = (unsigned)strtoul(PQgetvalue(rows, row, K), NULL, 10);
    enum month_capacity capacity = month_capacity_of(PQgetvalue(rows, row, CAPACITY));
    struct k_table *table = month_family_table(family, capacity);
    struct cost_curve curve;
    struct k_interval interval = { 0 }, money_interval = { 0 };
    struct k_star_result fastest = { 0 };
    struct node_limits within = verdict_limits(&family->fit, &family->limits, rules);
    unsigned in_time = 0;
    struct verdict_answer judgement;
    struct answer_text text;
    month_family_curve(family, &price, capacity, &curve);
    struct cost_curve money = verdict_money_curve(&curve);
    k_table_interval(table, &curve, &interval);
    k_table_interval(table, &money, &money_interval);
    struct verdict_question question = {
        .fit = &family->fit,
        .curve = &curve,
        .limits = &family->limits,
        .interval = &interval,
        .money_interval = &money_interval,
        .table = table,
        .rules = rules,
        .k = k,
        .own_efficiency = own_efficiency(family, rows, row),
        .shared_per_node_hour = strtod(PQgetvalue(rows, row, SHARED_BY_NODE), NULL),
        .shared_per_wall_hour = strtod(PQgetvalue(rows, row, SHARED_BY_HOUR), NULL),
    };
    const char *accelerator = PQgetvalue(rows, row, ACCELERATOR),
               *unknown_type = PQgetvalue(rows, row, UNKNOWN_TYPE);
    char hardware[320] = "";
    enum verdict verdict = verdict_of(&question, &judgement);
    is_unsure = is_unsure && verdict != VERDICT_NOT_MEASURED; /* holds on any hardware */
    if (is_unsure)
        hardware_text(family, accelerator, unknown_type, hardware, sizeof hardware);
    text.verdict = verdict_name(verdict);
    judgement.low_confidence = judgement.low_confidence || is_unsure;
    write_reason(&judgement, family, capacity, PQgetvalue(rows, row, WAITING_TEXT), hardware, &text);
    /* Measurements that are not believed give no other K either: neither interval nor fastest K. */
    enum verdict_reason against;
    bool is_believed = verdict_gives_k_star(&family->fit, rules, &against);
    const struct k_interval *shown = k < judgement.least_money.k ? &money_interval : &interval;
    k_interval_text(is_believed ? shown : &(struct k_interval){ 0 }, text.interval, sizeof text.interval);
    verdict_next_text(&judgement, text.next, sizeof text.next);
    if (is_unsure) {
        what_to_name(family, accelerator, unknown_type, text.next, sizeof text.next);
        judgement.next_k = 0;
    }
    if (!is_believed || k_table_fastest(table, &curve, &fastest) != K_STAR_FOUND ||
        fastest.k > within.largest)
        fastest.k = 0; /* outside the limits, or unknown */
    if (is_believed)
        in_time = size_in_time(&question, &judgement, rows, row);
    copy_verdict(answers, PQgetvalue(rows, row, ATTEMPT_ID), &judgement, &text, fastest.k, in_time,
                 family->is_unconfirmed);
}

static void answer(const PGresult *rows, int row, void *context, struct copy_stream *answers)
{
    struct month_families *families = context;
    const char *accelerator = PQgetvalue(rows, row, ACCELERATOR);
    enum month_hardware hardware;
    struct month_family *family =
        month_family_of_jobs(families, PQgetvalue(rows, row, FAMILY), accelerator, &hardware);
    if (family != NULL && family->judged && !PQgetisnull(rows, row, PRICE)) {
        judge(family, hardware == HARDWARE_UNKNOWN, &families->rules, rows, row, answers);
        return;
    }

    struct verdict_answer nothing = { .money_ratio = NAN, .hours_ratio = NAN };
    struct answer_text text = { .verdict = verdict_name(VERDICT_NOT_MEASURED) };
    const char *reason;
    char *measured_on = NULL;
    if (hardware == HARDWARE_OTHER) {
        measured_on = month_family_hardware(families, PQgetvalue(rows, row, FAMILY));
        snprintf(text.reason, sizeof text.reason, "measured on %.200s; it ran on %.200s", measured_on,
                 accelerator);
        snprintf(text.next, sizeof text.next, "measure the family on %.200s", accelerator);
        reason = NULL;
    } else if (PQgetvalue(rows, row, FAMILY)[0] == '\0')
        reason = "the job belongs to no family";
    else if (family == NULL || !family->has_series)
        reason = verdict_reason_text(VERDICT_REASON_NO_MEASUREMENT);
    else if (!family->judged)
        reason = "the family was measured under weak scaling, which gives no K*";
    else if (!result_flag(rows, row, RAN_IN_MONTH))
        reason = "it did not run in this month: its hours have their price in another";
    else {
        reason = "none of its node-hours has a price";
        snprintf(text.next, sizeof text.next, "nothing more is needed but a price");
    }
    if (reason != NULL)
        snprintf(text.reason, sizeof text.reason, "%s", reason);
    free(measured_on);
    copy_verdict(answers, PQgetvalue(rows, row, ATTEMPT_ID), &nothing, &text, 0, 0, false);
}

bool month_verdicts(PGconn *connection, struct month_families *families, struct error *error)
{
    return month_answer(connection, "model/job_costs.sql", "job_costs", answer, families, copy_verdicts,
                        error);
}
