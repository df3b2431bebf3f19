/* tests/unit/test_file.c: files whole or not at all, folders in order, hashes, locks. */
#include "base/system/file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/kstar-file-XXXXXX";
static struct error error;

static char *in_folder(const char *name)
{
    return path_join(folder, name);
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void hashes_are_those_of_the_standard(void **state)
{
    (void)state;
    char hex[SHA256_HEX_BYTES];
    char *path = in_folder("abc");
    text_sha256("", 0, hex);
    assert_string_equal(hex, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    write_file(path, "abc");
    assert_true(file_sha256(path, hex, &error));
    assert_string_equal(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    free(path);
}

static void a_missing_file_is_named(void **state)
{
    (void)state;
    char hex[SHA256_HEX_BYTES];
    assert_false(file_sha256("/nonexistent", hex, &error));
    assert_string_equal(error.message, "/nonexistent: No such file or directory");
    assert_false(file_sha256("/", hex, &error));
    assert_string_equal(error.message, "/: not a file");
}

/* Growth, other content of the same size, and another file in its place. */
static void a_file_that_changes_is_not_as_it_was_stamped(void **state)
{
    (void)state;
    struct file_stamp stamp;
    struct timespec past[2] = { { 1000000000, 5 }, { 1000000000, 5 } };
    char *path = in_folder("stamped"), *other = in_folder("other");
    write_file(path, "one\n");
    assert_int_equal(utimensat(AT_FDCWD, path, past, 0), 0);
    assert_true(file_stamp(path, &stamp, &error));
    assert_true(file_is_as_stamped(path, &stamp, &error));
    write_file(path, "two\n");
    assert_false(file_is_as_stamped(path, &stamp, &error));
    assert_int_equal(error.kind, ERROR_ATTENTION);
    assert_non_null(strstr(error.message, "changed while it was read"));
    write_file(path, "one\ntwo\n");
    assert_int_equal(utimensat(AT_FDCWD, path, past, 0), 0);
    assert_false(file_is_as_stamped(path, &stamp, &error));
    assert_true(file_stamp(path, &stamp, &error));
    write_file(other, "one\ntwo\n");
    assert_int_equal(utimensat(AT_FDCWD, other, past, 0), 0);
    assert_int_equal(rename(other, path), 0);
    assert_false(file_is_as_stamped(path, &stamp, &error));
    assert_int_equal(unlink(path), 0);
    assert_false(file_is_as_stamped(path, &stamp, &error));
    assert_int_equal(error.kind, ERROR_ATTENTION);
    free(other);
    free(path);
}

static void a_file_that_may_not_be_read_differs_from_a_machine_that_fails(void **state)
{
    (void)state;
    const uid_t me = geteuid(), nobody = 65534;
    char *secret = in_folder("secret"), *pipe = in_folder("pipe"), *loop = in_folder("loop");
    write_file(secret, "");
    assert_true(path_is_readable(secret, &error));
    assert_true(path_is_readable(folder, &error));
    assert_int_equal(chmod(secret, 0), 0);
    if (me == 0) /* whom no mode keeps out */
        assert_int_equal(chmod(folder, 0755) + seteuid(nobody), 0);
    assert_false(path_is_readable(secret, &error));
    assert_int_equal(seteuid(me), 0);
    assert_int_equal(error.kind, ERROR_INPUT);
    assert_non_null(strstr(error.message, "secret: Permission denied"));
    assert_non_null(strstr(error.hint, "chgrp"));
    assert_int_equal(mkfifo(pipe, 0600) + symlink("loop", loop), 0);
    assert_false(path_is_readable(pipe, &error));
    assert_int_equal(error.kind, ERROR_INPUT);
    assert_false(path_is_readable(loop, &error));
    assert_int_equal(error.kind, ERROR_INPUT);
    assert_false(path_is_readable("/nonexistent", &error));
    assert_int_equal(error.kind, ERROR_INPUT);
    free(loop);
    free(pipe);
    free(secret);
}

static void folders_are_made_with_their_parents(void **state)
{
    (void)state;
    char *deep = in_folder("a//b/c/");
    char *blocked = in_folder("file/under");
    char *forbidden = in_folder("forbidden");
    char *file = in_folder("file");
    assert_true(directory_make(deep, &error));
    assert_true(directory_make(deep, &error));
    assert_true(path_is_directory(deep));
    write_file(file, "");
    assert_false(directory_make(blocked, &error));
    assert_int_equal(error.kind, ERROR_FAILED);
    assert_false(directory_make("", &error));
    assert_int_equal(error.kind, ERROR_USAGE);
    const uid_t me = geteuid(), nobody = 65534;
    assert_int_equal(chmod(folder, 0555), 0);
    if (me == 0) /* whom no mode keeps out */
        assert_int_equal(seteuid(nobody), 0);
    assert_false(directory_make(forbidden, &error));
    assert_int_equal(seteuid(me) + chmod(folder, 0755), 0);
    assert_non_null(strstr(error.message, "forbidden: make folder: Permission denied"));
    free(file);
    free(forbidden);
    free(blocked);
    free(deep);
}

static void entries_come_in_byte_order_without_hidden_ones(void **state)
{
    (void)state;
    static const char *const names[] = { "b", "a", "B", "a.csv", ".hidden", "\xc3\xa4", "10", "9" };
    static const char *const expected[] = { "10", "9", "B", "a", "a.csv", "b", "\xc3\xa4" };
    struct directory_listing listing;
    char *list = in_folder("list");
    assert_true(directory_make(list, &error));
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char *path = path_join(list, names[i]);
        write_file(path, "");
        free(path);
    }
    assert_true(directory_list(list, &listing, &error));
    assert_int_equal(listing.count, 7);
    for (int i = 0; i < listing.count; i++)
        assert_string_equal(listing.names[i], expected[i]);
    directory_listing_free(&listing);
    assert_false(directory_list("/nonexistent", &listing, &error));
    assert_int_equal(listing.count, 0);
    free(list);
}

static void paths_are_joined_with_one_slash(void **state)
{
    (void)state;
    static const char *const cases[][3] = {
        { "a", "b", "a/b" }, { "a/", "b", "a/b" }, { "/", "b", "/b" }, { "", "b", "b" }
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *joined = path_join(cases[i][0], cases[i][1]);
        assert_string_equal(joined, cases[i][2]);
        free(joined);
    }
}

static void a_published_file_replaces_the_old_one_whole(void **state)
{
    (void)state;
    char hex[SHA256_HEX_BYTES], other[SHA256_HEX_BYTES];
    bool changed;
    char *final = in_folder("book.xlsx");
    char *pending = file_pending_path(final);
    assert_string_equal(strrchr(pending, '/'), "/.book.xlsx.pending");
    write_file(pending, "one");
    assert_true(file_publish_if_changed(pending, final, &changed, &error));
    assert_true(changed);
    assert_false(path_is_file(pending));
    write_file(pending, "one");
    assert_true(file_publish_if_changed(pending, final, &changed, &error));
    assert_false(changed);
    assert_false(path_is_file(pending));
    write_file(pending, "two");
    assert_true(file_publish_if_changed(pending, final, &changed, &error));
    assert_true(changed);
    text_sha256("two", 3, hex);
    assert_true(file_sha256(final, other, &error));
    assert_string_equal(hex, other);
    free(pending);
    free(final);
}

/* Whoever may write in the folder may have put anything there. */
static void what_is_no_file_of_that_size_is_replaced_unread(void **state)
{
    (void)state;
    bool changed;
    struct stat status;
    char *final = in_folder("taken.xlsx"), *elsewhere = in_folder("elsewhere");
    char *pending = file_pending_path(final);
    write_file(elsewhere, "one");
    for (int i = 0; i < 3; i++) {
        write_file(pending, "one");
        unlink(final);
        if (i == 2)
            write_file(final, "one");
        assert_int_equal(i == 0   ? symlink(elsewhere, final)
                         : i == 1 ? mkfifo(final, 0600)
                                  : truncate(final, (off_t)1 << 42),
                         0);
        alarm(20); /* it would wait for a writer, or read for ever */
        assert_true(file_publish_if_changed(pending, final, &changed, &error));
        alarm(0);
        assert_true(changed);
        assert_int_equal(lstat(final, &status), 0);
        assert_true(S_ISREG(status.st_mode) && status.st_size == 3);
    }
    assert_int_equal(symlink(elsewhere, pending), 0);
    assert_false(file_publish_if_changed(pending, final, &changed, &error));
    assert_non_null(strstr(error.message, "is not there any more as it was written"));
    unlink(pending);
    free(elsewhere);
    free(pending);
    free(final);
}

static void what_cannot_be_published_leaves_the_old_file(void **state)
{
    (void)state;
    char *final = in_folder("stays");
    write_file(final, "old");
    assert_false(file_publish("/nonexistent/pending", final, &error));
    assert_string_equal(error.message, "/nonexistent/pending: No such file or directory");
    assert_true(path_is_file(final));
    free(final);
}

static void a_written_text_has_its_mode_and_leaves_nothing_behind(void **state)
{
    (void)state;
    struct stat status;
    char *final = in_folder("text");
    char *pending = file_pending_path(final);
    write_file(pending, "left by a crash");
    assert_true(file_write(final, "abc", 3, 0644, &error));
    assert_int_equal(stat(final, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0644);
    assert_int_equal(status.st_size, 3);
    assert_false(path_is_file(pending));
    assert_false(file_write("/nonexistent/text", "abc", 3, 0644, &error));
    free(pending);
    free(final);
}

/* Tries the lock in another process; its exit code is the kind of error. */
static int try_elsewhere(const char *path, char message[sizeof error.message])
{
    int channel[2];
    assert_int_equal(pipe(channel), 0);
    pid_t child = fork();
    if (child == 0) {
        int descriptor;
        struct error own = { 0 };
        file_lock(path, false, &descriptor, &own);
        _exit(write(channel[1], own.message, sizeof own.message) < 0 ? 99 : (int)own.kind);
    }
    int status;
    assert_int_equal(read(channel[0], message, sizeof error.message), sizeof error.message);
    waitpid(child, &status, 0);
    close(channel[0]);
    close(channel[1]);
    return WEXITSTATUS(status);
}

static void a_lock_is_one_process_s_and_names_it(void **state)
{
    (void)state;
    int descriptor;
    char message[sizeof error.message], expected[sizeof error.message];
    char *path = in_folder("lock");
    assert_true(file_lock(path, false, &descriptor, &error));
    assert_int_equal(try_elsewhere(path, message), ERROR_BUSY);
    snprintf(expected, sizeof expected, "%s: locked by process %ld", path, (long)getpid());
    assert_string_equal(message, expected);
    close(descriptor);
    assert_int_equal(try_elsewhere(path, message), ERROR_NONE);
    free(path);
}

static void a_lock_in_a_missing_folder_fails(void **state)
{
    (void)state;
    int descriptor;
    assert_false(file_lock("/nonexistent/lock", true, &descriptor, &error));
    assert_int_equal(descriptor, -1);
    assert_int_equal(error.kind, ERROR_FAILED);
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) == NULL;
}

static int remove_folder(void **state)
{
    (void)state;
    pid_t child = fork();
    if (child == 0) {
        execl("/bin/rm", "rm", "-rf", folder, (char *)NULL);
        _exit(127);
    }
    return waitpid(child, NULL, 0) != child;
}

static void a_folder_is_locked_by_a_file_of_its_owner_alone(void **state)
{
    (void)state;
    int lock = -1, other = -1;
    struct stat status;
    char *path = in_folder(".kstar.writing");
    umask(0);
    assert_true(directory_lock(folder, 0, &lock, &error));
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0600);
    error = (struct error){ 0 };
    assert_false(directory_lock(folder, 0, &other, &error));
    assert_int_equal(error.kind, ERROR_BUSY);
    assert_int_equal(other, -1);
    assert_int_equal(unlink(path), 0); /* who takes the name away while he holds it, leaves no lock */
    assert_true(directory_lock(folder, 0, &other, &error));
    close(lock);
    directory_unlock(folder, other);
    assert_int_equal(stat(path, &status), -1);
    directory_unlock(folder, -1);
    assert_false(directory_lock("/nonexistent", 5, &lock, &error));
    assert_int_equal(error.kind, ERROR_FAILED);
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hashes_are_those_of_the_standard),
        cmocka_unit_test(a_missing_file_is_named),
        cmocka_unit_test(a_file_that_changes_is_not_as_it_was_stamped),
        cmocka_unit_test(a_file_that_may_not_be_read_differs_from_a_machine_that_fails),
        cmocka_unit_test(folders_are_made_with_their_parents),
        cmocka_unit_test(entries_come_in_byte_order_without_hidden_ones),
        cmocka_unit_test(paths_are_joined_with_one_slash),
        cmocka_unit_test(a_published_file_replaces_the_old_one_whole),
        cmocka_unit_test(what_is_no_file_of_that_size_is_replaced_unread),
        cmocka_unit_test(what_cannot_be_published_leaves_the_old_file),
        cmocka_unit_test(a_written_text_has_its_mode_and_leaves_nothing_behind),
        cmocka_unit_test(a_lock_is_one_process_s_and_names_it),
        cmocka_unit_test(a_lock_in_a_missing_folder_fails),
        cmocka_unit_test(a_folder_is_locked_by_a_file_of_its_owner_alone),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
