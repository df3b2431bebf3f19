/* model/cost/serving_fleet.h: the cost of a million tokens, and the cheapest number of replicas.
 *
 *     an hour costs              p n + f
 *     and serves                 3600 r(n) tokens
 *     a million tokens cost      c(n) = (p n + f) / (3600 r(n)) * 10^6
 *
 * p is the price of a replica for an hour. f is what the fleet costs an hour at any size (gateway,
 * balancer). r(n) is the measured output of n replicas together, in tokens per second. This is the
 * usual formula for inference (NVIDIA, "LLM Inference Benchmarking: How Much Does Your LLM
 * Inference Cost?", 2025) plus f, as in C(K) = (p K + f) T(K).
 *
 * Only measured counts are compared. Neither r nor latency is interpolated, because replicas behind
 * one balancer do not simply add up, and latency depends on load.
 *
 *     p = 2.10, f = 9: 4 replicas at 1500 tokens/s cost 17.40 / 5.4 = 3.222222 a million,
 *                      8 replicas at 2600 tokens/s cost 25.80 / 9.36 = 2.756410
 */
#ifndef KSTAR_MODEL_COST_SERVING_FLEET_H
#define KSTAR_MODEL_COST_SERVING_FLEET_H

#include <stddef.h>

/* Costs that differ by less than this share are the same: the smaller count is chosen. */
#define SERVING_TIE 1e-9

/* Prices of a fleet, in one currency; at least 0. */
struct serving_price {
    double per_replica_hour; /* p */
    double per_hour;         /* f */
};

/* One measured count. */
struct serving_size {
    unsigned replicas;        /* n > 0 */
    double tokens_per_second; /* r(n) > 0: output tokens of all replicas together */
    double latency_ms;        /* at the percentile that the limit is for */
};

enum serving_outcome {
    SERVING_FOUND,
    SERVING_LIMIT_NOT_MET, /* no measured count is within the limit: `cheapest` is 0 */
    SERVING_NOT_MEASURED,  /* there is nothing to compare: all are 0 */
    SERVING_INVALID        /* a price, rate, latency or limit is out of range: all are 0 */
};

/* Replica counts; 0: none. */
struct serving_choice {
    /* of those with latency at most the limit; a tie goes to the smallest */
    unsigned cheapest;
    unsigned highest_throughput; /* of all; a tie goes to the smallest */
    unsigned quickest;           /* of all: the lowest latency; a tie goes to the smallest */
};

/* c(n), per million tokens. */
double serving_cost(const struct serving_size *size, const struct serving_price *price);

/* Chooses among `count` sizes in any order. `latency_limit_ms` INFINITY: no limit. */
enum serving_outcome serving_choose(const struct serving_size *sizes, size_t count,
                                    const struct serving_price *price, double latency_limit_ms,
                                    struct serving_choice *choice);

/* "found", "limit not met", "not measured", "invalid". */
const char *serving_outcome_name(enum serving_outcome outcome);

#endif
