/* The published forms reproduce R's published numbers: the same residual sum or a lower one, to the
 * printed digits. */
#include "model/scaling/usl_form.h"
#include "model_test.h"

static void check_row(const char *series, const char *form, double n, double sigma, double kappa,
                      double lambda, double residual_sum, double r_squared)
{
    struct measurement runs[64];
    struct usl_fit fit;
    size_t count = read_series(series, runs, 64);
    enum usl_form which = form[0] == 'X' ? USL_THROUGHPUT_3 : USL_EFFICIENCY_2;
    assert_int_equal(usl_fit(which, runs, count, &fit), USL_FITTED);
    assert_int_equal(fit.runs, (size_t)n);
    /* Where R stopped early the sum is lower; never higher beyond the fifteenth digit or the
     * rounding of a residual. */
    if (fit.residual_sum > residual_sum * (1 + 1e-9) || fit.residual_sum < residual_sum * (1 - 1e-6)) {
        print_error("%s %s: residual sum %.15g, published %.15g\n", series, form, fit.residual_sum,
                    residual_sum);
        fail();
    }
    assert_within(fit.sigma, sigma,
                  1e-6); /* nls stops when the sum has settled, the parameters a little before */
    assert_within(fit.kappa, kappa, 1e-7);
    if (which == USL_THROUGHPUT_3) {
        assert_near(fit.lambda, lambda, 1e-6);
    }
    if (!isnan(r_squared)) {
        assert_near(fit.r_squared, r_squared, 1e-9);
    }
}

static void test_every_published_fit_is_reproduced(void **state)
{
    (void)state;
    FILE *file = open_shared("efficiency/reference_fits.csv");
    char line[512];
    char *f[8];
    int rows = 0;
    if (fgets(line, sizeof line, file) == NULL) {
        fail();
    }
    while (fgets(line, sizeof line, file) != NULL) {
        assert_int_equal(split_fields(line, f, 8), 8);
        double lambda = strcmp(f[5], "NA") == 0 ? NAN : strtod(f[5], NULL);
        double r_squared = f[7][0] == '\0' ? NAN : strtod(f[7], NULL);
        check_row(f[0], f[1], strtod(f[2], NULL), strtod(f[3], NULL), strtod(f[4], NULL), lambda,
                  strtod(f[6], NULL), r_squared);
        rows++;
    }
    fclose(file);
    assert_int_equal(rows, 29);
}

/* The form of the loss decides the answer: one series, three serial fractions. */
static void test_the_form_of_the_loss_decides_the_serial_fraction(void **state)
{
    (void)state;
    struct measurement runs[64];
    struct usl_fit fit;
    size_t count = read_series("usl/specsdm91", runs, 64);
    usl_fit(USL_THROUGHPUT_3, runs, count, &fit);
    assert_within(fit.sigma, 0.0277, 5e-5);
    usl_fit(USL_EFFICIENCY_2, runs, count, &fit);
    assert_within(fit.sigma, 0.0067, 5e-5);
}

static void test_data_of_the_law_itself_are_fitted_exactly(void **state)
{
    (void)state;
    static const unsigned sizes[] = { 1, 2, 4, 8, 16, 32 };
    static const double parameters[][2] = { { 0.03, 0.0015 }, { 0, 0.01 }, { 0.2, 0 }, { 0, 0 }, { 1, 0.5 } };
    for (size_t p = 0; p < sizeof parameters / sizeof parameters[0]; p++) {
        struct measurement runs[6];
        struct usl_fit fit;
        for (size_t i = 0; i < 6; i++) {
            double k = sizes[i];
            runs[i] = (struct measurement){
                sizes[i], (1 + parameters[p][0] * (k - 1) + parameters[p][1] * k * (k - 1)) / (50 * k)
            };
        }
        for (int form = 0; form < 2; form++) {
            assert_int_equal(usl_fit((enum usl_form)form, runs, 6, &fit), USL_FITTED);
            assert_within(fit.sigma, parameters[p][0], 1e-6);
            assert_within(fit.kappa, parameters[p][1], 1e-6);
            assert_near(fit.lambda, 50, 1e-6);
        }
    }
}

static void test_what_cannot_be_fitted_says_why(void **state)
{
    (void)state;
    static const struct measurement no_one[] = { { 2, 5 }, { 4, 3 }, { 8, 2 } };
    static const struct measurement two[] = { { 1, 5 }, { 4, 3 } };
    static const struct measurement bad[] = { { 1, 5 }, { 4, -3 } };
    struct usl_fit fit;
    assert_int_equal(usl_fit(USL_EFFICIENCY_2, no_one, 3, &fit), USL_NO_SINGLE_NODE);
    assert_int_equal(usl_fit(USL_THROUGHPUT_3, no_one, 3, &fit), USL_FITTED);
    assert_int_equal(usl_fit(USL_THROUGHPUT_3, two, 2, &fit), USL_TOO_FEW_SIZES);
    assert_int_equal(usl_fit(USL_THROUGHPUT_3, bad, 2, &fit), USL_REFUSED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_published_fit_is_reproduced),
        cmocka_unit_test(test_the_form_of_the_loss_decides_the_serial_fraction),
        cmocka_unit_test(test_data_of_the_law_itself_are_fitted_exactly),
        cmocka_unit_test(test_what_cannot_be_fitted_says_why),
    };
    return cmocka_run_group_tests_name("usl_form", tests, NULL, NULL);
}
