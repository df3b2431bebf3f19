/* allocate/parts_wanted.h: which parts of a month's lines kstar explain wants. */
#ifndef KSTAR_ALLOCATE_PARTS_WANTED_H
#define KSTAR_ALLOCATE_PARTS_WANTED_H

/* Each member narrows them; all NULL: all parts of the month. */
struct parts_wanted {
    const char *cost_centre; /* that pays them, itself or for its jobs */
    const char *pool;        /* that they are in; "tax": tax */
    /* Hashes of the nodes whose lines are read: "{1,2}" (sql/explain/job_places.sql). */
    const char *places;
};

#endif
