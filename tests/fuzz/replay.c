/* tests/fuzz/replay.c: runs a fuzz target over the files of its corpus: every input that once was
 * worth keeping. */
#include "tests/fuzz/fuzz.h"

#include "base/system/file.h"

#include <stdio.h>
#include <stdlib.h>

static void replay(const char *path)
{
    FILE *file = fopen(path, "rb");
    static uint8_t data[1 << 20];
    if (file == NULL) {
        perror(path);
        exit(EXIT_FAILURE);
    }
    size_t size = fread(data, 1, sizeof data, file);
    fclose(file);
    uint8_t *exact = malloc(size + 1); /* so that a sanitizer sees a read past the end */
    if (exact == NULL)
        exit(EXIT_FAILURE);
    for (size_t i = 0; i < size; i++)
        exact[i] = data[i];
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
}

int main(int argc, char **argv)
{
    struct directory_listing listing;
    struct error error;
    if (argc != 2 || !directory_list(argv[1], &listing, &error) || listing.count == 0) {
        fprintf(stderr, "%s: takes a corpus folder that is not empty\n", argv[0]);
        return EXIT_FAILURE;
    }
    for (int i = 0; i < listing.count; i++) {
        char *path = path_join(argv[1], listing.names[i]);
        replay(path);
        free(path);
    }
    printf("%d inputs\n", listing.count);
    directory_listing_free(&listing);
    return EXIT_SUCCESS;
}
