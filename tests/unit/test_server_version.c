/* A server that is too old is refused in words, before its parser stumbles over kstar's SQL. */
#include "base/postgres/database.h"
#include "model_test.h"

static void test_fifteen_and_newer_are_taken(void **state)
{
    (void)state;
    struct error error = { 0 };
    assert_true(database_check_version(150000, &error));
    assert_true(database_check_version(150004, &error));
    assert_true(database_check_version(180001, &error));
}

static void test_older_ones_are_named(void **state)
{
    (void)state;
    struct error error = { 0 };
    assert_false(database_check_version(140019, &error));
    assert_int_equal(error.kind, ERROR_DATABASE);
    assert_string_equal(error.message, "database: the server is PostgreSQL 14, kstar needs 15 or newer");
    assert_false(database_check_version(90624, &error));
    assert_string_equal(error.message, "database: the server is PostgreSQL 9, kstar needs 15 or newer");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fifteen_and_newer_are_taken),
        cmocka_unit_test(test_older_ones_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
