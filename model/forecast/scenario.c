/* model/forecast/scenario.c: see scenario.h. */
#include "model/forecast/scenario.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const policy_names[] = {
    [POLICY_AS_IS] = "as is",
    [POLICY_K_STAR] = "K*",
    [POLICY_CAP] = "cap",
    [POLICY_POWERS_OF_TWO] = "powers of two",
};

const char *scenario_policy_name(enum scenario_policy policy)
{
    return policy_names[policy];
}

void scenario_start(struct scenario *scenario)
{
    *scenario = (struct scenario){
        .spot.price_fraction = 1,
        .failed_run_factor = NAN,
        .fixed.factor = 1,
        .engineering.factor = 1,
        .uncertainty = { .growth = NAN, .price = NAN, .failures = NAN, .fit = NAN, .seed = 1, .draws = 1000 },
    };
}

static void free_jobs(struct scenario_jobs *jobs)
{
    free(jobs->cost_centre);
    free(jobs->family);
}

void scenario_free(struct scenario *scenario)
{
    free(scenario->name);
    free(scenario->description);
    for (size_t i = 0; i < scenario->growth_count; i++)
        free_jobs(&scenario->growth[i].jobs);
    for (size_t i = 0; i < scenario->training_count; i++) {
        free(scenario->trainings[i].name);
        free(scenario->trainings[i].cost_centre);
        free(scenario->trainings[i].family);
    }
    for (size_t i = 0; i < scenario->price_count; i++) {
        free(scenario->prices[i].provider);
        free(scenario->prices[i].sku);
        free(scenario->prices[i].purchase);
        free(scenario->prices[i].currency);
    }
    for (size_t i = 0; i < scenario->people_count; i++)
        free(scenario->people[i].cost_centre);
    for (size_t i = 0; i < scenario->penalty_count; i++)
        free_jobs(&scenario->penalties[i].jobs);
    free(scenario->growth);
    free(scenario->trainings);
    free(scenario->prices);
    free(scenario->people);
    free(scenario->penalties);
    *scenario = (struct scenario){ 0 };
}

bool scenario_jobs_match(const struct scenario_jobs *jobs, const char *cost_centre, const char *family)
{
    return (jobs->cost_centre == NULL || strcmp(jobs->cost_centre, cost_centre) == 0) &&
           (jobs->family == NULL || strcmp(jobs->family, family) == 0);
}

const struct scenario_growth *scenario_growth_of(const struct scenario *scenario, const char *cost_centre,
                                                 const char *family)
{
    for (size_t i = scenario->growth_count; i > 0; i--) {
        if (scenario_jobs_match(&scenario->growth[i - 1].jobs, cost_centre, family))
            return &scenario->growth[i - 1];
    }
    return NULL;
}

double scenario_efficiency_left(const struct scenario *scenario, const char *cost_centre, const char *family)
{
    double left = 1;
    for (size_t i = 0; i < scenario->penalty_count; i++) {
        if (scenario_jobs_match(&scenario->penalties[i].jobs, cost_centre, family))
            left *= 1 - scenario->penalties[i].penalty;
    }
    return left;
}

bool scenario_prices_filtered(const struct scenario *scenario)
{
    for (size_t i = 0; i < scenario->price_count; i++) {
        const struct scenario_price *price = &scenario->prices[i];
        if (price->provider != NULL || price->sku != NULL || price->purchase != NULL ||
            price->currency != NULL) {
            return true;
        }
    }
    return false;
}

char *scenario_month_text(scenario_month month, char text[8])
{
    snprintf(text, 8, "%04u-%02u", (unsigned)month / 12 % 10000, (unsigned)month % 12 + 1);
    return text;
}

scenario_month scenario_month_of(const char *text)
{
    int year, month, end = 0;
    bool ok = strlen(text) == 7 && strspn(text, "0123456789-") == 7 &&
              sscanf(text, "%4d-%2d%n", &year, &month, &end) == 2 && end == 7;
    return ok && year >= 1900 && year <= 2200 && month >= 1 && month <= 12 ? year * 12 + month - 1 : 0;
}
