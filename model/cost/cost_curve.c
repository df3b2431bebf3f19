/* model/cost/cost_curve.c: see cost_curve.h. */
#include "model/cost/cost_curve.h"

#include <math.h>

static bool not_negative(double x)
{
    return isfinite(x) && x >= 0;
}

bool cost_curve_valid(const struct cost_curve *curve)
{
    const struct interruption *interruption = &curve->interruption;
    return (curve->law == NULL || scaling_law_valid(curve->law)) &&
           (curve->growth == NULL || (curve->law == NULL && curve->size_count > 1)) &&
           not_negative(curve->work) && not_negative(curve->price.per_node_hour) &&
           not_negative(cost_curve_node_price(curve)) && not_negative(curve->price.per_wall_hour) &&
           not_negative(curve->price.waiting_per_hour) && not_negative(interruption->rate) &&
           not_negative(interruption->checkpoint_hours) && not_negative(interruption->restart_hours) &&
           (!interruption->spot || (isfinite(interruption->price_share) && interruption->price_share > 0));
}

double cost_curve_hardware_price(const struct cost_curve *curve)
{
    double share = curve->interruption.spot ? curve->interruption.price_share : 1;
    return curve->price.per_node_hour * share;
}

double cost_curve_node_price(const struct cost_curve *curve)
{
    return cost_curve_hardware_price(curve) + curve->price.overhead_per_node_hour;
}

double cost_curve_wall_price(const struct cost_curve *curve)
{
    return curve->price.per_wall_hour + curve->price.waiting_per_hour;
}

double interruption_stretch(const struct interruption *interruption, double k)
{
    double rate = k * interruption->rate;
    return 1 + sqrt(2 * interruption->checkpoint_hours * rate) + rate * interruption->restart_hours;
}

double interruption_checkpoint_hours(const struct interruption *interruption, double k)
{
    double rate = k * interruption->rate;
    return interruption->checkpoint_hours > 0 && rate > 0 ? sqrt(2 * interruption->checkpoint_hours / rate)
                                                          : NAN;
}

const struct measured_size *cost_curve_override(const struct cost_curve *curve, unsigned k)
{
    if (curve->sizes == NULL)
        return NULL;
    const struct measured_size *size = measured_at(curve->sizes, curve->size_count, k);
    return size != NULL && (curve->law == NULL || size->law_misses) ? size : NULL;
}

double cost_curve_fitted_hours(const struct cost_curve *curve, unsigned k)
{
    if (curve->law != NULL)
        return scaling_law_hours(curve->law, k);
    return curve->growth != NULL ? growth_rule_hours(curve->growth, curve->sizes, curve->size_count, k) : NAN;
}

/* T(K) of the measured work without interruptions. */
static double undisturbed_hours(const struct cost_curve *curve, unsigned k)
{
    const struct measured_size *measured = cost_curve_override(curve, k);
    return measured != NULL ? measured->hours : cost_curve_fitted_hours(curve, k);
}

unsigned cost_curve_smallest_k(const struct cost_curve *curve)
{
    return curve->sizes != NULL && curve->size_count > 0 ? curve->sizes[0].k : 0;
}

unsigned cost_curve_base_k(const struct cost_curve *curve)
{
    return curve->law != NULL ? scaling_law_smallest_k(curve->law) : cost_curve_smallest_k(curve);
}

unsigned cost_curve_largest_k(const struct cost_curve *curve)
{
    return curve->sizes != NULL && curve->size_count > 0 ? curve->sizes[curve->size_count - 1].k : 0;
}

double cost_curve_hours(const struct cost_curve *curve, unsigned k)
{
    double work = curve->work > 0 ? curve->work : 1;
    return work * undisturbed_hours(curve, k) * interruption_stretch(&curve->interruption, k);
}

double cost_curve_cost(const struct cost_curve *curve, unsigned k)
{
    double per_hour = cost_curve_node_price(curve) * k + cost_curve_wall_price(curve);
    return per_hour * cost_curve_hours(curve, k);
}

double cost_curve_efficiency(const struct cost_curve *curve, unsigned k)
{
    double single = NAN; /* node-hours of the work at K0 */
    if (curve->law != NULL)
        single = curve->law->t1_hours * scaling_law_smallest_k(curve->law);
    else if (curve->size_count > 0)
        single = curve->sizes[0].hours * curve->sizes[0].k;
    return single / (k * undisturbed_hours(curve, k));
}

double cost_curve_work_of(const struct cost_curve *curve, unsigned k, double hours)
{
    double work = curve->work > 0 ? curve->work : 1;
    return work * hours / cost_curve_hours(curve, k);
}
