/* allocate/month_reader.h: reads the lines of a month together with the time that jobs held, by
 * resource. */
#ifndef KSTAR_ALLOCATE_MONTH_READER_H
#define KSTAR_ALLOCATE_MONTH_READER_H

#include "allocate/node_charges.h"

/* Called between two resources. The callback may write the sums and empty them. */
typedef bool charges_grown(struct node_charges *charges, void *context, struct error *error);

/* Reader `number` of `count`. A hash of a resource's name decides which reader reads the
 * resource. */
struct month_share {
    int number, count;
    bool shows_places;  /* also read the position of each line */
    const char *places; /* NULL: all; otherwise only these hashes: "{1,2}" */
};

/* Reads one share of the month and charges it. `connection` must be in a transaction. */
bool month_read(PGconn *connection, const struct catalogue *catalogue, struct month_share share,
                struct node_charges *charges, charges_grown *grown, void *context, struct error *error);

#endif
