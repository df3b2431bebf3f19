/* tests/unit/interval_test.h: what the tests of the interval on K* share: laws, the
 * fit to their times at 1, 2, 4, … nodes. */
#ifndef KSTAR_TESTS_INTERVAL_TEST_H
#define KSTAR_TESTS_INTERVAL_TEST_H

#include "interval_on.h"
#include "model/cost/k_star_interval.h"
#include "model/cost/verdict_fit.h"

static struct scaling_fit fit;

static const struct scaling_law usl = { .t1_hours = 1,
                                        .serial_fraction = 0.03,
                                        .communication_coefficient = 0.0015 };
/* K = 1 is near K* in cost. */
static const struct scaling_law small_step = { .form = SCALING_STEPPED,
                                               .t1_hours = 1,
                                               .serial_fraction = 0.02,
                                               .step = 0.25,
                                               .communication_coefficient = 0.0015 };
static const struct scaling_law large_step = { .form = SCALING_STEPPED,
                                               .t1_hours = 1,
                                               .serial_fraction = 0.03,
                                               .step = 0.3,
                                               .communication_coefficient = 0.0015 };

static const struct job_price price = { .per_node_hour = 2.10, .per_wall_hour = 9 };
static const struct node_limits open_limits = { 0 };

/* The times of a law, each a little off. */
static inline size_t exact(const struct scaling_law *law, size_t sizes, double noise,
                           struct measurement *runs)
{
    static const double pattern[] = { 1, -1, 0.5, 1, -0.8, -0.4, 0.6 };
    for (size_t i = 0; i < sizes; i++) {
        runs[i] = (struct measurement){ 1u << i, scaling_law_hours(law, 1u << i) * (1 + noise * pattern[i]) };
    }
    return sizes;
}

static inline void interval_of(const struct scaling_law *law, size_t sizes, double noise,
                               const struct node_limits *limits, struct k_interval *interval)
{
    struct measurement runs[8];
    scaling_fit(runs, exact(law, sizes, noise, runs), 0, &fit);
    struct cost_curve curve;
    verdict_curve(&fit, &price, &curve);
    interval_on(&fit, &curve, limits, interval);
}

#endif
