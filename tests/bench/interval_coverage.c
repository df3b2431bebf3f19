/* How often the 95 % interval on K* holds the true K*, by simulation: interval_coverage [FAMILIES [SEED]].
 *
 * A simulated family has a known law, and runs that are that law's times with normal noise. Columns:
 *
 *   held      share of the intervals that hold the true K*, found by trying every feasible K
 *   exact     share of the estimates that are the true K*; an interval holds its estimate
 *   width     mean number of feasible K in the set (up to 256; "8 or more" counts up to there)
 *   delta, resampled, growth   share by method: the cubic's delta method, refits of the law, draws of the
 * growth rule
 *
 * Each family is taken at its prices, and "at a tie": with f raised until the next size costs as little as K*
 * does. There an interval that holds 95 % has no slack. Away from a tie K* is a whole number and a set that
 * holds its own estimate holds the truth at least `exact` of the time.
 */
#include "model/k_star_interval.h"
#include "model/seeded_random.h"
#include "model/verdict.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { LARGEST = 256, RUNS = 64 };

struct family {
    const char *name;
    struct scaling_law law;
    struct job_price price;
    bool powers_of_two;
};

static const struct family families[] = {
    { "usl, interior",
      { .serial_fraction = 0.03, .communication_coefficient = 0.0015 },
      { 2.10, 9, 0 },
      false },
    { "stepped, interior",
      { .form = SCALING_STEPPED, .serial_fraction = 0.03, .step = 0.3, .communication_coefficient = 0.0015 },
      { 2.10, 9, 0 },
      false },
    { "c = 0", { .serial_fraction = 0.05 }, { 2.10, 9, 0 }, false },
    { "s = 0", { .communication_coefficient = 0.004 }, { 2.10, 9, 0 }, false },
    { "K = 1 competes",
      { .form = SCALING_STEPPED, .serial_fraction = 0.02, .step = 0.25, .communication_coefficient = 0.0015 },
      { 2.10, 1.2, 0 },
      false },
    { "powers of two",
      { .serial_fraction = 0.03, .communication_coefficient = 0.0015 },
      { 2.10, 9, 0 },
      true },
    { "K* beyond",
      { .serial_fraction = 0.005, .communication_coefficient = 0.0001 },
      { 2.10, 42, 0 },
      false },
};

static const struct {
    unsigned sizes, repeats; /* 1, 2, 4, ... */
} plans[] = { { 5, 1 }, { 6, 1 }, { 6, 3 }, { 8, 2 } };

static const double noises[] = { 0.01, 0.03, 0.10 };

struct tally {
    int held, exact, delta, resampled, growth;
    double width;
};

static struct k_bootstrap bootstrap;
static struct scaling_fit fit;

static double hours(const struct scaling_law *law, unsigned k)
{
    return (1 + (k > 1 ? law->step : 0) + (k - 1) * law->serial_fraction +
            law->communication_coefficient * k * (k - 1)) /
           k;
}

static double cost(const struct family *family, unsigned k)
{
    return (family->price.per_node_hour * k + family->price.per_wall_hour) * hours(&family->law, k);
}

static unsigned true_k_star(const struct family *family)
{
    unsigned best = 1;
    for (unsigned k = 1; k <= LARGEST; k += family->powers_of_two ? k : 1) {
        best = cost(family, k) < cost(family, best) ? k : best;
    }
    return best;
}

/* The family with the largest f at which K* is what it is: K* never falls as f rises. */
static struct family at_a_tie(const struct family *family)
{
    struct family tie = *family;
    unsigned k_star = true_k_star(family);
    double low = family->price.per_wall_hour, high = 10 * low;
    for (int i = 0; i < 60; i++) {
        tie.price.per_wall_hour = (low + high) / 2;
        *(true_k_star(&tie) == k_star ? &low : &high) = tie.price.per_wall_hour;
    }
    tie.price.per_wall_hour = low;
    return tie;
}

static unsigned width_of(const struct k_interval *interval, bool powers_of_two)
{
    unsigned width = 0;
    for (unsigned k = 1; k <= LARGEST; k += powers_of_two ? k : 1) {
        width += k_interval_contains(interval, k);
    }
    return width;
}

static void judge(const struct family *family, const struct measurement *runs, size_t count, unsigned truth,
                  struct tally *tally)
{
    struct node_limits limits = { .largest = LARGEST, .powers_of_two = family->powers_of_two };
    struct cost_curve curve;
    struct k_star_result estimate = { 0 };
    struct k_interval interval;
    scaling_fit(runs, count, 0, &fit);
    verdict_curve(&fit, &family->price, &curve);
    k_bootstrap_draw(&fit, K_STAR_BOOTSTRAP_SEED, &bootstrap);
    k_star_interval(&fit, &curve, &limits, &bootstrap, &interval);
    k_star(&curve, &limits, &estimate);
    tally->held += k_interval_contains(&interval, truth);
    tally->exact += estimate.k == truth;
    tally->delta += interval.method == K_INTERVAL_DELTA;
    tally->growth += interval.reason == K_INTERVAL_GROWTH;
    tally->resampled += interval.method == K_INTERVAL_BOOTSTRAP && interval.reason != K_INTERVAL_GROWTH;
    tally->width += width_of(&interval, family->powers_of_two);
}

static void simulate(const struct family *family, const char *where, size_t plan, double noise, int draws,
                     uint64_t seed)
{
    struct tally tally = { 0 };
    struct seeded_random random;
    unsigned truth = true_k_star(family);
    seeded_random_start(&random, seed);
    for (int i = 0; i < draws; i++) {
        struct measurement runs[RUNS];
        size_t count = 0;
        for (unsigned j = 0; j < plans[plan].sizes * plans[plan].repeats; j++) {
            unsigned k = 1u << (j / plans[plan].repeats);
            runs[count++] = (struct measurement){ k, hours(&family->law, k) *
                                                         exp(noise * seeded_random_normal(&random)) };
        }
        judge(family, runs, count, truth, &tally);
    }
    double percent = 100.0 / draws;
    printf("%-18s %-6s %3u  %3.0f %%  %u x %u  %5.1f %%  %5.1f %%  %6.1f  %4.0f %4.0f %4.0f\n", family->name,
           where, truth, 100 * noise, plans[plan].sizes, plans[plan].repeats, tally.held * percent,
           tally.exact * percent, tally.width / draws, tally.delta * percent, tally.resampled * percent,
           tally.growth * percent);
    fflush(stdout);
}

int main(int count, char **words)
{
    int draws = count > 1 ? (int)strtol(words[1], NULL, 10) : 200;
    uint64_t seed = count > 2 ? strtoull(words[2], NULL, 10) : 7;
    if (draws < 1) {
        fprintf(stderr, "usage: interval_coverage [FAMILIES [SEED]]\n");
        return 1;
    }
    printf("%-18s %-6s %3s  %5s  %5s  %7s  %7s  %6s  delta resampled growth (%%)\n", "family", "prices", "K*",
           "noise", "sizes", "held", "exact", "width");
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++) {
        struct family tie = at_a_tie(&families[i]);
        for (size_t j = 0; j < sizeof plans / sizeof plans[0]; j++) {
            for (size_t k = 0; k < sizeof noises / sizeof noises[0]; k++) {
                simulate(&families[i], "own", j, noises[k], draws, seed);
                simulate(&tie, "tie", j, noises[k], draws, seed);
            }
        }
    }
    return 0;
}
