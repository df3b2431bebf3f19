/* ingest/source_clock.c: see source_clock.h. */
#include "ingest/source_clock.h"

#include <stddef.h>

time_us source_clock_moment(const struct source_clock *clock, time_us shown)
{
    if (clock == NULL || clock->count == 0)
        return shown;
    /* the last change after which clocks showed at most `shown` */
    int low = 0, high = clock->count;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        const struct clock_change *change = &clock->changes[middle];
        if (change->at + change->offset <= shown)
            low = middle;
        else
            high = middle;
    }
    return shown - clock->changes[low].offset;
}
