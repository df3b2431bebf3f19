/* Where lines of a node stand. */
#include "ingest/node_hash.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int64_t hash_of(const char *id)
{
    return node_hash(id, strlen(id));
}

static void test_is_what_sql_gives(void **state) /* SELECT node_hash('…') */
{
    (void)state;
    assert_int_equal(INT64_C(-1875364183208963196), hash_of("i-0123456789abcdef0"));
    assert_int_equal(INT64_C(-126035671148135225), hash_of("/subscriptions/1/VMs/Kiel-\xc3\x89"));
    assert_int_equal(INT64_C(-2039914840885289964), hash_of("ends/"));
    assert_int_equal(INT64_C(-7092274868878739131), hash_of("new\nline\t\\ x"));
}

static void test_is_one_for_all_names_of_a_node(void **state)
{
    (void)state;
    assert_int_equal(hash_of("i-0123456789abcdef0"),
                     hash_of("arn:aws:ec2:eu:1:instance/I-0123456789ABCDEF0"));
    assert_int_equal(hash_of("node\xc3\xa9"), hash_of("NODE\xc3\x89"));
    assert_int_equal(hash_of("rack"), hash_of("rac\xe2\x84\xaa")); /* the Kelvin sign */
    assert_int_not_equal(hash_of("node-1"), hash_of("node-2"));
}

static void test_long_names_count_up_to_256_letters(void **state)
{
    (void)state;
    char name[401];
    memset(name, 'x', 400);
    name[400] = '\0';
    int64_t of_400 = hash_of(name);
    name[399] = 'y';
    assert_int_equal(of_400, hash_of(name));
    name[255] = 'y';
    assert_int_not_equal(of_400, hash_of(name));
}

static void test_remembered_hashes_are_those_of_their_resources(void **state)
{
    (void)state;
    struct node_hashes *hashes = calloc(1, sizeof *hashes);
    const int64_t keys[] = { 0, 7, 7 + NODE_HASHES, 7, -9, 0 }; /* some share a place */
    const char *const names[] = { "zero", "seven", "other", "seven", "nine", "null" };
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        assert_int_equal(hash_of(names[i]), node_hash_of(hashes, keys[i], names[i], strlen(names[i])));
    free(hashes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_is_what_sql_gives),
        cmocka_unit_test(test_is_one_for_all_names_of_a_node),
        cmocka_unit_test(test_long_names_count_up_to_256_letters),
        cmocka_unit_test(test_remembered_hashes_are_those_of_their_resources),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
