/* Lines of one resource to charges, by hand: the first rule that matches, and nodes (rule 2). */
#include "charges_page.h"
#include "model/statistics/seeded_random.h"

/* A row of the inventory of a resource: rows come by resource. Its job records are of for ever. */
static struct catalogue_presence *add_presence(struct page *page, int64_t node, uint32_t node_name,
                                               int64_t from, int64_t to)
{
    size_t place = page->catalogue.presence_count++;
    page->presences[place] = (struct catalogue_presence){
        .node = node, .name = 50 + node_name, .cluster = CLUSTER, .node_name = node_name, .idle_pool = POOL
    };
    page->presence_times[place] =
        (struct resource_presence){ .from = from * MINUTE, .to = to * MINUTE, .recorded_to = INT64_MAX };
    return &page->presences[place];
}

/* What an earlier statement was told of a node: the time of a charge period. Comes by node. */
static void add_earlier(struct page *page, int64_t node, int64_t from, int64_t to, unsigned long minutes)
{
    size_t place = page->catalogue.earlier_count++;
    page->earlier_nodes[place] = node;
    page->earlier_lines[place] = (struct resource_line){ .start = from * MINUTE,
                                                         .end = to * MINUTE,
                                                         .source = 1,
                                                         .sku = 1,
                                                         .is_usage = true,
                                                         .states_time = true };
    mpz_init_set_ui(page->earlier_lines[place].seconds.units, 60 * minutes);
}

/* The attempt has the whole node, of which it is not said how large it is. */
static struct node_hold *add_hold(struct page *page, size_t attempt, int64_t from, int64_t to)
{
    struct node_hold *hold = &page->holds[page->hold_count++];
    *hold = (struct node_hold){ .start = from * MINUTE,
                                .end = to * MINUTE,
                                .attempt = attempt,
                                .cluster = CLUSTER,
                                .node_name = NAME,
                                .cpus = -1,
                                .accelerators = -1 };
    return hold;
}

static void assert_excess(const struct page *page, size_t place, uint32_t node, double minutes)
{
    size_t count;
    const struct node_excess *excess = node_charges_excess(page->charges, &count);
    assert_true(place < count);
    assert_int_equal(excess[place].node, node);
    assert_near(mpq_get_d(excess[place].microseconds), minutes * 60e6, 1e-15);
}

/* ---- Nodes ---- */

/* The first example of docs/allocation.md: an hour at 3.00. */
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
    const struct charge *awaiting = charge_of(page, CHARGE_UNALLOCATED, REASON_AWAITING);
    assert_charge(awaiting, 100 * CENT, 15);
    assert_int_equal(awaiting->key.node, NODE);
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
    page->attempts[0].is_bare = true;
    page->attempts[0].bare_cpus = 48000000;
    assert_int_equal(part_of_a_node(page, 8, 96, -1, 48), 0);
    assert_int_equal(part_of_a_node(page, 8, 0, -1, 48), 0);
    assert_int_equal(part_of_a_node(page, 0, 96, -1, 48), 50);
    assert_int_equal(part_of_a_node(page, 8, 96, 4, 48), 50); /* it says that it has some */
    page->attempts[0].bare_cpus = 96000000;
    assert_int_equal(part_of_a_node(page, 8, 96, -1, 48), 50); /* suspended for half of the time */
    assert_int_equal(part_of_a_node(page, 8, 97, -1, 48), 0);
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

/* ---- Corrections ---- */

static struct line_class *add_correction_class(struct page *page)
{
    struct line_class *class = add_class(page, NODE);
    class->is_correction = true;
    return class;
}

/* September billed a quarter of an hour, all of it job 1's; October corrects that hour. */
static void a_correction_is_divided_by_the_time_that_earlier_statements_were_told(void **state)
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
    add_line(page, correction, 120, 180, -100, NO_TIME); /* of a time that nobody told */
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

/* ---- Excess and spans ---- */

static size_t excess_count(const struct page *page)
{
    size_t count;
    node_charges_excess(page->charges, &count);
    return count;
}

static void what_is_held_above_the_billed_time_is_counted_once_for_each_slot(void **state)
{
    struct page *page = *state;
    add_presence(page, NODE, NAME, 0, 6000);
    add_presence(page, OTHER_NODE, OTHER_NAME, 0, 6000);
    struct line_class *class = add_class(page, NODE), *other = add_class(page, OTHER_NODE);
    add_line(page, class, 0, 60, 300, 60);
    add_line(page, class, 0, 60, -100, NO_TIME); /* the same slot */
    add_line(page, class, 60, 120, 300, 40);
    add_hold(page, 0, 0, 120);
    add_hold(page, 1, 0, 30);
    take(page);
    assert_int_equal(excess_count(page), 1);
    assert_excess(page, 0, 50 + NAME, 30 + 20);
    assert_int_equal(charge_count(page), 2);
    struct bill_line *line = add_line(page, other, 0, 60, 300, 60);
    struct node_hold twice[2] = { page->holds[0], page->holds[0] };
    twice[0].node_name = twice[1].node_name = OTHER_NAME;
    node_charges_take(page->charges, &line, 1, twice, 2);
    assert_int_equal(excess_count(page), 2);
    assert_excess(page, 0, 50 + NAME, 30 + 20);
    assert_excess(page, 1, 50 + OTHER_NAME, 60);
}

static void what_fits_into_the_billed_time_is_no_excess(void **state)
{
    struct page *page = *state;
    add_presence(page, NODE, NAME, 0, 6000);
    add_line(page, add_class(page, NODE), 0, 60, 300, 60);
    add_hold(page, 0, 0, 60);
    take(page);
    assert_int_equal(excess_count(page), 0);
}

/* By the lines of this statement: a correction's time of earlier ones is not what was held too much
 * of. */
static void the_excess_of_a_slot_is_not_by_what_earlier_statements_were_told(void **state)
{
    struct page *page = *state;
    add_presence(page, NODE, NAME, 0, 6000);
    add_earlier(page, NODE, 0, 60, 15);
    add_line(page, add_correction_class(page), 0, 60, -100, NO_TIME);
    add_hold(page, 0, 0, 60);
    take(page);
    assert_int_equal(excess_count(page), 0); /* of an hour by the inventory */
    add_hold(page, 1, 20, 50);
    take(page);
    assert_int_equal(excess_count(page), 1);
    assert_excess(page, 0, 50 + NAME, 30);
}

static void assert_span(const struct page *page, size_t place, uint32_t presence, int64_t from, int64_t to)
{
    size_t count;
    const struct billed_span *spans = node_charges_spans(page->charges, &count);
    assert_true(place < count);
    assert_int_equal(spans[place].presence, presence);
    assert_int_equal(spans[place].from, from * MINUTE);
    assert_int_equal(spans[place].to, to * MINUTE);
}

static void spans_of_hardware_that_touch_are_one(void **state)
{
    struct page *page = *state;
    add_presence(page, NODE, NAME, 30, 6000);
    struct line_class *class = add_class(page, NODE), *fee = add_class(page, NODE);
    fee->is_hardware = false;
    add_line(page, class, 120, 180, 100, 60);
    add_line(page, class, 0, 60, 100, 60); /* the node is there from minute 30 on */
    add_line(page, class, 60, 120, 100, 60);
    add_line(page, class, 60, 70, -100, NO_TIME); /* inside */
    add_line(page, class, 240, 300, 100, 60);
    add_line(page, fee, 180, 240, 100, 60);
    add_line(page, add_correction_class(page), 180, 240, 100, 60);
    take(page);
    assert_int_equal(span_count(page), 2);
    assert_span(page, 0, 0, 30, 180);
    assert_span(page, 1, 0, 240, 300);
}

static void spans_are_of_one_row_of_the_inventory(void **state)
{
    struct page *page = *state;
    add_presence(page, NODE, NAME, 0, 30);
    add_presence(page, NODE, OTHER_NAME, 30, 60);
    add_presence(page, OTHER_NODE, OTHER_NAME, 0, 6000);
    add_line(page, add_class(page, NODE), 0, 90, 100, 60);
    take(page);
    struct bill_line *line = add_line(page, add_class(page, OTHER_NODE), 60, 120, 100, 60);
    node_charges_take(page->charges, &line, 1, NULL, 0);
    assert_int_equal(span_count(page), 3);
    assert_span(page, 0, 0, 0, 30);
    assert_span(page, 1, 1, 30, 60);
    assert_span(page, 2, 2, 60, 120);
}

/* ---- The first rule that matches ---- */

static void a_line_that_is_set_apart_is_neither_a_jobs_nor_a_nodes(void **state)
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

/* ---- Any lines ---- */

struct dice {
    struct seeded_random random;
};

static long roll(struct dice *dice, long below)
{
    return (long)(seeded_random_bits(&dice->random) >> 8) % below;
}

static void random_catalogue(struct page *page, struct dice *dice)
{
    forget_lines(page);
    forget_earlier_lines(page);
    page->catalogue.class_count = page->catalogue.named_count = 0;
    page->catalogue.presence_count = 0;
    for (long i = roll(dice, 3); i > 0; i--) {
        struct catalogue_presence *row =
            add_presence(page, NODE, NAME, 60 * roll(dice, 4), 60 * (2 + roll(dice, 6)));
        row->cpus = roll(dice, 2) * 8000000;
        row->idle_pool = roll(dice, 2) == 0 ? POOL : NO_NAME;
        page->presence_times[page->catalogue.presence_count - 1].recorded_to =
            roll(dice, 2) == 0 ? INT64_MAX : 60 * roll(dice, 8) * MINUTE;
    }
    for (size_t i = 0; i < ATTEMPTS; i++) {
        page->named_attempts[i].start = 30 * roll(dice, 10) * MINUTE;
        page->named_attempts[i].end = page->named_attempts[i].start + 30 * roll(dice, 6) * MINUTE;
        page->attempts[i].instances = roll(dice, 3);
        page->refunds[i].kept = (uint64_t)roll(dice, 4);
        page->refunds[i].refunded = page->refunds[i].kept == 0 ? 1 : (uint64_t)roll(dice, 3);
    }
    for (size_t i = 0; i < CLASSES; i++) {
        struct line_class *class = add_class(page, NODE);
        class->charge_group = (uint32_t)roll(dice, 4);
        class->group = 4 * class->charge_group + (uint32_t)roll(dice, 4);
        class->sku_id = (uint32_t)roll(dice, 3);
        class->source = (uint32_t)roll(dice, 5) / 4;
        class->is_tax = roll(dice, 20) == 0;
        class->is_purchase_of_commitment = roll(dice, 10) == 0;
        class->is_correction = roll(dice, 4) == 0;
        class->is_usage = roll(dice, 4) > 0;
        class->is_hardware = roll(dice, 3) > 0;
        class->pool = roll(dice, 3) == 0 ? POOL : NO_NAME;
        class->cost_centre = roll(dice, 3) == 0 ? CENTRE : NO_NAME;
        for (long j = i < 3 ? roll(dice, ATTEMPTS) : 0; j > 0; j--)
            add_named(page, class, (size_t)roll(dice, ATTEMPTS), roll(dice, 4) == 0);
    }
    for (long i = roll(dice, 4); i > 0; i--) {
        int64_t from = 60 * roll(dice, 6);
        add_earlier(page, NODE, from, from + 60, (unsigned long)roll(dice, 61));
    }
}

static void random_cost(struct exact_decimal *cost, struct dice *dice)
{
    long units = roll(dice, 4) == 0 ? 0 : roll(dice, 100000);
    set_cost(cost, roll(dice, 5) == 0 ? -units : units, (unsigned)roll(dice, 3));
}

static void random_lines(struct page *page, struct dice *dice)
{
    for (long i = 1 + roll(dice, LINES - 1); i > 0; i--) {
        int64_t from = 60 * roll(dice, 6), to = from + (roll(dice, 5) == 0 ? 30 * roll(dice, 20) : 60);
        struct bill_line *line = add_line(page, &page->classes[roll(dice, CLASSES)], from, to, 0,
                                          roll(dice, 4) == 0 ? NO_TIME : roll(dice, 70));
        random_cost(&line->line.billed_cost, dice);
        random_cost(&line->line.effective_cost, dice);
        random_cost(&line->line.list_cost, dice);
        random_cost(&line->line.contracted_cost, dice);
    }
    int64_t from = 0;
    for (long i = roll(dice, HOLDS + 1); i > 0; i--) {
        from += 15 * roll(dice, 6);
        add_hold(page, (size_t)roll(dice, ATTEMPTS), from, from + 1 + roll(dice, 120))->cpus =
            1000000 * (roll(dice, 9) - 1);
    }
}

static const struct exact_decimal *cost_of(const struct bill_line *line, int cost)
{
    const struct exact_decimal *costs[COST_COUNT] = { &line->line.billed_cost, &line->line.effective_cost,
                                                      &line->line.list_cost, &line->line.contracted_cost };
    return costs[cost];
}

/* What all lines come to, by cost, and behind them what is charged of it, in 10^-8. */
static void sum_lines(const struct page *page, long sums[COST_COUNT + 1])
{
    memset(sums, 0, (COST_COUNT + 1) * sizeof sums[0]);
    for (size_t i = 0; i < page->line_count; i++) {
        for (int cost = 0; cost < COST_COUNT; cost++)
            sums[cost] += money(cost_of(&page->lines[i], cost));
        long effective = money(&page->lines[i].line.effective_cost);
        sums[COST_COUNT] += effective > 0 ? effective : 0;
    }
}

static void sum_charges(const struct page *page, long sums[COST_COUNT + 1])
{
    struct charge_sums *charges = node_charges_sums(page->charges);
    struct charge_sums *classes = node_charges_class_sums(page->charges);
    long billed = 0, effective = 0;
    memset(sums, 0, (COST_COUNT + 1) * sizeof sums[0]);
    for (size_t i = 0; i < charge_sums_count(classes); i++) {
        for (int cost = 0; cost < COST_COUNT; cost++)
            sums[cost] += money(&charge_sums_at(classes, i)->costs[cost]);
    }
    for (size_t i = 0; i < charge_sums_count(charges); i++) {
        const struct charge *charge = charge_sums_at(charges, i);
        billed += money(&charge->costs[COST_BILLED]);
        effective += money(&charge->costs[COST_EFFECTIVE]);
        sums[COST_COUNT] += money(&charge->charged_cost);
    }
    assert_int_equal(billed, sums[COST_BILLED]);
    assert_int_equal(effective, sums[COST_EFFECTIVE]);
}

/* The same lines the other way round: each charge has the same costs. */
static void assert_order_has_no_effect(struct page *page)
{
    struct node_charges *forward = page->charges;
    struct bill_line *lines[LINES];
    for (size_t i = 0; i < page->line_count; i++)
        lines[i] = &page->lines[page->line_count - 1 - i];
    struct node_charges *backward = node_charges_open(&page->catalogue);
    node_charges_take(backward, lines, page->line_count, page->holds, page->hold_count);
    struct charge_sums *ones = node_charges_sums(forward), *others = node_charges_sums(backward);
    uint64_t priced = 0, other_priced = 0;
    for (size_t i = 0; i < charge_sums_count(ones); i++) {
        const struct charge *one = charge_sums_at(ones, i);
        const struct charge *other = charge_sums_find(others, &one->key);
        assert_int_equal(one->line_count, other->line_count);
        for (int cost = 0; cost < COST_COUNT; cost++)
            assert_int_equal(money(&one->costs[cost]), money(&other->costs[cost]));
        priced += one->priced;
    }
    assert_int_equal(charge_sums_count(ones), charge_sums_count(others));
    for (size_t i = 0; i < charge_sums_count(others); i++)
        other_priced += charge_sums_at(others, i)->priced;
    assert_int_equal(priced, other_priced);
    node_charges_close(backward);
}

static void charges_add_up_to_their_lines(void **state)
{
    struct page *page = *state;
    struct dice dice;
    size_t kinds[CHARGE_TAX + 1] = { 0 };
    seeded_random_start(&dice.random, 20261123);
    for (int i = 0; i < 3000; i++) {
        long of_lines[COST_COUNT + 1], of_charges[COST_COUNT + 1];
        random_catalogue(page, &dice);
        random_lines(page, &dice);
        take(page);
        sum_lines(page, of_lines);
        sum_charges(page, of_charges);
        assert_memory_equal(of_lines, of_charges, sizeof of_lines);
        assert_order_has_no_effect(page);
        for (size_t j = 0; j < charge_count(page); j++)
            kinds[charge_sums_at(node_charges_sums(page->charges), j)->key.target]++;
    }
    for (size_t i = 0; i <= CHARGE_TAX; i++)
        assert_true(kinds[i] > 50); /* each kind was there */
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
        PAGE(a_line_longer_than_a_week_is_a_class_charge_of_its_own),
        PAGE(a_correction_is_divided_by_the_time_that_earlier_statements_were_told),
        PAGE(a_correction_without_earlier_lines_is_divided_as_its_slot),
        PAGE(a_correction_takes_the_time_of_all_statements_together),
        PAGE(a_correction_before_or_behind_the_jobs_machine_time_is_of_another_statement),
        PAGE(machine_time_on_another_node_is_no_price_of_this_one),
        PAGE(what_is_no_machine_time_prices_no_hours),
        PAGE(what_is_held_above_the_billed_time_is_counted_once_for_each_slot),
        PAGE(what_fits_into_the_billed_time_is_no_excess),
        PAGE(the_excess_of_a_slot_is_not_by_what_earlier_statements_were_told),
        PAGE(spans_of_hardware_that_touch_are_one),
        PAGE(spans_are_of_one_row_of_the_inventory),
        PAGE(a_line_that_is_set_apart_is_neither_a_jobs_nor_a_nodes),
        PAGE(a_purchase_with_an_effective_cost_is_not_prepaid),
        PAGE(a_job_comes_before_a_node_and_that_before_a_pool),
        PAGE(a_pool_comes_before_a_cost_centre_and_that_before_nobody),
        PAGE(a_tag_of_several_clusters_is_the_reason_where_no_later_rule_matches),
        PAGE(lines_wait_for_one_another_where_a_node_or_a_job_may_be_meant),
        PAGE(charges_add_up_to_their_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
