/* ingest/delivery_manifest.h: the manifests that clouds write beside the parts of a bill.
 *
 * Known are those of AWS's Cost and Usage Report (NAME-Manifest.json with reportKeys), of AWS Data
 * Exports (NAME-Manifest.json with dataFiles) and of Azure's exports (manifest.json with blobs). A
 * manifest is written when all parts are, and a delivery is what its manifest names: other files in
 * the folder are leftovers.
 *
 * Manifests are looked for in the folder and up to six levels below it. Several of the same cost (a
 * new assembly, a later run) are versions of one another: those of one account, report and billing
 * period of AWS, and of one scope and dataset of Azure whose runs have a day in common. A run is of
 * the days from its startDate to its endDate, or to the day on which it was submitted, where that
 * was before. Of versions the one with all the days of the other counts; of the same days the one
 * nearest to the top, then the latest by the time it states, then the last by name. Which does not
 * count is logged. Versions of which neither has all the days of the other are refused.
 *
 * Parts are named by the cloud's own keys, and files may have been copied with all of that path or
 * with its end only: the longest end of a key that is a file below the folder, or beside the
 * manifest, is the part.
 */
#ifndef KSTAR_INGEST_DELIVERY_MANIFEST_H
#define KSTAR_INGEST_DELIVERY_MANIFEST_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

struct manifest_part {
    char *key;          /* as the manifest names it; owned */
    char *path;         /* the file; NULL: it is not there (yet); owned */
    const char *origin; /* path of the manifest, owned by the list */
    int64_t bytes;      /* as the manifest says; −1 where it does not */
    int64_t rows;
};

struct manifest_parts {
    int count;
    struct manifest_part *parts;
    int manifest_count;
    char **manifests; /* their paths, owned */
};

/* Fills `parts`; manifest_count 0 where there is no manifest. False (ERROR_INPUT) where one cannot
 * be read: no JSON, more than 16 MiB, more than 20,000 parts, a part's name of more than 4,096
 * bytes or 32 folders, keys that stand twice, no parts, or another number of them than it says; or
 * where two of them have only some of their days in common. Freed with
 * manifest_parts_free, after failure too. */
bool manifest_parts_find(const char *folder, struct manifest_parts *parts, struct error *error);
void manifest_parts_free(struct manifest_parts *parts);

#endif
