/* What intervals and flags are worth, by simulation: interval_coverage [FAMILIES [SEED [PLANS
 * [CELL]]]].
 *
 * A simulated family has a known law, and runs that are that law's times with normal noise.
 * Columns:
 *
 *   low       share of the families of low confidence
 *   none      share of the families for which no interval is printed
 *   held      share of the printed intervals that hold the true K*, found by trying every feasible
 *             K
 *   sure      the same of the families that are not of low confidence
 *   exact     share of the estimates that are the true K*; an interval holds its estimate
 *   width     mean number of feasible K in the set (up to 256; "8 or more" counts up to there)
 *   money     share of the intervals on the excess of a job on 2 K* nodes that hold the true excess
 *   false     share of the jobs whose true excess is at most 5 %, or that run on fewer nodes than
 *             K*, that are flagged
 *   unmarked  the same, flagged without the mark of low confidence
 *   twice     share of the jobs on 2 K* nodes that are flagged, where their true excess is above a
 *             tenth and K is within twice the largest size measured
 *   most      how many of those the best unbiased test of 2.5 % error would flag that knows the
 *             family's form, its K* and the noise of every run, and estimates the rest; "-" where
 *             even then there are fewer sizes than unknowns
 *   fair      the same of a test that has to estimate the noise, too; it knows only how that of one
 *             node differs from the others
 *   delta, resampled, growth
 *             share by method: the cubic's delta method, refits of a law that stands, and draws
 *             where none does
 *
 * The jobs of a family run on 1, 2, 3, 4, 6, 8, 12, 16, 24, ... nodes, up to twice the largest size
 * measured. At the end stand the sums over all cells.
 *
 * PLANS is "all", "even" (all sizes measured as often, with one noise), "uneven" (single runs, but
 * of one node more, with its own noise: the repeats of one node do not show the noise of
 * the others), "steps" (families with a step that few sizes, a gap or the noise hide). Default:
 * all.
 *
 * CELL leaves the cells whose line begins with a label that contains it: "small rack", "own", "10 %
 * 6 x 1".
 *
 * Each even or uneven family is taken at its prices, and "at a tie": with f raised until the next
 * size costs as little as K* does. There an interval that holds 95 % has no slack. Away from a tie
 * K* is a whole number and a set that holds its own estimate holds the truth at least `exact` of
 * the time.
 */
#include "model/cost/k_table.h"
#include "model/cost/verdict.h"
#include "model/cost/verdict_fit.h"
#include "model/statistics/seeded_random.h"
#include "model/statistics/student_t.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 256, RUNS = 64, PARTS = 5 };

struct family {
    const char *name;
    struct scaling_law law;
    struct job_price price;
    bool powers_of_two;
    bool has_steps; /* of the plans with steps */
    double rack;    /* what 1/E grows by on leaving a rack of eight nodes */
};

static const struct family families[] = {
    { "usl, interior",
      { .serial_fraction = 0.03, .communication_coefficient = 0.0015 },
      { .per_node_hour = 2.10, .per_wall_hour = 9 },
      .powers_of_two = false },
    { "stepped, interior",
      { .form = SCALING_STEPPED, .serial_fraction = 0.03, .step = 0.3, .communication_coefficient = 0.0015 },
      { .per_node_hour = 2.10, .per_wall_hour = 9 },
      .powers_of_two = false },
    { "c = 0",
      { .serial_fraction = 0.05 },
      { .per_node_hour = 2.10, .per_wall_hour = 9 },
      .powers_of_two = false },
    { "s = 0",
      { .communication_coefficient = 0.004 },
      { .per_node_hour = 2.10, .per_wall_hour = 9 },
      .powers_of_two = false },
    { "K = 1 competes",
      { .form = SCALING_STEPPED, .serial_fraction = 0.02, .step = 0.25, .communication_coefficient = 0.0015 },
      { .per_node_hour = 2.10, .per_wall_hour = 1.2 },
      .powers_of_two = false },
    { "powers of two",
      { .serial_fraction = 0.03, .communication_coefficient = 0.0015 },
      { .per_node_hour = 2.10, .per_wall_hour = 9 },
      .powers_of_two = true },
    { "K* beyond",
      { .serial_fraction = 0.005, .communication_coefficient = 0.0001 },
      { .per_node_hour = 2.10, .per_wall_hour = 42 },
      .powers_of_two = false },
    { "step 0.2",
      { .form = SCALING_STEPPED, .serial_fraction = 0.02, .step = 0.2, .communication_coefficient = 0.001 },
      { .per_node_hour = 2.10, .per_wall_hour = 9.9 },
      .has_steps = true },
    { "step 0.4",
      { .form = SCALING_STEPPED, .serial_fraction = 0.02, .step = 0.4, .communication_coefficient = 0.001 },
      { .per_node_hour = 2.10, .per_wall_hour = 8.3 },
      .has_steps = true },
    { "step 0.8",
      { .form = SCALING_STEPPED, .serial_fraction = 0.03, .step = 0.8, .communication_coefficient = 0.002 },
      { .per_node_hour = 2.10, .per_wall_hour = 2.5 },
      .has_steps = true },
    { "rack",
      { .form = SCALING_STEPPED, .serial_fraction = 0.02, .step = 0.2, .communication_coefficient = 0.0005 },
      { .per_node_hour = 2.10, .per_wall_hour = 9 },
      .has_steps = true,
      .rack = 0.5 },
    { "small rack",
      { .form = SCALING_STEPPED, .serial_fraction = 0.02, .step = 0.2, .communication_coefficient = 0.0005 },
      { .per_node_hour = 2.10, .per_wall_hour = 9 },
      .has_steps = true,
      .rack = 0.25 },
};

struct plan {
    const char *name;
    unsigned by, sizes, repeats; /* 1, by, by squared, ... */
    unsigned one_again;          /* more runs of one node */
    double one_noise;            /* of one node, as a share of the noise of the others */
};

static const struct plan plans[] = {
    { "even", 2, 5, 1, 0, 1 },         { "even", 2, 6, 1, 0, 1 },         { "even", 2, 6, 3, 0, 1 },
    { "even", 2, 8, 2, 0, 1 },         { "uneven", 2, 6, 1, 0, 1 },       { "uneven", 2, 6, 1, 1, 1 },
    { "uneven", 2, 6, 1, 3, 1 },       { "uneven", 2, 6, 1, 0, 1. / 30 }, { "uneven", 2, 6, 1, 1, 1. / 30 },
    { "uneven", 2, 6, 1, 3, 1. / 30 }, { "steps", 2, 5, 1, 0, 1 },        { "steps", 2, 5, 3, 0, 1 },
    { "steps", 4, 3, 2, 0, 1 },        { "steps", 2, 6, 1, 0, 1 },        { "steps", 2, 6, 3, 0, 1 },
};

static const double noises[] = { 0.01, 0.03, 0.10 };

struct tally {
    long families, low, printed, held, sure, sure_held, exact, delta, resampled, growth;
    long excesses, excesses_held; /* of jobs on 2 K* nodes */
    long right_jobs, false_flags, unmarked, twice, twice_flagged;
    double width;
    long most_jobs; /* of the `twice` jobs those that anybody could flag, and how many would be */
    double most, fair;
};

static struct scaling_fit fit;

static double hours(const struct family *family, unsigned k)
{
    const struct scaling_law *law = &family->law;
    return (1 + (k > 1 ? law->step : 0) + (k > 8 ? family->rack : 0) + (k - 1) * law->serial_fraction +
            law->communication_coefficient * k * (k - 1)) /
           k;
}

static double cost(const struct family *family, unsigned k)
{
    return (family->price.per_node_hour * k + family->price.per_wall_hour) * hours(family, k);
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

/* A family as it was measured. */
struct measured {
    const struct family *family;
    struct node_limits limits;
    struct cost_curve curve;
    struct k_interval interval;
    struct k_table *table;
    unsigned truth; /* K* */
};

static double true_excess(const struct measured *measured, unsigned k)
{
    return k > measured->truth ? 1 - cost(measured->family, measured->truth) / cost(measured->family, k) : 0;
}

static struct verdict_answer ask(const struct measured *measured, unsigned k)
{
    struct verdict_question question = { .fit = &fit,
                                         .curve = &measured->curve,
                                         .limits = &measured->limits,
                                         .interval = &measured->interval,
                                         .table = measured->table,
                                         .k = k };
    struct verdict_answer answer;
    verdict_of(&question, &answer);
    return answer;
}

/* Flags that are wrong. */
static void count_false_flags(const struct measured *measured, struct tally *tally)
{
    unsigned last = 2 * scaling_fit_largest_k(&fit);
    for (unsigned k = 1; k <= last; k = k < 3 ? k + 1 : (k & (k - 1)) == 0 ? k + k / 2 : k + k / 3) {
        if (true_excess(measured, k) > 0.05 || (measured->family->powers_of_two && (k & (k - 1)) != 0))
            continue;
        struct verdict_answer answer = ask(measured, k);
        tally->right_jobs++;
        tally->false_flags += answer.verdict == VERDICT_ABOVE;
        tally->unmarked += answer.verdict == VERDICT_ABOVE && !answer.low_confidence;
    }
}

/* A job on twice as many nodes as it should. */
static void count_twice(const struct measured *measured, struct tally *tally)
{
    unsigned k = 2 * measured->truth;
    double truth = true_excess(measured, k);
    struct excess_interval excess;
    k_table_excess(measured->table, &measured->curve, &(struct excess_question){ .k = k }, &excess);
    bool is_printed = excess.draws > 0 && measured->interval.range_count > 0;
    if (k > verdict_largest_k(&fit, NULL))
        return; /* nobody is judged there */
    tally->excesses += is_printed;
    tally->excesses_held += is_printed && excess.low <= truth && truth <= excess.high;
    tally->twice += truth > 0.1;
    tally->twice_flagged += truth > 0.1 && ask(measured, k).verdict == VERDICT_ABOVE;
}

static void judge(const struct family *family, const struct measurement *runs, size_t count, unsigned truth,
                  struct tally *tally)
{
    struct measured measured = { .family = family,
                                 .limits = { .largest = LARGEST, .powers_of_two = family->powers_of_two },
                                 .truth = truth };
    struct k_star_result estimate = { 0 };
    const struct k_interval *interval = &measured.interval;
    scaling_fit(runs, count, 0, &fit);
    verdict_curve(&fit, &family->price, &measured.curve);
    measured.table = k_table_make(&fit, &measured.curve, &measured.limits);
    k_table_interval(measured.table, &measured.curve, &measured.interval);
    k_star(&measured.curve, &measured.limits, &estimate);
    bool is_printed = interval->range_count > 0, held = k_interval_contains(interval, truth);
    bool is_low = ask(&measured, 1).low_confidence;
    tally->families++;
    tally->low += is_low;
    tally->printed += is_printed;
    tally->held += held;
    tally->sure += is_printed && !is_low;
    tally->sure_held += held && !is_low;
    tally->exact += estimate.k == truth;
    tally->delta += interval->method == K_INTERVAL_DELTA;
    tally->growth += interval->reason == K_INTERVAL_GROWTH;
    tally->resampled += interval->method == K_INTERVAL_BOOTSTRAP && interval->reason != K_INTERVAL_GROWTH;
    tally->width += width_of(interval, family->powers_of_two);
    count_false_flags(&measured, tally);
    count_twice(&measured, tally);
    k_table_free(measured.table);
}

/* ---- What could be flagged at most ---- */

/* What T(k) is made of: its first three unknowns, and as many steps as the family has. Returns how
 * many. */
static unsigned parts_of(const struct family *family, unsigned k, double *parts)
{
    unsigned count = 0;
    parts[count++] = 1.0 / k;
    parts[count++] = (k - 1.0) / k;
    parts[count++] = k - 1.0;
    if (family->law.step > 0)
        parts[count++] = (k > 1) / (double)k;
    if (family->rack > 0)
        parts[count++] = (k > 8) / (double)k;
    return count;
}

/* g' M^-1 g by elimination; M is overwritten. */
static double inverse_form(double m[PARTS][PARTS], const double *g, unsigned count)
{
    double right[PARTS], sum = 0;
    for (unsigned i = 0; i < count; i++)
        right[i] = g[i];
    for (unsigned i = 0; i < count; i++) { /* M is positive definite: no pivot is needed */
        sum += right[i] * right[i] / m[i][i];
        for (unsigned j = i + 1; j < count; j++) {
            double factor = m[j][i] / m[i][i];
            right[j] -= factor * right[i];
            for (unsigned k = i; k < count; k++)
                m[j][k] -= factor * m[i][k];
        }
    }
    return sum;
}

/* How many of its standard errors ln C(2 K*) - ln C(K*) is beyond what a twentieth means, by
 * weighted least squares. *freedom gets the runs less the unknowns. NaN: fewer sizes than
 * unknowns. */
static double errors_beyond(const struct family *family, const struct plan *plan, double noise,
                            unsigned k_star, unsigned *freedom)
{
    double m[PARTS][PARTS] = { { 0 } }, parts[PARTS] = { 0 }, one[PARTS] = { 0 }, two[PARTS] = { 0 };
    unsigned count = parts_of(family, k_star, one);
    unsigned runs = plan->sizes * plan->repeats + plan->one_again;
    if (plan->sizes < count)
        return NAN;
    *freedom = runs - count;
    for (unsigned i = 0, k = 1; i < plan->sizes; i++, k *= plan->by) {
        double own = noise * (i == 0 ? plan->one_noise : 1) * hours(family, k);
        double weight = (plan->repeats + (i == 0 ? plan->one_again : 0)) / (own * own);
        parts_of(family, k, parts);
        for (unsigned a = 0; a < count; a++) {
            for (unsigned b = 0; b < count; b++)
                m[a][b] += weight * parts[a] * parts[b];
        }
    }
    parts_of(family, 2 * k_star, two);
    for (unsigned a = 0; a < count; a++)
        two[a] = two[a] / hours(family, 2 * k_star) - one[a] / hours(family, k_star);
    double errors = log(cost(family, 2 * k_star) / cost(family, k_star)) + log(0.95);
    return errors / sqrt(inverse_form(m, two, count));
}

static double power_with_known_noise(double errors)
{
    return 0.5 * erfc((1.959964 - errors) / sqrt(2));
}

/* The mean over what the noise may be estimated as, in parts of itself. */
static double power_with_estimated_noise(double errors, unsigned freedom)
{
    double t = freedom > 0 ? student_t_quantile(0.975, freedom) : INFINITY, weights = 0, power = 0;
    for (double estimate = 0.0005; estimate < 6; estimate += 0.001) {
        double weight = exp((freedom - 1.0) * log(estimate) - freedom * estimate * estimate / 2);
        weights += weight;
        power += weight * 0.5 * erfc((t * estimate - errors) / sqrt(2));
    }
    return power / weights;
}

/* ---- */

static size_t measure(const struct family *family, const struct plan *plan, double noise,
                      struct seeded_random *random, struct measurement *runs)
{
    size_t count = 0;
    for (unsigned i = 0, k = 1; i < plan->sizes; i++, k *= plan->by) {
        unsigned repeats = plan->repeats + (i == 0 ? plan->one_again : 0);
        double own = noise * (i == 0 ? plan->one_noise : 1);
        for (unsigned j = 0; j < repeats; j++) {
            runs[count++] =
                (struct measurement){ k, hours(family, k) * exp(own * seeded_random_normal(random)) };
        }
    }
    return count;
}

static void print_share(long part, long whole)
{
    if (whole > 0)
        printf(" %6.2f", 100.0 * (double)part / (double)whole);
    else
        printf("      -");
}

static void print_tally(const struct tally *tally)
{
    print_share(tally->low, tally->families);
    print_share(tally->families - tally->printed, tally->families);
    print_share(tally->held, tally->printed);
    print_share(tally->sure_held, tally->sure);
    print_share(tally->exact, tally->families);
    printf(" %6.1f", tally->printed > 0 ? tally->width / (double)tally->printed : NAN);
    print_share(tally->excesses_held, tally->excesses);
    print_share(tally->false_flags, tally->right_jobs);
    print_share(tally->unmarked, tally->right_jobs);
    print_share(tally->twice_flagged, tally->twice);
    if (tally->most_jobs > 0)
        printf(" %6.2f %6.2f", 100 * tally->most / (double)tally->most_jobs,
               100 * tally->fair / (double)tally->most_jobs);
    else
        printf("      -      -");
    printf("  %3.0f %3.0f %3.0f\n", 100.0 * (double)tally->delta / (double)tally->families,
           100.0 * (double)tally->resampled / (double)tally->families,
           100.0 * (double)tally->growth / (double)tally->families);
    fflush(stdout);
}

/* All but the width, which has no sum. */
static void add(const struct tally *tally, struct tally *sum)
{
    sum->families += tally->families;
    sum->low += tally->low;
    sum->printed += tally->printed;
    sum->held += tally->held;
    sum->sure += tally->sure;
    sum->sure_held += tally->sure_held;
    sum->exact += tally->exact;
    sum->delta += tally->delta;
    sum->resampled += tally->resampled;
    sum->growth += tally->growth;
    sum->excesses += tally->excesses;
    sum->excesses_held += tally->excesses_held;
    sum->right_jobs += tally->right_jobs;
    sum->false_flags += tally->false_flags;
    sum->unmarked += tally->unmarked;
    sum->twice += tally->twice;
    sum->twice_flagged += tally->twice_flagged;
    sum->width += tally->width;
    sum->most_jobs += tally->most_jobs;
    sum->most += tally->most;
    sum->fair += tally->fair;
}

/* What was asked for on the command line. */
struct wanted {
    int draws; /* families of each cell */
    uint64_t seed;
    const char *plan, *cell; /* NULL: all */
};

static void simulate(const struct family *family, const char *where, const struct plan *plan, double noise,
                     const struct wanted *wanted, struct tally *sum)
{
    struct tally tally = { 0 };
    struct seeded_random random;
    unsigned truth = true_k_star(family);
    char label[128];
    snprintf(label, sizeof label, "%-18s %-4s %3u  %3.0f %%  %u x %u + %u, by %u  %4.2f", family->name, where,
             truth, 100 * noise, plan->sizes, plan->repeats, plan->one_again, plan->by, plan->one_noise);
    if (wanted->cell != NULL && strstr(label, wanted->cell) == NULL)
        return;
    seeded_random_start(&random, wanted->seed);
    for (int i = 0; i < wanted->draws; i++) {
        struct measurement runs[RUNS];
        judge(family, runs, measure(family, plan, noise, &random, runs), truth, &tally);
    }
    unsigned freedom;
    double errors = errors_beyond(family, plan, noise, truth, &freedom);
    if (!isnan(errors)) {
        tally.most_jobs = tally.twice;
        tally.most = power_with_known_noise(errors) * (double)tally.twice;
        tally.fair = power_with_estimated_noise(errors, freedom) * (double)tally.twice;
    }
    printf("%s", label);
    print_tally(&tally);
    add(&tally, sum);
}

static bool takes_part(const struct family *family, const struct plan *plan, const char *wanted)
{
    return family->has_steps == (strcmp(plan->name, "steps") == 0) &&
           (wanted == NULL || strcmp(wanted, plan->name) == 0);
}

int main(int count, char **words)
{
    struct wanted wanted = { .draws = count > 1 ? (int)strtol(words[1], NULL, 10) : 200,
                             .seed = count > 2 ? strtoull(words[2], NULL, 10) : 7,
                             .plan = count > 3 && strcmp(words[3], "all") != 0 ? words[3] : NULL,
                             .cell = count > 4 ? words[4] : NULL };
    struct tally sum = { 0 };
    if (wanted.draws < 1) {
        fprintf(stderr, "usage: interval_coverage [FAMILIES [SEED [all|even|uneven|steps [CELL]]]]\n");
        return 1;
    }
    printf(
        "%-18s %-4s %3s  %5s  %17s  %3s %6s %6s %6s %6s %6s %6s %6s %6s %6s %6s %6s %6s  delta resampled growth\n",
        "family (all in %)", "at", "K*", "noise", "sizes", "one", "low", "none", "held", "sure", "exact",
        "width", "money", "false", "unmark", "twice", "most", "fair");
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++) {
        const struct family *family = &families[i];
        struct family tie = at_a_tie(family);
        for (size_t j = 0; j < sizeof plans / sizeof plans[0]; j++) {
            const struct plan *plan = &plans[j];
            for (size_t k = 0; takes_part(family, plan, wanted.plan) && k < sizeof noises / sizeof noises[0];
                 k++) {
                simulate(family, "own", plan, noises[k], &wanted, &sum);
                if (!family->has_steps)
                    simulate(&tie, "tie", plan, noises[k], &wanted, &sum);
            }
        }
    }
    printf("%-18s %44s", "all", "");
    print_tally(&sum);
    return 0;
}
