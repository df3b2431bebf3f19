/* A line to its charge by the first rule that matches, by hand. */
#include "node_page.h"

static void a_line_with_a_treatment_of_its_own_is_neither_a_jobs_nor_a_nodes(void **state)
{
    struct page *page = *state;
    add_presence(page, NODE, NAME, 0, 6000);
    struct line_class *tax = add_class(page, NODE), *purchase = add_class(page, NODE);
    tax->is_tax = purchase->is_purchase_of_commitment = true;
    add_named(page, tax, 0, true);
    tax->pool = purchase->pool = POOL;
    add_line(page, tax, 0, 60, 7, NO_TIME);
    set_costs(add_line(page, purchase, 0, 60, 0, NO_TIME), 500, 0, 600, 550);
    take(page);
    assert_int_equal(charge_count(page), 2);
    assert_charge(charge_of(page, CHARGE_TAX, 0), 7 * CENT, 0);
    const struct charge *prepaid = charge_of(page, CHARGE_PREPAID, 0);
    assert_int_equal(money(&prepaid->costs[COST_BILLED]), 500 * CENT);
    assert_int_equal(money(&prepaid->costs[COST_EFFECTIVE]), 0);
    assert_int_equal(prepaid->key.rule, 0);
    node_charges_take_line(page->charges, &page->lines[0]);
    node_charges_take_line(page->charges, &page->lines[1]);
    assert_int_equal(charge_count(page), 2);
    assert_charge(charge_of(page, CHARGE_TAX, 0), 14 * CENT, 0);
    assert_int_equal(charge_of(page, CHARGE_PREPAID, 0)->line_count, 2);
}

static void a_purchase_with_an_effective_cost_is_not_prepaid(void **state)
{
    struct page *page = *state;
    struct line_class *purchase = add_class(page, 0);
    purchase->is_purchase_of_commitment = true;
    add_line(page, purchase, 0, 60, -5, NO_TIME);
    take(page);
    assert_charge(charge_of(page, CHARGE_UNALLOCATED, REASON_NO_RULE), -5 * CENT, 0);
}

static void a_job_comes_before_a_node_and_that_before_a_pool(void **state)
{
    struct page *page = *state;
    add_presence(page, NODE, NAME, 0, 60);
    struct line_class *named = add_class(page, NODE), *unnamed = add_class(page, NODE);
    add_named(page, named, 1, true);
    unnamed->pool = CENTRE;
    add_line(page, named, 0, 60, 100, 60);
    add_line(page, unnamed, 0, 60, 200, 60);
    add_line(page, unnamed, 119, 179, 300, 60); /* less than an hour behind */
    add_line(page, unnamed, 120, 180, 400, 60);
    take(page);
    assert_charge(charge_of(page, CHARGE_JOB, 1), 100 * CENT, 60);
    assert_charge(charge_of(page, CHARGE_POOL, POOL), 500 * CENT, 120);
    const struct charge *pool = assert_charge(charge_of(page, CHARGE_POOL, CENTRE), 400 * CENT, 0);
    assert_int_equal(pool->key.rule, 3);
    assert_int_equal(pool->key.node, 0);
}

static void a_pool_comes_before_a_cost_centre_and_that_before_nobody(void **state)
{
    struct page *page = *state;
    struct line_class *both = add_class(page, 0), *centre = add_class(page, 0), *nobody = add_class(page, 0);
    both->pool = POOL;
    both->cost_centre = centre->cost_centre = CENTRE;
    page->charges = node_charges_open(&page->catalogue);
    for (size_t i = 0; i < 3; i++)
        node_charges_take_line(page->charges, add_line(page, &page->classes[i], 0, 60, 100 + (long)i, 60));
    assert_int_equal(assert_charge(charge_of(page, CHARGE_POOL, POOL), 100 * CENT, 0)->key.rule, 3);
    assert_int_equal(assert_charge(charge_of(page, CHARGE_COST_CENTRE, CENTRE), 101 * CENT, 0)->key.rule, 4);
    assert_int_equal(
        assert_charge(charge_of(page, CHARGE_UNALLOCATED, REASON_NO_RULE), 102 * CENT, 0)->key.rule, 5);
    assert_false(node_charges_centre_class(page->charges, 0));
    assert_true(node_charges_centre_class(page->charges, 1));
    assert_false(node_charges_centre_class(page->charges, nobody->group));
}

static void a_tag_of_several_clusters_is_the_reason_where_no_later_rule_matches(void **state)
{
    struct page *page = *state;
    struct line_class *class = add_class(page, 0), *pooled = add_class(page, 0);
    add_named(page, class, 0, false);
    add_named(page, class, 1, false);
    pooled->first_named = class->first_named;
    pooled->named_count = 2;
    pooled->pool = POOL;
    page->named_attempts[1].cluster = OTHER_CLUSTER;
    add_line(page, class, 0, 60, 100, 60);
    add_line(page, pooled, 0, 60, 300, 60);
    take(page);
    assert_charge(charge_of(page, CHARGE_UNALLOCATED, REASON_SEVERAL_CLUSTERS), 100 * CENT, 0);
    assert_charge(charge_of(page, CHARGE_POOL, POOL), 300 * CENT, 0);
}

static void lines_wait_for_one_another_where_a_node_or_a_job_may_be_meant(void **state)
{
    struct page *page = *state;
    add_presence(page, NODE, NAME, 0, 60);
    assert_true(node_charges_wants(&page->catalogue, add_class(page, NODE)));
    assert_false(node_charges_wants(&page->catalogue, add_class(page, OTHER_NODE)));
    assert_true(node_charges_wants(&page->catalogue, add_job_class(page)));
    page->presences[0].node = 0;
    assert_false(node_charges_wants(&page->catalogue, add_class(page, 0)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        PAGE(a_line_with_a_treatment_of_its_own_is_neither_a_jobs_nor_a_nodes),
        PAGE(a_purchase_with_an_effective_cost_is_not_prepaid),
        PAGE(a_job_comes_before_a_node_and_that_before_a_pool),
        PAGE(a_pool_comes_before_a_cost_centre_and_that_before_nobody),
        PAGE(a_tag_of_several_clusters_is_the_reason_where_no_later_rule_matches),
        PAGE(lines_wait_for_one_another_where_a_node_or_a_job_may_be_meant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
