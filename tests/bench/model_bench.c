/* How long fits and verdicts take. With --write FILE: the families, for another program to fit
 * (tests/bench/fits).
 *
 *     model_bench [--write FILE] [FAMILIES [JOBS]]
 */
#include "model/cost/k_table.h"
#include "model/cost/verdict.h"
#include "model/cost/verdict_fit.h"
#include "model/statistics/seeded_random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SIZES = 8 };

static struct seeded_random dice;
static struct scaling_fit fit;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static double between(double low, double high)
{
    return low + (high - low) * seeded_random_uniform(&dice);
}

/* Eight sizes of a law with a step, at 2 % noise. */
static void family(struct measurement *runs)
{
    struct scaling_law law = { .form = SCALING_STEPPED,
                               .t1_hours = 1,
                               .serial_fraction = between(0, 0.05),
                               .communication_coefficient = between(0, 0.003),
                               .step = between(0, 0.3) };
    for (unsigned i = 0; i < SIZES; i++) {
        runs[i] = (struct measurement){ 1u << i, scaling_law_hours(&law, 1u << i) *
                                                     exp(0.02 * seeded_random_normal(&dice)) };
    }
}

static void write_families(const char *path, long count)
{
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        perror(path);
        exit(1);
    }
    fprintf(file, "family,k,hours\n");
    for (long i = 0; i < count; i++) {
        struct measurement runs[SIZES];
        family(runs);
        for (int j = 0; j < SIZES; j++) {
            fprintf(file, "%ld,%u,%.17g\n", i, runs[j].k, runs[j].hours);
        }
    }
    fclose(file);
}

static void time_fits(long count)
{
    struct scaling_law law;
    struct measurement(*runs)[SIZES] = malloc((size_t)count * sizeof *runs);
    double sum = 0;
    for (long i = 0; i < count; i++) {
        family(runs[i]);
    }
    double start = now();
    for (long i = 0; i < count; i++) {
        scaling_fit_form(runs[i], SIZES, SCALING_STEPPED, &law, NULL);
        sum += law.serial_fraction;
    }
    double middle = now();
    for (long i = 0; i < count; i++) {
        scaling_fit(runs[i], SIZES, 0, &fit);
        sum += fit.law.serial_fraction;
    }
    printf("stepped law alone        %10.3f us per family\n", 1e6 * (middle - start) / (double)count);
    printf("fit with choice of law   %10.3f us per family\n", 1e6 * (now() - middle) / (double)count);
    fprintf(stderr, "%.6g\n", sum); /* so that the compiler removes nothing */
    free(runs);
}

static void time_verdicts(const char *name, long jobs)
{
    struct cost_curve curve;
    struct node_limits limits = { .largest = 256 };
    verdict_curve(&fit, &(struct job_price){ .per_node_hour = 1 }, &curve);
    double start = now();
    struct k_table *table = k_table_make(&fit, &curve, &limits);
    struct k_interval interval;
    k_table_interval(table, &curve, &interval);
    double middle = now();
    long above = 0;
    for (long i = 0; i < jobs; i++) {
        struct verdict_answer answer;
        curve.price = (struct job_price){ .per_node_hour = between(2, 3), .per_wall_hour = between(0, 9) };
        k_table_interval(table, &curve, &interval);
        struct verdict_question question = { .fit = &fit,
                                             .curve = &curve,
                                             .limits = &limits,
                                             .interval = &interval,
                                             .table = table,
                                             .k = 1 + (unsigned)between(0, 64) };
        above += verdict_of(&question, &answer) == VERDICT_ABOVE;
    }
    printf("verdicts, %-14s %10.3f us per job; the table %.1f ms once; %ld %% above K*\n", name,
           1e6 * (now() - middle) / (double)jobs, 1e3 * (middle - start), 100 * above / jobs);
    k_table_free(table);
}

/* Six sizes, three runs each: of a law inside its bounds, or with a kink that no law follows. */
static void fit_for_verdicts(double kink)
{
    struct measurement runs[18];
    struct scaling_law law = { .t1_hours = 1, .serial_fraction = 0.03, .communication_coefficient = 0.0015 };
    for (unsigned i = 0; i < 18; i++) {
        unsigned k = 1u << i / 3;
        runs[i] = (struct measurement){ k, scaling_law_hours(&law, k) * (k > 8 ? kink : 1) *
                                               exp(0.02 * seeded_random_normal(&dice)) };
    }
    scaling_fit(runs, 18, 0, &fit);
}

int main(int argc, char **argv)
{
    const char *path = argc > 2 && strcmp(argv[1], "--write") == 0 ? argv[2] : NULL;
    char **rest = argv + (path != NULL ? 3 : 1);
    long families = rest < argv + argc && rest[0] != NULL ? strtol(rest[0], NULL, 10) : 10000;
    long jobs = rest + 1 < argv + argc && rest[1] != NULL ? strtol(rest[1], NULL, 10) : 1000000;
    seeded_random_start(&dice, 1);
    if (path != NULL) {
        write_families(path, families);
        return 0;
    }
    time_fits(families);
    fit_for_verdicts(1);
    time_verdicts("by a law", jobs);
    fit_for_verdicts(1.4);
    time_verdicts("by growth", jobs);
    return 0;
}
