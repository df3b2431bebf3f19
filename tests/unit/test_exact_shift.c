/* Powers of ten by hand: short ones, those around the digits of a machine word, and long ones. */
#include "model/allocation/exact_shift.h"
#include "model_test.h"

/* What `number` is after its point has moved, in decimal digits. */
static void expect(const char *expected, const char *number, int digits)
{
    char text[256];
    mpz_t shifted;
    mpz_init_set_str(shifted, number, 10);
    exact_shift(shifted, digits);
    assert_string_equal(mpz_get_str(text, 10, shifted), expected);
    mpz_clear(shifted);
}

static void test_no_digits_change_nothing(void **state)
{
    (void)state;
    expect("0", "0", 0);
    expect("-1234567890123456789012", "-1234567890123456789012", 0);
}

static void test_digits_are_appended(void **state)
{
    (void)state;
    expect("120", "12", 1);
    expect("-7000", "-7", 3);
    expect("20000000000000000000", "2", 19);
    expect("200000000000000000000", "2", 20);
    expect("20000000000000000000000000000000000000000", "2", 40);
    expect("500000000000000000000000000000000000000", "5", 38);
    expect("5000000000000000000000000000000000000000", "5", 39);
    expect("0", "0", 40);
}

static void test_digits_are_cut_off(void **state)
{
    (void)state;
    expect("12", "120", -1);
    expect("-7", "-7999", -3);
    expect("3", "30000000000000000000", -19);
    expect("3", "300000000000000000000", -20);
    expect("-12", "-120000000000000000000000000000000000000000", -40);
    expect("0", "99", -2);
    expect("0", "99", -40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_digits_change_nothing),
        cmocka_unit_test(test_digits_are_appended),
        cmocka_unit_test(test_digits_are_cut_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
