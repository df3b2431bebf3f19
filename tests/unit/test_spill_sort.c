/* Records come in order, whether they fit into memory or not. */
#include "base/system/spill_sort.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <cmocka.h>

struct record {
    uint32_t key, place;
};

static int by_key(const void *a, const void *b)
{
    const struct record *left = a, *right = b;
    return (left->key > right->key) - (left->key < right->key);
}

static void sorts(size_t count, size_t capacity)
{
    struct error error = { 0 };
    struct spill_sort *sort = spill_sort_open(sizeof(struct record), capacity, by_key);
    uint64_t sum = 0, key = 12345;
    assert_non_null(sort);
    for (size_t i = 0; i < count; i++) {
        key = key * 6364136223846793005u + 1442695040888963407u;
        struct record record = { (uint32_t)(key >> 40), (uint32_t)i };
        sum += record.key * (uint64_t)(i + 1);
        assert_true(spill_sort_put(sort, &record, &error));
    }
    struct record record, last = { 0 };
    bool found;
    size_t read = 0;
    while (spill_sort_next(sort, &record, &found, &error) && found) {
        assert_true(record.key >= last.key);
        sum -= record.key * (uint64_t)(record.place + 1);
        last = record;
        read++;
    }
    assert_int_equal(read, count);
    assert_true(sum == 0); /* each of them once */
    assert_true(spill_sort_next(sort, &record, &found, &error) && !found);
    spill_sort_close(sort);
}

static void test_in_memory(void **state)
{
    (void)state;
    sorts(0, 16);
    sorts(1, 16);
    sorts(16, 16);
}

static void test_through_a_file(void **state)
{
    (void)state;
    sorts(17, 16);
    sorts(32, 16);
    sorts(100000, 1000);
    sorts(1000, 1);
}

/* A limit on the size of files stands for a full disk: what is buffered is written when the reading
 * begins.
 */
static void test_a_disk_that_fills_is_reported_as_full(void **state)
{
    (void)state;
    struct error error = { 0 };
    struct rlimit before;
    bool ok = true, found;
    struct record record = { 0 };
    struct spill_sort *sort = spill_sort_open(sizeof(struct record), 16, by_key);
    assert_non_null(sort);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){ .rlim_cur = 64, .rlim_max = before.rlim_max });
    for (int i = 0; ok && i < 40; i++)
        ok = spill_sort_put(sort, &record, &error);
    ok = ok && spill_sort_next(sort, &record, &found, &error);
    setrlimit(RLIMIT_FSIZE, &before);
    spill_sort_close(sort);
    assert_false(ok);
    assert_non_null(strstr(error.message, "temporary file in "));
    assert_non_null(strstr(error.message, "File too large"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_in_memory),
        cmocka_unit_test(test_through_a_file),
        cmocka_unit_test(test_a_disk_that_fills_is_reported_as_full),
    };
    return cmocka_run_group_tests_name("spill_sort", tests, NULL, NULL);
}
