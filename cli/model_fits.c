/* cli/model_fits.c: see model_fits.h. */
#include "cli/model_fits.h"

#include "advise/cost_plot.h"
#include "model/cost/k_table.h"
#include "model/cost/verdict.h"
#include "model/cost/verdict_fit.h"
#include "model/cost/verdict_texts.h"
#include "model/scaling/usl_form.h"
#include "night/month/latest_families.h"
#include "print/json_print.h"
#include "print/print_line.h"
#include "print/text_amount.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The printed values of one family. */
struct fit_summary {
    struct month_family *family;
    struct cost_curve curve;
    bool priced;
    enum month_capacity capacity;           /* of the prices */
    char month[16];                         /* of the prices */
    struct k_star_result cheapest, fastest; /* k 0: none */
    /* the fastest K is beyond what the measurements allow; then its k is 0, too */
    bool fastest_is_beyond;
    struct k_star_result carbon; /* shown if energy is configured */
    char interval[64];
    const char *doubt; /* why K* is of low confidence at these prices; NULL: no doubt */
    char next[256];
    struct usl_fit usl[2]; /* by usl_form; runs 0: no fit */
    /* of a job at K*, or if there is none, at the largest measured size */
    struct verdict_answer verdict;
};

/* Fits the law as other tools do, for a reader who wants to check. */
static void fit_usl(const struct month_family *family, struct usl_fit usl[2])
{
    for (int form = 0; form < 2; form++) {
        if (usl_fit((enum usl_form)form, family->measurements, family->measurement_count, &usl[form]) !=
            USL_FITTED)
            usl[form].runs = 0;
    }
}

/* Uses the family's latest prices. Without any, 1 per node-hour gives a curve, but no K*. */
static void describe(const struct latest_families *latest, struct month_family *family,
                     struct fit_summary *summary)
{
    struct job_price price = { .per_node_hour = 1 };
    char month[16] = "";
    enum month_capacity capacity = CAPACITY_ON_DEMAND;
    bool priced = latest_family_price(latest, family, &price, &capacity, month);
    *summary =
        (struct fit_summary){ .family = family, .priced = priced && family->judged, .capacity = capacity };
    memcpy(summary->month, month, sizeof summary->month);
    fit_usl(family, summary->usl);
    month_family_curve(family, &price, capacity, &summary->curve);
    if (!summary->priced)
        return;
    struct k_interval interval = { 0 };
    struct k_table *table = month_family_table(family, capacity);
    enum verdict_reason against;
    bool is_usable = verdict_gives_k_star(&family->fit, &latest->families.rules, &against);
    if (is_usable)
        k_table_interval(table, &summary->curve, &interval);
    if (!is_usable || k_table_star(table, &summary->curve, &summary->cheapest) != K_STAR_FOUND)
        summary->cheapest.k = 0;
    if (summary->cheapest.k > 0)
        summary->doubt = verdict_doubt(&family->fit, &summary->curve, &family->limits, summary->cheapest.k);
    struct node_limits within = verdict_limits(&family->fit, &family->limits, &latest->families.rules);
    bool has_fastest =
        is_usable && k_table_fastest(table, &summary->curve, &summary->fastest) == K_STAR_FOUND;
    summary->fastest_is_beyond = has_fastest && summary->fastest.k > within.largest;
    if (!has_fastest || summary->fastest_is_beyond)
        summary->fastest.k = 0;
    if (!is_usable || k_carbon(&summary->curve, &family->limits, &summary->carbon) != K_STAR_FOUND)
        summary->carbon.k = 0;
    k_interval_text(&interval, summary->interval, sizeof summary->interval);
    struct verdict_question question = { .fit = &family->fit,
                                         .curve = &summary->curve,
                                         .limits = &family->limits,
                                         .interval = &interval,
                                         .table = table,
                                         .rules = &latest->families.rules,
                                         .k = summary->cheapest.k > 0 ? summary->cheapest.k
                                                                      : scaling_fit_largest_k(&family->fit) };
    verdict_of(&question, &summary->verdict);
    verdict_next_text(&summary->verdict, summary->next, sizeof summary->next);
}

/* ---- as text ---- */

/* The noise is from repeats, or from the roughness, which needs an inner size to omit. */
static void print_growth(const struct scaling_fit *fit)
{
    printf("            growth %.3f beyond K = %u", fit->growth.beyond, scaling_fit_largest_k(fit));
    if (fit->freedom > 0)
        printf("; noise of a run %.1f%%", 100 * fit->noise);
    if (!isnan(fit->roughness))
        printf("%s roughness of the sizes %.1f%%", fit->freedom > 0 ? "," : ";", 100 * fit->roughness);
    printf("\n");
}

static void print_law(const struct month_family *family)
{
    const struct scaling_fit *fit = &family->fit;
    print_line(stdout, "  law       %s: %s%s%s", scaling_fit_law_name(fit), scaling_reason_text(fit->reason),
               family->other_hardware, fit->confidence == SCALING_CONFIDENCE_LOW ? "; low confidence" : "");
    if (fit->outcome == SCALING_FIT_LAW)
        printf("            T(%u) = %.6g, s = %.6g, c = %.6g, d = %.6g; R2 of E %.4f, largest residual "
               "%.1f%%\n",
               scaling_law_smallest_k(&fit->law), fit->law.t1_hours, fit->law.serial_fraction,
               fit->law.communication_coefficient, fit->law.step, fit->r_squared,
               100 * fit->largest_residual);
    if (fit->outcome == SCALING_FIT_GROWTH)
        print_growth(fit);
    for (int form = 0; form < 2; form++) {
        const struct scaling_candidate *candidate = &fit->candidates[form];
        if (candidate->possible && !(fit->outcome == SCALING_FIT_LAW && (int)fit->law.form == form))
            printf("  also      %s: s = %.6g, c = %.6g, d = %.6g, residual sum %.3g\n",
                   scaling_form_name(candidate->law.form), candidate->law.serial_fraction,
                   candidate->law.communication_coefficient, candidate->law.step, candidate->residual_sum);
    }
}

static void print_usl(const struct usl_fit usl[2])
{
    static const char *const forms[] = { "of throughput", "of efficiency" };
    for (int form = 0; form < 2; form++) {
        if (usl[form].runs > 0)
            printf("  R usl     sigma %.5g, kappa %.5g, lambda %.5g; residual sum of squares %s %.6g\n",
                   usl[form].sigma, usl[form].kappa, usl[form].lambda, forms[form], usl[form].residual_sum);
    }
}

static void print_sizes(const struct fit_summary *summary)
{
    const struct scaling_fit *fit = &summary->family->fit;
    printf("  %7s %8s %14s %10s %10s %9s\n", "K", "repeats", "measured", "E", "E by fit", "off");
    for (size_t i = 0; i < fit->size_count; i++) {
        const struct measured_size *size = &fit->sizes[i];
        double fitted = cost_curve_fitted_hours(&summary->curve, size->k);
        double efficiency = scaling_measured_efficiency(fit, size);
        printf("  %7u %8u %14.6g %9.1f%%", size->k, size->repeats, size->hours, 100 * efficiency);
        if (isnan(fitted))
            printf(" %10s %9s\n", "-", "-");
        else
            printf(" %9.1f%% %8.1f%%%s\n", 100 * efficiency * size->hours / fitted,
                   percent_of(fitted / size->hours - 1), size->law_misses ? "  judged as measured" : "");
    }
}

/* Prints the interruptions with which K* was found. */
static void print_interruption(const struct fit_summary *summary)
{
    char rates[256];
    month_interruption_text(&summary->family->interruptions[summary->capacity], rates, sizeof rates);
    printf("  capacity  %s%s%s\n", month_capacity_name(summary->capacity), rates[0] ? ": " : "", rates);
}

static void print_k_star(const struct fit_summary *summary)
{
    const struct k_star_result *cheapest = &summary->cheapest;
    const struct scaling_fit *fit = &summary->family->fit;
    bool is_measured = measured_at(fit->sizes, fit->size_count, cheapest->k) != NULL;
    if (cheapest->k > 0)
        printf("  K*        %u%s%s%s%s%s%s%s\n", cheapest->k, summary->interval[0] ? " (95 %: " : "",
               summary->interval, summary->interval[0] ? ")" : "", is_measured ? "" : ", not measured itself",
               summary->verdict.verdict == VERDICT_EXTRAPOLATED ? ", beyond twice the largest size measured"
                                                                : "",
               summary->doubt != NULL ? "; low confidence: " : "",
               summary->doubt != NULL ? summary->doubt : "");
    else if (summary->verdict.unbounded)
        printf("  K*        none: cost falls for ever; give the family a maximum_k\n");
    else
        printf("  K*        none: %s\n", verdict_reason_text(summary->verdict.reason));
}

/* Prints the cost of an hour of waiting that K* counts, and the K of the least money. */
static void print_band(const struct fit_summary *summary)
{
    double waiting = summary->curve.price.waiting_per_hour;
    if (summary->cheapest.k == 0)
        return;
    if (waiting > 0)
        printf("  band      from K = %u, the least money, to K*, with waiting counted at %.6g an hour\n",
               summary->verdict.least_money.k, waiting);
    else
        printf("  waiting   not counted\n");
}

/* Prints the K of the least energy, compared with K*. Energy is in proportion to node-hours. */
static void print_carbon(const struct fit_summary *summary, bool has_energy)
{
    const struct k_star_result *carbon = &summary->carbon, *cheapest = &summary->cheapest;
    if (!has_energy || carbon->k == 0)
        return;
    printf("  carbon    %u takes the least energy for a result", carbon->k);
    if (cheapest->k > 0 && carbon->k != cheapest->k)
        printf(": %.1f%% less than K*, in %.2f times its hours",
               percent_of(1 - carbon->cost / (cheapest->k * cheapest->hours)),
               carbon->hours / cheapest->hours);
    printf("%s\n", carbon->k == cheapest->k ? ", as K*" : "");
}

/* Prints caveats of the fit. */
static void print_scope(const struct month_family *family)
{
    unsigned smallest = scaling_fit_smallest_k(&family->fit);
    if (smallest > scaling_fit_one_node(&family->fit))
        printf("  scope     E is relative to K = %u, the smallest measured; below it nothing is known\n",
               smallest);
    if (family->other_series > 0)
        printf(
            "  scope     %u other series, measured at another scaling, metric, precision or batch, not in this "
            "fit\n",
            family->other_series);
}

static void print_family(const struct fit_summary *summary, bool has_energy, bool plot)
{
    const struct month_family *family = summary->family;
    print_line(stdout, "%s: %s, %s scaling, %u run%s of %zu size%s", family->name, family->series,
               family->scaling == SCALING_WEAK ? "weak" : "strong", family->fit.runs,
               family->fit.runs == 1 ? "" : "s", family->fit.size_count,
               family->fit.size_count == 1 ? "" : "s");
    print_law(family);
    print_usl(summary->usl);
    print_scope(family);
    print_sizes(summary);
    if (summary->priced) {
        printf("  prices    %.6g an hour of one K, %.6g an hour besides (%s)\n",
               cost_curve_node_price(&summary->curve), cost_curve_wall_price(&summary->curve),
               summary->month);
        print_interruption(summary);
        print_k_star(summary);
        print_band(summary);
        print_carbon(summary, has_energy);
        if (summary->fastest.k > 0)
            printf("  fastest   %u\n", summary->fastest.k);
        else if (summary->fastest_is_beyond)
            printf("  fastest   beyond twice the largest size measured\n");
        printf("  next      %s\n", summary->next);
    } else {
        printf("  K*        none: %s\n", family->judged ? "no job in a statement gives it prices"
                                                        : "it was measured under weak scaling");
    }
    if (plot && family->fit.size_count > 1)
        cost_plot(stdout, &summary->curve, cost_curve_largest_k(&summary->curve), summary->cheapest.k,
                  summary->priced ? "cost" : "node-hours");
    printf("\n");
}

/* ---- as JSON ---- */

static void add_text(cJSON *object, const char *name, const char *text) /* NULL: null */
{
    cJSON_AddItemToObject(object, name, text != NULL ? cJSON_CreateString(text) : cJSON_CreateNull());
}

static void add_count(cJSON *object, const char *name, unsigned value)
{
    cJSON_AddItemToObject(object, name, value > 0 ? cJSON_CreateNumber(value) : cJSON_CreateNull());
}

static void add_interruption(cJSON *object, const struct fit_summary *summary)
{
    const struct month_interruption *known = &summary->family->interruptions[summary->capacity];
    bool is_interrupted = summary->priced && known->from != NULL;
    add_text(object, "capacity", summary->priced ? month_capacity_name(summary->capacity) : NULL);
    json_add_number(object, "interruptions_per_node_hour", is_interrupted ? known->rate_per_node_hour : NAN);
    add_text(object, "interruptions_from", is_interrupted ? known->from : NULL);
    json_add_number(object, "checkpoint_hours", is_interrupted ? known->interruption.checkpoint_hours : NAN);
    json_add_number(object, "restart_hours", is_interrupted ? known->interruption.restart_hours : NAN);
}

static void add_usl(cJSON *object, const struct usl_fit usl[2])
{
    static const char *const names[] = { "usl_throughput", "usl_efficiency" };
    for (int form = 0; form < 2; form++) {
        cJSON *fit = usl[form].runs > 0 ? cJSON_CreateObject() : cJSON_CreateNull();
        cJSON_AddItemToObject(object, names[form], fit);
        if (usl[form].runs == 0)
            continue;
        cJSON_AddNumberToObject(fit, "sigma", usl[form].sigma);
        cJSON_AddNumberToObject(fit, "kappa", usl[form].kappa);
        cJSON_AddNumberToObject(fit, "lambda", usl[form].lambda);
        cJSON_AddNumberToObject(fit, "residual_sum", usl[form].residual_sum);
        json_add_number(fit, "r_squared", usl[form].r_squared);
        json_add_number(fit, "peak_k", usl[form].peak);
    }
}

static cJSON *family_json(const struct fit_summary *summary, bool has_energy)
{
    const struct scaling_fit *fit = &summary->family->fit;
    bool law = fit->outcome == SCALING_FIT_LAW;
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "family", summary->family->name);
    cJSON_AddStringToObject(object, "series", summary->family->series);
    cJSON_AddNumberToObject(object, "other_series", summary->family->other_series);
    cJSON_AddStringToObject(object, "scaling", summary->family->scaling == SCALING_WEAK ? "weak" : "strong");
    cJSON_AddStringToObject(object, "law", scaling_fit_law_name(fit));
    char reason[512];
    snprintf(reason, sizeof reason, "%s%s%s%s", scaling_reason_text(fit->reason),
             summary->doubt != NULL ? "; " : "", summary->doubt != NULL ? summary->doubt : "",
             summary->family->other_hardware);
    cJSON_AddStringToObject(object, "reason", reason);
    cJSON_AddBoolToObject(object, "low_confidence",
                          fit->confidence == SCALING_CONFIDENCE_LOW || summary->doubt != NULL);
    json_add_number(object, "t1_hours", law ? fit->law.t1_hours : NAN);
    json_add_number(object, "serial_fraction", law ? fit->law.serial_fraction : NAN);
    json_add_number(object, "communication_coefficient", law ? fit->law.communication_coefficient : NAN);
    json_add_number(object, "step", law ? fit->law.step : NAN);
    json_add_number(object, "r_squared", law ? fit->r_squared : NAN);
    json_add_number(object, "largest_residual", fit->size_count > 2 ? fit->largest_residual : NAN);
    add_usl(object, summary->usl);
    cJSON *sizes = cJSON_AddArrayToObject(object, "sizes");
    for (size_t i = 0; i < fit->size_count; i++) {
        cJSON *size = cJSON_CreateObject();
        cJSON_AddNumberToObject(size, "k", fit->sizes[i].k);
        cJSON_AddNumberToObject(size, "repeats", fit->sizes[i].repeats);
        cJSON_AddNumberToObject(size, "measured", fit->sizes[i].hours);
        cJSON_AddNumberToObject(size, "efficiency", scaling_measured_efficiency(fit, &fit->sizes[i]));
        json_add_number(size, "fitted", cost_curve_fitted_hours(&summary->curve, fit->sizes[i].k));
        cJSON_AddItemToArray(sizes, size);
    }
    json_add_number(object, "price_per_k_hour",
                    summary->priced ? cost_curve_node_price(&summary->curve) : NAN);
    json_add_number(object, "price_per_wall_hour",
                    summary->priced ? cost_curve_wall_price(&summary->curve) : NAN);
    add_interruption(object, summary);
    add_count(object, "k_star", summary->cheapest.k);
    cJSON_AddStringToObject(object, "k_star_interval", summary->interval);
    json_add_number(object, "waiting_per_hour",
                    summary->priced ? summary->curve.price.waiting_per_hour : NAN);
    add_count(object, "k_least_money", summary->verdict.least_money.k);
    add_count(object, "k_fastest", summary->fastest.k);
    if (has_energy)
        add_count(object, "k_carbon", summary->carbon.k);
    cJSON_AddStringToObject(object, "next_measurement", summary->next);
    return object;
}

/* ---- all families ---- */

static bool print_all(struct latest_families *latest, const char *wanted, bool plot, bool json,
                      struct error *error)
{
    cJSON *list = json ? cJSON_CreateArray() : NULL;
    bool found = false, ok = true;
    for (int i = 0; i < latest->families.count; i++) {
        struct month_family *family = &latest->families.families[i];
        struct fit_summary summary;
        bool is_wanted =
            wanted == NULL || strcmp(wanted, family->name) == 0 || strcmp(wanted, family->family) == 0;
        if (!family->has_series || !is_wanted)
            continue;
        found = true;
        describe(latest, family, &summary);
        if (json)
            cJSON_AddItemToArray(list, family_json(&summary, latest->has_energy));
        else
            print_family(&summary, latest->has_energy, plot);
    }
    if (!found)
        ok = wanted != NULL ? error_set(error, ERROR_INPUT, "family %s has no measurements", wanted)
                            : error_set(error, ERROR_INPUT, "no family has measurements");
    if (ok && json)
        return json_print(list, error);
    cJSON_Delete(list);
    return ok;
}

bool model_fits(PGconn *connection, const char *family, bool plot, bool json, struct error *error)
{
    struct latest_families latest = { 0 };
    bool ok = latest_families_open(connection, NULL, &latest, error) &&
              print_all(&latest, family, plot, json, error);
    latest_families_close(&latest);
    return ok;
}
