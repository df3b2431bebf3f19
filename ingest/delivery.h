/* ingest/delivery.h: files that are delivered together, known by their content.
 *
 * A delivery is the files of a folder, or given files. Its hash covers the hashes of its files in
 * the order of their names, and the configuration of its source, which decides how they are read.
 * If the latest delivery of the source and label has the same hash, there is nothing to do.
 * Exception: if another build of kstar read that delivery, and an open month uses data of it (the
 * view delivery_to_read_again), a night reads the delivery again, which replaces the former one.
 *
 *     delivery_gather(&delivery, 1, &folder, suffixes, configuration, error)
 *     BEGIN; delivery_open(&delivery, connection, "billing", source, label, &unchanged, error)
 *     … load delivery.files[i].path under delivery.id and .file_id, note .rows …
 *     delivery_settle(&delivery, connection, error)       if the hashes are needed before the end
 *     delivery_close(&delivery, connection, rows, quarantined, error)
 *     delivery_free(&delivery)
 *
 * A separate thread hashes the files while they are loaded. But if the latest delivery has the same
 * number of bytes, and so may be the same, the files are hashed first.
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
    struct file_stamp stamp;  /* when it was gathered */
    int file_id;              /* once open */
    int64_t rows;             /* set by the caller: rows loaded from it */
    int64_t records;          /* set by the caller: all records in it */
    int64_t quarantined;      /* set by the caller: unreadable records */
    int64_t expected_records; /* of its manifest; −1: not stated */
};

struct delivery {
    char waiting[512];     /* missing parts, in words; "": complete */
    char passed_over[300]; /* the first ignored name in a folder, in words; "": none */
    bool has_manifest;     /* then a delivery without files is possible */
    int file_count;
    struct delivery_file *files;   /* in the byte order of their names */
    const char *configuration;     /* not owned; may be NULL */
    char sha256[SHA256_HEX_BYTES]; /* once hashed */
    int64_t bytes;
    int id;          /* once open */
    int former;      /* once open: the same files as read by another build; 0: none */
    bool is_settled; /* the hashes of its files are stored */

    pthread_t hasher;
    atomic_bool hash_is_wanted;
    bool hasher_runs, hash_failed;
    struct error hash_error;
};

/* Gathers files. Of a folder, these are the files that its manifest names (delivery_manifest.h) or,
 * without a manifest, those whose name ends in one of `suffixes` (any case; NULL ends the list).
 * Other files of the folder are skipped and logged, and sub-folders are other deliveries. If a part
 * of a manifest is missing, or shorter than stated, `waiting` says so, and the delivery must not be
 * loaded. `configuration` may be NULL. False if a file is unreadable, or there are no files
 * (ERROR_INPUT), unless a manifest says so. */
bool delivery_gather(struct delivery *delivery, int path_count, const char *const *paths,
                     const char *const *suffixes, const char *configuration, struct error *error);
/* Harmless on a zeroed one. Stops the hashing thread. */
void delivery_free(struct delivery *delivery);

/* Hashes a gathered delivery before it is opened. */
bool delivery_hash(struct delivery *delivery, struct error *error);

/* Call once a night, before its deliveries: deliveries that another build of kstar read, and that
 * open months use, then count as unknown and are read again in this session. */
bool deliveries_read_again(PGconn *connection, struct error *error);

/* Locks this kind and source against other deliveries until the end of the transaction, and
 * registers this one; or finds that it is already stored (*unchanged). Sets `former`. */
bool delivery_open(struct delivery *delivery, PGconn *connection, const char *kind, const char *source,
                   const char *label, bool *unchanged, struct error *error);

/* Waits for the hashes and stores those of the files. Refuses a delivery if a file has changed
 * since it was gathered: somebody may still be writing it (ERROR_ATTENTION). */
bool delivery_settle(struct delivery *delivery, PGconn *connection, struct error *error);

/* Settles a delivery, if it is not settled yet, and records the result. */
bool delivery_close(struct delivery *delivery, PGconn *connection, int64_t rows, int64_t quarantined,
                    struct error *error);

#endif
