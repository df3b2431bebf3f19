/* ingest/delivery_answers.h: ready-made commands with which a person answers a held delivery. */
#ifndef KSTAR_INGEST_DELIVERY_ANSWERS_H
#define KSTAR_INGEST_DELIVERY_ANSWERS_H

#include "ingest/delivery_guard.h"

/* A delivery for the command line: in an inbox by its label, any other by its given paths. */
struct delivery_named {
    const char *kind; /* of kstar ingest: "billing" */
    /* options that were given already, each after a space: a delivery may be held for several
     * reasons in turn */
    const char *answered;
    const char *source, *label;
    const char *inbox; /* absolute; NULL: elsewhere */
    int path_count;
    const char *const *paths;
};

/* Fills hold->answers. */
void delivery_answers_write(const struct delivery_named *named, struct delivery_hold *hold);

#endif
