/* ingest/delivery_content.h: compares the content of a delivery of bills with stored ones.
 *
 * The content of a file, of a load, or of an account in either, is the sum of the hashes of its
 * lines (billing_content.h). Two files of a delivery with the same content are refused. A delivery
 * with the same content as the one before under its label is not new. Content that already counts
 * under another source is held (delivery_guard.h) until somebody accepts it. The answer then also
 * holds for later deliveries of the two sources and the account.
 *
 * These functions are called in the loading transaction, in this order.
 */
#ifndef KSTAR_INGEST_DELIVERY_CONTENT_H
#define KSTAR_INGEST_DELIVERY_CONTENT_H

#include "ingest/delivery.h"

/* Adds up the content of the lines. False (ERROR_INPUT) if a file repeats another one, or all
 * others together. */
bool delivery_content_store(PGconn *connection, const struct delivery *delivery, const char *label,
                            struct error *error);

/* The last delivery of the same label, if it has this content and counts; otherwise `*former` is
 * 0. */
bool delivery_content_find(PGconn *connection, const struct delivery *delivery, int *former,
                           struct error *error);

/* Records that the content of delivery `former` also came in the files of this one. */
bool delivery_content_other_files(PGconn *connection, int former, const struct delivery *delivery,
                                  struct error *error);

/* Records that lines which repeat other sources count, and logs these sources. */
bool delivery_content_accept(PGconn *connection, const struct delivery *delivery, const char *label,
                             struct error *error);

#endif
