/* model/cost/rate_card.c: see rate_card.h. */
#include "model/cost/rate_card.h"

#include <math.h>

/* Whether K is a size for which people want a price. Feasibility is checked separately. */
static bool is_round(const struct cost_curve *curve, const struct node_limits *limits, unsigned k_star,
                     unsigned k)
{
    if (k == k_star || (k & (k - 1)) == 0 || limits->allowed != NULL)
        return true;
    return curve->sizes != NULL && measured_at(curve->sizes, curve->size_count, k) != NULL;
}

size_t rate_card(const struct cost_curve *curve, const struct node_limits *limits, unsigned k_star,
                 struct rate_tier *tiers, size_t capacity)
{
    struct node_limits feasible = k_star_limits(curve, limits);
    size_t count = 0;
    for (unsigned k = node_limits_next(&feasible, 0); k > 0 && count < capacity;
         k = node_limits_next(&feasible, k)) {
        double hours = cost_curve_hours(curve, k);
        if (!is_round(curve, &feasible, k_star, k) || isnan(hours))
            continue;
        tiers[count++] = (struct rate_tier){ .k = k,
                                             .basis = size_basis_of(curve->sizes, curve->size_count, k),
                                             .price_per_node_hour = cost_curve_hardware_price(curve),
                                             .overhead_per_node_hour = curve->price.overhead_per_node_hour,
                                             .fixed_per_wall_hour = curve->price.per_wall_hour,
                                             .efficiency = cost_curve_efficiency(curve, k),
                                             .stretch = interruption_stretch(&curve->interruption, k),
                                             .hours = hours };
    }
    return count;
}
