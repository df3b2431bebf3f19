/* Any bytes as a manifest beside one part: each file it names lies in its folder, or is
 * reported as missing. */
#include "tests/fuzz/fuzz.h"

#include "ingest/delivery_manifest.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A folder of its own with one part in it, made once and taken away at the end. */
static char folder[] = "/tmp/kstar-fuzz-XXXXXX";
static char manifest[64], part[64];

static void remove_folder(void)
{
    (void)remove(manifest);
    (void)remove(part);
    (void)remove(folder);
}

static void write_file(const char *path, const void *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(data, 1, size, file) != size || fclose(file) != 0) {
        perror(path);
        abort();
    }
}

static void make_folder(void)
{
    static bool made;
    if (made)
        return;
    if (mkdtemp(folder) == NULL)
        abort();
    made = true;
    atexit(remove_folder);
    snprintf(manifest, sizeof manifest, "%s/a-Manifest.json", folder);
    snprintf(part, sizeof part, "%s/a.csv", folder);
    write_file(part, "x\n", 2);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct manifest_parts parts;
    struct error error = { 0 };
    make_folder();
    write_file(manifest, data, size);
    if (manifest_parts_find(folder, &parts, &error)) {
        for (int i = 0; i < parts.count; i++) {
            if (parts.parts[i].path != NULL && strncmp(parts.parts[i].path, folder, strlen(folder)) != 0)
                abort();
        }
    } else if (error.message[0] == '\0') {
        abort();
    }
    manifest_parts_free(&parts);
    return 0;
}
