/* advise/scenario.c: see scenario.h. */
#include "advise/scenario.h"

#include "model/forecast/forecast_price.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void take(double *option, double value)
{
    if (isnan(*option))
        *option = value;
}

void advise_scenario_defaults(const struct scenario *scenario, struct advise_question *question)
{
    if (scenario->spot.share >= .5) {
        take(&question->interruption.price_share, scenario->spot.price_fraction);
        take(&question->interruption.rate, scenario->spot.preemptions_per_node_hour);
        take(&question->interruption.checkpoint_hours, scenario->spot.checkpoint_hours);
        take(&question->interruption.restart_hours, scenario->spot.restart_hours);
    }
    if (scenario->policy == POLICY_CAP && question->limits.largest == 0)
        question->limits.largest = (unsigned)scenario->policy_cap;
    if (scenario->policy == POLICY_POWERS_OF_TWO)
        question->limits.powers_of_two = true;
}

double advise_scenario_price(const struct scenario *scenario)
{
    return forecast_price_factor(scenario, NULL, 0, INT_MAX) * (1 - scenario->elastic_saving);
}

double advise_scenario_hours(const struct scenario *scenario, const char *family)
{
    return 1 / scenario_efficiency_left(scenario, "", family != NULL ? family : "");
}

/* Adds a list's element to the text. A full text ends with " and more". */
static void add_place(const char *list, size_t place, char *text, size_t size)
{
    static const char more[] = " and more";
    size_t used = strlen(text), room = size - used - sizeof more;
    bool is_full = used >= sizeof more && strcmp(text + used - strlen(more), more) == 0;
    if (is_full)
        return;
    int length = snprintf(text + used, room, "%s%s[%zu]", used > 0 ? ", " : "", list, place);
    if (length >= (int)room)
        memcpy(text + used, more, sizeof more);
}

char *advise_scenario_omitted(const struct scenario *scenario, const char *family, char *text, size_t size)
{
    static const struct forecast_purchase unknown = { .share = 1 };
    text[0] = '\0';
    for (size_t i = 0; i < scenario->price_count; i++)
        if (!forecast_price_buys(&scenario->prices[i], &unknown))
            add_place("prices", i, text, size);
    for (size_t i = 0; i < scenario->penalty_count; i++) {
        const struct scenario_jobs *jobs = &scenario->penalties[i].jobs;
        bool is_of_family = jobs->family == NULL || (family != NULL && strcmp(jobs->family, family) == 0);
        if (jobs->cost_centre != NULL && is_of_family)
            add_place("efficiency_penalties", i, text, size);
    }
    return text;
}
