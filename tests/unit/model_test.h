/* tests/unit/model_test.h: what the tests of model/ share: closeness of doubles, and real data that
 * may be absent.
 *
 * Real data stays outside the project. It is read from $KSTAR_SHARED_DATA, or from ../shared/data
 * beside the source; a test that needs it is skipped, by name, where it is not there.
 */
#ifndef KSTAR_TESTS_MODEL_TEST_H
#define KSTAR_TESTS_MODEL_TEST_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/scaling/measurement.h"
#include "model/scaling/scaling_law.h"

/* |actual - expected| <= tolerance * max(|expected|, tiny); both infinite with the same sign also
 * passes. */
static inline void assert_near_at(double actual, double expected, double tolerance, const char *what,
                                  const char *file, int line)
{
    int same = actual == expected || fabs(actual - expected) <= tolerance * fmax(fabs(expected), 1e-300);
    if (!same) {
        print_error("%s is %.17g, expected %.17g\n", what, actual, expected);
        _fail(file, line);
    }
}
#define assert_near(actual, expected, tolerance)                                                             \
    assert_near_at((actual), (expected), (tolerance), #actual, __FILE__, __LINE__)

/* Likewise with an absolute bound, for values about zero. */
static inline void assert_within_at(double actual, double expected, double bound, const char *what,
                                    const char *file, int line)
{
    if (!(fabs(actual - expected) <= bound)) {
        print_error("%s is %.17g, expected %.17g within %g\n", what, actual, expected, bound);
        _fail(file, line);
    }
}
#define assert_within(actual, expected, bound)                                                               \
    assert_within_at((actual), (expected), (bound), #actual, __FILE__, __LINE__)

/* The law of a whole range relative to a larger K0, as docs/mathematics.md has it: with g =
 * 1/E(K0), c' = c K0^2/g, 1 - s' = (1 + d - s)/g where K0 is above the step, (1 - s)/g and d' = d/g
 * where it is not.
 */
static inline struct scaling_law rebased_to(const struct scaling_law *law, unsigned k0)
{
    struct scaling_law rebased = *law;
    bool above = k0 > (law->accelerators_per_node > 1 ? law->accelerators_per_node : 1);
    double step = above ? law->step : 0;
    double g =
        1 + step + (k0 - 1.0) * law->serial_fraction + law->communication_coefficient * k0 * (k0 - 1.0);
    rebased.smallest_k = k0;
    rebased.t1_hours = law->t1_hours * g / k0;
    rebased.communication_coefficient = law->communication_coefficient * k0 * k0 / g;
    rebased.serial_fraction = 1 - (1 + step - law->serial_fraction) / g;
    rebased.step = above ? 0 : law->step / g;
    rebased.form = above ? SCALING_USL : law->form;
    return rebased;
}

/* Opens a file below the shared data, or says which one is absent and skips the test. */
static inline FILE *open_shared(const char *name)
{
    char path[1024];
    const char *root = getenv("KSTAR_SHARED_DATA");
    snprintf(path, sizeof path, "%s/%s", root != NULL ? root : KSTAR_SOURCE_DIR "/../shared/data", name);
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        print_message("skipped: shared data %s is absent\n", name);
        skip();
    }
    return file;
}

/* Splits a line at commas in place, empty fields kept; returns how many. */
static inline size_t split_fields(char *line, char **fields, size_t capacity)
{
    size_t count = 0;
    line[strcspn(line, "\r\n")] = '\0';
    for (char *rest = line; rest != NULL && count < capacity;) {
        fields[count++] = strsep(&rest, ",");
    }
    return count;
}

/* The throughput measurements of a series of efficiency/series.csv, or of a file
 * efficiency/usl/<name>.csv, as times. "_first6" takes the first six of a file. Skips the test
 * where the data are absent. */
static inline size_t read_series(const char *series, struct measurement *measurements, size_t capacity)
{
    char name[256];
    char line[512];
    char *fields[8];
    size_t count = 0;
    int is_file = strncmp(series, "usl/", 4) == 0;
    snprintf(name, sizeof name, "efficiency/%s", is_file ? series : "series.csv");
    char *first = is_file ? strstr(name, "_first6") : NULL;
    if (first != NULL) {
        *first = '\0';
        capacity = 6;
    }
    if (is_file) {
        strncat(name, ".csv", sizeof name - strlen(name) - 1);
    }
    FILE *file = open_shared(name);
    if (fgets(line, sizeof line, file) == NULL) {
        fail();
    }
    while (count < capacity && fgets(line, sizeof line, file) != NULL) {
        size_t n = split_fields(line, fields, 8);
        if (is_file || strcmp(fields[0], series) == 0) {
            measurements[count++] = (struct measurement){ .k = (unsigned)strtoul(fields[n - 2], NULL, 10),
                                                          .hours = 1 / strtod(fields[n - 1], NULL) };
        }
    }
    fclose(file);
    return count;
}

#endif
