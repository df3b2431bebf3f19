/* tests/unit/test_child_process.c: what a child sees, and how its end is reported. */
#include "base/system/child_process.h"
#include "base/system/file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <fcntl.h>
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char output[] = "/tmp/kstar-child-XXXXXX";
static struct error error;

/* Runs `script` in a shell as `as` and returns what it printed. */
static const char *printed(const char *script, const struct child_user *as)
{
    static char text[4096];
    const char *arguments[] = { "/bin/sh", "-c", script, NULL };
    assert_true(child_process_run(arguments, as, output, &error));
    FILE *file = fopen(output, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

static struct child_user myself(void)
{
    return (struct child_user){ "me", getuid(), getgid() };
}

static void a_child_starts_clean(void **state)
{
    (void)state;
    struct child_user me = myself();
    int leaked = open("/dev/null", O_RDONLY); /* not close-on-exec */
    setenv("PGHOST", "elsewhere", 1);
    assert_string_equal(printed("pwd; umask; cat; echo $USER ${PGHOST-none}", &me), "/\n0077\nme none\n");
    assert_string_equal(printed("echo $GLIBC_TUNABLES", &me), "glibc.malloc.hugetlb=1\n");
    assert_string_equal(printed("ls /proc/self/fd", &me), "0\n1\n2\n3\n"); /* 3 is ls reading the folder */
    close(leaked);
}

static void a_child_of_root_gives_root_up_for_good(void **state)
{
    (void)state;
    struct child_user other = { "other", 65534, 65533 };
    gid_t groups[] = { 4, 20 };
    if (getuid() != 0)
        skip();
    assert_int_equal(setgroups(2, groups), 0);
    assert_string_equal(printed("id -u; id -g; id -G; grep ^Groups /proc/self/status", &other),
                        "65534\n65533\n65533\nGroups:\t \n");
    assert_string_equal(printed("grep -E '^[UG]id' /proc/self/status", &other),
                        "Uid:\t65534\t65534\t65534\t65534\nGid:\t65533\t65533\t65533\t65533\n");
}

static void nobody_else_can_become_another_user(void **state)
{
    (void)state;
    struct child_user root = { "root", 0, 0 };
    const char *arguments[] = { "/bin/true", NULL };
    if (getuid() == 0)
        skip();
    assert_false(child_process_run(arguments, &root, NULL, &error));
    assert_string_equal(error.message, "/bin/true: cannot change to the server's user");
}

static void a_failure_comes_with_the_line_that_names_its_cause(void **state)
{
    (void)state;
    struct child_user me = myself();
    const char *arguments[] = { "/bin/sh", "-c",
                                "echo first; echo FATAL: no space left >&2; echo stopped; exit 3", NULL };
    assert_false(child_process_run(arguments, &me, output, &error));
    assert_string_equal(error.message, "/bin/sh: exit code 3");
    assert_string_equal(error.detail, "FATAL: no space left");
    arguments[2] = "echo first; echo last; echo; exit 3";
    assert_false(child_process_run(arguments, &me, output, &error));
    assert_string_equal(error.detail, "last");
    arguments[2] = "echo in memory; exit 3";
    assert_false(child_process_run(arguments, &me, NULL, &error));
    assert_string_equal(error.detail, "in memory");
}

static void a_death_by_signal_differs_from_an_exit(void **state)
{
    (void)state;
    struct child_user me = myself();
    const char *arguments[] = { "/bin/sh", "-c", "kill -9 $$", NULL };
    assert_false(child_process_run(arguments, &me, NULL, &error));
    assert_string_equal(error.message, "/bin/sh: killed by signal 9");
}

static void a_missing_program_is_named(void **state)
{
    (void)state;
    struct child_user me = myself();
    const char *arguments[] = { "/nonexistent", NULL };
    assert_false(child_process_run(arguments, &me, NULL, &error));
    assert_string_equal(error.message, "/nonexistent: cannot be run");
}

static void a_hook_reads_its_line_and_runs_as_the_caller(void **state)
{
    (void)state;
    setenv("KSTAR_TEST_OUTPUT", output, 1);
    assert_true(
        child_process_hook("cat >$KSTAR_TEST_OUTPUT", "{\"a\":\"$(id) '; exit 4\"}\n", 60, NULL, &error));
    char text[128] = "";
    FILE *file = fopen(output, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(text, "{\"a\":\"$(id) '; exit 4\"}\n");
    assert_true(child_process_hook("true", "never read\n", 60, NULL, &error));
}

static void hooks_do_not_get_the_password_of_the_database(void **state)
{
    static const char look[] =
        "test -z \"${PGPASSWORD+set}\" && test \"$PGHOST$PGPASSFILE\" = elsewhere.pgpass";
    const char *const arguments[] = { "/bin/sh", "-c", look, NULL };
    FILE *input = tmpfile();
    (void)state;
    assert_non_null(input);
    setenv("PGHOST", "elsewhere", 1);
    setenv("PGPASSFILE", ".pgpass", 1);
    setenv("PGPASSWORD", "horse", 1);
    assert_true(child_process_hook(look, "", 60, NULL, &error));
    assert_true(child_process_feed(arguments, fileno(input), 60, NULL, &error));
    assert_string_equal(getenv("PGPASSWORD"), "horse"); /* kstar's own connections go on */
    fclose(input);
}

static void a_hook_that_fails_is_named(void **state)
{
    (void)state;
    bool late = true;
    assert_false(child_process_hook("exit 3", "", 60, &late, &error));
    assert_false(late);
    assert_string_equal(error.message, "hook exit 3: exit code 3");
    assert_false(child_process_hook("kill -9 $$", "", 60, NULL, &error));
    assert_string_equal(error.message, "hook kill -9 $$: killed by signal 9");
    assert_false(child_process_hook("/nonexistent", "", 60, NULL, &error));
    assert_string_equal(error.message, "hook /nonexistent: exit code 127");
}

static void a_hook_that_does_not_end_is_killed(void **state)
{
    (void)state;
    bool late = false;
    assert_false(child_process_hook("tail -f /dev/null & wait", "", 0, &late, &error));
    assert_true(late);
    assert_string_equal(error.message, "hook tail -f /dev/null & wait: not done after 0 seconds, and killed");
}

static void a_program_is_fed_from_an_open_file_without_a_shell(void **state)
{
    (void)state;
    FILE *input = tmpfile();
    const char *const reads[] = { "/bin/grep", "-qx", "one", NULL };
    const char *const odd[] = { "/usr/bin/test", "$(exit 0); \"x\"", "=", "$(exit 0); \"x\"", NULL };
    const char *const fails[] = { "/bin/false", NULL };
    const char *const missing[] = { "/nonexistent", NULL };
    assert_non_null(input);
    assert_true(fputs("one\n", input) >= 0 && fflush(input) == 0 && lseek(fileno(input), 0, SEEK_SET) == 0);
    assert_true(child_process_feed(odd, fileno(input), 60, NULL, &error));
    assert_true(child_process_feed(reads, fileno(input), 60, NULL, &error));
    assert_false(child_process_feed(fails, fileno(input), 60, NULL, &error));
    assert_string_equal(error.message, "/bin/false: exit code 1");
    assert_false(child_process_feed(missing, fileno(input), 60, NULL, &error));
    assert_string_equal(error.message, "/nonexistent: cannot be run: No such file or directory");
    fclose(input);
}

static int make_output(void **state)
{
    (void)state;
    int descriptor = mkstemp(output);
    return descriptor < 0 || close(descriptor) != 0;
}

static int remove_output(void **state)
{
    (void)state;
    return unlink(output);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_child_starts_clean),
        cmocka_unit_test(a_child_of_root_gives_root_up_for_good),
        cmocka_unit_test(nobody_else_can_become_another_user),
        cmocka_unit_test(a_failure_comes_with_the_line_that_names_its_cause),
        cmocka_unit_test(a_death_by_signal_differs_from_an_exit),
        cmocka_unit_test(a_missing_program_is_named),
        cmocka_unit_test(a_hook_reads_its_line_and_runs_as_the_caller),
        cmocka_unit_test(hooks_do_not_get_the_password_of_the_database),
        cmocka_unit_test(a_hook_that_fails_is_named),
        cmocka_unit_test(a_hook_that_does_not_end_is_killed),
        cmocka_unit_test(a_program_is_fed_from_an_open_file_without_a_shell),
    };
    return cmocka_run_group_tests(tests, make_output, remove_output);
}
