/* night/deliver/delivery_place.h: whose a delivery is, from where it lies. A delivery that is
 * loaded by hand must be the same one that the night finds in its inbox: under another source its
 * money would count twice.
 *
 * A path is taken as it is written: a link in the inbox is called what the inbox calls it, whatever
 * it leads to. A relative one stands in the shell's working folder ($PWD), as `pwd` shows it.
 */
#ifndef KSTAR_NIGHT_DELIVER_DELIVERY_PLACE_H
#define KSTAR_NIGHT_DELIVER_DELIVERY_PLACE_H

#include "base/error.h"
#include "ingest/summary.h"

#include <limits.h>
#include <stdbool.h>

/* Whether a source may have this name, which is that of a folder of the inbox. ERROR_USAGE if not.
 */
bool delivery_source_check(const char *source, struct error *error);

struct delivery_place {
    char source[256]; /* a folder's name: 255 bytes */
    char label[INGEST_LABEL_BYTES];
    char inbox[PATH_MAX]; /* absolute: in which it lies under that label; "": elsewhere */
};

/* Of a file or folder of bills: …/billing/SOURCE[/DELIVERY], counted from the last such folder;
 * elsewhere the source is named by the folder, or the one above where that is a run's: a GUID, or
 * its days. `source` is as given, or NULL. ERROR_INPUT where the path is not there, ERROR_USAGE if
 * the path names no source. */
bool delivery_place_of_bill(const char *path, const char *source, struct delivery_place *place,
                            struct error *error);

/* Of a file of job records: its folder. */
bool delivery_place_of_jobs(const char *path, const char *source, struct delivery_place *place,
                            struct error *error);

#endif
