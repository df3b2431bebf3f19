/* ingest/bill/dimension.h: recurring text, stored once, under a key that is a hash of its content.
 *
 * The key of a text is the same on every machine and in every order, so the lines that use it need
 * no look-up. What must be stored is gathered here: a bounded cache remembers which texts have been
 * sent; one that it has forgotten is sent again, which does no harm. Two texts with one key refuse
 * the delivery.
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
    DIMENSION_INVALID, /* *problem says what is wrong with texts[*which] */
};

/* Hashes the dimension's texts and has the cache looked up in the background: a line prepares all
 * its dimensions before it asks for the first key, so that the machine waits for memory once and
 * not nine times. A null is .text NULL. */
void dimension_prepare(struct dimension_store *store, enum dimension dimension,
                       const struct csv_field *texts);

/* The key of the texts that were prepared last, which are the same here. A text that is new to the
 * cache is kept for storing. Tags must be key_values.h's, unit prices decimals; that is checked
 * only then. */
enum dimension_outcome dimension_key(struct dimension_store *store, enum dimension dimension,
                                     const struct csv_field *texts, int64_t *key, int *which,
                                     const char **problem);

/* The same for the JSON object of those columns that are not null. `names` are in byte order. */
void dimension_custom_prepare(struct dimension_store *store, int count, const char *const *names,
                              const struct csv_field *values);
enum dimension_outcome dimension_custom_key(struct dimension_store *store, int count,
                                            const char *const *names, const struct csv_field *values,
                                            int64_t *key);

/* Stores what was gathered in all of `stores` and commits it. False on a collision (ERROR_INPUT,
 * both texts named), on a failure of the database, or where memory or the temporary file failed
 * earlier. Nothing is gathered afterwards. */
bool dimension_store_commit(struct dimension_store *const *stores, int count, PGconn *connection,
                            struct error *error);

#endif
