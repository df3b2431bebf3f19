/* report/centres.h: each cost centre's workbook has a name of its own, whatever the centres are
 * called. */
#include "report/centres.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <cmocka.h>

/* The names of the workbooks of centres (ended by NULL), ended by NULL. */
static char **names_of(const char *const *centres)
{
    PGresult *rows = PQmakeEmptyPGresult(NULL, PGRES_TUPLES_OK);
    PGresAttDesc column = { .name = "cost_centre", .typlen = -1 };
    assert_true(PQsetResultAttrs(rows, 1, &column));
    for (int i = 0; centres[i] != NULL; i++) {
        char *value = strdup(centres[i]);
        assert_true(PQsetvalue(rows, i, 0, value, (int)strlen(value)));
        free(value);
    }
    char **names = centre_file_names("chargeback", "2026-09", ".xlsx", rows);
    PQclear(rows);
    return names;
}

static void free_names(char **names)
{
    for (char **name = names; *name != NULL; name++)
        free(*name);
    free(names);
}

static void only_what_collides_is_marked(void **state)
{
    (void)state;
    const char *const centres[] = { "CC-1", "a", "A", "b/c", NULL };
    const char *const expected[] = { "chargeback-2026-09-CC-1.xlsx", "chargeback-2026-09-a-ca978112.xlsx",
                                     "chargeback-2026-09-A-559aead0.xlsx", "chargeback-2026-09-b-c-", NULL };
    char **names = names_of(centres);
    for (int i = 0; i < 3; i++)
        assert_string_equal(expected[i], names[i]);
    assert_memory_equal(expected[3], names[3], strlen(expected[3]));
    assert_null(names[4]);
    free_names(names);
}

static void letters_of_every_script_have_case(void **state)
{
    (void)state;
    const char *const centres[] = { "Büro", "BÜRO", "Отдел", "отдел", "Bäro", "部門", NULL };
    char **names = names_of(centres);
    for (int i = 0; i < 4; i++)
        if (strlen(names[i]) != strlen("chargeback-2026-09-.xlsx") + strlen(centres[i]) + strlen("-12345678"))
            fail_msg("%s has no mark: %s", centres[i], names[i]);
    assert_string_equal("chargeback-2026-09-Bäro.xlsx", names[4]);
    assert_string_equal("chargeback-2026-09-部門.xlsx", names[5]);
    free_names(names);
}

static void a_mark_never_makes_the_name_of_another(void **state)
{
    (void)state;
    const char *const centres[] = { "A-559aead0", "a", "A", "a-ca978112", "A-559AEAD0", NULL };
    char **names = names_of(centres);
    for (int i = 0; names[i] != NULL; i++)
        for (int j = 0; j < i; j++)
            if (strcasecmp(names[i], names[j]) == 0)
                fail_msg("%s and %s are both %s", centres[j], centres[i], names[i]);
    free_names(names);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_what_collides_is_marked),
        cmocka_unit_test(letters_of_every_script_have_case),
        cmocka_unit_test(a_mark_never_makes_the_name_of_another),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
