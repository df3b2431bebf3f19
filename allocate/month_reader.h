/* allocate/month_reader.h: the lines of a month beside the time that jobs held, by resource. */
#ifndef KSTAR_ALLOCATE_MONTH_READER_H
#define KSTAR_ALLOCATE_MONTH_READER_H

#include "allocate/node_charges.h"

/* Called between resources: what is summed may be written away. */
typedef bool charges_grown(struct node_charges *charges, void *context, struct error *error);

/* Reader `number` of `count`: which resources are its own is decided by a hash of their names. */
struct month_share {
    int number, count;
    bool shows_places;  /* where each line stands is read, too */
    const char *places; /* NULL, or of these hashes alone: "{1,2}" */
};

/* Reads its share of the month on `connection`, which is in a transaction, and charges it. */
bool month_read(PGconn *connection, const struct catalogue *catalogue, struct month_share share,
                struct node_charges *charges, charges_grown *grown, void *context, struct error *error);

#endif
