/* Charges: separate for each part of their key, added up exactly, however many there are. */
#include "model/allocation/charge_sums.h"
#include "model_test.h"

static const struct charge_key key_of_a_job = { .group = 3, .payer = 7, .target = CHARGE_JOB, .rule = 2 };

static int set_up(void **state)
{
    *state = charge_sums_open();
    return 0;
}

static int tear_down(void **state)
{
    charge_sums_close(*state);
    return 0;
}

static void add_cost(struct charge *charge, enum line_cost cost, const char *units, unsigned scale)
{
    mpz_t added;
    mpz_init_set_str(added, units, 10);
    exact_decimal_add(&charge->costs[cost], added, scale);
    mpz_clear(added);
}

static void assert_decimal(const struct exact_decimal *decimal, const char *units, unsigned scale)
{
    char *text = mpz_get_str(NULL, 10, decimal->units);
    assert_string_equal(text, units);
    assert_int_equal(decimal->scale, scale);
    free(text);
}

static void nothing_is_there_at_first(void **state)
{
    assert_int_equal(charge_sums_count(*state), 0);
    charge_sums_empty(*state);
    assert_int_equal(charge_sums_count(*state), 0);
    charge_sums_close(NULL);
}

static void a_new_charge_is_nothing_yet(void **state)
{
    const struct charge *charge = charge_sums_find(*state, &key_of_a_job);
    assert_int_equal(charge_sums_count(*state), 1);
    assert_ptr_equal(charge_sums_at(*state, 0), charge);
    assert_int_equal(charge->key.group, 3);
    assert_int_equal(charge->key.payer, 7);
    assert_int_equal(charge->key.rule, 2);
    assert_int_equal(charge->line_count, 0);
    assert_int_equal(charge->unlisted_count, 0);
    assert_int_equal(charge->priced, 0);
    for (int cost = 0; cost < COST_COUNT; cost++)
        assert_decimal(&charge->costs[cost], "0", 0);
    assert_decimal(&charge->charged_cost, "0", 0);
    assert_decimal(&charge->committed_cost, "0", 0);
    assert_decimal(&charge->spot_cost, "0", 0);
}

static void charges_that_differ_in_one_part_of_the_key_are_separate(void **state)
{
    enum { KEYS = 10 };
    struct charge_key keys[KEYS];
    for (size_t i = 0; i < KEYS; i++)
        keys[i] = key_of_a_job;
    keys[1].node = UINT64_C(1) << 63;
    keys[2].group = 4;
    keys[3].payer = 8;
    keys[4].target = CHARGE_REFUND;
    keys[5].rule = 1;
    keys[6].is_long = true;
    keys[7].is_of_another_statement = true;
    keys[8].family = 1;
    keys[9].outcome = 1;
    for (size_t i = 0; i < KEYS; i++)
        charge_sums_find(*state, &keys[i])->priced = i + 1;
    assert_int_equal(charge_sums_count(*state), KEYS);
    for (size_t i = 0; i < KEYS; i++)
        assert_int_equal(charge_sums_find(*state, &keys[i])->priced, i + 1);
    assert_int_equal(charge_sums_count(*state), KEYS);
}

/* 150,000 keys that differ by one part alone, and the same again: nothing is lost where the table
 * grows. */
static void a_hundred_and_fifty_thousand_charges_keep_what_they_had(void **state)
{
    enum { KEYS = 150000 };
    for (int round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < KEYS; i++) {
            struct charge_key key = key_of_a_job;
            key.node = i % 3 == 0 ? i : 0;
            key.payer = i % 3 == 1 ? i : 0;
            key.group = i % 3 == 2 ? i : 0;
            struct charge *charge = charge_sums_find(*state, &key);
            charge->line_count++;
            charge->priced += i;
            mpz_add_ui(charge->costs[COST_LIST].units, charge->costs[COST_LIST].units, i);
        }
        assert_int_equal(charge_sums_count(*state), KEYS);
    }
    for (uint32_t i = 0; i < KEYS; i++) {
        const struct charge *charge = charge_sums_at(*state, i);
        uint64_t number = charge->key.node + charge->key.payer + charge->key.group;
        assert_int_equal(number, i);
        assert_int_equal(charge->line_count, 2);
        assert_int_equal(charge->priced, 2 * number);
        assert_int_equal(mpz_get_ui(charge->costs[COST_LIST].units), 2 * number);
    }
}

static void amounts_of_different_scales_add_up_at_the_larger_one(void **state)
{
    struct charge *charge = charge_sums_find(*state, &key_of_a_job);
    add_cost(charge, COST_BILLED, "15", 1); /* 1.5 */
    assert_decimal(&charge->costs[COST_BILLED], "15", 1);
    add_cost(charge, COST_BILLED, "225", 2); /* + 2.25 = 3.75 */
    assert_decimal(&charge->costs[COST_BILLED], "375", 2);
    add_cost(charge, COST_BILLED, "-4", 0); /* - 4 = -0.25 */
    assert_decimal(&charge->costs[COST_BILLED], "-25", 2);
    add_cost(charge, COST_BILLED, "3", 12); /* + 0.000000000003 */
    assert_decimal(&charge->costs[COST_BILLED], "-249999999997", 12);
    add_cost(charge, COST_BILLED, "-3", 12);
    assert_decimal(&charge->costs[COST_BILLED], "-250000000000", 12);
    add_cost(charge, COST_BILLED, "100000000000000000000000000000000000000000", 40); /* + 10 */
    assert_decimal(&charge->costs[COST_BILLED], "97500000000000000000000000000000000000000", 40);
    assert_decimal(&charge->costs[COST_EFFECTIVE], "0", 0);
}

static void what_was_emptied_begins_again_at_nothing(void **state)
{
    struct charge_key other = key_of_a_job;
    other.payer = 8;
    struct charge *charge = charge_sums_find(*state, &key_of_a_job);
    charge->line_count = charge->unlisted_count = charge->priced = 5;
    for (int cost = 0; cost < COST_COUNT; cost++)
        add_cost(charge, cost, "123456789123456789123456789", 3);
    mpz_set_ui(charge->charged_cost.units, 9);
    mpz_set_ui(charge->committed_cost.units, 9);
    mpz_set_ui(charge->spot_cost.units, 9);
    charge->charged_cost.scale = charge->committed_cost.scale = charge->spot_cost.scale = 2;
    charge_sums_empty(*state);
    assert_int_equal(charge_sums_count(*state), 0);
    a_new_charge_is_nothing_yet(state); /* in the first one's place */
    charge_sums_find(*state, &other);
    charge_sums_find(*state, &key_of_a_job);
    assert_int_equal(charge_sums_count(*state), 2);
    assert_int_equal(charge_sums_at(*state, 1)->key.payer, 8);
}

#define PAGE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        PAGE(nothing_is_there_at_first),
        PAGE(a_new_charge_is_nothing_yet),
        PAGE(charges_that_differ_in_one_part_of_the_key_are_separate),
        PAGE(a_hundred_and_fifty_thousand_charges_keep_what_they_had),
        PAGE(amounts_of_different_scales_add_up_at_the_larger_one),
        PAGE(what_was_emptied_begins_again_at_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
