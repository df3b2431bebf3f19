/* Rule 1 by hand: which attempt a line goes to that names a job. Times are minutes of a day. */
#include "model/allocation/named_job.h"
#include "model/statistics/seeded_random.h"
#include "model_test.h"

#define MINUTE INT64_C(60000000)

enum { ATTEMPTS = 8, HARDWARE = true, OTHER = false, TAG = false, OWN = true };

struct page {
    struct named_attempt attempts[ATTEMPTS];
    struct named_candidate candidates[ATTEMPTS];
    size_t count;
};

static int set_up(void **state)
{
    *state = calloc(1, sizeof(struct page));
    return 0;
}

static int tear_down(void **state)
{
    free(*state);
    return 0;
}

/* One more attempt, which the line may name. Later ones have higher ids. */
static struct named_attempt *add(struct page *page, int64_t start, int64_t end, bool is_own)
{
    size_t place = page->count++;
    page->candidates[place] = (struct named_candidate){ .attempt = place, .is_own = is_own };
    page->attempts[place] = (struct named_attempt){
        .id = 10 * ((int64_t)place + 1), .start = start * MINUTE, .end = end * MINUTE, .cluster = 1
    };
    return &page->attempts[place];
}

static size_t at(const struct page *page, int64_t start, int64_t end, bool is_hardware)
{
    return named_job(page->attempts, page->candidates, page->count, start, end, is_hardware);
}

static size_t named(const struct page *page, int64_t start, int64_t end, bool is_hardware)
{
    return at(page, start * MINUTE, end * MINUTE, is_hardware);
}

static void a_line_that_names_nobody_has_no_job(void **state)
{
    assert_true(named(*state, 0, 60, OTHER) == NO_JOB);
}

static void machine_time_goes_to_a_run_of_that_time_or_within_an_hour(void **state)
{
    struct page *page = *state;
    add(page, 200, 300, TAG);
    assert_int_equal(named(page, 210, 220, HARDWARE), 0);
    assert_int_equal(at(page, 80 * MINUTE, 140 * MINUTE + 1, HARDWARE), 0);
    assert_true(at(page, 80 * MINUTE, 140 * MINUTE, HARDWARE) == NO_JOB);
    assert_int_equal(at(page, 360 * MINUTE - 1, 420 * MINUTE, HARDWARE), 0);
    assert_true(at(page, 360 * MINUTE, 420 * MINUTE, HARDWARE) == NO_JOB);
}

static void what_is_not_machine_time_goes_to_any_run_that_had_begun(void **state)
{
    struct page *page = *state;
    add(page, 200, 300, TAG);
    assert_int_equal(named(page, 5000, 5060, OTHER), 0);
    assert_int_equal(at(page, 140 * MINUTE, 200 * MINUTE + 1, OTHER), 0);
    assert_true(named(page, 140, 200, OTHER) == NO_JOB);
}

static void a_run_that_goes_on_has_machine_time_after_its_records(void **state)
{
    struct page *page = *state;
    add(page, 200, 300, TAG)->goes_on = true;
    assert_int_equal(named(page, 5000, 5060, HARDWARE), 0);
    assert_true(named(page, 80, 140, HARDWARE) == NO_JOB);
}

static void a_jobs_own_resource_bills_it_long_after_its_end_but_not_before_it(void **state)
{
    struct page *page = *state;
    add(page, 200, 300, OWN);
    assert_int_equal(named(page, 5000, 5060, HARDWARE), 0);
    assert_true(named(page, 140, 200, HARDWARE) == NO_JOB);
    assert_int_equal(at(page, 140 * MINUTE, 200 * MINUTE + 1, HARDWARE), 0);
}

static void the_jobs_own_resource_comes_before_a_tag(void **state)
{
    struct page *page = *state;
    add(page, 0, 60, TAG);
    add(page, 0, 5, OWN);
    add(page, 0, 60, TAG)->cluster = 2;
    assert_int_equal(named(page, 0, 60, HARDWARE), 1);
    assert_int_equal(named(page, 10, 60, HARDWARE), 1); /* not even where the tag's run overlaps it alone */
}

static void of_several_the_longest_overlap_has_it(void **state)
{
    struct page *page = *state;
    add(page, 0, 20, TAG);
    add(page, 20, 50, TAG);
    add(page, 50, 60, TAG);
    assert_int_equal(named(page, 0, 60, HARDWARE), 1);
    assert_int_equal(named(page, 0, 30, HARDWARE), 0);  /* 20 of them, then 10 */
    assert_int_equal(named(page, 40, 55, HARDWARE), 1); /* 10, then 5 */
    assert_int_equal(named(page, 45, 60, HARDWARE), 2); /* 5, then 10 */
}

static void of_equal_overlaps_the_latest_start_has_it(void **state)
{
    struct page *page = *state;
    add(page, 30, 60, TAG);
    add(page, 0, 30, TAG);
    assert_int_equal(named(page, 0, 60, HARDWARE), 0);
    assert_int_equal(named(page, 100, 110, OTHER), 0); /* none overlaps */
}

static void of_equal_starts_the_lowest_id_has_it(void **state)
{
    struct page *page = *state;
    add(page, 0, 60, TAG);
    add(page, 0, 60, TAG)->id = -5;
    add(page, 0, 60, TAG);
    assert_int_equal(named(page, 0, 60, HARDWARE), 1);
}

static void a_period_without_length_overlaps_nothing(void **state)
{
    struct page *page = *state;
    add(page, 0, 60, TAG);
    add(page, 20, 40, TAG);
    assert_int_equal(named(page, 30, 30, HARDWARE), 1);
    assert_true(named(page, 0, 0, OTHER) == NO_JOB);
}

static void a_tag_of_several_clusters_that_all_ran_names_no_job(void **state)
{
    struct page *page = *state;
    add(page, 0, 60, TAG);
    add(page, 59, 120, TAG)->cluster = 2;
    assert_true(named(page, 0, 60, HARDWARE) == SEVERAL_JOBS);
    assert_int_equal(named(page, 0, 59, HARDWARE), 0); /* the other one is near, but did not run */
    assert_int_equal(named(page, 60, 120, HARDWARE), 1);
    /* a microsecond is enough, of whichever comes first */
    assert_true(at(page, 60 * MINUTE - 1, 60 * MINUTE, HARDWARE) == SEVERAL_JOBS);
    page->attempts[1].start = 60 * MINUTE;
    assert_int_equal(at(page, 60 * MINUTE - 1, 60 * MINUTE, HARDWARE), 0);
    assert_int_equal(at(page, 60 * MINUTE, 60 * MINUTE + 1, HARDWARE), 1);
}

static void a_tag_of_several_clusters_of_which_none_ran_names_no_job(void **state)
{
    struct page *page = *state;
    add(page, 0, 60, TAG);
    add(page, 0, 60, TAG)->cluster = 2;
    assert_true(named(page, 100, 110, OTHER) == SEVERAL_JOBS);
    page->attempts[1].start = 110 * MINUTE; /* has not begun: is not meant */
    assert_int_equal(named(page, 100, 110, OTHER), 0);
}

static void clusters_stay_separate_in_whichever_order_their_runs_come(void **state)
{
    struct page *page = *state;
    add(page, 0, 60, TAG);
    add(page, 10, 30, TAG)->cluster = 2;
    add(page, 0, 59, TAG);
    add(page, 200, 260, TAG)->cluster = 3;
    assert_true(named(page, 0, 60, OTHER) == SEVERAL_JOBS);
    assert_int_equal(named(page, 40, 60, OTHER), 0);
    assert_int_equal(named(page, 210, 220, OTHER), 3);
    assert_true(named(page, 70, 80, OTHER) == SEVERAL_JOBS);
}

static void own_resources_of_several_clusters_do_not_stop_one_another(void **state)
{
    struct page *page = *state;
    add(page, 0, 60, OWN);
    add(page, 10, 30, OWN)->cluster = 2;
    assert_int_equal(named(page, 0, 60, HARDWARE), 0);
}

/* ---- The rule once more, as a reader would write it down ---- */

static int64_t smaller(int64_t one, int64_t other)
{
    return one < other ? one : other;
}

static int64_t larger(int64_t one, int64_t other)
{
    return one > other ? one : other;
}

static bool is_meant(const struct page *page, size_t i, int64_t start, int64_t end, bool is_hardware)
{
    const struct named_attempt *attempt = &page->attempts[i];
    if (page->candidates[i].is_own || !is_hardware)
        return attempt->start < end;
    bool is_too_early = end <= attempt->start - 60 * MINUTE;
    bool is_too_late = !attempt->goes_on && start >= attempt->end + 60 * MINUTE;
    return !is_too_early && !is_too_late;
}

/* Of those that are meant: own ones if there are any, then those that overlap if there are any; of
 * one cluster, or own; the best. */
static size_t by_the_book(const struct page *page, int64_t start, int64_t end, bool is_hardware)
{
    int64_t overlaps[ATTEMPTS];
    bool meant[ATTEMPTS], any_own = false, any_overlap = false;
    for (size_t i = 0; i < page->count; i++) {
        const struct named_attempt *attempt = &page->attempts[i];
        overlaps[i] = larger(0, smaller(end, attempt->end) - larger(start, attempt->start));
        meant[i] = is_meant(page, i, start, end, is_hardware);
        any_own |= meant[i] && page->candidates[i].is_own;
    }
    for (size_t i = 0; i < page->count; i++) {
        meant[i] &= page->candidates[i].is_own == any_own;
        any_overlap |= meant[i] && overlaps[i] > 0;
    }
    size_t best = NO_JOB;
    bool differ = false;
    for (size_t i = 0; i < page->count; i++) {
        const struct named_attempt *one = &page->attempts[i];
        if (!meant[i] || (overlaps[i] > 0) != any_overlap)
            continue;
        const struct named_attempt *other = best == NO_JOB ? NULL : &page->attempts[best];
        differ |= other != NULL && one->cluster != other->cluster;
        if (other == NULL || overlaps[i] > overlaps[best] ||
            (overlaps[i] == overlaps[best] &&
             (one->start > other->start || (one->start == other->start && one->id < other->id))))
            best = i;
    }
    return differ && !any_own ? SEVERAL_JOBS : best;
}

static void random_runs_are_found_as_by_the_book(void **state)
{
    struct page *page = *state;
    struct seeded_random random;
    size_t single = 0, several = 0;
    seeded_random_start(&random, 20261123);
    for (int i = 0; i < 20000; i++) {
        page->count = 0;
        size_t count = seeded_random_bits(&random) % ATTEMPTS;
        for (size_t j = 0; j < count; j++) {
            int64_t start = 30 * (int64_t)(seeded_random_bits(&random) >> 8) % 240;
            uint64_t bits = seeded_random_bits(&random) >> 8;
            struct named_attempt *added =
                add(page, start, start + 30 * (int64_t)(bits % 5), bits / 8 % 8 == 0);
            added->cluster = bits / 64 % 4 == 0 ? 2 : 1;
            added->goes_on = bits / 256 % 8 == 0;
            added->id = (int64_t)(bits / 2048 % 3) * 100 + (int64_t)j;
        }
        int64_t start = 30 * (int64_t)(seeded_random_bits(&random) >> 8) % 300;
        int64_t end = start + 30 * (int64_t)((seeded_random_bits(&random) >> 8) % 3);
        bool is_hardware = seeded_random_bits(&random) >> 63;
        size_t found = named(page, start, end, is_hardware);
        assert_true(found == by_the_book(page, start * MINUTE, end * MINUTE, is_hardware));
        single += found < SEVERAL_JOBS;
        several += found == SEVERAL_JOBS;
    }
    assert_true(single > 5000 && several > 2000);
}

#define PAGE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        PAGE(a_line_that_names_nobody_has_no_job),
        PAGE(machine_time_goes_to_a_run_of_that_time_or_within_an_hour),
        PAGE(what_is_not_machine_time_goes_to_any_run_that_had_begun),
        PAGE(a_run_that_goes_on_has_machine_time_after_its_records),
        PAGE(a_jobs_own_resource_bills_it_long_after_its_end_but_not_before_it),
        PAGE(the_jobs_own_resource_comes_before_a_tag),
        PAGE(of_several_the_longest_overlap_has_it),
        PAGE(of_equal_overlaps_the_latest_start_has_it),
        PAGE(of_equal_starts_the_lowest_id_has_it),
        PAGE(a_period_without_length_overlaps_nothing),
        PAGE(a_tag_of_several_clusters_that_all_ran_names_no_job),
        PAGE(a_tag_of_several_clusters_of_which_none_ran_names_no_job),
        PAGE(clusters_stay_separate_in_whichever_order_their_runs_come),
        PAGE(own_resources_of_several_clusters_do_not_stop_one_another),
        PAGE(random_runs_are_found_as_by_the_book),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
