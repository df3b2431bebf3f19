/* night/deliver/delivery_place.h: finds the source and label of a delivery from its path. A
 * delivery that is loaded by hand must be the same one that the night finds in its inbox. Under
 * another source its money would count twice.
 *
 * A path is taken as it is written: a link in the inbox keeps its name, wherever it leads. A
 * relative path starts in the shell's working folder ($PWD), as `pwd` shows it.
 */
#ifndef KSTAR_NIGHT_DELIVER_DELIVERY_PLACE_H
#define KSTAR_NIGHT_DELIVER_DELIVERY_PLACE_H

#include "base/error.h"
#include "ingest/summary.h"

#include <limits.h>
#include <stdbool.h>

/* Whether a source may have this name, which must be the name of a folder of the inbox. ERROR_USAGE
 * if not. */
bool delivery_source_check(const char *source, struct error *error);

struct delivery_place {
    char source[256]; /* a folder's name: 255 bytes */
    char label[INGEST_LABEL_BYTES];
    char inbox[PATH_MAX]; /* absolute; the delivery has that label below it; "": elsewhere */
};

/* The place of a file or folder of bills. Below …/billing/SOURCE[/DELIVERY] (the last such folder
 * counts) the source is SOURCE. Elsewhere the folder names the source, or if its name is that of a
 * run (a GUID, or days), the folder above. `source` is as given, or NULL. ERROR_INPUT if the path
 * does not exist, ERROR_USAGE if the path names no source. */
bool delivery_place_of_bill(const char *path, const char *source, struct delivery_place *place,
                            struct error *error);

/* The place of a file of job records. Outside of an inbox its folder names the source. */
bool delivery_place_of_jobs(const char *path, const char *source, struct delivery_place *place,
                            struct error *error);

#endif
