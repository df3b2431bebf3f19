/* tests/unit/test_delivered_file.c: where links of a folder that others fill may lead to. */
#define _GNU_SOURCE /* nftw */
#include "base/system/delivered_file.h"
#include "base/system/file.h"
#include "base/system/thread.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <ftw.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/kstar-delivered-XXXXXX";
static struct error error;

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* inbox/own, secret/text, export/text, and a link of each kind in the inbox. */
static int make_folders(void **state)
{
    (void)state;
    static const char *const export[] = { "export" };
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    assert_true(mkdir("inbox", 0700) == 0 && mkdir("secret", 0700) == 0 && mkdir("export", 0700) == 0 &&
                mkdir("inbox2", 0700) == 0);
    write_file("inbox/own", "own");
    write_file("secret/text", "secret");
    write_file("export/text", "exported");
    write_file("inbox2/text", "secret");
    assert_true(symlink("own", "inbox/within") == 0 && symlink("../secret/text", "inbox/file") == 0 &&
                symlink("../secret", "inbox/folder") == 0 && symlink("../export", "inbox/export") == 0 &&
                symlink("../inbox2/text", "inbox/beside") == 0 && symlink("own", "inbox/swapped") == 0);
    assert_true(delivered_files_bound("inbox", 1, export, &error));
    return 0;
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *place)
{
    (void)status;
    (void)type;
    (void)place;
    return remove(path);
}

static int remove_folders(void **state)
{
    (void)state;
    enum { OPEN_FOLDERS = 8 };
    return nftw(folder, remove_entry, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS);
}

static void links_within_and_to_named_folders_are_followed(void **state)
{
    (void)state;
    char text[16] = "";
    FILE *file = delivered_file_stream("inbox/within", &error);
    assert_non_null(file);
    assert_string_equal(fgets(text, sizeof text, file), "own");
    fclose(file);
    file = delivered_file_stream("inbox/export/text", &error);
    assert_non_null(file);
    fclose(file);
    assert_true(path_is_readable("inbox/export", &error));
}

static void others_are_refused_by_the_name_of_the_link(void **state)
{
    (void)state;
    static const char *const links[] = { "inbox/file", "inbox/folder/text", "inbox/beside" };
    char hex[SHA256_HEX_BYTES];
    struct directory_listing listing;
    for (size_t i = 0; i < sizeof links / sizeof links[0]; i++) {
        assert_int_equal(delivered_file_open(links[i], &error), -1);
        assert_int_equal(error.kind, ERROR_INPUT);
        assert_memory_equal(error.message, links[i], strlen(links[i]));
        assert_null(strstr(error.message, "secret/"));
        assert_false(path_is_readable(links[i], &error));
        assert_false(file_sha256(links[i], hex, &error));
    }
    assert_false(path_is_readable("inbox/folder", &error));
    assert_false(directory_list("inbox/folder", &listing, &error));
}

static void outside_the_folder_everything_is_as_ever(void **state)
{
    (void)state;
    FILE *file = delivered_file_stream("inbox2/text", &error);
    assert_non_null(file);
    fclose(file);
}

static atomic_bool swapping = true;

/* inbox/swapped leads to one and the other file, by turns. */
static void *swap(void *unused)
{
    for (int i = 0; swapping; i++) {
        unlink("inbox/new");
        if (symlink(i % 2 == 0 ? "../secret/text" : "own", "inbox/new") == 0)
            (void)rename("inbox/new", "inbox/swapped"); /* fails once the folder is gone */
    }
    return unused;
}

static void a_link_that_is_swapped_shows_nothing(void **state)
{
    (void)state;
    pthread_t thread;
    int opened = 0, refused = 0;
    assert_true(thread_start(&thread, swap, NULL));
    for (int i = 0; i < 20000 || ((opened == 0 || refused == 0) && i < 2000000); i++) {
        char text[16] = "";
        if (!path_is_readable("inbox/swapped", &error))
            continue;
        FILE *file = delivered_file_stream("inbox/swapped", &error);
        opened += file != NULL;
        refused += file == NULL;
        if (file == NULL)
            continue;
        assert_non_null(fgets(text, sizeof text, file));
        assert_string_equal(text, "own");
        fclose(file);
    }
    swapping = false;
    pthread_join(thread, NULL);
    assert_true(opened > 0 && refused > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(links_within_and_to_named_folders_are_followed),
        cmocka_unit_test(others_are_refused_by_the_name_of_the_link),
        cmocka_unit_test(outside_the_folder_everything_is_as_ever),
        cmocka_unit_test(a_link_that_is_swapped_shows_nothing),
    };
    return cmocka_run_group_tests(tests, make_folders, remove_folders);
}
