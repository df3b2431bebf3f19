/* model/scaling/scaling_law.c: see scaling_law.h. */
#include "model/scaling/scaling_law.h"

#include <math.h>

const char *scaling_form_name(enum scaling_form form)
{
    static const char *const names[] = { [SCALING_USL] = "usl", [SCALING_STEPPED] = "stepped" };
    return names[form];
}

bool scaling_law_valid(const struct scaling_law *law)
{
    return isfinite(law->t1_hours) && law->t1_hours > 0 && isfinite(law->serial_fraction) &&
           law->serial_fraction >= 0 && isfinite(law->communication_coefficient) &&
           law->communication_coefficient >= 0 && isfinite(law->step) && law->step >= 0 &&
           (law->form == SCALING_STEPPED || law->step == 0);
}

unsigned scaling_law_smallest_k(const struct scaling_law *law)
{
    return law->smallest_k > 1 ? law->smallest_k : 1;
}

unsigned scaling_law_one_node(const struct scaling_law *law)
{
    return law->accelerators_per_node > 1 ? law->accelerators_per_node : 1;
}

double scaling_law_inefficiency(const struct scaling_law *law, unsigned k)
{
    unsigned k0 = scaling_law_smallest_k(law);
    if (k < k0)
        return NAN;
    double r = (double)k / k0;
    double step = (k > scaling_law_one_node(law) ? law->step : 0) + (k > law->behind ? law->later_step : 0);
    return 1 + step + (r - 1) * law->serial_fraction + law->communication_coefficient * r * (r - 1);
}

double scaling_law_efficiency(const struct scaling_law *law, unsigned k)
{
    return 1 / scaling_law_inefficiency(law, k);
}

double scaling_law_hours(const struct scaling_law *law, unsigned k)
{
    return law->t1_hours * scaling_law_smallest_k(law) * scaling_law_inefficiency(law, k) / k;
}

struct scaling_shape scaling_law_shape(const struct scaling_law *law, bool above_step)
{
    double k0 = scaling_law_smallest_k(law);
    double step = above_step ? law->step : 0;
    return (struct scaling_shape){
        .over_k = law->t1_hours * k0 * (1 + step - law->serial_fraction),
        .constant = law->t1_hours * (law->serial_fraction - law->communication_coefficient),
        .per_k = law->t1_hours * law->communication_coefficient / k0,
    };
}
