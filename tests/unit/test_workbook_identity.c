/* What a workbook is given as its properties is what is read from it, and what is looked for when
 * it is handed over. */
#include "report/workbook_identity.h"

#include "report/workbook.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "scratch_file.h"

static void same_in_file(const struct book_head *head, const char *title, const char *subject,
                         const char *comments)
{
    struct error error = { 0 };
    struct workbook_identity wanted, found;
    const char *why;
    struct book *book = book_create(path, head, NULL, &error);
    assert_non_null(book);
    assert_true(book_write(book, &error));
    assert_true(workbook_identity_read(path, &found, &why));
    assert_string_equal(found.title, title);
    assert_string_equal(found.subject, subject);
    assert_string_equal(found.comments, comments);
    workbook_identity_of(head, &wanted);
    assert_string_equal(wanted.title, title);
    assert_string_equal(wanted.subject, subject);
    assert_string_equal(wanted.comments, comments);
    workbook_identity_free(&wanted);
    workbook_identity_free(&found);
}

static void everybodys_has_no_subject(void **state)
{
    (void)state;
    const struct book_head head = { .kind = "Review",
                                    .period = "2026-09",
                                    .status = "Preliminary",
                                    .run_id = "0123abcd",
                                    .kstar_version = "0.1.0" };
    same_in_file(&head, "Review 2026-09", "", "Preliminary; run 0123abcd; kstar 0.1.0");
}

static void nothing_of_it_is_cut_or_changed(void **state)
{
    (void)state;
    char version[401] = "", comments[500];
    memset(version, 'v', sizeof version - 1);
    snprintf(comments, sizeof comments, "Final; run r; kstar %s", version);
    const struct book_head head = { .kind = "Chargeback",
                                    .period = "2026-09",
                                    .status = "Final",
                                    .run_id = "r",
                                    .kstar_version = version,
                                    .cost_centre = "R&D <\"ü\">" };
    same_in_file(&head, "Chargeback 2026-09", "R&D <\"ü\">", comments);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everybodys_has_no_subject),
        cmocka_unit_test(nothing_of_it_is_cut_or_changed),
    };
    return cmocka_run_group_tests_name("workbook_identity", tests, make_file, remove_file);
}
