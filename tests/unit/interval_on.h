/* tests/unit/interval_on.h: the interval on K* of one fit at one price, as kstar finds it. */
#ifndef KSTAR_TESTS_INTERVAL_ON_H
#define KSTAR_TESTS_INTERVAL_ON_H

#include "model/cost/k_table.h"
#include "model_test.h"

static inline void interval_on(const struct scaling_fit *fit, const struct cost_curve *curve,
                               const struct node_limits *limits, struct k_interval *interval)
{
    struct k_table *table = k_table_make(fit, curve, limits);
    assert_non_null(table);
    k_table_interval(table, curve, interval);
    k_table_free(table);
}

#endif
