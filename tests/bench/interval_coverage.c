/* How often the 95 % interval on K* holds the true K*, by simulation: interval_coverage [FAMILIES [SEED
 * [PLANS]]].
 *
 * A simulated family has a known law, and runs that are that law's times with normal noise. Columns:
 *
 *   held      share of the intervals that hold the true K*, found by trying every feasible K
 *   exact     share of the estimates that are the true K*; an interval holds its estimate
 *   width     mean number of feasible K in the set (up to 256; "8 or more" counts up to there)
 *   near      share of the families of which a K that truly costs at most 2 % more than K* is flagged
 *   dear      share of the families of which the first K that truly costs a quarter more is flagged
 *   delta, resampled, growth   share by method: the cubic's delta method, refits of the law, draws of the
 * growth rule
 *
 * PLANS is "even" (all sizes measured as often, with one noise), "uneven" (single runs, but of one node more,
 * with its own noise: what the repeats of one node say is not what the other sizes have), or both where it is
 * left out.
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
#include <string.h>

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
      { .per_node_hour = 2.10, .per_wall_hour = 9 },
      false },
    { "stepped, interior",
      { .form = SCALING_STEPPED, .serial_fraction = 0.03, .step = 0.3, .communication_coefficient = 0.0015 },
      { .per_node_hour = 2.10, .per_wall_hour = 9 },
      false },
    { "c = 0", { .serial_fraction = 0.05 }, { .per_node_hour = 2.10, .per_wall_hour = 9 }, false },
    { "s = 0", { .communication_coefficient = 0.004 }, { .per_node_hour = 2.10, .per_wall_hour = 9 }, false },
    { "K = 1 competes",
      { .form = SCALING_STEPPED, .serial_fraction = 0.02, .step = 0.25, .communication_coefficient = 0.0015 },
      { .per_node_hour = 2.10, .per_wall_hour = 1.2 },
      false },
    { "powers of two",
      { .serial_fraction = 0.03, .communication_coefficient = 0.0015 },
      { .per_node_hour = 2.10, .per_wall_hour = 9 },
      true },
    { "K* beyond",
      { .serial_fraction = 0.005, .communication_coefficient = 0.0001 },
      { .per_node_hour = 2.10, .per_wall_hour = 42 },
      false },
};

struct plan {
    bool uneven;
    unsigned sizes, repeats; /* 1, 2, 4, ... */
    unsigned one_again;      /* more runs of one node */
    double one_noise;        /* of one node, as a share of the noise of the others */
};

static const struct plan plans[] = {
    { false, 5, 1, 0, 1 },      { false, 6, 1, 0, 1 },      { false, 6, 3, 0, 1 }, { false, 8, 2, 0, 1 },
    { true, 6, 1, 0, 1 },       { true, 6, 1, 1, 1 },       { true, 6, 1, 3, 1 },  { true, 6, 1, 0, 1. / 30 },
    { true, 6, 1, 1, 1. / 30 }, { true, 6, 1, 3, 1. / 30 },
};

static const double noises[] = { 0.01, 0.03, 0.10 };

struct tally {
    int held, exact, near, dear, delta, resampled, growth;
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

/* Whether a job on k nodes of the family is flagged. */
static bool is_flagged(const struct cost_curve *curve, const struct node_limits *limits,
                       const struct k_interval *interval, unsigned k)
{
    struct verdict_question question = {
        .fit = &fit, .curve = curve, .limits = limits, .interval = interval, .k = k
    };
    struct verdict_answer answer;
    return verdict_of(&question, &answer) == VERDICT_ABOVE;
}

/* Flags that are wrong, and those that are to be had. */
static void count_flags(const struct family *family, const struct cost_curve *curve,
                        const struct node_limits *limits, const struct k_interval *interval, unsigned truth,
                        struct tally *tally)
{
    double lowest = cost(family, truth);
    bool near = false;
    unsigned k = truth;
    for (; k <= LARGEST && cost(family, k) < 1.25 * lowest; k += family->powers_of_two ? k : 1) {
        near = near || (cost(family, k) <= lowest * 1.02 && is_flagged(curve, limits, interval, k));
    }
    tally->near += near;
    tally->dear += k <= LARGEST && is_flagged(curve, limits, interval, k);
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
    count_flags(family, &curve, &limits, &interval, truth, tally);
    tally->delta += interval.method == K_INTERVAL_DELTA;
    tally->growth += interval.reason == K_INTERVAL_GROWTH;
    tally->resampled += interval.method == K_INTERVAL_BOOTSTRAP && interval.reason != K_INTERVAL_GROWTH;
    tally->width += width_of(&interval, family->powers_of_two);
}

static size_t measure(const struct family *family, const struct plan *plan, double noise,
                      struct seeded_random *random, struct measurement *runs)
{
    size_t count = 0;
    for (unsigned i = 0; i < plan->sizes; i++) {
        unsigned k = 1u << i, repeats = plan->repeats + (i == 0 ? plan->one_again : 0);
        double own = noise * (i == 0 ? plan->one_noise : 1);
        for (unsigned j = 0; j < repeats; j++) {
            runs[count++] =
                (struct measurement){ k, hours(&family->law, k) * exp(own * seeded_random_normal(random)) };
        }
    }
    return count;
}

static void simulate(const struct family *family, const char *where, const struct plan *plan, double noise,
                     int draws, uint64_t seed)
{
    struct tally tally = { 0 };
    struct seeded_random random;
    unsigned truth = true_k_star(family);
    seeded_random_start(&random, seed);
    for (int i = 0; i < draws; i++) {
        struct measurement runs[RUNS];
        judge(family, runs, measure(family, plan, noise, &random, runs), truth, &tally);
    }
    double percent = 100.0 / draws;
    printf("%-18s %-6s %3u  %3.0f %%  %u x %u + %u  %4.2f  %5.1f %%  %5.1f %%  %6.1f  %5.1f %%  %5.1f %%  "
           "%4.0f %4.0f %4.0f\n",
           family->name, where, truth, 100 * noise, plan->sizes, plan->repeats, plan->one_again,
           plan->one_noise, tally.held * percent, tally.exact * percent, tally.width / draws,
           tally.near * percent, tally.dear * percent, tally.delta * percent, tally.resampled * percent,
           tally.growth * percent);
    fflush(stdout);
}

static bool takes_part(const struct plan *plan, const char *wanted)
{
    return wanted == NULL || strcmp(wanted, plan->uneven ? "uneven" : "even") == 0;
}

int main(int count, char **words)
{
    int draws = count > 1 ? (int)strtol(words[1], NULL, 10) : 200;
    uint64_t seed = count > 2 ? strtoull(words[2], NULL, 10) : 7;
    const char *wanted = count > 3 ? words[3] : NULL;
    if (draws < 1) {
        fprintf(stderr, "usage: interval_coverage [FAMILIES [SEED [even|uneven]]]\n");
        return 1;
    }
    printf("%-18s %-6s %3s  %5s  %9s  %4s  %7s  %7s  %6s  %7s  %7s  delta resampled growth (%%)\n", "family",
           "prices", "K*", "noise", "sizes", "one", "held", "exact", "width", "near", "dear");
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++) {
        struct family tie = at_a_tie(&families[i]);
        for (size_t j = 0; j < sizeof plans / sizeof plans[0]; j++) {
            for (size_t k = 0; takes_part(&plans[j], wanted) && k < sizeof noises / sizeof noises[0]; k++) {
                simulate(&families[i], "own", &plans[j], noises[k], draws, seed);
                simulate(&tie, "tie", &plans[j], noises[k], draws, seed);
            }
        }
    }
    return 0;
}
