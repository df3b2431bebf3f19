/* base/text/csv_prefetch.h: csv_reader on a thread of its own, for files that take long.
 *
 * Reading, inflating and libcsv are more than half of the work on a bill. Here a thread does this
 * work while the caller processes earlier records. Records have the order, limits and errors of
 * csv_reader. A few batches are used in turn, so memory does not grow with the file. For small
 * files use csv_reader itself.
 *
 *     struct csv_prefetch *prefetch = csv_prefetch_open(path, ',', NULL, error);
 *     while ((outcome = csv_prefetch_next(prefetch, &record, error)) == CSV_RECORD)
 *         …
 *     csv_prefetch_close(prefetch);
 */
#ifndef KSTAR_BASE_TEXT_CSV_PREFETCH_H
#define KSTAR_BASE_TEXT_CSV_PREFETCH_H

#include "base/text/csv_reader.h"

struct csv_prefetch;

/* As csv_reader_open; also starts the thread. It handles no signals. */
struct csv_prefetch *csv_prefetch_open(const char *path, char delimiter, const struct csv_limits *limits,
                                       struct error *error);

/* Ends the thread at any time, and frees everything. NULL is fine. */
void csv_prefetch_close(struct csv_prefetch *prefetch);

/* As csv_reader_next: the record is valid until the next call. */
enum csv_outcome csv_prefetch_next(struct csv_prefetch *prefetch, struct csv_record *record,
                                   struct error *error);

#endif
