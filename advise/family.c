/* advise/family.c: see family.h. */
#include "advise/family.h"

#include "base/text/near_name.h"
#include "advise/curve.h"
#include "advise/list.h"
#include "advise/print.h"
#include "advise/sentence.h"
#include "model/cost/verdict.h"
#include "model/cost/verdict_fit.h"
#include "model/cost/verdict_texts.h"
#include "night/month/latest_families.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A price paid for spot already has the spot share: --spot is refused, and a scenario's share does
 * not apply. */
static bool keep_spot_price(struct advise_request *request, struct error *error)
{
    if (request->spot_given) {
        error_set(error, ERROR_USAGE, "advise: the latest price of family %s is of spot capacity already",
                  request->family);
        error_hint(error, "omit --spot, or give --price on demand");
        return false;
    }
    request->question.interruption.spot = false;
    return true;
}

/* Sets prices. Given ones win over those of the family's latest statement. */
static bool price_family(const struct latest_families *latest, const struct month_family *family,
                         struct advise_request *request, enum month_capacity *capacity, char month[16],
                         struct error *error)
{
    struct job_price *price = &request->question.price, last = { 0 };
    bool known = latest_family_price(latest, family, &last, capacity, month);
    if (isnan(price->per_node_hour) && !known) {
        error_set(error, ERROR_INPUT, "advise: no job in a statement gives family %s prices",
                  request->family);
        error_hint(error, "give --price, and --fixed where there is overhead");
        return false;
    }
    if (!isnan(price->per_node_hour))
        *capacity = CAPACITY_ON_DEMAND; /* a given price is on demand, whatever was paid last */
    else if (*capacity == CAPACITY_SPOT && !keep_spot_price(request, error))
        return false;
    if (!isnan(price->per_node_hour) && !isnan(price->per_wall_hour) &&
        (!isnan(price->waiting_per_hour) || last.waiting_per_hour <= 0))
        month[0] = '\0';
    if (isnan(price->per_node_hour)) {
        price->per_node_hour = last.per_node_hour;
        price->overhead_per_node_hour = last.overhead_per_node_hour;
    }
    if (isnan(price->per_wall_hour))
        price->per_wall_hour = known ? last.per_wall_hour : 0;
    if (isnan(price->waiting_per_hour))
        price->waiting_per_hour = known ? last.waiting_per_hour : 0;
    return true;
}

/* Sets the interruptions of the family's jobs, unless an option does. `from` gets them in words. */
static void interrupt_family(const struct month_family *family, enum month_capacity capacity,
                             struct advise_request *request, char *from, size_t size)
{
    struct interruption *interruption = &request->question.interruption;
    const struct month_interruption *known =
        &family->interruptions[interruption->spot ? CAPACITY_SPOT : capacity];
    from[0] = '\0';
    if (request->rate_is_of_a_node && family->limits.accelerators_per_node > 1)
        interruption->rate /= family->limits.accelerators_per_node;
    if (request->interruption_given || known->from == NULL)
        return;
    interruption->rate = known->interruption.rate;
    interruption->checkpoint_hours = known->interruption.checkpoint_hours;
    interruption->restart_hours = known->interruption.restart_hours;
    month_interruption_text(known, from, size);
}

/* Sets the family's own limits, unless options give others. A scenario's limits apply besides. */
static void limit_family(const struct month_family *family, struct advise_request *request)
{
    struct node_limits *limits = &request->question.limits;
    if (limits->allowed_count == 0) {
        limits->allowed = family->limits.allowed;
        limits->allowed_count = family->limits.allowed_count;
        limits->powers_of_two = limits->powers_of_two || family->limits.powers_of_two;
    }
    limits->accelerators_per_node = family->limits.accelerators_per_node;
    limits->smallest = limits->smallest > 0 ? limits->smallest : family->limits.smallest;
    bool is_smaller = family->limits.largest > 0 && family->limits.largest < limits->largest;
    if (limits->largest == 0 || (request->largest == 0 && is_smaller))
        limits->largest = family->limits.largest;
}

/* Judges the job as a statement would, or without --k a job on the largest size measured. All
 * allowed K take part, as in a statement: so it is visible if K* is beyond the measurements.
 * Overhead counts as overhead of shared pools, which a statement assumes if no pool is declared to
 * end with a job. */
static void judge(const struct advise_request *request, const struct verdict_rules *rules,
                  struct advise_family_answer *answer)
{
    const struct scaling_fit *fit = &answer->family->fit;
    const struct node_limits *limits = &request->question.limits;
    struct k_table *table = k_table_make(fit, &answer->curve, limits);
    k_table_interval(table, &answer->curve, &answer->interval);
    const struct cost_curve money = verdict_money_curve(&answer->curve);
    struct k_interval money_interval;
    k_table_interval(table, &money, &money_interval);
    struct verdict_question question = { .fit = fit,
                                         .curve = &answer->curve,
                                         .limits = limits,
                                         .interval = &answer->interval,
                                         .money_interval = &money_interval,
                                         .table = table,
                                         .rules = rules,
                                         .shared_per_node_hour = money.price.overhead_per_node_hour,
                                         .shared_per_wall_hour = money.price.per_wall_hour,
                                         .k = request->k > 0 ? (unsigned)request->k
                                                             : scaling_fit_largest_k(fit) };
    verdict_of(&question, &answer->verdict);
    k_table_free(table);
    if (question.k < answer->verdict.least_money.k)
        answer->interval = money_interval;
}

static bool can_keep_to(const struct month_family *family, const struct advise_request *request,
                        struct error *error)
{
    bool has_end = request->question.deadline_hours > 0 || request->question.budget > 0;
    if (!has_end || advise_has_hours(family, request))
        return true;
    error_set(error, ERROR_USAGE, "advise: how long a job of family %s takes its measurements do not say: %s",
              family->name, advise_time_text(family, request));
    error_hint(error, "--deadline and --budget need --k and --hours: what the job takes on that node count");
    return false;
}

/* Whether the measurements give a K*. If not, the statement has no row of the family. */
static bool has_k_star(const struct month_family *family, const struct verdict_rules *rules, bool is_of_file,
                       struct error *error)
{
    if (!family->judged)
        return error_set(error, ERROR_INPUT,
                         "advise: family %s was measured under weak scaling, which gives no K*",
                         family->name);
    enum verdict_reason against;
    if (verdict_gives_k_star(&family->fit, rules, &against))
        return true;
    error_set(error, ERROR_INPUT, "advise: of %s%s %s", is_of_file ? "" : "family ", family->name,
              verdict_reason_text(against));
    if (!is_of_file)
        error_hint(error, "kstar model --fits --family %s shows them", family->name);
    return false;
}

/* The fit with that name. A fit with the plain name of its family may also be named like the
 * others: FAMILY on ACCELERATOR. */
static const struct month_family *fit_named(struct month_families *families, const char *name)
{
    const struct month_family *found = month_family_find(families, name);
    for (int i = 0; found == NULL && name != NULL && i < families->count; i++) {
        const struct month_family *fit = &families->families[i];
        size_t length = strlen(fit->family);
        if (fit->is_one_of_several && strncmp(name, fit->family, length) == 0 &&
            strncmp(name + length, " on ", strlen(" on ")) == 0 &&
            strcmp(name + length + strlen(" on "), fit->accelerator) == 0)
            found = fit;
    }
    return found;
}

/* The name is neither declared nor measured, so it is probably misspelt. */
static bool refuse_unknown(const struct latest_families *latest, const char *name, struct error *error)
{
    const char *meant = NULL;
    for (int i = 0; i < latest->families.count; i++)
        near_name_keep(name, latest->families.families[i].name, &meant);
    error_set(error, ERROR_INPUT, "advise: there is no family %s: it is neither declared nor measured", name);
    if (meant != NULL)
        error_hint(error, "did you mean: kstar advise \"%s\"", meant);
    else
        error_hint(error, "kstar advise without a name lists the families");
    return false;
}

/* The requested family, if its measurements give a K*; else NULL. */
static const struct month_family *find_family(struct latest_families *latest, const char *name,
                                              bool is_of_file, struct error *error)
{
    const struct month_family *family = fit_named(&latest->families, name);
    if (family == NULL) {
        refuse_unknown(latest, name, error);
    } else if (!family->has_series) {
        error_set(error, ERROR_INPUT, "advise: family %s is declared, but no series of it was measured",
                  name);
        error_hint(error, "deliver its sizes to efficiency/ (docs/formats.md), or give --curve FILE; "
                          "kstar model --again --verbose says why jobs at work make no series");
    } else if (has_k_star(family, &latest->families.rules, is_of_file, error)) {
        return family;
    }
    return NULL;
}

/* The cost of the requested job of the family, by K. */
static bool family_curve(const struct month_family *family, const struct advise_request *request,
                         struct cost_curve *curve, struct error *error)
{
    verdict_curve(&family->fit, &request->question.price, curve);
    curve->interruption = request->question.interruption;
    if (!isnan(request->hours)) {
        curve->work = cost_curve_work_of(curve, (unsigned)request->k, request->hours);
        if (isnan(curve->work)) {
            error_set(error, ERROR_USAGE,
                      "advise: no time is known for K = %d, so its --hours say nothing about other K",
                      request->k);
            error_hint(error, "omit --hours, or give those on a K that was measured");
            return false;
        }
    }
    curve->work = (curve->work > 0 ? curve->work : 1) * request->longer;
    return true;
}

/* Fills in what the request leaves open, and what is known of the family besides the answer. */
static bool ask_family(const struct latest_families *latest, struct advise_request *request,
                       struct advise_family_answer *of, struct error *error)
{
    enum month_capacity capacity = CAPACITY_ON_DEMAND;
    if (!can_keep_to(of->family, request, error) ||
        !price_family(latest, of->family, request, &capacity, of->month, error))
        return false;
    request->question.price.per_node_hour *= request->price_factor;
    limit_family(of->family, request);
    interrupt_family(of->family, capacity, request, of->interrupted, sizeof of->interrupted);
    if (!family_curve(of->family, request, &of->curve, error))
        return false;
    request->question.curve = &of->curve;
    judge(request, &latest->families.rules, of);
    request->question.limits =
        verdict_limits(&of->family->fit, &request->question.limits, &latest->families.rules);
    return true;
}

static bool answer_family(struct latest_families *latest, struct advise_request *request, const char *name,
                          struct error *error)
{
    bool is_of_file = request->curve_file != NULL;
    struct advise_family_answer of = { .family = find_family(latest, name, is_of_file, error) };
    struct advise_answer answer;
    if (of.family == NULL || !ask_family(latest, request, &of, error))
        return false;
    struct advise_row *rows = advise_request_answer(request, &answer);
    bool ok = rows != NULL
                  ? advise_print(request, &answer, rows, &of, error)
                  : error_set(error, ERROR_USAGE,
                              "advise: a number is out of range, or K = %d was not measured", request->k);
    if (ok)
        advise_fail_above(request, &answer, rows, &of, error);
    free(rows);
    request->question.curve = NULL; /* the curve is gone when this function returns */
    return ok;
}

/* A family's prices are in its statement's currency, and given prices are in the same. */
static void take_currency(const struct latest_families *latest, struct advise_request *request)
{
    const char *currency = latest_families_currency(latest);
    if (currency != NULL)
        request->currency = currency;
}

/* A reader must not learn whether other cost centres have such a family. */
static bool refuse_unseen(const char *name, struct error *error)
{
    error_set(error, ERROR_INPUT, "advise: no job of your cost centres is of family %s", name);
    error_hint(error, "kstar advise without a name lists the families of your jobs");
    return false;
}

bool advise_family(struct advise_request *request, PGconn *connection, bool is_reader, struct error *error)
{
    struct latest_families latest = { 0 };
    bool ok = is_reader ? latest_families_open_seen(connection, &latest, error)
                        : latest_families_open(connection, NULL, &latest, error);
    if (ok && is_reader && !advise_request_is_list(request) &&
        fit_named(&latest.families, request->family) == NULL)
        ok = refuse_unseen(request->family, error);
    if (ok)
        take_currency(&latest, request);
    if (ok && advise_request_is_list(request))
        ok = advise_list(request, &latest, error);
    else if (ok)
        ok = answer_family(&latest, request, request->family, error);
    latest_families_close(&latest); /* also the list to which the request's limits may point */
    return ok;
}

bool advise_by_curve(struct advise_request *request, struct error *error)
{
    struct latest_families latest = { 0 };
    bool ok = advise_curve_read(request->curve_file, &latest.families, error) &&
              answer_family(&latest, request, request->curve_file, error);
    latest_families_close(&latest);
    return ok;
}
