/* The least-squares system recovers a law from its own times, and the coefficients that R's lm()
 * finds on real ones. */
#include "model/scaling/scaling_system.h"
#include "model_test.h"

static void test_a_law_is_recovered_from_its_own_times(void **state)
{
    (void)state;
    static const struct scaling_law laws[] = {
        { SCALING_USL, 3, 0.03, 0.0015, 0, 1, 0, 0, 0 },
        { SCALING_STEPPED, 3, 0.03, 0.0015, 0.4, 1, 0, 0, 0 },
        { SCALING_USL, 0.01, 0.2, 0.01, 0, 4, 0, 0, 0 },
        { SCALING_STEPPED, 50, 0.05, 0.002, 0.2, 2, 8, 0, 0 },
        { SCALING_STEPPED, 3, 0, 0.002, 0.4, 1, 0, 0, 0 },
        { SCALING_USL, 3, 0, 0, 0, 1, 0, 0, 0 },
        { SCALING_USL, 3, 0.03, 0.0015, 0, 1, 0, 8, 0.3 },
        { SCALING_STEPPED, 3, 0.03, 0.0015, 0.4, 1, 0, 16, 0.2 },
    };
    static const unsigned sizes[] = { 1, 2, 4, 8, 16, 24, 64, 128 };
    for (size_t i = 0; i < sizeof laws / sizeof laws[0]; i++) {
        struct scaling_system system;
        struct scaling_law law;
        struct nnls_solution solution;
        scaling_system_start(&system, &laws[i]);
        for (size_t j = 0; j < sizeof sizes / sizeof sizes[0]; j++) {
            if (sizes[j] >= laws[i].smallest_k) {
                scaling_system_add(&system, sizes[j], scaling_law_hours(&laws[i], sizes[j]));
            }
        }
        assert_true(scaling_system_solve(&system, &law, &solution));
        assert_within(solution.residual_sum, 0, 1e-20);
        assert_near(law.t1_hours, laws[i].t1_hours, 1e-9);
        assert_within(law.serial_fraction, laws[i].serial_fraction, 1e-9);
        assert_within(law.communication_coefficient, laws[i].communication_coefficient, 1e-9);
        assert_within(law.step, laws[i].step, 1e-8);
        assert_within(law.later_step, laws[i].later_step, 1e-8);
    }
}

/* Weighted linear least squares over every subset of parameters in R 4.2.2 (qr), the best without a
 * negative one. */
static void test_real_series_have_the_coefficients_that_r_finds(void **state)
{
    (void)state;
    static const struct {
        const char *series;
        enum scaling_form form;
        double t1, s, c, d, residual_sum;
    } fits[] = {
        { "mlperf/dell_v21_maskrcnn_a100_40", SCALING_USL, 87.3655353866, 0.0564060150199, 0, 0,
          0.00219887873931 },
        { "mlperf/hpe_v21_rnnt_a100", SCALING_USL, 34.7327573775, 0.0988456304056, 0, 0, 0.067737425174 },
        { "mlperf/nv_v30_resnet_h100", SCALING_USL, 15.3481115445, 0.0155680998222, 0, 0, 0.0669115347714 },
        { "pollux/bert_g1_b12", SCALING_USL, 0.0951276387812, 0.0496616037887, 0, 0, 0.134786672685 },
        { "pollux/bert_g1_b12", SCALING_STEPPED, 0.0767929719072, 0.0350953376738, 0, 0.478724193386,
          0.020489121851 },
        { "pollux/imagenet_g1_b81", SCALING_USL, 0.00519253651, 0.0127649279437, 0.00167902678961, 0,
          0.00512005538241 },
        { "pollux/imagenet_g4_b200", SCALING_STEPPED, 0.00125628307524, 0.00404546640554, 0, 0.0330121251352,
          0.00230626910097 },
        { "tables/tf_dgx1p100_alexnet", SCALING_USL, 0.000336049121664, 0.0434261426338, 0.000552468856213, 0,
          7.75605812569e-05 },
        { "usl/raytracer", SCALING_USL, 0.0459849714409, 0.0568565284183, 3.45475840529e-06, 0,
          0.0249644448716 },
        { "usl/specsdm91", SCALING_STEPPED, 0.0146712097071, 0.0133612545906, 0.00011520259847, 0,
          0.0227438094566 },
        { "usl/usl_r_no_k1", SCALING_USL, 0.042741567832, 0.0588079431271, 0.0027295078994, 0,
          0.0365633186728 },
    };
    for (size_t i = 0; i < sizeof fits / sizeof fits[0]; i++) {
        struct measurement runs[64];
        size_t count = read_series(fits[i].series, runs, 64);
        struct scaling_law shell = { .form = fits[i].form, .smallest_k = runs[0].k };
        struct scaling_system system;
        struct scaling_law law;
        struct nnls_solution solution;
        scaling_system_start(&system, &shell);
        for (size_t j = 0; j < count; j++) {
            scaling_system_add(&system, runs[j].k, runs[j].hours);
        }
        assert_true(scaling_system_solve(&system, &law, &solution));
        assert_near(law.t1_hours, fits[i].t1, 1e-10);
        assert_within(law.serial_fraction, fits[i].s, 1e-11);
        assert_within(law.communication_coefficient, fits[i].c, 1e-11);
        assert_within(law.step, fits[i].d, 1e-10);
        assert_near(solution.residual_sum, fits[i].residual_sum, 1e-9);
    }
}

static void test_without_runs_there_is_no_law(void **state)
{
    (void)state;
    struct scaling_law shell = { .form = SCALING_USL };
    struct scaling_system system;
    struct scaling_law law;
    struct nnls_solution solution;
    scaling_system_start(&system, &shell);
    assert_false(scaling_system_solve(&system, &law, &solution));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_law_is_recovered_from_its_own_times),
        cmocka_unit_test(test_real_series_have_the_coefficients_that_r_finds),
        cmocka_unit_test(test_without_runs_there_is_no_law),
    };
    return cmocka_run_group_tests_name("scaling_system", tests, NULL, NULL);
}
