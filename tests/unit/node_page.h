/* tests/unit/node_page.h: what the tests of charges of nodes share, beside charges_page.h: the
 * inventory, what was held, and times of earlier statements. */
#ifndef KSTAR_TESTS_UNIT_NODE_PAGE_H
#define KSTAR_TESTS_UNIT_NODE_PAGE_H

#include "charges_page.h"

/* A row of the inventory of a resource: rows come by resource. Its job records are of for ever. */
static inline struct catalogue_presence *add_presence(struct page *page, int64_t node, uint32_t node_name,
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

/* The time of a charge period of a node in an earlier statement, in the order of nodes. */
static inline void add_earlier(struct page *page, int64_t node, int64_t from, int64_t to,
                               unsigned long minutes)
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

/* The attempt has the whole node, whose size is unknown. */
static inline struct node_hold *add_hold(struct page *page, size_t attempt, int64_t from, int64_t to)
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

static inline struct line_class *add_correction_class(struct page *page)
{
    struct line_class *class = add_class(page, NODE);
    class->is_correction = true;
    return class;
}

static inline void assert_excess(const struct page *page, size_t place, uint32_t node, double minutes)
{
    size_t count;
    const struct node_excess *excess = node_charges_excess(page->charges, &count);
    assert_true(place < count);
    assert_int_equal(excess[place].node, node);
    assert_near(mpq_get_d(excess[place].microseconds), minutes * 60e6, 1e-15);
}

#endif
