/* model/cost/serving_fleet.c: see serving_fleet.h. */
#include "model/cost/serving_fleet.h"

#include <math.h>
#include <stdbool.h>

#define SECONDS_PER_HOUR 3600.0
#define MILLION          1e6

double serving_cost(const struct serving_size *size, const struct serving_price *price)
{
    double hour = price->per_replica_hour * size->replicas + price->per_hour;
    return hour / (SECONDS_PER_HOUR * size->tokens_per_second) * MILLION;
}

static bool in_range(double value, bool zero_allowed)
{
    return isfinite(value) && (zero_allowed ? value >= 0 : value > 0);
}

static bool is_valid(const struct serving_size *size)
{
    return size->replicas > 0 && in_range(size->tokens_per_second, false) && in_range(size->latency_ms, true);
}

/* Whether `value` is better than `best` (NULL: none yet), or equal with fewer replicas. */
static bool is_better(double value, double best_value, const struct serving_size *size,
                      const struct serving_size *best)
{
    if (best == NULL)
        return true;
    double tie = SERVING_TIE * fabs(best_value);
    return value < best_value - tie || (value <= best_value + tie && size->replicas < best->replicas);
}

enum serving_outcome serving_choose(const struct serving_size *sizes, size_t count,
                                    const struct serving_price *price, double latency_limit_ms,
                                    struct serving_choice *choice)
{
    const struct serving_size *cheapest = NULL, *highest = NULL, *quickest = NULL;
    *choice = (struct serving_choice){ 0 };
    if (!in_range(price->per_replica_hour, true) || !in_range(price->per_hour, true) ||
        !(latency_limit_ms > 0))
        return SERVING_INVALID;
    for (size_t i = 0; i < count; i++) {
        const struct serving_size *size = &sizes[i];
        if (!is_valid(size))
            return SERVING_INVALID;
        if (size->latency_ms <= latency_limit_ms &&
            is_better(serving_cost(size, price), cheapest ? serving_cost(cheapest, price) : 0, size,
                      cheapest))
            cheapest = size;
        if (is_better(-size->tokens_per_second, highest ? -highest->tokens_per_second : 0, size, highest))
            highest = size;
        if (is_better(size->latency_ms, quickest ? quickest->latency_ms : 0, size, quickest))
            quickest = size;
    }
    if (count == 0)
        return SERVING_NOT_MEASURED;
    *choice = (struct serving_choice){ .cheapest = cheapest ? cheapest->replicas : 0,
                                       .highest_throughput = highest->replicas,
                                       .quickest = quickest->replicas };
    return cheapest ? SERVING_FOUND : SERVING_LIMIT_NOT_MET;
}

const char *serving_outcome_name(enum serving_outcome outcome)
{
    static const char *const names[] = { "found", "limit not met", "not measured", "invalid" };
    return names[outcome];
}
