/* What is looked up in a catalogue made by hand: no database. Times are days of 2026. */
#include "allocate/catalogue.h"
#include "model_test.h"

#define DAY INT64_C(86400000000)

enum { NODE = 100, OTHER_NODE = 200 };                       /* resources */
enum { NOBODY, TODAY, FIRST_POOL, SECOND_POOL, OTHER_POOL }; /* names */
enum { AUGUST_BEGIN = 31, SEPTEMBER_BEGIN = 62, OCTOBER_BEGIN = 92 };

struct page {
    struct catalogue catalogue;
    struct catalogue_presence presences[4];
    struct resource_presence times[4];
    struct frozen_pool frozen[8];
};

/* One row of the inventory has no end; today its idle time is a pool's. */
static int set_up(void **state)
{
    struct page *page = calloc(1, sizeof *page);
    page->presences[0] = (struct catalogue_presence){ .node = NODE, .idle_pool = TODAY };
    page->times[0] = (struct resource_presence){ .from = INT64_MIN, .to = INT64_MAX };
    page->catalogue = (struct catalogue){ .presences = page->presences,
                                          .presence_times = page->times,
                                          .presence_count = 1,
                                          .frozen = page->frozen };
    *state = page;
    return 0;
}

static int tear_down(void **state)
{
    free(*state);
    return 0;
}

/* A pool that was frozen for the days from one to another. */
static void add_frozen(struct page *page, int64_t from, int64_t to, uint32_t pool)
{
    page->frozen[page->catalogue.frozen_count++] =
        (struct frozen_pool){ .from = from * DAY, .to = to * DAY, .pool = pool };
    page->presences[0].frozen_count++;
}

static uint32_t pool_on(const struct page *page, int64_t day)
{
    return catalogue_idle_pool(&page->catalogue, 0, day * DAY);
}

/* ---- Who pays for idle time ---- */

static void a_day_of_a_closed_month_has_the_pool_that_was_frozen_with_it(void **state)
{
    struct page *page = *state;
    add_frozen(page, AUGUST_BEGIN, SEPTEMBER_BEGIN, FIRST_POOL);
    assert_int_equal(pool_on(page, AUGUST_BEGIN), FIRST_POOL);
    assert_int_equal(catalogue_idle_pool(&page->catalogue, 0, SEPTEMBER_BEGIN * DAY - 1), FIRST_POOL);
    assert_int_equal(catalogue_idle_pool(&page->catalogue, 0, AUGUST_BEGIN * DAY - 1), TODAY);
    assert_int_equal(pool_on(page, SEPTEMBER_BEGIN), TODAY);
}

static void nobody_is_a_choice_too(void **state)
{
    struct page *page = *state;
    add_frozen(page, AUGUST_BEGIN, SEPTEMBER_BEGIN, NOBODY);
    assert_int_equal(pool_on(page, AUGUST_BEGIN), NOBODY);
}

/* A replay has the choices of its close on all days but those of months that were closed before,
 * which come first. */
static void of_several_pools_of_a_day_the_first_counts(void **state)
{
    struct page *page = *state;
    add_frozen(page, AUGUST_BEGIN, SEPTEMBER_BEGIN, FIRST_POOL);
    add_frozen(page, 0, OCTOBER_BEGIN, SECOND_POOL);
    assert_int_equal(pool_on(page, AUGUST_BEGIN - 1), SECOND_POOL);
    assert_int_equal(pool_on(page, AUGUST_BEGIN), FIRST_POOL);
    assert_int_equal(pool_on(page, SEPTEMBER_BEGIN), SECOND_POOL);
    assert_int_equal(pool_on(page, OCTOBER_BEGIN), TODAY);
}

static void rows_of_the_inventory_have_frozen_pools_of_their_own(void **state)
{
    struct page *page = *state;
    page->catalogue.presence_count = 2;
    page->presences[1] = (struct catalogue_presence){ .node = NODE, .idle_pool = OTHER_POOL };
    page->times[1] = page->times[0];
    add_frozen(page, AUGUST_BEGIN, SEPTEMBER_BEGIN, FIRST_POOL);
    assert_int_equal(catalogue_idle_pool(&page->catalogue, 1, AUGUST_BEGIN * DAY), OTHER_POOL);
    page->presences[1].first_frozen = 1;
    page->presences[1].frozen_count = 1;
    page->frozen[page->catalogue.frozen_count++] =
        (struct frozen_pool){ .from = AUGUST_BEGIN * DAY, .to = SEPTEMBER_BEGIN * DAY, .pool = SECOND_POOL };
    assert_int_equal(catalogue_idle_pool(&page->catalogue, 0, AUGUST_BEGIN * DAY), FIRST_POOL);
    assert_int_equal(catalogue_idle_pool(&page->catalogue, 1, AUGUST_BEGIN * DAY), SECOND_POOL);
}

/* ---- What is found by a key ---- */

static void the_rows_of_a_node_stand_together(void **state)
{
    struct page *page = *state;
    static const int64_t nodes[] = { NODE, NODE, OTHER_NODE, INT64_MAX };
    size_t first = 9;
    for (size_t i = 0; i < 4; i++)
        page->presences[i].node = nodes[i];
    page->catalogue.presence_count = 4;
    assert_int_equal(catalogue_presences(&page->catalogue, NODE, &first), 2);
    assert_int_equal(first, 0);
    assert_int_equal(catalogue_presences(&page->catalogue, OTHER_NODE, &first), 1);
    assert_int_equal(first, 2);
    assert_int_equal(catalogue_presences(&page->catalogue, INT64_MAX, &first), 1);
    assert_int_equal(first, 3);
    assert_int_equal(catalogue_presences(&page->catalogue, NODE + 1, &first), 0);
    assert_int_equal(catalogue_presences(&page->catalogue, INT64_MIN, &first), 0);
    page->catalogue.presence_count = 0;
    assert_int_equal(catalogue_presences(&page->catalogue, NODE, &first), 0);
}

static void an_attempt_is_found_by_its_id(void **state)
{
    struct page *page = *state;
    struct named_attempt attempts[] = { { .id = INT64_MIN }, { .id = -5 }, { .id = 7 } };
    assert_int_equal(catalogue_attempt_index(&page->catalogue, 7), SIZE_MAX); /* there are none */
    page->catalogue.named_attempts = attempts;
    page->catalogue.attempt_count = 3;
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(catalogue_attempt_index(&page->catalogue, attempts[i].id), i);
    assert_int_equal(catalogue_attempt_index(&page->catalogue, 6), SIZE_MAX);
    assert_int_equal(catalogue_attempt_index(&page->catalogue, 8), SIZE_MAX);
}

/* Epochs are the spans between days on which a rule changes, here the first and the third day of
 * 2000. */
static void a_moment_is_of_the_epoch_that_its_day_begins(void **state)
{
    const int64_t year_2000 = 10957 * DAY;
    struct page *page = *state;
    int64_t days[] = { 0, 2 };
    assert_int_equal(catalogue_epoch(&page->catalogue, 0), 0); /* no rule ever changes */
    page->catalogue.epoch_days = days;
    page->catalogue.epoch_count = 2;
    assert_int_equal(catalogue_epoch(&page->catalogue, year_2000 - 1), 0);
    assert_int_equal(catalogue_epoch(&page->catalogue, year_2000), 1);
    assert_int_equal(catalogue_epoch(&page->catalogue, year_2000 + 2 * DAY - 1), 1);
    assert_int_equal(catalogue_epoch(&page->catalogue, year_2000 + 2 * DAY), 2);
    days[0] = -10958; /* the day before 1970 */
    assert_int_equal(catalogue_epoch(&page->catalogue, -1), 1);
    assert_int_equal(catalogue_epoch(&page->catalogue, -DAY), 1);
    assert_int_equal(catalogue_epoch(&page->catalogue, -DAY - 1), 0);
}

#define PAGE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        PAGE(a_day_of_a_closed_month_has_the_pool_that_was_frozen_with_it),
        PAGE(nobody_is_a_choice_too),
        PAGE(of_several_pools_of_a_day_the_first_counts),
        PAGE(rows_of_the_inventory_have_frozen_pools_of_their_own),
        PAGE(the_rows_of_a_node_stand_together),
        PAGE(an_attempt_is_found_by_its_id),
        PAGE(a_moment_is_of_the_epoch_that_its_day_begins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
