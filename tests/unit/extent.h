/* tests/unit/extent.h: how much a unit test tries, as lib/extent.py has it: enough for every day,
 * or with KSTAR_TEST_WHOLE=1 all of it. */
#ifndef KSTAR_TESTS_UNIT_EXTENT_H
#define KSTAR_TESTS_UNIT_EXTENT_H

#include <stdlib.h>
#include <string.h>

static inline int tried(int every_day, int whole)
{
    const char *asked = getenv("KSTAR_TEST_WHOLE");
    return asked != NULL && strcmp(asked, "1") == 0 ? whole : every_day;
}

#endif
