/* Any bytes as one resource's lines, inventory and held time: parts add up, reversals cancel, order
 * has no effect. */
#include "tests/fuzz/fuzz.h"

#include "tests/unit/resource_sample.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct resource_sample sample;
    resource_sample_make(&sample, data, size);
    const char *broken = resource_sample_broken(&sample);
    if (broken != NULL) {
        fprintf(stderr, "%s\n", broken);
        abort();
    }
    resource_sample_clear(&sample);
    return 0;
}
