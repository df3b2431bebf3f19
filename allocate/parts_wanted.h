/* allocate/parts_wanted.h: which parts of a month's lines kstar explain wants. */
#ifndef KSTAR_ALLOCATE_PARTS_WANTED_H
#define KSTAR_ALLOCATE_PARTS_WANTED_H

/* All NULL: all parts of the month. */
struct parts_wanted {
    const char *cost_centre; /* the cost centre that pays the parts, itself or for its jobs */
    const char *pool;        /* the pool of the parts; "tax": tax */
    /* Only lines at these places are read, with all their parts: values of billing_line.node_hash,
     * "{1,2}". */
    const char *places;
};

#endif
