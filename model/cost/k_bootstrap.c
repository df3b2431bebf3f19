/* model/cost/k_bootstrap.c: see k_bootstrap.h. */
#include "model/cost/k_bootstrap.h"

#include "model/cost/k_interval.h"
#include "model/cost/k_star.h"
#include "model/scaling/scaling_system.h"
#include "model/statistics/seeded_random.h"
#include "model/statistics/student_t.h"

#include <math.h>
#include <stdlib.h>

/* Whether draws are of the chosen law; else they are of the growth rule. */
static bool is_by_law(const struct scaling_fit *fit)
{
    return fit->outcome == SCALING_FIT_LAW || (fit->outcome == SCALING_FIT_GROWTH && fit->law_is_open);
}

bool k_bootstrap_step_is_open(const struct scaling_fit *fit)
{
    const struct scaling_candidate *stepped = &fit->candidates[SCALING_STEPPED];
    return is_by_law(fit) && fit->chosen == SCALING_USL && scaling_fit_step_is_tested(fit) &&
           stepped->law.step > 0 && fit->runs > scaling_parameters(SCALING_STEPPED);
}

/* A relative noise of one run, and its degrees of freedom. */
struct noise {
    double of_run;
    unsigned freedom;
};

/* How far runs are from a law. */
struct run_noise {
    struct noise pooled; /* over all runs */
    struct noise single; /* of sizes with one run */
};

/* The noise itself is uncertain if it has few degrees of freedom. It is drawn from a chi-square,
 * so that the draws spread as Student's t. */
static double draw_scale(unsigned freedom, struct seeded_random *random)
{
    return freedom > 0 ? sqrt(freedom / seeded_random_chi_square(random, freedom)) : 0;
}

/* Sizes with one run, beside repeated ones, have the noise of all runs. If the means of the sizes
 * lie farther from the law than the repeats allow (one-sided t, 95 %), they have the noise between
 * the sizes. */
static struct noise noise_of_single(const struct scaling_fit *fit, struct noise pooled)
{
    struct noise between;
    bool has_single = false;
    for (size_t i = 0; i < fit->size_count; i++)
        has_single = has_single || fit->sizes[i].repeats < 2;
    if (fit->repeat_freedom == 0 || !has_single)
        return pooled;
    between.of_run = scaling_between_noise(fit, &fit->candidates[fit->chosen].law, &between.freedom);
    double allowed = student_t_quantile(0.95, fit->repeat_freedom) * fit->repeat_noise;
    return between.of_run > fmax(allowed, pooled.of_run) ? between : pooled;
}

static struct run_noise run_noise_of(const struct scaling_fit *fit)
{
    unsigned freedom = fit->runs - scaling_parameters(fit->chosen);
    struct noise pooled = { sqrt(fit->candidates[fit->chosen].residual_sum / freedom), freedom };
    return (struct run_noise){ pooled, noise_of_single(fit, pooled) };
}

static bool single_noise_is_larger(const struct run_noise *noise)
{
    return noise->single.of_run > noise->pooled.of_run;
}

bool k_bootstrap_noise_differs(const struct scaling_fit *fit)
{
    struct run_noise noise = run_noise_of(fit);
    return single_noise_is_larger(&noise);
}

/* Makes one refit: every run is drawn again around `centre`, and the fit has the same constraints.
 * False if no law fits the draw. */
static bool draw_law(const struct scaling_fit *fit, const struct scaling_law *centre,
                     const struct run_noise *noise, struct seeded_random *random, struct scaling_law *law)
{
    struct scaling_system system;
    struct nnls_solution solution;
    double pooled = noise->pooled.of_run * draw_scale(noise->pooled.freedom, random), single = pooled;
    if (single_noise_is_larger(noise))
        single = noise->single.of_run * draw_scale(noise->single.freedom, random);
    scaling_system_start(&system, centre);
    for (size_t i = 0; i < fit->size_count; i++) {
        const struct measured_size *size = &fit->sizes[i];
        double around = size->law_misses ? size->hours : scaling_law_hours(centre, size->k);
        for (unsigned j = 0; j < size->repeats; j++) {
            double hours = around * exp((size->repeats < 2 ? single : pooled) * seeded_random_normal(random));
            if (isfinite(hours) && hours > 0)
                scaling_system_add(&system, size->k, hours);
        }
    }
    return scaling_system_solve(&system, law, &solution);
}

/* A law with a step that may be hidden in the noise. */
struct hidden_step {
    struct scaling_law law;
    double misfit; /* sum of its squared relative errors */
};

/* Fits the law to the means, with a step behind each size but the first and the last. Returns the
 * number of these fits. */
static size_t hidden_steps(const struct scaling_fit *fit, const struct scaling_law *law,
                           struct hidden_step *steps)
{
    size_t count = 0;
    for (size_t i = 1; i + 1 < fit->size_count; i++) {
        struct scaling_system system;
        struct nnls_solution solution;
        struct scaling_law shell = *law;
        shell.behind = fit->sizes[i].k;
        scaling_system_start(&system, &shell);
        for (size_t j = 0; j < fit->size_count; j++) {
            for (unsigned run = 0; run < fit->sizes[j].repeats; run++)
                scaling_system_add(&system, fit->sizes[j].k, fit->sizes[j].hours);
        }
        if (shell.behind > scaling_fit_one_node(fit) &&
            scaling_system_solve(&system, &steps[count].law, &solution))
            steps[count++].misfit = solution.residual_sum;
    }
    return count;
}

/* Draws one of these laws with its likelihood, exp(-misfit/2) in units of the squared noise. */
static const struct scaling_law *draw_step(const struct hidden_step *steps, size_t count, double noise_of_run,
                                           struct seeded_random *random)
{
    double weights[MEASURED_SIZES_MAX] = { 0 }, sum = 0, least = INFINITY;
    size_t at = 0;
    for (size_t i = 0; i < count; i++)
        least = fmin(least, steps[i].misfit);
    for (size_t i = 0; i < count; i++)
        weights[i] = sum += exp((least - steps[i].misfit) / (2 * noise_of_run * noise_of_run));
    double place = sum * seeded_random_uniform(random);
    while (at + 1 < count && weights[at] < place)
        at++;
    return &steps[at].law;
}

static void draw_laws(const struct scaling_fit *fit, struct k_bootstrap *bootstrap)
{
    const struct scaling_law *law =
        &fit->candidates[k_bootstrap_step_is_open(fit) ? SCALING_STEPPED : fit->chosen].law;
    struct run_noise noise = run_noise_of(fit);
    struct hidden_step steps[MEASURED_SIZES_MAX];
    size_t hidden = fit->stands_by_noise || fit->law_is_open ? hidden_steps(fit, law, steps) : 0;
    struct seeded_random random;
    seeded_random_start(&random, bootstrap->seed);
    for (size_t tries = 0, wanted = K_STAR_BOOTSTRAP_LAWS; tries < 2 * wanted && bootstrap->count < wanted;
         tries++) {
        bool has_step = hidden > 0 && bootstrap->count % 2 == 1;
        const struct scaling_law *centre =
            has_step ? draw_step(steps, hidden, noise.pooled.of_run, &random) : law;
        if (draw_law(fit, centre, &noise, &random, &bootstrap->laws[bootstrap->count]))
            bootstrap->count++;
    }
}

void k_bootstrap_draw(const struct scaling_fit *fit, uint64_t seed, struct k_bootstrap *bootstrap)
{
    bootstrap->seed = seed;
    bootstrap->count = 0;
    if (fit->freedom > 0 && is_by_law(fit))
        draw_laws(fit, bootstrap);
    else if (fit->freedom > 0 && fit->outcome == SCALING_FIT_GROWTH)
        bootstrap->count = K_STAR_BOOTSTRAP_LAWS;
}

/* The relative noise of a run in one draw. */
struct drawn_noise {
    double repeated, single; /* at sizes with several runs, and with one */
};

static struct drawn_noise draw_noises(const struct scaling_fit *fit, struct seeded_random *random)
{
    bool has_law = fit->outcome == SCALING_FIT_LAW;
    double noise = has_law ? fit->repeat_noise : fit->noise;
    struct drawn_noise drawn;
    drawn.repeated = noise * draw_scale(has_law ? fit->repeat_freedom : fit->freedom, random);
    drawn.single = fit->single_noise > noise ? fit->single_noise * draw_scale(fit->single_freedom, random)
                                             : drawn.repeated;
    return drawn;
}

/* Draws again the sizes that are judged by measurement, with the noise of their means. With a
 * law these are the sizes that it misses; with the growth rule, all. Returns their number. */
static size_t draw_sizes(const struct scaling_fit *fit, bool by_law, const struct cost_curve *curve,
                         struct seeded_random *random, struct measured_size *sizes)
{
    size_t count = 0;
    struct drawn_noise noise = { 0 };
    for (size_t i = 0; curve->sizes != NULL && i < curve->size_count; i++) {
        if (curve->sizes[i].law_misses || !by_law) {
            unsigned repeats = curve->sizes[i].repeats;
            if (count == 0)
                noise = draw_noises(fit, random);
            double of_mean = repeats < 2 ? noise.single : noise.repeated / sqrt(repeats);
            sizes[count] = curve->sizes[i];
            sizes[count++].hours *= exp(of_mean * seeded_random_normal(random));
        }
    }
    return count;
}

unsigned k_bootstrap_largest_k(unsigned largest)
{
    return largest < NODE_LIMITS_LARGEST / K_STAR_DRAW_MULTIPLE ? largest * K_STAR_DRAW_MULTIPLE
                                                                : NODE_LIMITS_LARGEST;
}

unsigned *k_bootstrap_sizes(const struct cost_curve *curve, const struct node_limits *limits, size_t *count,
                            bool *goes_on)
{
    unsigned last = k_bootstrap_largest_k(cost_curve_largest_k(curve));
    unsigned *ks = malloc(((size_t)last + 1) * sizeof *ks);
    *count = 0;
    *goes_on = false;
    for (unsigned k = node_limits_next(limits, 0); k != 0 && !*goes_on; k = node_limits_next(limits, k)) {
        *goes_on = k > last;
        if (*goes_on)
            ks[*count] = K_STAR_NO_END;
        else
            ks[(*count)++] = k;
    }
    return ks;
}

void k_bootstrap_hours(const struct scaling_fit *fit, const struct cost_curve *curve,
                       const struct k_bootstrap *bootstrap, size_t draw, const unsigned *ks, size_t count,
                       double *hours)
{
    struct measured_size sizes[MEASURED_SIZES_MAX];
    struct cost_curve drawn = *curve;
    struct seeded_random random;
    seeded_random_start(&random, bootstrap->seed ^ (UINT64_C(0x5bd1e995) * (draw + 1)));
    drawn.work = 1;
    bool by_law = is_by_law(fit);
    drawn.size_count = draw_sizes(fit, by_law, curve, &random, sizes);
    drawn.sizes = drawn.size_count > 0 ? sizes : NULL;
    if (by_law) {
        drawn.law = &bootstrap->laws[draw];
        for (size_t i = 0; i < count; i++)
            hours[i] = cost_curve_hours(&drawn, ks[i]);
        return;
    }
    struct growth_rule growth = growth_rule_of(sizes, drawn.size_count, scaling_fit_one_node(fit));
    growth.share = seeded_random_uniform(&random);
    if (growth.beyond >
        0) { /* series bend downwards: the growth shown so far is the most that is to be expected */
        growth.beyond *= seeded_random_uniform(&random);
    }
    growth_rule_hours_at(&growth, sizes, drawn.size_count, ks, count, hours);
    for (size_t i = 0; i < count; i++)
        hours[i] *= interruption_stretch(&curve->interruption, ks[i]);
}
