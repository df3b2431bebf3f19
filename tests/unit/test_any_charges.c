/* Charges add up to their lines, whatever the lines are and in whichever order they come. */
#include "model/statistics/seeded_random.h"
#include "node_page.h"
#include "tests/unit/extent.h"

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

/* The sum of all lines, by cost, and behind them what is charged of it, in 10^-8. */
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
    for (int i = 0; i < tried(1000, 3000); i++) {
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
        PAGE(charges_add_up_to_their_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
