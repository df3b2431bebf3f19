/* Why a month cost more: each lever alone, all together, and always to the last minor unit. */
#include "model/cost/cost_change.h"
#include "model/statistics/seeded_random.h"
#include "model_test.h"

/* 100 ideal node-hours at E 0.8 and 2.00: 125 node-hours, 250.00; fees 10 %; failed and cancelled
 * runs 20 %; 50.00 besides. */
static const struct cost_drivers month = { 100, 125, 25000, 2500, 4400, 1100, 5000 };

static void assert_effects(const struct cost_drivers *before, const struct cost_drivers *after, size_t count,
                           const int64_t expected[COST_EFFECTS])
{
    int64_t effects[COST_EFFECTS];
    cost_change(before, after, count, effects);
    for (int i = 0; i < COST_EFFECTS; i++) {
        if (effects[i] != expected[i]) {
            print_error("%s is %lld, expected %lld\n", cost_effect_name((enum cost_effect)i),
                        (long long)effects[i], (long long)expected[i]);
            fail();
        }
    }
}

static void test_one_lever_at_a_time_is_named(void **state)
{
    (void)state;
    struct cost_drivers twice = { 200, 250, 50000, 5000, 8800, 2200, 5000 };
    assert_effects(&month, &twice, 1, (int64_t[]){ 33000, 0, 0, 0, 0, 0, 0 });
    struct cost_drivers slower = { 100, 250, 50000, 5000, 8800, 2200, 5000 };
    assert_effects(&month, &slower, 1, (int64_t[]){ 0, 0, 33000, 0, 0, 0, 0 });
    struct cost_drivers dearer = { 100, 125, 50000, 5000, 8800, 2200, 5000 };
    assert_effects(&month, &dearer, 1, (int64_t[]){ 0, 0, 0, 33000, 0, 0, 0 });
    struct cost_drivers failing = { 100, 125, 25000, 2500, 9900, 1100, 4000 };
    assert_effects(&month, &failing, 1, (int64_t[]){ 0, 0, 0, 0, 0, 5500, -1000 });
}

/* The same work in all, but 50 hours of it moved to the family that costs twice as much an hour. */
static void test_a_shift_between_families_is_mix(void **state)
{
    (void)state;
    struct cost_drivers before[] = { { 100, 100, 10000, 0, 0, 0, 0 }, { 100, 100, 20000, 0, 0, 0, 0 } };
    struct cost_drivers after[] = { { 50, 50, 5000, 0, 0, 0, 0 }, { 150, 150, 30000, 0, 0, 0, 0 } };
    assert_effects(before, after, 2, (int64_t[]){ 0, 5000, 0, 0, 0, 0, 0 });
}

static void test_what_is_new_or_gone_is_volume_and_mix(void **state)
{
    (void)state;
    struct cost_drivers none = { 0 }, failed_only = { 0, 0, 0, 0, 700, 0, 0 };
    assert_effects(&none, &month, 1, (int64_t[]){ 33000, 0, 0, 0, 0, 0, 5000 });
    assert_effects(&month, &none, 1, (int64_t[]){ -33000, 0, 0, 0, 0, 0, -5000 });
    assert_effects(&none, &failed_only, 1, (int64_t[]){ 0, 0, 0, 0, 0, 700, 0 });
    struct cost_drivers before[] = { month, none }, after[] = { month, month };
    assert_effects(before, after, 2, (int64_t[]){ 33000, 0, 0, 0, 0, 0, 5000 });
}

/* Credits on fees may be as much as the hardware cost: there is nothing to be a share of. */
static void test_a_month_of_no_productive_cost_has_no_rates(void **state)
{
    (void)state;
    struct cost_drivers credited = { 100, 125, 25000, -25000, 700, 0, 0 };
    assert_effects(&credited, &month, 1, (int64_t[]){ 0, 33000 - 700, 0, 0, 0, 0, 5000 });
    assert_effects(&month, &credited, 1, (int64_t[]){ 0, 0, 0, 0, -33000, 700, -5000 });
}

static void test_effects_always_add_up(void **state)
{
    (void)state;
    struct seeded_random random;
    seeded_random_start(&random, 6);
    for (int turn = 0; turn < 2000; turn++) {
        struct cost_drivers months[2][5];
        int64_t effects[COST_EFFECTS], sum = 0, change = 0;
        for (int i = 0; i < 10; i++) {
            struct cost_drivers *cell = &months[i % 2][i / 2];
            uint64_t bits = seeded_random_bits(&random);
            double hours = bits % 7 == 0 ? 0 : 1000 * seeded_random_uniform(&random);
            *cell = (struct cost_drivers){ .ideal_node_hours = hours * seeded_random_uniform(&random),
                                           .node_hours = hours,
                                           .hardware = bits % 11 == 0 ? 0 : (int64_t)(bits >> 40),
                                           .fees = bits % 5 == 0 ? (int64_t)(bits >> 50) : 0,
                                           .failed = (int64_t)(bits >> 48),
                                           .cancelled = (int64_t)(bits >> 52),
                                           .rest = (int64_t)(bits >> 45) - 100000 };
            change += (i % 2 ? 1 : -1) * cost_drivers_total(cell);
        }
        cost_change(months[0], months[1], 5, effects);
        for (int i = 0; i < COST_EFFECTS; i++) {
            sum += effects[i];
        }
        assert_true(sum == change);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_lever_at_a_time_is_named),
        cmocka_unit_test(test_a_shift_between_families_is_mix),
        cmocka_unit_test(test_what_is_new_or_gone_is_volume_and_mix),
        cmocka_unit_test(test_a_month_of_no_productive_cost_has_no_rates),
        cmocka_unit_test(test_effects_always_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
