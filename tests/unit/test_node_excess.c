/* Where more was held of a node than was billed, and when a node had machine time: by hand. */
#include "node_page.h"

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
static void the_excess_of_a_slot_does_not_use_the_time_in_earlier_statements(void **state)
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
    add_line(page, class, 0, 40, 100, 40);
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

static void spans_are_in_the_order_of_time(void **state)
{
    struct page *page = *state;
    add_presence(page, NODE, NAME, 0, 6000);
    struct line_class *class = add_class(page, NODE);
    add_line(page, class, 60, 120, 100, 60);
    add_line(page, class, 0, 60, 100, 60);
    take(page);
    assert_int_equal(span_count(page), 1);
    assert_span(page, 0, 0, 0, 120);
}

static void a_line_that_ends_where_a_row_begins_is_not_of_it(void **state)
{
    struct page *page = *state;
    add_presence(page, NODE, NAME, 0, 30);
    add_presence(page, NODE, OTHER_NAME, 30, 60);
    add_line(page, add_class(page, NODE), 0, 30, 100, 30);
    take(page);
    assert_int_equal(span_count(page), 1);
    assert_span(page, 0, 0, 0, 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        PAGE(what_is_held_above_the_billed_time_is_counted_once_for_each_slot),
        PAGE(what_fits_into_the_billed_time_is_no_excess),
        PAGE(the_excess_of_a_slot_does_not_use_the_time_in_earlier_statements),
        PAGE(spans_of_hardware_that_touch_are_one),
        PAGE(spans_are_of_one_row_of_the_inventory),
        PAGE(spans_are_in_the_order_of_time),
        PAGE(a_line_that_ends_where_a_row_begins_is_not_of_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
