/* ingest/delivery_manifest.h: the manifests that clouds write beside the parts of a bill.
 *
 * kstar reads manifests of AWS's Cost and Usage Report (NAME-Manifest.json with reportKeys), of AWS
 * Data Exports (NAME-Manifest.json with dataFiles) and of Azure's exports (manifest.json with
 * blobs). A cloud writes the manifest after all parts. A delivery has only the files that its
 * manifest names: other files in the folder are leftovers.
 *
 * Manifests are searched in the folder and up to six levels below it. Manifests of the same cost (a
 * new assembly, a later run) are versions: those of one account, report and billing period of AWS,
 * and those of one scope and dataset of Azure whose runs share a day. A run covers the days from
 * its startDate to its endDate or, if that is earlier, to the day of its submission. The version
 * with all the days of the other counts. Of versions with the same days, the one nearest to the top
 * counts, then the latest by its stated time, then the last by name. The others are logged. If
 * neither version has all the days of the other, both are refused.
 *
 * Manifests name parts by keys of the cloud, and files may have been copied with the whole path or
 * only its end. The part is the longest end of its key that is a file below the folder or beside
 * the manifest.
 */
#ifndef KSTAR_INGEST_DELIVERY_MANIFEST_H
#define KSTAR_INGEST_DELIVERY_MANIFEST_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

struct manifest_part {
    char *key;          /* as the manifest names it; owned */
    char *path;         /* the file; NULL: missing; owned */
    const char *origin; /* path of the manifest, owned by the list */
    int64_t bytes;      /* of the manifest; −1: not stated */
    int64_t rows;
};

struct manifest_parts {
    int count;
    struct manifest_part *parts;
    int manifest_count;
    char **manifests; /* their paths, owned */
};

/* Fills `parts`; manifest_count is 0 without a manifest. False (ERROR_INPUT) if a manifest is
 * unreadable: no JSON, more than 16 MiB or 20,000 parts, the name of a part with more than 4,096
 * bytes or 32 folders, repeated keys, no parts, or another number of parts than stated. False also
 * if two manifests share only some of their days. Call manifest_parts_free after failure, too. */
bool manifest_parts_find(const char *folder, struct manifest_parts *parts, struct error *error);
void manifest_parts_free(struct manifest_parts *parts);

#endif
