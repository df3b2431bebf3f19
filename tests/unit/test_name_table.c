/* Names as small numbers. */
#include "allocate/name_table.h"
#include "model_test.h"

#include <stdio.h>

static void a_name_keeps_its_number(void **state)
{
    (void)state;
    struct name_table table = { 0 };
    uint32_t idle = name_table_number(&table, "idle"), other = name_table_number(&table, "Idle");
    assert_int_equal(idle, 1);
    assert_int_equal(other, 2); /* letter case counts */
    assert_int_equal(name_table_number(&table, "idle"), idle);
    assert_int_equal(name_table_find(&table, "Idle"), other);
    assert_string_equal(table.names[idle], "idle");
    name_table_free(&table);
}

static void no_name_is_0_and_an_empty_one_is_not(void **state)
{
    (void)state;
    struct name_table table = { 0 };
    assert_int_equal(name_table_number(&table, NULL), 0);
    assert_int_equal(name_table_number(&table, ""), 1);
    assert_int_equal(name_table_find(&table, ""), 1);
    assert_null(table.names[0]);
    name_table_free(&table);
}

static void a_name_that_was_not_numbered_is_not_found(void **state)
{
    (void)state;
    struct name_table table = { 0 };
    assert_int_equal(name_table_find(&table, "idle"), 0); /* of an empty table */
    name_table_number(&table, "idle");
    assert_int_equal(name_table_find(&table, "idl"), 0);
    assert_int_equal(name_table_find(&table, "idle "), 0);
    assert_int_equal(table.count, 2); /* looking adds nothing */
    name_table_free(&table);
}

static void names_are_copies(void **state)
{
    (void)state;
    struct name_table table = { 0 };
    char name[] = "pool-1";
    name_table_number(&table, name);
    name[5] = '2';
    assert_int_equal(name_table_number(&table, name), 2);
    assert_string_equal(table.names[1], "pool-1");
    name_table_free(&table);
}

/* The table grows several times; each time names are placed anew. */
static void numbers_stay_while_the_table_grows(void **state)
{
    (void)state;
    enum { NAMES = 5000 };
    struct name_table table = { 0 };
    char name[16];
    for (uint32_t i = 1; i <= NAMES; i++) {
        snprintf(name, sizeof name, "sku-%u", (unsigned)i);
        assert_int_equal(name_table_number(&table, name), i);
    }
    for (uint32_t i = 1; i <= NAMES; i++) {
        snprintf(name, sizeof name, "sku-%u", (unsigned)i);
        assert_int_equal(name_table_find(&table, name), i);
        assert_int_equal(name_table_number(&table, name), i);
        assert_string_equal(table.names[i], name);
    }
    assert_int_equal(table.count, NAMES + 1);
    name_table_free(&table);
    assert_int_equal(table.count, 0);
    assert_int_equal(name_table_number(&table, "again"), 1);
    name_table_free(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_name_keeps_its_number),
        cmocka_unit_test(no_name_is_0_and_an_empty_one_is_not),
        cmocka_unit_test(a_name_that_was_not_numbered_is_not_found),
        cmocka_unit_test(names_are_copies),
        cmocka_unit_test(numbers_stay_while_the_table_grows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
