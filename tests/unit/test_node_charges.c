/* Lines of one node to charges, by hand (docs/allocation.md, rule 2): shares of the jobs that held
 * it, and idle time. */
#include "node_page.h"

static void two_jobs_and_idle_time_share_an_hour(void **state)
{
    struct page *page = *state;
    add_presence(page, NODE, NAME, 0, 6000)->cpus = 8000000;
    set_costs(add_line(page, add_class(page, NODE), 0, 60, 0, 60), 300, 240, 400, 360);
    add_hold(page, 0, 0, 30);
    add_hold(page, 1, 30, 50)->cpus = 4000000;
    take(page);
    const struct charge *one = charge_of(page, CHARGE_JOB, 0), *two = charge_of(page, CHARGE_JOB, 1);
    const struct charge *idle = charge_of(page, CHARGE_POOL, POOL);
    static const long costs[] = { [COST_BILLED] = 300, [COST_EFFECTIVE] = 240 };
    assert_int_equal(charge_count(page), 3);
    for (int cost = COST_BILLED; cost <= COST_EFFECTIVE; cost++) {
        assert_int_equal(money(&one->costs[cost]), costs[cost] * CENT / 2);
        assert_int_equal(money(&two->costs[cost]), costs[cost] * CENT / 6);
        assert_int_equal(money(&idle->costs[cost]), costs[cost] * CENT / 3);
    }
    assert_int_equal(one->priced, 30 * MINUTE);
    assert_int_equal(two->priced, 10 * MINUTE);
    assert_int_equal(idle->priced, 20 * MINUTE);
    assert_int_equal(one->key.node, 0);
    assert_int_equal(idle->key.node, NODE);
    for (size_t i = 0; i < 3; i++) {
        const struct charge *charge = charge_sums_at(node_charges_sums(page->charges), i);
        assert_int_equal(charge->key.rule, 2);
        assert_int_equal(charge->line_count, 1);
        assert_false(charge->key.is_of_another_statement);
    }
}

/* Attempts 0 and 1 are alike, 2 has another outcome; what is refunded of 3 is its pool's. */
static void class_charges_know_attempts_by_cost_centre_family_and_outcome(void **state)
{
    static const long costs[] = { 300, 240, 400, 360 };
    struct page *page = *state;
    add_presence(page, NODE, NAME, 0, 6000);
    for (size_t i = 0; i < ATTEMPTS; i++) {
        page->attempts[i].cost_centre = CENTRE;
        page->attempts[i].family = NAME;
        page->attempts[i].outcome = i == 2 ? OTHER_NAME : NAME;
        page->attempts[i].pool = POOL;
        add_hold(page, i, 15 * (int64_t)i, 15 * (int64_t)i + 15);
    }
    page->refunds[3] = (struct resource_attempt){ .refunded = 1 };
    set_costs(add_line(page, add_class(page, NODE), 0, 60, 0, 60), 300, 240, 400, 360);
    page->lines[0].is_unlisted = true;
    take(page);
    struct charge_sums *sums = node_charges_class_sums(page->charges);
    assert_int_equal(charge_count(page), 4);
    assert_int_equal(charge_sums_count(sums), 3);
    for (size_t i = 0; i < 3; i++) {
        const struct charge *charge = charge_sums_at(sums, i);
        bool is_job = charge->key.target == CHARGE_JOB;
        long quarters = is_job && charge->key.outcome == NAME ? 2 : 1;
        for (int cost = 0; cost < COST_COUNT; cost++)
            assert_int_equal(money(&charge->costs[cost]), costs[cost] * CENT / 4 * quarters);
        assert_int_equal(charge->line_count, quarters);
        assert_int_equal(charge->unlisted_count, quarters);
        assert_int_equal(charge->key.family, is_job ? NAME : NO_NAME);
    }
    assert_int_equal(money(&class_charge_of(page, CHARGE_POOL, POOL)->costs[COST_LIST]), 100 * CENT);
}

static void lines_of_one_group_add_up_and_those_of_another_do_not(void **state)
{
    struct page *page = *state;
    add_presence(page, NODE, NAME, 0, 6000);
    struct line_class *class = add_class(page, NODE), *credit = add_class(page, NODE);
    credit->is_usage = credit->is_hardware = false;
    add_line(page, class, 0, 60, 300, 60);
    add_line(page, class, 60, 120, 500, 60)->is_unlisted = true;
    add_line(page, credit, 60, 120, -100, NO_TIME);
    add_hold(page, 2, 0, 120);
    take(page);
    assert_int_equal(charge_count(page), 2);
    const struct charge *first = charge_sums_at(node_charges_sums(page->charges), 0);
    const struct charge *second = charge_sums_at(node_charges_sums(page->charges), 1);
    assert_charge(first, 800 * CENT, 120);
    assert_int_equal(first->line_count, 2);
    assert_int_equal(charge_sums_at(node_charges_class_sums(page->charges), 0)->unlisted_count, 1);
    assert_int_equal(money(&first->charged_cost), 800 * CENT);
    assert_charge(second, -100 * CENT, 0);
    assert_int_equal(money(&second->charged_cost), 0);
    assert_int_equal(second->key.group, 1);
}

static void charged_cost_is_the_effective_cost_of_what_was_charged(void **state)
{
    struct page *page = *state;
    struct line_class *class = add_class(page, 0);
    class->pool = POOL;
    set_costs(add_line(page, class, 0, 60, 0, NO_TIME), 500, 300, 0, 0);
    set_costs(add_line(page, class, 0, 60, 0, NO_TIME), 500, -100, 0, 0);
    set_costs(add_line(page, class, 0, 60, 0, NO_TIME), 500, 1, 0, 0);
    take(page);
    assert_int_equal(money(&charge_of(page, CHARGE_POOL, POOL)->charged_cost), 301 * CENT);
    assert_int_equal(money(&charge_of(page, CHARGE_POOL, POOL)->costs[COST_EFFECTIVE]), 201 * CENT);
    assert_int_equal(money(&charge_of(page, CHARGE_POOL, POOL)->committed_cost), 0);
    assert_int_equal(money(&charge_of(page, CHARGE_POOL, POOL)->spot_cost), 0);
}

/* Of committed lines what is charged counts, of spot lines what is given back, too. */
static void charges_say_what_of_them_was_committed_and_what_spot(void **state)
{
    struct page *page = *state;
    struct line_class *committed = add_class(page, 0), *spot = add_class(page, 0);
    committed->pool = spot->pool = POOL;
    spot->charge_group = committed->charge_group;
    committed->is_committed = spot->is_spot = true;
    for (int i = 0; i < 2; i++) {
        set_costs(add_line(page, i == 0 ? committed : spot, 0, 60, 0, NO_TIME), 500, 300, 0, 0);
        set_costs(add_line(page, i == 0 ? committed : spot, 0, 60, 0, NO_TIME), 500, -100, 0, 0);
    }
    take(page);
    const struct charge *charge = charge_of(page, CHARGE_POOL, POOL);
    assert_int_equal(money(&charge->charged_cost), 600 * CENT);
    assert_int_equal(money(&charge->committed_cost), 300 * CENT);
    assert_int_equal(money(&charge->spot_cost), 200 * CENT);
    assert_int_equal(charge_sums_count(node_charges_class_sums(page->charges)), 2);
}

static void idle_time_without_a_pool_is_unallocated(void **state)
{
    struct page *page = *state;
    add_presence(page, NODE, NAME, 0, 6000)->idle_pool = NO_NAME;
    add_line(page, add_class(page, NODE), 0, 60, 300, 60);
    take(page);
    const struct charge *idle = charge_of(page, CHARGE_UNALLOCATED, REASON_IDLE_WITHOUT_POOL);
    assert_charge(idle, 300 * CENT, 60);
    assert_int_equal(idle->key.node, NODE);
    assert_int_equal(idle->key.rule, 2);
}

static void time_after_the_horizon_awaits_records_whatever_the_pool(void **state)
{
    struct page *page = *state;
    add_presence(page, NODE, NAME, 0, 6000);
    page->presence_times[0].recorded_to = 45 * MINUTE;
    add_line(page, add_class(page, NODE), 0, 60, 400, 60);
    add_hold(page, 0, 0, 15);
    take(page);
    assert_charge(charge_of(page, CHARGE_JOB, 0), 100 * CENT, 15);
    assert_charge(charge_of(page, CHARGE_POOL, POOL), 200 * CENT, 30);
    const struct charge *pending = charge_of(page, CHARGE_UNALLOCATED, REASON_WITHOUT_JOB_RECORDS);
    assert_charge(pending, 100 * CENT, 15);
    assert_int_equal(pending->key.node, NODE);
}

static void what_the_system_broke_is_a_charge_of_its_own(void **state)
{
    struct page *page = *state;
    add_presence(page, NODE, NAME, 0, 6000);
    page->refunds[1] = (struct resource_attempt){ .kept = 3, .refunded = 1 };
    page->refunds[2] = (struct resource_attempt){ .refunded = 1 };
    add_line(page, add_class(page, NODE), 0, 60, 300, 60);
    add_hold(page, 1, 0, 40);
    add_hold(page, 2, 40, 60);
    take(page);
    assert_int_equal(charge_count(page), 3);
    assert_charge(charge_of(page, CHARGE_JOB, 1), 150 * CENT, 30);
    assert_charge(charge_of(page, CHARGE_REFUND, 1), 50 * CENT, 10);
    assert_charge(charge_of(page, CHARGE_REFUND, 2), 100 * CENT, 20);
}

/* Two resources of one hash come with the holds of both: upper and lower case of a name, or two
 * clusters. */
static void a_node_takes_what_was_held_of_its_own_names_alone(void **state)
{
    struct page *page = *state;
    add_presence(page, NODE, NAME, 0, 6000);
    add_presence(page, OTHER_NODE, OTHER_NAME, 0, 6000);
    struct line_class *class = add_class(page, NODE), *other = add_class(page, OTHER_NODE);
    add_hold(page, 0, 0, 60);
    add_hold(page, 1, 0, 60)->node_name = OTHER_NAME;
    add_hold(page, 2, 0, 60)->cluster = OTHER_CLUSTER;
    page->charges = node_charges_open(&page->catalogue);
    struct bill_line *line = add_line(page, class, 0, 60, 300, 60);
    node_charges_take(page->charges, &line, 1, page->holds, page->hold_count);
    line = add_line(page, other, 0, 60, 500, 60);
    node_charges_take(page->charges, &line, 1, page->holds, page->hold_count);
    assert_int_equal(charge_count(page), 2);
    assert_charge(charge_of(page, CHARGE_JOB, 0), 300 * CENT, 60);
    assert_charge(charge_of(page, CHARGE_JOB, 1), 500 * CENT, 60);
}

/* An instance was one node for 20 minutes, then nothing, then another node. */
static void a_hold_counts_inside_the_row_of_the_inventory_that_it_names(void **state)
{
    struct page *page = *state;
    add_presence(page, NODE, NAME, 0, 20);
    add_presence(page, NODE, OTHER_NAME, 30, 6000)->idle_pool = CENTRE;
    add_line(page, add_class(page, NODE), 0, 60, 300, 60);
    add_hold(page, 0, 0, 60)->node_name = OTHER_NAME; /* 30 of its 60 minutes */
    add_hold(page, 1, 5, 60);                         /* 15 of its 55 */
    add_hold(page, 2, 20, 60);                        /* nothing */
    take(page);
    assert_charge(charge_of(page, CHARGE_JOB, 0), 150 * CENT, 30);
    assert_charge(charge_of(page, CHARGE_JOB, 1), 75 * CENT, 15);
    assert_charge(charge_of(page, CHARGE_POOL, POOL), 75 * CENT, 15); /* the first row's pool */
    assert_int_equal(charge_count(page), 3);
}

static void the_first_row_of_a_slot_need_not_be_the_first_of_its_node(void **state)
{
    struct page *page = *state;
    add_presence(page, NODE, NAME, 0, 6000);
    add_presence(page, OTHER_NODE, NAME, 0, 30);
    add_presence(page, OTHER_NODE, OTHER_NAME, 60, 6000)->idle_pool = CENTRE;
    add_line(page, add_class(page, OTHER_NODE), 60, 120, 300, 60);
    take(page);
    assert_charge(charge_of(page, CHARGE_POOL, CENTRE), 300 * CENT, 60);
    for (size_t i = 0; i < 3; i++)
        add_hold(page, i, 60, 120)->node_name = OTHER_NAME;
    take(page);
    assert_excess(page, 0, 50 + OTHER_NAME, 120);
}

/* Two clusters say that the instance is a node of theirs. A has all of 20 minutes, C half of them,
 * B comes later. */
static void holds_of_several_rows_are_put_in_order(void **state)
{
    struct page *page = *state;
    add_presence(page, NODE, NAME, 0, 6000);
    add_presence(page, NODE, OTHER_NAME, 0, 6000);
    add_line(page, add_class(page, NODE), 40, 60, 300, 20);
    add_hold(page, 0, 0, 200);
    add_hold(page, 1, 100, 110);
    add_hold(page, 2, 50, 60)->node_name = OTHER_NAME;
    take(page);
    assert_charge(charge_of(page, CHARGE_JOB, 0), 200 * CENT, 40.0 / 3);
    assert_charge(charge_of(page, CHARGE_JOB, 2), 100 * CENT, 20.0 / 3);
}

/* What attempt 0 has of 100 cents for a whole hour. */
static long part_of_a_node(struct page *page, int64_t node_accelerators, int64_t node_cpus,
                           int64_t accelerators, int64_t cpus)
{
    forget_lines(page);
    page->presences[0].accelerators = 1000000 * node_accelerators;
    page->presences[0].cpus = 1000000 * node_cpus;
    add_line(page, &page->classes[0], 0, 60, 100, 60);
    struct node_hold *hold = add_hold(page, 0, 0, 60);
    hold->accelerators = accelerators < 0 ? -1 : 1000000 * accelerators;
    hold->cpus = cpus < 0 ? -1 : 1000000 * cpus;
    take(page);
    const struct charge *charge = charge_of(page, CHARGE_JOB, 0);
    return charge == NULL ? 0 : money(&charge->costs[COST_BILLED]) / CENT;
}

static void a_share_is_of_accelerators_else_of_cpus_else_the_whole(void **state)
{
    struct page *page = *state;
    add_presence(page, NODE, NAME, 0, 6000);
    add_class(page, NODE);
    assert_int_equal(part_of_a_node(page, 8, 96, 2, 96), 25);
    assert_int_equal(part_of_a_node(page, 8, 96, 0, 96), 0);
    assert_int_equal(part_of_a_node(page, 8, 96, 9, 96), 100); /* no more than all of it */
    assert_int_equal(part_of_a_node(page, 8, 96, -1, 24),
                     25); /* it is not known whether it has accelerators */
    assert_int_equal(part_of_a_node(page, 0, 96, 2, 48), 50);
    assert_int_equal(part_of_a_node(page, 0, 96, -1, 0), 0);
    assert_int_equal(part_of_a_node(page, 0, 96, -1, -1), 100);
    assert_int_equal(part_of_a_node(page, 0, 0, 2, 48), 100);
    assert_int_equal(part_of_a_node(page, 8, 0, -1, 48), 100);
}

static void a_job_without_accelerators_has_nothing_of_a_node_with_them_unless_it_has_all_cpus(void **state)
{
    struct page *page = *state;
    add_presence(page, NODE, NAME, 0, 6000);
    add_class(page, NODE);
    page->attempts[0].bare_cpus = 48000000;
    assert_int_equal(part_of_a_node(page, 8, 96, -1, 48), 0);
    assert_int_equal(part_of_a_node(page, 8, 0, -1, 48), 0);
    assert_int_equal(part_of_a_node(page, 0, 96, -1, 48), 50);
    assert_int_equal(part_of_a_node(page, 8, 96, 4, 48), 50); /* it says that it has some */
    page->attempts[0].bare_cpus = 96000000;
    assert_int_equal(part_of_a_node(page, 8, 96, -1, 48), 50); /* suspended for half of the time */
    assert_int_equal(part_of_a_node(page, 8, 97, -1, 48), 0);
    assert_int_equal(part_of_a_node(page, 8, 96, -1, -1), 100);
    page->attempts[0].bare_cpus = 0; /* its record has no CPUs */
    assert_int_equal(part_of_a_node(page, 8, 96, -1, -1), 0);
}

static void resources_are_numbered_from_one(void **state)
{
    struct page *page = *state;
    add_presence(page, 1, NAME, 0, 6000);
    add_line(page, add_class(page, 1), 0, 60, 100, 60);
    add_hold(page, 0, 0, 60);
    take(page);
    assert_charge(charge_of(page, CHARGE_JOB, 0), 100 * CENT, 60);
}

static void a_line_longer_than_a_week_is_a_class_charge_of_its_own(void **state)
{
    const int64_t week = INT64_C(7) * 24 * 60;
    struct page *page = *state;
    struct line_class *class = add_class(page, 0);
    add_line(page, class, week, 2 * week, 300, NO_TIME);
    add_line(page, class, week, 2 * week + 1, 500, NO_TIME);
    take(page);
    assert_int_equal(charge_count(page), 1);
    assert_int_equal(charge_sums_count(node_charges_class_sums(page->charges)), 2);
    assert_false(charge_sums_at(node_charges_class_sums(page->charges), 0)->key.is_long);
    assert_true(charge_sums_at(node_charges_class_sums(page->charges), 1)->key.is_long);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        PAGE(two_jobs_and_idle_time_share_an_hour),
        PAGE(class_charges_know_attempts_by_cost_centre_family_and_outcome),
        PAGE(lines_of_one_group_add_up_and_those_of_another_do_not),
        PAGE(charged_cost_is_the_effective_cost_of_what_was_charged),
        PAGE(charges_say_what_of_them_was_committed_and_what_spot),
        PAGE(idle_time_without_a_pool_is_unallocated),
        PAGE(time_after_the_horizon_awaits_records_whatever_the_pool),
        PAGE(what_the_system_broke_is_a_charge_of_its_own),
        PAGE(a_node_takes_what_was_held_of_its_own_names_alone),
        PAGE(a_hold_counts_inside_the_row_of_the_inventory_that_it_names),
        PAGE(the_first_row_of_a_slot_need_not_be_the_first_of_its_node),
        PAGE(holds_of_several_rows_are_put_in_order),
        PAGE(a_share_is_of_accelerators_else_of_cpus_else_the_whole),
        PAGE(a_job_without_accelerators_has_nothing_of_a_node_with_them_unless_it_has_all_cpus),
        PAGE(resources_are_numbered_from_one),
        PAGE(a_line_longer_than_a_week_is_a_class_charge_of_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
