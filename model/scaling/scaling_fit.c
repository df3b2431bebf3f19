/* model/scaling/scaling_fit.c: see scaling_fit.h. */
#include "model/scaling/scaling_fit.h"

#include "model/scaling/scaling_system.h"
#include "model/statistics/student_t.h"

#include <math.h>
#include <string.h>

/* A law needs this many distinct K more than it has free parameters. */
static const unsigned SPARE_SIZES = 2;
static const unsigned FEWEST_SIZES = 3;
/* If the noise is unknown, a measured E up to 1 + this counts as noise. */
static const double SUPERLINEAR = 0.02;
/* A law is accepted if every measured mean differs from it by at most this. The verdict treats
 * two costs that differ by this much as equal. */
static const double LAW_STANDS = 0.05;
/* With fewer degrees of freedom the noise is so uncertain that any difference would be within
 * it. */
static const unsigned LAW_STANDS_FREEDOM = 4;

static const char *const reason_texts[SCALING_REASONS] = {
    [SCALING_REASON_NONE] = "enough sizes were measured for this law",
    [SCALING_REASON_NO_DATA] = "nothing was measured",
    [SCALING_REASON_BAD_DATA] = "a measurement has no positive time or no node count",
    [SCALING_REASON_ONE_SIZE] = "one size says nothing about scaling",
    [SCALING_REASON_TWO_SIZES] = "two sizes make no law; their measured costs are compared",
    [SCALING_REASON_NO_FREEDOM] = "as many parameters as runs, so the error is unknown",
    [SCALING_REASON_FEW_SIZES] = "fewer than five sizes are too few to test a law; the "
                                 "measurements decide",
    [SCALING_REASON_SUPERLINEAR] = "a measured efficiency is above 1: is the smallest size "
                                   "measured right?",
    [SCALING_REASON_STEP_UNTESTED] = "fewer than six sizes; a step on leaving one node cannot be detected",
    [SCALING_REASON_BY_CHANCE] = "single runs may differ by more than 5 %, and a law may come near so "
                                 "few of them by chance",
    [SCALING_REASON_BY_NOISE] = "repeats of one size differ so much that a step may hide in the noise",
    [SCALING_REASON_NO_LAW_STANDS] = "no law comes within 5 % of all measured sizes; the "
                                     "measurements decide",
};

const char *scaling_reason_text(enum scaling_reason reason)
{
    return reason_texts[reason];
}

const char *scaling_fit_law_name(const struct scaling_fit *fit)
{
    if (fit->outcome == SCALING_FIT_LAW)
        return scaling_form_name(fit->law.form);
    return fit->outcome == SCALING_FIT_GROWTH ? "growth" : "none";
}

unsigned scaling_fit_smallest_k(const struct scaling_fit *fit)
{
    return fit->size_count > 0 ? fit->sizes[0].k : 0;
}

unsigned scaling_fit_largest_k(const struct scaling_fit *fit)
{
    return fit->size_count > 0 ? fit->sizes[fit->size_count - 1].k : 0;
}

unsigned scaling_fit_one_node(const struct scaling_fit *fit)
{
    return fit->accelerators_per_node > 1 ? fit->accelerators_per_node : 1;
}

double scaling_measured_efficiency(const struct scaling_fit *fit, const struct measured_size *size)
{
    const struct measured_size *first = &fit->sizes[0];
    return first->hours * first->k / (size->hours * size->k);
}

/* Fits the shell's form, with its smallest K, to all runs except size `held_out` (0: none). */
static bool solve_form(const struct measurement *runs, size_t count, unsigned held_out,
                       const struct scaling_law *shell, struct scaling_system *system,
                       struct scaling_law *law, struct nnls_solution *solution)
{
    scaling_system_start(system, shell);
    for (size_t i = 0; i < count; i++) {
        if (runs[i].k != held_out)
            scaling_system_add(system, runs[i].k, runs[i].hours);
    }
    return scaling_system_solve(system, law, solution);
}

static struct scaling_law shell_for(enum scaling_form form, unsigned smallest_k,
                                    unsigned accelerators_per_node)
{
    return (struct scaling_law){ .form = form,
                                 .smallest_k = smallest_k,
                                 .accelerators_per_node = accelerators_per_node };
}

bool scaling_fit_form(const struct measurement *measurements, size_t count, enum scaling_form form,
                      struct scaling_law *law, double *residual_sum)
{
    struct measured_size sizes[MEASURED_SIZES_MAX];
    size_t distinct = measured_sizes(measurements, count, sizes);
    struct scaling_law shell = shell_for(form, distinct > 0 ? sizes[0].k : 1, 0);
    if (distinct < scaling_parameters(form) ||
        (form == SCALING_STEPPED && shell.smallest_k > scaling_law_one_node(&shell))) {
        return false;
    }
    struct scaling_system system;
    struct nnls_solution solution;
    bool solved = solve_form(measurements, count, 0, &shell, &system, law, &solution);
    if (residual_sum != NULL) {
        *residual_sum = solution.residual_sum;
    }
    return solved;
}

/* The mean squared relative error when each K above the smallest is predicted from the other K.
 * If the others give no T1, that K counts as wholly missed. */
static double leave_one_out_error(const struct measurement *runs, size_t count, const struct scaling_fit *fit,
                                  const struct scaling_law *shell)
{
    double total = 0;
    for (size_t i = 1; i < fit->size_count; i++) {
        struct scaling_law law;
        struct scaling_system system;
        struct nnls_solution solution;
        unsigned k = fit->sizes[i].k;
        double squares = 0;
        bool solved = solve_form(runs, count, k, shell, &system, &law, &solution);
        for (size_t j = 0; j < count; j++) {
            if (runs[j].k == k) {
                double off = solved ? (runs[j].hours - scaling_law_hours(&law, k)) / runs[j].hours : 1;
                squares += off * off;
            }
        }
        total += squares / fit->sizes[i].repeats;
    }
    return total / (double)(fit->size_count - 1);
}

/* Fits one form as a candidate. The step needs a spare size to be fitted at all; with fewer than
 * two it is only drawn (law_is_open). */
static void consider(const struct measurement *runs, size_t count, const struct scaling_law *shell,
                     struct scaling_fit *fit)
{
    struct scaling_candidate *candidate = &fit->candidates[shell->form];
    unsigned sizes_needed = scaling_parameters(shell->form) + SPARE_SIZES;
    *candidate = (struct scaling_candidate){ .leave_one_out_error = NAN };
    if (shell->form == SCALING_STEPPED && (fit->size_count <= scaling_parameters(SCALING_STEPPED) ||
                                           shell->smallest_k > scaling_law_one_node(shell) ||
                                           scaling_fit_largest_k(fit) <= scaling_law_one_node(shell))) {
        return;
    }
    struct scaling_system system;
    struct nnls_solution solution;
    candidate->possible = solve_form(runs, count, 0, shell, &system, &candidate->law, &solution);
    candidate->residual_sum = solution.residual_sum;
    if (candidate->possible && fit->size_count >= sizes_needed)
        candidate->leave_one_out_error = leave_one_out_error(runs, count, fit, shell);
}

bool scaling_fit_step_is_tested(const struct scaling_fit *fit)
{
    return fit->candidates[SCALING_STEPPED].possible &&
           fit->size_count >= scaling_parameters(SCALING_STEPPED) + SPARE_SIZES;
}

/* Chooses the candidate. A form with the step wins only if its step is above 0 and it predicts
 * left-out K better. NULL if there are too few sizes to test a law. */
static const struct scaling_candidate *chosen_candidate(const struct scaling_fit *fit)
{
    const struct scaling_candidate *usl = &fit->candidates[SCALING_USL];
    const struct scaling_candidate *stepped = &fit->candidates[SCALING_STEPPED];
    if (scaling_fit_step_is_tested(fit) && stepped->law.step > 0 &&
        (!usl->possible || stepped->leave_one_out_error < usl->leave_one_out_error)) {
        return stepped;
    }
    return usl->possible && fit->size_count >= scaling_parameters(SCALING_USL) + SPARE_SIZES ? usl : NULL;
}

/* Covariance of (T1, s, c, d) from that of theta = (T1, T1 s, T1 c, T1 d); x = theta_x/theta0. */
static void fill_covariance(const struct nnls *system, const struct nnls_solution *solution,
                            struct scaling_fit *fit)
{
    double inverse[NNLS_MAX][NNLS_MAX];
    if (fit->freedom == 0 || !nnls_inverse(system, solution->free_columns, inverse))
        return;
    double variance = fit->residual_sum / fit->freedom;
    double t1 = solution->x[SCALING_T1];
    double jacobian[SCALING_PARAMETERS][SCALING_PARAMETERS] = { { 0 } };
    jacobian[SCALING_T1][SCALING_T1] = 1;
    for (int i = SCALING_SERIAL; i < (int)system->columns; i++) {
        if ((solution->free_columns >> i & 1u) != 0) {
            jacobian[i][SCALING_T1] = -solution->x[i] / (t1 * t1);
            jacobian[i][i] = 1 / t1;
        }
    }
    for (int i = 0; i < SCALING_PARAMETERS; i++) {
        for (int j = 0; j < SCALING_PARAMETERS; j++) {
            double sum = 0;
            for (int a = 0; a < SCALING_PARAMETERS; a++) {
                for (int b = 0; b < SCALING_PARAMETERS; b++)
                    sum += jacobian[i][a] * inverse[a][b] * jacobian[j][b];
            }
            fit->covariance[i][j] = variance * sum;
        }
    }
}

/* R^2 of efficiency and the largest relative residual. E of a run is relative to the law's T1. */
static void fill_quality(const struct measurement *runs, size_t count, struct scaling_fit *fit)
{
    const struct scaling_law *law = &fit->law;
    double ideal = law->t1_hours * scaling_law_smallest_k(law);
    double mean = 0;
    double unexplained = 0;
    double total = 0;
    for (size_t i = 0; i < count; i++)
        mean += ideal / (runs[i].k * runs[i].hours) / (double)count;
    for (size_t i = 0; i < count; i++) {
        double measured = ideal / (runs[i].k * runs[i].hours);
        double off = measured - scaling_law_efficiency(law, runs[i].k);
        double residual = fabs(runs[i].hours - scaling_law_hours(law, runs[i].k)) / runs[i].hours;
        unexplained += off * off;
        total += (measured - mean) * (measured - mean);
        fit->largest_residual = fmax(fit->largest_residual, residual);
    }
    bool constant = total <= 1e-24 * (double)count;
    fit->r_squared = constant ? 1 : 1 - unexplained / total;
}

double scaling_between_noise(const struct scaling_fit *fit, const struct scaling_law *law, unsigned *freedom)
{
    unsigned parameters = scaling_parameters(law->form);
    double squares = 0;
    *freedom = fit->size_count > parameters ? (unsigned)fit->size_count - parameters : 0;
    for (size_t i = 0; i < fit->size_count; i++) {
        const struct measured_size *size = &fit->sizes[i];
        double off = (size->hours - scaling_law_hours(law, size->k)) / size->hours;
        squares += size->repeats * off * off;
    }
    return *freedom > 0 ? sqrt(squares / *freedom) : 0;
}

/* The noise of a size that was run once: that of the other sizes' repeats, or `noise` if it is
 * larger. */
static void fill_single_noise(double noise, unsigned freedom, struct scaling_fit *fit)
{
    bool says_more = freedom > 0 && noise > fit->repeat_noise;
    fit->single_noise = says_more ? noise : fit->repeat_noise;
    fit->single_freedom = says_more ? freedom : fit->repeat_freedom;
}

/* The relative noise of a size's mean. */
static double noise_of_mean(const struct scaling_fit *fit, const struct measured_size *size)
{
    return size->repeats < 2 ? fit->single_noise : fit->repeat_noise / sqrt(size->repeats);
}

/* Marks the sizes whose measured mean the law misses by more than the noise of that mean. */
static void mark_misses(struct scaling_fit *fit)
{
    double t = fit->repeat_freedom > 0 ? student_t_quantile(0.975, fit->repeat_freedom) : INFINITY;
    for (size_t i = 0; i < fit->size_count; i++) {
        struct measured_size *size = &fit->sizes[i];
        size->law_hours = scaling_law_hours(&fit->law, size->k);
        double noise = fit->repeat_freedom > 0 ? t * noise_of_mean(fit, size) : INFINITY;
        size->law_misses = fabs(size->law_hours - size->hours) / size->hours > fmax(noise, 1e-9);
    }
}

static bool superlinear(const struct scaling_fit *fit)
{
    double beyond = SUPERLINEAR;
    if (fit->repeat_freedom > 0)
        beyond = fmax(beyond, student_t_quantile(0.975, fit->repeat_freedom) * fit->repeat_noise);
    for (size_t i = 1; i < fit->size_count; i++) {
        if (scaling_measured_efficiency(fit, &fit->sizes[i]) > 1 + beyond)
            return true;
    }
    return false;
}

/* The largest allowed distance of a law from the mean of a size: 5 %, or the noise of that mean, at
 * 95 % for all sizes together. */
static double largest_miss(const struct scaling_fit *fit, const struct measured_size *size)
{
    if (fit->repeat_freedom == 0)
        return LAW_STANDS;
    unsigned freedom = fit->repeat_freedom > LAW_STANDS_FREEDOM ? fit->repeat_freedom : LAW_STANDS_FREEDOM;
    double t = student_t_quantile(1 - 0.025 / (double)fit->size_count, freedom);
    return fmax(LAW_STANDS, t * fit->repeat_noise / sqrt(size->repeats));
}

static bool law_misses(const struct scaling_fit *fit, const struct scaling_law *law,
                       const struct measured_size *size)
{
    double off = fabs(scaling_law_hours(law, size->k) - size->hours) / size->hours;
    return off > largest_miss(fit, size);
}

/* Whether the law is close enough to every measured mean. */
static bool law_stands(struct scaling_fit *fit)
{
    bool stands = true;
    for (size_t i = 0; i < fit->size_count; i++) {
        const struct measured_size *size = &fit->sizes[i];
        double off = fabs(size->law_hours - size->hours) / size->hours;
        double noise = fit->repeat_noise / sqrt(size->repeats);
        stands = stands && !law_misses(fit, &fit->law, size);
        fit->stands_by_noise = fit->stands_by_noise || off > LAW_STANDS || noise > LAW_STANDS;
    }
    return stands;
}

/* The law that may be true although it does not stand: the chosen one, or if too few sizes test a
 * step, the one with a step. */
static enum scaling_form open_form(const struct scaling_fit *fit)
{
    return scaling_fit_step_is_tested(fit) ? fit->chosen : SCALING_STEPPED;
}

/* Whether no repeated size contradicts that law. If the step is not tested, each size must be
 * repeated. */
static bool law_is_open(const struct scaling_fit *fit)
{
    const struct scaling_candidate *candidate = &fit->candidates[open_form(fit)];
    bool is_open = fit->candidates[SCALING_STEPPED].possible;
    for (size_t i = 0; i < fit->size_count && is_open; i++) {
        const struct measured_size *size = &fit->sizes[i];
        is_open =
            size->repeats < 2 ? scaling_fit_step_is_tested(fit) : !law_misses(fit, &candidate->law, size);
    }
    return is_open;
}

/* Whether the step from one node to several is untested: K = 1 was measured, but too few sizes
 * show its cost. */
static bool is_step_untested(const struct scaling_fit *fit)
{
    unsigned one_node = scaling_fit_one_node(fit);
    return fit->sizes[0].k <= one_node && scaling_fit_largest_k(fit) > one_node &&
           fit->size_count < scaling_parameters(SCALING_STEPPED) + SPARE_SIZES;
}

static enum scaling_reason law_reason(const struct scaling_fit *fit)
{
    if (superlinear(fit))
        return SCALING_REASON_SUPERLINEAR;
    return is_step_untested(fit) ? SCALING_REASON_STEP_UNTESTED : SCALING_REASON_NONE;
}

/* Whether an accepted law may be accepted by chance. It is within 5 % of every size. That means
 * little if single runs may differ more from it (Student's t, 95 %) and few degrees of freedom
 * remain. It is not chance if enough sizes were repeated to test a law. */
static bool may_be_chance(const struct scaling_fit *fit)
{
    unsigned repeated = 0, freedom;
    for (size_t i = 0; i < fit->size_count; i++)
        repeated += fit->sizes[i].repeats > 1;
    double noise = scaling_between_noise(fit, &fit->law, &freedom);
    return repeated < fit->parameters + SPARE_SIZES && freedom < LAW_STANDS_FREEDOM &&
           student_t_quantile(0.975, freedom) * noise > LAW_STANDS;
}

static enum scaling_reason growth_reason(const struct scaling_fit *fit)
{
    if (fit->freedom == 0)
        return SCALING_REASON_NO_FREEDOM;
    if (fit->size_count < scaling_parameters(SCALING_USL) + SPARE_SIZES)
        return SCALING_REASON_FEW_SIZES;
    if (superlinear(fit))
        return SCALING_REASON_SUPERLINEAR;
    return is_step_untested(fit) ? SCALING_REASON_STEP_UNTESTED : SCALING_REASON_NO_LAW_STANDS;
}

/* Sets the noise of one run from its repeats, or else from the roughness of the sizes. A size
 * minus the line through two others has sqrt(3/2) of the error of one. */
static void fill_noise(struct scaling_fit *fit)
{
    unsigned inner;
    fit->roughness =
        growth_rule_roughness(&fit->growth, fit->sizes, fit->size_count, &inner, &fit->largest_residual);
    fill_single_noise(inner > 0 ? fit->roughness / sqrt(1.5) : 0, inner, fit);
    bool is_repeated = fit->repeat_freedom > 0;
    fit->noise = is_repeated ? fit->repeat_noise : fit->single_noise;
    fit->freedom = is_repeated ? fit->repeat_freedom : inner;
}

/* Uses the growth rule for the fit: the measurements decide. */
static void settle_growth(unsigned accelerators_per_node, struct scaling_fit *fit)
{
    memset(&fit->law, 0, sizeof fit->law);
    memset(fit->covariance, 0, sizeof fit->covariance);
    fit->outcome = SCALING_FIT_GROWTH;
    fit->stands_by_noise = false;
    fit->parameters = (unsigned)fit->size_count;
    fit->freedom = fit->on_bound = 0;
    fit->r_squared = NAN;
    fit->residual_sum = 0;
    for (size_t i = 0; i < fit->size_count; i++) {
        fit->residual_sum += fit->sizes[i].square_spread;
        fit->sizes[i].law_hours = NAN;
        fit->sizes[i].law_misses = false;
    }
    fit->growth = growth_rule_of(fit->sizes, fit->size_count, accelerators_per_node);
    fill_noise(fit);
    fit->law_is_open = law_is_open(fit);
    fit->chosen = open_form(fit);
    fit->odd_k = growth_rule_odd_size(&fit->growth, fit->sizes, fit->size_count);
    fit->reason = growth_reason(fit);
}

/* Uses the chosen law for the fit, and computes its statistics. */
static void settle_law(const struct measurement *runs, size_t count, const struct scaling_law *shell,
                       struct scaling_fit *fit)
{
    struct scaling_system system;
    struct nnls_solution solution;
    solve_form(runs, count, 0, shell, &system, &fit->law, &solution);
    fit->outcome = SCALING_FIT_LAW;
    fit->parameters = scaling_parameters(fit->law.form);
    fit->freedom = fit->runs > fit->parameters ? fit->runs - fit->parameters : 0;
    fit->quantile = fit->freedom > 0 ? student_t_quantile(0.975, fit->freedom) : NAN;
    fit->residual_sum = solution.residual_sum;
    fit->roughness = NAN;
    fit->on_bound = ~solution.free_columns & ((1u << fit->parameters) - 1u);
    fill_covariance(&system.nnls, &solution, fit);
    fill_quality(runs, count, fit);
    unsigned freedom;
    double between = scaling_between_noise(fit, &fit->law, &freedom);
    fill_single_noise(between, freedom, fit);
    mark_misses(fit);
    fit->reason = law_reason(fit);
}

static enum scaling_fit_outcome without_law(struct scaling_fit *fit, enum scaling_fit_outcome outcome,
                                            enum scaling_reason reason)
{
    fit->outcome = outcome;
    fit->reason = reason;
    fit->confidence = SCALING_CONFIDENCE_LOW;
    return outcome;
}

enum scaling_fit_outcome scaling_fit(const struct measurement *measurements, size_t count,
                                     unsigned accelerators_per_node, struct scaling_fit *fit)
{
    memset(fit, 0, sizeof *fit);
    fit->accelerators_per_node = accelerators_per_node;
    if (count == 0)
        return without_law(fit, SCALING_FIT_NO_DATA, SCALING_REASON_NO_DATA);
    fit->size_count = measured_sizes(measurements, count, fit->sizes);
    if (fit->size_count == 0)
        return without_law(fit, SCALING_FIT_REFUSED, SCALING_REASON_BAD_DATA);
    fit->runs = (unsigned)count;
    fit->repeat_noise = repeat_noise(fit->sizes, fit->size_count, &fit->repeat_freedom);
    if (fit->size_count < FEWEST_SIZES)
        return without_law(fit, SCALING_FIT_MEASURED_ONLY,
                           fit->size_count == 1 ? SCALING_REASON_ONE_SIZE : SCALING_REASON_TWO_SIZES);

    struct scaling_law usl = shell_for(SCALING_USL, fit->sizes[0].k, accelerators_per_node);
    struct scaling_law stepped = shell_for(SCALING_STEPPED, fit->sizes[0].k, accelerators_per_node);
    consider(measurements, count, &usl, fit);
    consider(measurements, count, &stepped, fit);
    const struct scaling_candidate *chosen = chosen_candidate(fit);
    if (chosen != NULL) {
        settle_law(measurements, count, chosen->law.form == SCALING_USL ? &usl : &stepped, fit);
        fit->chosen = chosen->law.form;
    }
    if (chosen == NULL || !law_stands(fit))
        settle_growth(accelerators_per_node, fit);
    else if (fit->reason == SCALING_REASON_NONE && fit->stands_by_noise)
        fit->reason = SCALING_REASON_BY_NOISE;
    else if (fit->reason == SCALING_REASON_NONE && may_be_chance(fit))
        fit->reason = SCALING_REASON_BY_CHANCE;
    bool normal = fit->reason == SCALING_REASON_NONE || fit->reason == SCALING_REASON_NO_LAW_STANDS;
    fit->confidence = normal ? SCALING_CONFIDENCE_NORMAL : SCALING_CONFIDENCE_LOW;
    return fit->outcome;
}
