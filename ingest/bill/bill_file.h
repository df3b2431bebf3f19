/* ingest/bill/bill_file.h: a file of a bill, before its rows are read: header and first record.
 *
 * Several threads read the chunks of a file. Each thread interprets the header itself, from the
 * copy here. `context` is common to all chunks of the file: equal bytes in an equal context make
 * equal rows.
 */
#ifndef KSTAR_INGEST_BILL_BILL_FILE_H
#define KSTAR_INGEST_BILL_BILL_FILE_H

#include "base/text/csv_reader.h"
#include "ingest/bill/billing_format.h"

#include <xxhash.h>

/* How the files of a source are read. */
struct billing_settings {
    const char *source, *time_zone;
    const struct source_clock *clock; /* of that zone; NULL: UTC */
    const char *currency;             /* for bills without a currency; NULL: they must have one */
    const struct billing_format *format;
    struct csv_limits limits;
    size_t field_bytes; /* a row with a longer field is quarantined; 0: 64 KiB */
    int64_t rows;       /* more rows refuse the delivery; 0: no bound */
};

struct bill_file {
    const struct billing_settings *settings;
    const char *path;
    struct csv_record header, first; /* copies; a file without rows has no `first` */
    bool has_first;
    struct csv_place rows; /* where the rows begin */
    XXH128_hash_t context;
};

/* Reads the beginning of `path`, which must outlive the bill, with `settings`. False (ERROR_INPUT)
 * if the file cannot be a bill of the format. Call bill_file_close after failure, too. */
bool bill_file_open(struct bill_file *bill, const struct billing_settings *settings, const char *path,
                    struct error *error);
void bill_file_close(struct bill_file *bill);

/* Interprets the header. Call billing_file_free after failure, too. `bill` must outlive `file`. */
bool bill_file_understand(const struct bill_file *bill, struct billing_file *file, struct error *error);

#endif
