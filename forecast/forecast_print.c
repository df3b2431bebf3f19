/* forecast/forecast_print.c: see forecast_print.h. */
#include "forecast/forecast_print.h"

#include "forecast/forecast_floors.h"
#include "forecast/forecast_leaves.h"
#include "print/print_line.h"
#include "print/text_amount.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void print_month(scenario_month month)
{
    char text[8];
    text_name_print(scenario_month_text(month, text));
}

static void print_headings(const char *first, const char *const *headings, int count)
{
    text_name_print(first);
    for (int i = 0; i < count; i++)
        printf(" %*s", TEXT_AMOUNT, headings[i]);
    printf("\n");
}

void forecast_print_history(const struct forecast_history *history)
{
    char from[8], to[8];
    const char *headings[2 + COST_EFFECTS] = { "cost", "change" };
    for (int i = 0; i < COST_EFFECTS; i++)
        headings[2 + i] = cost_effect_name((enum cost_effect)i);
    printf("history %s to %s, in %s: what changed, and why\n", scenario_month_text(history->first, from),
           scenario_month_text(history->first + (int)history->months - 1, to), history->currency);
    print_headings("month", headings, 2 + COST_EFFECTS);
    for (size_t month = 0; month < history->months; month++) {
        int64_t effects[COST_EFFECTS], cost = forecast_history_cost(history, month);
        print_month(history->first + (int)month);
        text_amount_print(cost, history->digits);
        if (month > 0) {
            forecast_history_change(history, month, effects);
            text_amount_print(cost - forecast_history_cost(history, month - 1), history->digits);
            for (int i = 0; i < COST_EFFECTS; i++)
                text_amount_print(effects[i], history->digits);
        }
        printf("\n");
    }
}

static void print_row(const struct forecast_result *result, int month, const struct forecast_range *range,
                      int digits)
{
    text_amount_print(forecast_result_sum(result, month, -1, -1), digits);
    text_amount_print(llround(range->p10), digits);
    text_amount_print(llround(range->p50), digits);
    text_amount_print(llround(range->p90), digits);
    printf("\n");
}

static void print_back_test(const struct back_test *test)
{
    if (test->held_back == 0)
        return;
    printf("  back-test: the last %u month%s held back, ", test->held_back, test->held_back == 1 ? "" : "s");
    if (isnan(test->error))
        printf("which cost nothing: the error is no share of that\n");
    else
        printf("off by %.1f %% (bias %+.1f %%; like the month before: %.1f %%)\n", 100 * test->error,
               percent_of(test->bias), 100 * test->naive_error);
}

static void print_trainings(const struct forecast_history *history, const struct forecast_result *result)
{
    char cost[48], other[48], month[8];
    for (size_t i = 0; i < result->scenario.training_count; i++) {
        const struct scenario_training *plan = &result->scenario.trainings[i];
        const struct training_answer *answer = &result->answers[i];
        if (answer->k == 0)
            continue;
        print_part(stdout, "  training %s, %s, %s: K = %u, %.4g hours, E %.1f %%, %s", plan->name,
                   scenario_month_text(plan->month, month), plan->family, answer->k, answer->hours,
                   100 * answer->efficiency, amount_text(llround(answer->cost), history->digits, cost));
        if (answer->k_star > 0 && answer->k_star != answer->k)
            printf("; at K* = %u: %s", answer->k_star,
                   amount_text(llround(answer->cost_at_k_star), history->digits, other));
        printf("\n");
    }
}

/* Prints the components of the total that are not 0. */
static void print_components(const struct forecast_history *history, const struct forecast_result *result)
{
    for (int component = 0; component < FORECAST_COMPONENTS; component++) {
        int64_t sum = forecast_result_sum(result, -1, -1, component);
        if (sum == 0)
            continue;
        text_name_print(forecast_component_name((enum forecast_component)component));
        text_amount_print(sum, history->digits);
        printf("\n");
    }
}

static void print_centres(const struct forecast_history *history, const struct forecast_result *result)
{
    size_t *first = forecast_leaves_of_centres(result);
    int64_t *sums = forecast_leaves_sums(result, first, -1);
    for (size_t i = 0; i < result->leaf_count; i++) {
        if (sums[i] == 0)
            continue;
        text_name_print(forecast_leaves_centre(result->leaves[i].cost_centre));
        text_amount_print(sums[i], history->digits);
        printf("\n");
    }
    free(sums);
    free(first);
}

static void print_freed_by(const struct forecast_history *history, const struct forecast_result *result,
                           int lever)
{
    if (lever >= 0 && lever < FORECAST_LEVERS && result->freed[lever] != 0)
        text_amount_print(result->freed[lever], history->digits);
    printf("\n");
}

/* Prints the bridge from the base to the scenario, if any lever has an effect, and the capacity
 * that each lever frees but does not save. */
static void print_bridge(const struct forecast_history *history, const struct forecast_result *result)
{
    static const char *const headings[] = { "amount", "freed capacity" };
    bool any = false, any_freed = false;
    for (int lever = 0; lever < FORECAST_LEVERS; lever++) {
        any = any || result->bridge[lever + 1] != 0;
        any_freed = any_freed || result->freed[lever] != 0;
    }
    if (!any && !any_freed)
        return;
    printf(" from the base, by lever, all months\n");
    if (any_freed)
        print_headings("lever", headings, 2);
    for (int i = 0; i < FORECAST_LEVERS + 2; i++) {
        bool is_lever = i > 0 && i <= FORECAST_LEVERS;
        if (i > 0 && result->bridge[i] == 0 && !(is_lever && result->freed[i - 1] != 0))
            continue;
        text_name_print(i == 0 ? "base"
                        : i == FORECAST_LEVERS + 1
                            ? "rounding"
                            : forecast_lever_title((enum forecast_lever)(i - 1), result->scenario.policy));
        text_amount_print(result->bridge[i], history->digits);
        print_freed_by(history, result, i - 1);
    }
}

/* Prints the committed and owned hardware that the levers leave without work. It is still paid. */
static void print_freed(const struct forecast_history *history, const struct forecast_result *result)
{
    bool is_any = false;
    for (size_t i = 0; i < result->forecast.floor_count; i++) {
        int64_t freed = forecast_floors_freed(result, -1, i);
        if (freed == 0)
            continue;
        if (!is_any)
            printf(" freed capacity, paid and without work, all months\n");
        is_any = true;
        char *name = forecast_floors_name(&result->forecast.floors[i]);
        text_name_print(name);
        free(name);
        text_amount_print(freed, history->digits);
        printf("\n");
    }
}

void forecast_print_result(const struct forecast_history *history, const struct forecast_result *result)
{
    static const char *const headings[] = { "forecast", "P10", "P50", "P90" };
    const struct scenario *scenario = &result->scenario;
    const cJSON *entry;
    putchar('\n');
    print_line(stdout, "scenario %s%s%s", scenario->name, scenario->description ? ": " : "",
               scenario->description ? scenario->description : "");
    print_headings("month", headings, 4);
    for (unsigned month = 0; month < result->months; month++) {
        print_month(result->forecast.first + (int)month);
        print_row(result, (int)month, &result->ranges[month], history->digits);
    }
    text_name_print("all months");
    print_row(result, -1, &result->ranges[result->months], history->digits);
    if (result->base_months < FORECAST_RANGE_MONTHS)
        printf("  P10 to P90 mean little: they rest on %zu month%s of history, and need %d\n",
               result->base_months, result->base_months == 1 ? "" : "s", FORECAST_RANGE_MONTHS);
    print_back_test(&result->back_test);
    printf("  %.0f draws, seed %.0f\n", scenario->uncertainty.draws, scenario->uncertainty.seed);
    cJSON_ArrayForEach(entry, result->notes)
    {
        print_line(stdout, "  note: %s", entry->valuestring);
    }
    print_trainings(history, result);
    print_bridge(history, result);
    print_freed(history, result);
    printf(" by component, all months\n");
    print_components(history, result);
    printf(" by cost centre, all months\n");
    print_centres(history, result);
}

void forecast_print_comparison(const struct forecast_history *history, const struct forecast_result *results,
                               int count)
{
    static const char *const headings[] = { "forecast", "P10", "P50", "P90", "against first" };
    int64_t first = forecast_result_sum(&results[0], -1, -1, -1);
    printf("\nside by side, all %u months\n", results[0].months);
    print_headings("scenario", headings, 5);
    for (int i = 0; i < count; i++) {
        const struct forecast_range *range = &results[i].ranges[results[i].months];
        int64_t cost = forecast_result_sum(&results[i], -1, -1, -1);
        text_name_print(results[i].scenario.name);
        text_amount_print(cost, history->digits);
        text_amount_print(llround(range->p10), history->digits);
        text_amount_print(llround(range->p50), history->digits);
        text_amount_print(llround(range->p90), history->digits);
        text_amount_print(cost - first, history->digits);
        printf("\n");
    }
}
