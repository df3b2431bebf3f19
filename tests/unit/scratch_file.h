/* tests/unit/scratch_file.h: a file that a group of tests writes again and again: made before the
 * group, gone after it (cmocka_run_group_tests(tests, make_file, remove_file)). For one test
 * program; include it after cmocka. */
#ifndef KSTAR_TESTS_SCRATCH_FILE_H
#define KSTAR_TESTS_SCRATCH_FILE_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char path[] = "/tmp/kstar-test-XXXXXX";

static int make_file(void **state)
{
    (void)state;
    int descriptor = mkstemp(path);
    return descriptor < 0 || close(descriptor) != 0;
}

static inline void write_bytes(const char *bytes, size_t length)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

#endif
