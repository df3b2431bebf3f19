/* model/allocation/named_job.h: rule 1: finds the job that a line names.
 *
 * A line names a job by its resource (the job is a cloud resource itself) or by a tag. A tag may
 * outlive its job, and several runs may have the same id. So the line goes to the attempt that ran
 * for most of the charge period:
 *
 *   - Machine time (hardware named by a tag) goes only to an attempt that ran during the period or
 *     within an hour of it. An attempt that still runs at the end of its cluster's records counts
 *     as running on.
 *
 *   - Other lines go to any attempt that began before the end of the period.
 *
 *   - Among several attempts the order is: longest overlap, latest start, lowest attempt_id.
 *
 * A tag names an id of one cluster. If attempts of several clusters are equally likely (all of
 * them overlap, or none does), the tag names no job.
 */
#ifndef KSTAR_MODEL_ALLOCATION_NAMED_JOB_H
#define KSTAR_MODEL_ALLOCATION_NAMED_JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An attempt that lines may name. Times are microseconds since 1970, UTC. */
struct named_attempt {
    int64_t id; /* attempt_id */
    int64_t start, end;
    uint32_t cluster;
    bool goes_on; /* it still runs at the end of its cluster's records */
};

struct named_candidate {
    size_t attempt; /* index of the attempt */
    bool is_own;    /* the line's resource is the job */
};

#define NO_JOB       SIZE_MAX
#define SEVERAL_JOBS (SIZE_MAX - 1) /* of several clusters */

/* The attempt of `candidates` to which a line of [start, end) goes: its index, NO_JOB or
 * SEVERAL_JOBS. `is_hardware`: the line bills machine time. */
size_t named_job(const struct named_attempt *attempts, const struct named_candidate *candidates, size_t count,
                 int64_t start, int64_t end, bool is_hardware);

#endif
