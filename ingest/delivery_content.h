/* ingest/delivery_content.h: what a delivery of bills says, held against what there is.
 *
 * The content of a file, of a load, and of an account in either is the sum of their lines' hashes
 * (billing_content.h). Two files of one delivery with the same content are refused. A delivery with
 * the same content as the one before under its label is nothing new. What counts already under
 * another source is held (delivery_guard.h), until somebody accepts it: that lasts for the two
 * sources and the account.
 *
 * All of it is called in the loading transaction, in this order.
 */
#ifndef KSTAR_INGEST_DELIVERY_CONTENT_H
#define KSTAR_INGEST_DELIVERY_CONTENT_H

#include "ingest/delivery.h"

/* Sums up what was read. False (ERROR_INPUT) where a file repeats another one. */
bool delivery_content_store(PGconn *connection, const struct delivery *delivery, const char *label,
                            struct error *error);

/* The last delivery of the same label if it has this content and counts; else `*former` is 0. */
bool delivery_content_find(PGconn *connection, const struct delivery *delivery, int *former,
                           struct error *error);

/* Remembers that delivery `former` came in the files of this one as well. */
bool delivery_content_other_files(PGconn *connection, int former, const struct delivery *delivery,
                                  struct error *error);

/* Remembers that what the delivery repeats of other sources counts, and logs whose it is. */
bool delivery_content_accept(PGconn *connection, const struct delivery *delivery, const char *label,
                             struct error *error);

#endif
