/* Amounts divided by hand, and what must be true of any division. */
#include "model/allocation/exact_split.h"
#include "model/statistics/seeded_random.h"
#include "model_test.h"

enum { MOST = 12, UNTOUCHED = 987654321 };

struct page {
    struct exact_split room;
    mpz_t amount, sum, weights[MOST], parts[MOST + 1];
};

static int set_up(void **state)
{
    struct page *page = calloc(1, sizeof *page);
    exact_split_open(&page->room);
    mpz_inits(page->amount, page->sum, NULL);
    for (size_t i = 0; i < MOST; i++)
        mpz_init(page->weights[i]);
    for (size_t i = 0; i <= MOST; i++)
        mpz_init(page->parts[i]);
    *state = page;
    return 0;
}

static int tear_down(void **state)
{
    struct page *page = *state;
    exact_split_close(&page->room);
    mpz_clears(page->amount, page->sum, NULL);
    for (size_t i = 0; i < MOST; i++)
        mpz_clear(page->weights[i]);
    for (size_t i = 0; i <= MOST; i++)
        mpz_clear(page->parts[i]);
    free(page);
    return 0;
}

/* Divides page->amount; what lies behind the parts is nobody's business. */
static void split(struct page *page, size_t count)
{
    mpz_set_ui(page->parts[count], UNTOUCHED);
    exact_split(&page->room, page->amount, (const mpz_t *)page->weights, count, page->parts);
    assert_int_equal(mpz_get_si(page->parts[count]), UNTOUCHED);
}

static void splits(struct page *page, long amount, size_t count, const unsigned long *weights,
                   const long *parts)
{
    mpz_set_si(page->amount, amount);
    for (size_t i = 0; i < count; i++)
        mpz_set_ui(page->weights[i], weights[i]);
    split(page, count);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(mpz_get_si(page->parts[i]), parts[i]);
}
static void one_weight_has_all_of_it(void **state)
{
    struct page *page = *state;
    splits(page, -7, 1, (unsigned long[]){ 3 }, (long[]){ -7 });
    splits(page, 0, 1, (unsigned long[]){ 3 }, (long[]){ 0 });
}

static void what_is_left_over_goes_to_the_largest_remainders(void **state)
{
    struct page *page = *state;
    splits(page, 100, 3, (unsigned long[]){ 1, 1, 1 }, (long[]){ 34, 33, 33 });
    splits(page, 100, 3, (unsigned long[]){ 1, 1, 4 },
           (long[]){ 17, 17, 66 }); /* 16.67, 16.67, 66.67: two left over */
    splits(page, 10, 3, (unsigned long[]){ 3, 5, 6 }, (long[]){ 2, 4, 4 }); /* 2.14, 3.57, 4.29 */
    splits(page, 11, 3, (unsigned long[]){ 3, 5, 6 }, (long[]){ 2, 4, 5 }); /* 2.36, 3.93, 4.71 */
    splits(page, 2, 4, (unsigned long[]){ 1, 1, 1, 1 }, (long[]){ 1, 1, 0, 0 });
}

static void a_weight_of_nothing_has_nothing(void **state)
{
    struct page *page = *state;
    splits(page, 100, 4, (unsigned long[]){ 0, 1, 0, 2 }, (long[]){ 0, 33, 0, 67 });
}

static void an_amount_below_zero_is_divided_like_the_same_above(void **state)
{
    struct page *page = *state;
    splits(page, -100, 3, (unsigned long[]){ 1, 1, 1 }, (long[]){ -34, -33, -33 });
    splits(page, -10, 3, (unsigned long[]){ 3, 5, 6 }, (long[]){ -2, -4, -4 });
}

static void no_amount_and_no_weight_is_too_large(void **state)
{
    struct page *page = *state;
    mpz_ui_pow_ui(page->amount, 10, 100);
    mpz_ui_pow_ui(page->weights[0], 10, 60);
    mpz_mul_ui(page->weights[1], page->weights[0], 2);
    split(page, 2);
    char *first = mpz_get_str(NULL, 10, page->parts[0]), *second = mpz_get_str(NULL, 10, page->parts[1]);
    assert_int_equal(strlen(first), 100);
    assert_int_equal(strspn(first, "3"), 100);
    assert_int_equal(strspn(second, "6"), 99);
    assert_int_equal(second[99], '7');
    free(first);
    free(second);
}

/* A part is what is due, cut off, or one unit more; whoever has one more has as large a remainder
 * as any who has not. */
static void assert_fair(struct page *page, size_t count, mpz_t total)
{
    mpz_t due, least, most;
    mpz_inits(due, least, most, NULL);
    mpz_set(least, total);
    mpz_set_si(most, -1);
    for (size_t i = 0; i < count; i++) {
        mpz_mul(due, page->amount, page->weights[i]);
        mpz_abs(due, due);
        mpz_abs(page->sum, page->parts[i]);
        mpz_submul(due, page->sum, total); /* the remainder, or less by the total where it has one more */
        bool has_more = mpz_sgn(due) < 0;
        if (has_more)
            mpz_add(due, due, total);
        assert_true(mpz_sgn(due) >= 0 && mpz_cmp(due, total) < 0);
        if (has_more && mpz_cmp(due, least) < 0)
            mpz_set(least, due);
        if (!has_more && mpz_cmp(due, most) > 0)
            mpz_set(most, due);
    }
    assert_true(mpz_cmp(least, most) >= 0);
    mpz_clears(due, least, most, NULL);
}

static void any_amount_is_divided_fairly_and_nothing_is_lost(void **state)
{
    struct page *page = *state;
    struct seeded_random random;
    mpz_t total;
    mpz_init(total);
    seeded_random_start(&random, 20261123);
    for (int i = 0; i < 20000; i++) {
        size_t count = 1 + (size_t)(seeded_random_uniform(&random) * MOST);
        mpz_set_si(page->amount, (long)(seeded_random_uniform(&random) * 2000) - 1000);
        mpz_set_ui(total, 0);
        for (size_t j = 0; j < count; j++) {
            mpz_set_ui(page->weights[j], (unsigned long)(seeded_random_uniform(&random) * 20) + (j == 0));
            mpz_add(total, total, page->weights[j]);
        }
        split(page, count);
        mpz_set_ui(page->sum, 0);
        for (size_t j = 0; j < count; j++)
            mpz_add(page->sum, page->sum, page->parts[j]);
        assert_int_equal(mpz_cmp(page->sum, page->amount), 0);
        assert_fair(page, count, total);
    }
    mpz_clear(total);
}

#define PAGE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        PAGE(one_weight_has_all_of_it),
        PAGE(what_is_left_over_goes_to_the_largest_remainders),
        PAGE(a_weight_of_nothing_has_nothing),
        PAGE(an_amount_below_zero_is_divided_like_the_same_above),
        PAGE(no_amount_and_no_weight_is_too_large),
        PAGE(any_amount_is_divided_fairly_and_nothing_is_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
