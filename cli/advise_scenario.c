/* cli/advise_scenario.c: see advise_scenario.h. */
#include "cli/advise_scenario.h"

#include "model/forecast.h"

#include <limits.h>
#include <math.h>

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
