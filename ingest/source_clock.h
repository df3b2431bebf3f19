/* ingest/source_clock.h: the clocks of a source's time zone.
 *
 * A bill may give times without an offset: those are read off the clocks of its source's zone
 * (sources.csv). A time that clocks show twice is the later one, one that they skip is as if they
 * had not been put forward yet, as PostgreSQL reads them, which knows the zones
 * (sql/ingest/source_clock.sql).
 */
#ifndef KSTAR_INGEST_SOURCE_CLOCK_H
#define KSTAR_INGEST_SOURCE_CLOCK_H

#include "base/time_text.h"

struct clock_change {
    time_us at;     /* from this moment on */
    time_us offset; /* the clocks minus UTC */
};

struct source_clock {
    struct clock_change *changes; /* in their order; the first holds before it, too */
    int count;                    /* 0: clocks show UTC */
};

/* The moment at which clocks show `shown` (given as UTC). A NULL clock shows UTC. */
time_us source_clock_moment(const struct source_clock *clock, time_us shown);

#endif
