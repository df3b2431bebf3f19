/* ingest/delivery.h: the files that are delivered together, known by their content.
 *
 * A delivery is the files of one folder or those given. Its hash is over the hashes of its files in
 * the order of their names, and over what is configured for its source, since that decides how they
 * are read. The latest delivery of a source and label with the same hash means that there is
 * nothing to do. In a night there is, if another build of kstar has read it and an open month has
 * something of it (the view delivery_to_read_again): the delivery is read again, and takes the
 * place of the former one.
 *
 *     delivery_gather(&delivery, 1, &folder, suffixes, configuration, error)
 *     BEGIN; delivery_open(&delivery, connection, "billing", source, label, &unchanged, error)
 *     … load delivery.files[i].path under delivery.id and .file_id, note .rows …
 *     delivery_settle(&delivery, connection, error)       if the hashes are needed before the end
 *     delivery_close(&delivery, connection, rows, quarantined, error)
 *     delivery_free(&delivery)
 *
 * Hashing takes a thread of its own while the files are loaded, unless the latest delivery has as
 * many bytes: only then can it be the same, and the hashes are needed first.
 */
#ifndef KSTAR_INGEST_DELIVERY_H
#define KSTAR_INGEST_DELIVERY_H

#include "base/error.h"
#include "base/system/file.h"

#include <libpq-fe.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct delivery_file {
    char *path;                    /* to open it; owned */
    char *name;                    /* below the label, as stored and as named in messages; owned */
    char sha256[SHA256_HEX_BYTES]; /* once hashed */
    int64_t bytes;
    struct file_stamp stamp;  /* as it was gathered */
    int file_id;              /* once open */
    int64_t rows;             /* the caller's: what was loaded of it */
    int64_t records;          /* the same: how many there are in it, whatever came of them */
    int64_t quarantined;      /* the same: how many of these cannot be read */
    int64_t expected_records; /* as a manifest says; −1 where none does */
};

struct delivery {
    char waiting[512];     /* what is missing of it, in words; "" where it is complete */
    char passed_over[300]; /* the first name in a folder that is not read, in words; "": none */
    bool has_manifest;     /* then no file at all may be what was delivered */
    int file_count;
    struct delivery_file *files;   /* in the byte order of their names */
    const char *configuration;     /* not owned; may be NULL */
    char sha256[SHA256_HEX_BYTES]; /* once hashed */
    int64_t bytes;
    int id;          /* once open */
    int former;      /* once open: the same files as another kstar has read them; 0: they are new */
    bool is_settled; /* its files' hashes are stored */

    pthread_t hasher;
    atomic_bool hash_is_wanted;
    bool hasher_runs, hash_failed;
    struct error hash_error;
};

/* Gathers files, and of folders those that its manifest names (delivery_manifest.h) or, without a
 * manifest, those whose name ends in one of `suffixes` (any case; NULL ends the list); a folder's
 * other files are then skipped and logged, and sub-folders are other deliveries. Where a part that
 * a manifest names is not there, or shorter than it says, `waiting` says so, and the delivery must
 * not be loaded. `configuration` may be NULL. False where there is no file at all and no manifest
 * that says so (ERROR_INPUT), or one cannot be read. */
bool delivery_gather(struct delivery *delivery, int path_count, const char *const *paths,
                     const char *const *suffixes, const char *configuration, struct error *error);
/* Harmless on a zeroed one. Hashes that are still being made are given up. */
void delivery_free(struct delivery *delivery);

/* Sees to the hash of a gathered delivery before it is opened. */
bool delivery_hash(struct delivery *delivery, struct error *error);

/* To be called once a night, before its deliveries: those of open months that another build of
 * kstar has read are then not known, and are read again in this session. */
bool deliveries_read_again(PGconn *connection, struct error *error);

/* Locks out other deliveries of this source until the end of the transaction, and registers this
 * one; or finds that it is already there: *unchanged. Sets `former`. */
bool delivery_open(struct delivery *delivery, PGconn *connection, const char *kind, const char *source,
                   const char *label, bool *unchanged, struct error *error);

/* Waits for the hashes and stores those of the files. Refuses a delivery of which a file is not as
 * it was gathered, for it may be half of what somebody is still writing (ERROR_ATTENTION). */
bool delivery_settle(struct delivery *delivery, PGconn *connection, struct error *error);

/* Settles a delivery that is not settled yet, and records what came of it. */
bool delivery_close(struct delivery *delivery, PGconn *connection, int64_t rows, int64_t quarantined,
                    struct error *error);

#endif
