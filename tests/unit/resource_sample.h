/* tests/unit/resource_sample.h: any bytes as a resource, for property tests, the fuzz target and
 * the Python twin.
 *
 * The same bytes give the same resource. Bytes that end early count as 0. */
#ifndef KSTAR_TESTS_RESOURCE_SAMPLE_H
#define KSTAR_TESTS_RESOURCE_SAMPLE_H

#include "model/allocation/resource_merge.h"

enum { SAMPLE_LINES = 16, SAMPLE_PRESENCES = 3, SAMPLE_ATTEMPTS = 5, SAMPLE_HOLDS = 12 };
enum { SAMPLE_BYTES = 1024 }; /* as many as a sample reads */

struct resource_sample {
    struct resource resource;
    struct resource_line lines[SAMPLE_LINES];
    struct resource_presence presences[SAMPLE_PRESENCES];
    struct resource_attempt attempts[SAMPLE_ATTEMPTS];
    struct resource_hold holds[SAMPLE_HOLDS];
};

/* Fills a sample, which resource_sample_clear empties. */
void resource_sample_make(struct resource_sample *sample, const uint8_t *bytes, size_t size);
void resource_sample_clear(struct resource_sample *sample);

/* Merges the sample and looks for a broken identity: parts that do not add up to their line, a
 * weight below 0, a part of a reversal that does not cancel, or parts that depend on the order of
 * the lines. Returns NULL, or which one it is. */
const char *resource_sample_broken(struct resource_sample *sample);

/* A part's cost with PART_EXTRA_DIGITS digits more than the line's, also where the line has one
 * part. */
void resource_part_units(const struct resource_part *part, enum line_cost cost, mpz_t units);

#endif
