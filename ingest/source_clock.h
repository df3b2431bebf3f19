/* ingest/source_clock.h: the clocks of a source's time zone.
 *
 * Times without an offset in a bill are clock times in the zone of its source (sources.csv). If
 * clocks show a time twice, the later one counts. A time that clocks skip is read as if they had
 * not been put forward yet. PostgreSQL reads times in the same way, and knows the zones
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
    struct clock_change *changes; /* in order; the first also counts before its moment */
    int count;                    /* 0: clocks show UTC */
};

/* The moment at which clocks show `shown` (given as UTC). A NULL clock shows UTC. */
time_us source_clock_moment(const struct source_clock *clock, time_us shown);

#endif
