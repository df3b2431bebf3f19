/* Lines that correct others, on a node, to charges by hand: by which time they are divided, and
 * which are of another statement. */
#include "node_page.h"

/* September billed a quarter of an hour, all of it job 1's; October corrects that hour. */
static void a_correction_is_divided_by_the_time_in_earlier_statements(void **state)
{
    struct page *page = *state;
    add_presence(page, NODE, NAME, 0, 6000);
    add_earlier(page, NODE - 1, 0, 60, 60);
    add_earlier(page, NODE, 0, 60, 15);
    add_earlier(page, OTHER_NODE, 0, 60, 45);
    add_line(page, add_correction_class(page), 0, 60, -100, 60);
    add_hold(page, 1, 10, 25);
    take(page);
    assert_int_equal(charge_count(page), 1);
    assert_true(assert_charge(charge_of(page, CHARGE_JOB, 1), -100 * CENT, 0)->key.is_of_another_statement);
}

/* Three quarters of a second were billed then. */
static void the_time_in_earlier_statements_may_have_decimals(void **state)
{
    struct page *page = *state;
    add_presence(page, NODE, NAME, 0, 6000);
    add_earlier(page, NODE, 0, 60, 0);
    mpz_set_ui(page->earlier_lines[0].seconds.units, 75);
    page->earlier_lines[0].seconds.scale = 2;
    add_line(page, add_correction_class(page), 0, 60, -90, 60);
    struct node_hold *hold = add_hold(page, 1, 10, 11);
    hold->end = hold->start + 500000;
    take(page);
    assert_charge(charge_of(page, CHARGE_JOB, 1), -60 * CENT, 0);
    assert_charge(charge_of(page, CHARGE_POOL, POOL), -30 * CENT, 0);
}

static void a_correction_without_earlier_lines_is_divided_as_its_slot(void **state)
{
    struct page *page = *state;
    add_presence(page, NODE, NAME, 0, 6000);
    add_line(page, add_correction_class(page), 0, 60, -100, 60);
    add_hold(page, 1, 10, 25);
    take(page);
    assert_charge(charge_of(page, CHARGE_JOB, 1), -25 * CENT, 0);
    const struct charge *idle = assert_charge(charge_of(page, CHARGE_POOL, POOL), -75 * CENT, 0);
    assert_false(idle->key.is_of_another_statement); /* nobody's price */
}

/* 15 minutes then and 25 now are 40 minutes of one SKU; what is not corrected has the 25 alone. */
static void a_correction_takes_the_time_of_all_statements_together(void **state)
{
    struct page *page = *state;
    add_presence(page, NODE, NAME, 0, 6000);
    add_earlier(page, NODE, 0, 60, 15);
    struct line_class *class = add_class(page, NODE), *correction = add_correction_class(page);
    add_line(page, correction, 0, 60, -100, NO_TIME);
    add_line(page, class, 0, 60, 100, 25);
    add_line(page, correction, 120, 180, -100, NO_TIME); /* of an unknown time */
    add_hold(page, 1, 0, 10);
    take(page);
    struct charge_sums *sums = node_charges_sums(page->charges);
    assert_int_equal(charge_sums_count(sums), 4);
    for (size_t i = 0; i < 4; i++) {
        const struct charge *charge = charge_sums_at(sums, i);
        bool is_idle = charge->key.target == CHARGE_POOL,
             is_correction = charge->key.group == correction->group;
        if (is_correction)
            assert_charge(charge, (is_idle ? -75 - 100 : -25) * CENT, 0);
        else
            assert_charge(charge, (is_idle ? 60 : 40) * CENT, is_idle ? 15 : 10);
        assert_false(charge->key.is_of_another_statement); /* the job has machine time in that hour */
    }
}

/* The job's machine time in this statement is minutes 60 to 180, without those between. */
static bool is_of_another(struct page *page, int64_t from, int64_t to, bool is_hardware)
{
    forget_lines(page);
    page->catalogue.class_count = 0;
    struct line_class *class = add_class(page, NODE), *correction = add_correction_class(page);
    correction->is_hardware = is_hardware;
    add_line(page, class, 120, 180, 100, 60);
    add_line(page, correction, from, to, -50, NO_TIME);
    add_line(page, class, 60, 90, 100, 30);
    add_hold(page, 3, 0, 300);
    take(page);
    struct charge_sums *sums = node_charges_sums(page->charges);
    for (size_t i = 0; i < charge_sums_count(sums); i++) {
        if (charge_sums_at(sums, i)->key.group == correction->group)
            return charge_sums_at(sums, i)->key.is_of_another_statement;
    }
    fail();
    return false;
}

static void a_correction_before_or_behind_the_jobs_machine_time_is_of_another_statement(void **state)
{
    struct page *page = *state;
    add_presence(page, NODE, NAME, 0, 6000);
    assert_true(is_of_another(page, 0, 60, true));
    assert_false(is_of_another(page, 1, 61, true));
    assert_false(is_of_another(page, 90, 120, true));
    assert_false(is_of_another(page, 179, 200, true));
    assert_true(is_of_another(page, 180, 240, true));
    assert_false(is_of_another(page, 180, 240, false));
}

static void machine_time_on_another_node_is_no_price_of_this_one(void **state)
{
    struct page *page = *state;
    add_presence(page, NODE, NAME, 0, 6000);
    add_presence(page, OTHER_NODE, NAME, 0, 6000);
    struct line_class *class = add_class(page, NODE), *correction = add_correction_class(page);
    struct line_class *other = add_class(page, OTHER_NODE);
    add_hold(page, 3, 0, 60);
    add_line(page, class, 0, 60, 100, 60);
    add_line(page, correction, 0, 60, -10, NO_TIME);
    take(page);
    other->is_correction = true;
    struct bill_line *line = add_line(page, other, 0, 60, -20, NO_TIME);
    node_charges_take(page->charges, &line, 1, page->holds, page->hold_count);
    struct charge_sums *sums = node_charges_sums(page->charges);
    assert_int_equal(charge_sums_count(sums), 3);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(charge_sums_at(sums, i)->key.is_of_another_statement,
                         charge_sums_at(sums, i)->key.group == other->group);
}

/* Neither a negative line nor one that is no hardware is machine time. */
static void what_is_no_machine_time_prices_no_hours(void **state)
{
    struct page *page = *state;
    add_presence(page, NODE, NAME, 0, 6000);
    struct line_class *class = add_class(page, NODE), *fee = add_class(page, NODE);
    fee->is_hardware = false;
    set_costs(add_line(page, class, 0, 60, 0, 60), 100, -1, 0, 0);
    set_costs(add_line(page, class, 0, 60, 0, 60), -1, 100, 0, 0);
    add_line(page, fee, 0, 60, 100, 60);
    add_line(page, add_correction_class(page), 0, 60, -50, NO_TIME);
    add_hold(page, 3, 0, 60);
    take(page);
    struct charge_sums *sums = node_charges_sums(page->charges);
    assert_int_equal(charge_sums_count(sums), 3);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(charge_sums_at(sums, i)->priced, 0);
        assert_int_equal(charge_sums_at(sums, i)->key.is_of_another_statement, i == 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        PAGE(a_correction_is_divided_by_the_time_in_earlier_statements),
        PAGE(the_time_in_earlier_statements_may_have_decimals),
        PAGE(a_correction_without_earlier_lines_is_divided_as_its_slot),
        PAGE(a_correction_takes_the_time_of_all_statements_together),
        PAGE(a_correction_before_or_behind_the_jobs_machine_time_is_of_another_statement),
        PAGE(machine_time_on_another_node_is_no_price_of_this_one),
        PAGE(what_is_no_machine_time_prices_no_hours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
