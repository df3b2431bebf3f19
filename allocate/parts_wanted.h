/* allocate/parts_wanted.h: which parts of a month's lines kstar explain wants. */
#ifndef KSTAR_ALLOCATE_PARTS_WANTED_H
#define KSTAR_ALLOCATE_PARTS_WANTED_H

/* All NULL: all parts of the month. */
struct parts_wanted {
    const char *cost_centre; /* that pays them, itself or for its jobs */
    const char *pool;        /* that they are in; "tax": tax */
    /* Where the lines are that are read: values of billing_line.node_hash, "{1,2}". All parts of
     * these lines are made. */
    const char *places;
};

#endif
