/* tests/fuzz/fuzz.h: what the fuzz targets share. Each is one file with LLVMFuzzerTestOneInput,
 * built for libFuzzer with -DKSTAR_FUZZ=ON (clang), and in every other build as a test that replays
 * its corpus (replay.c). tests/fuzz/run builds and runs them. */
#ifndef KSTAR_TESTS_FUZZ_H
#define KSTAR_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The path of a file in memory that holds `data`, until the next call. */
const char *fuzz_file(const uint8_t *data, size_t size);

#endif
