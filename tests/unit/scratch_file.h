/* tests/unit/scratch_file.h: a file that a group of tests writes again and again: made before the
 * group, gone after it (cmocka_run_group_tests(tests, make_file, remove_file)). For one test
 * program; include it after cmocka. */
#ifndef KSTAR_TESTS_SCRATCH_FILE_H
#define KSTAR_TESTS_SCRATCH_FILE_H

#include <stdlib.h>
#include <unistd.h>

static char path[] = "/tmp/kstar-test-XXXXXX";

static int make_file(void **state)
{
    (void)state;
    int descriptor = mkstemp(path);
    return descriptor < 0 || close(descriptor) != 0;
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

#endif
