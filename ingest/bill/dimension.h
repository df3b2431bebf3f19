/* ingest/bill/dimension.h: recurring text, stored once, under a key that is a hash of its content.
 *
 * The key of a text is the same on every machine and in every order, so its lines need no look-up.
 * A store collects the texts to be stored. A bounded cache remembers which texts have been sent. A
 * forgotten text is sent again, which does no harm. Two texts with the same key refuse the
 * delivery.
 *
 *     struct dimension_store *store = dimension_store_open(error);
 *     … per line, for each dimension dimension_prepare(store, DIMENSION_SKU, texts),
 *       and then for each dimension_key(store, DIMENSION_SKU, texts, &key, &which, &problem) …
 *     dimension_store_commit(&store, 1, connection, error)  on its own connection, before the lines
 *     dimension_store_close(store);
 *
 * A store belongs to one thread; several are committed together.
 */
#ifndef KSTAR_INGEST_BILL_DIMENSION_H
#define KSTAR_INGEST_BILL_DIMENSION_H

#include "base/error.h"
#include "base/text/csv_reader.h"

#include <libpq-fe.h>
#include <stdbool.h>
#include <stdint.h>

enum dimension {
    DIMENSION_ACCOUNT,
    DIMENSION_INVOICE,
    DIMENSION_RESOURCE,
    DIMENSION_SKU,
    DIMENSION_COMMITMENT,
    DIMENSION_CHARGE_KIND,
    DIMENSION_CHARGE_DESCRIPTION,
    DIMENSION_TAG_SET,
    DIMENSION_CUSTOM_COLUMNS,
    DIMENSION_COUNT
};

enum { DIMENSION_TEXTS_MAXIMUM = 12 };

struct dimension_store;

struct dimension_store *dimension_store_open(struct error *error); /* NULL on failure */
void dimension_store_close(struct dimension_store *store);         /* NULL is fine */

enum dimension_outcome {
    DIMENSION_KEY,     /* *key is set */
    DIMENSION_NULL,    /* all texts are null: no row, no key */
    DIMENSION_INVALID, /* *problem is the problem with texts[*which] */
};

/* Hashes the texts of a dimension and prefetches its cache line. A line prepares all its dimensions
 * before it asks for the first key, so that the processor waits for memory once and not nine times.
 * A null is .text NULL. */
void dimension_prepare(struct dimension_store *store, enum dimension dimension,
                       const struct csv_field *texts);

/* The key of the same texts that were prepared last. A text that is not in the cache is checked and
 * collected: Tags must fit key_values.h, and unit prices must be decimals. */
enum dimension_outcome dimension_key(struct dimension_store *store, enum dimension dimension,
                                     const struct csv_field *texts, int64_t *key, int *which,
                                     const char **problem);

/* The same for the JSON object of all columns that are not null. `names` are in byte order. */
void dimension_custom_prepare(struct dimension_store *store, int count, const char *const *names,
                              const struct csv_field *values);
enum dimension_outcome dimension_custom_key(struct dimension_store *store, int count,
                                            const char *const *names, const struct csv_field *values,
                                            int64_t *key);

/* Stores and commits the rows of all `stores`, which take no more rows after this. False on a
 * collision (ERROR_INPUT, which names both texts), or if the database or the temporary file
 * failed. */
bool dimension_store_commit(struct dimension_store *const *stores, int count, PGconn *connection,
                            struct error *error);

#endif
