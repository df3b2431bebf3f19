/* model/allocation/named_job.c: see named_job.h. */
#include "model/allocation/named_job.h"

#include "model/allocation/resource.h"

struct choice {
    const struct named_candidate *candidate;
    int64_t overlap;
    bool is_of_several; /* equally likely attempts are of several clusters */
};

static int64_t overlap_of(const struct named_attempt *attempt, int64_t start, int64_t end)
{
    int64_t from = attempt->start > start ? attempt->start : start;
    int64_t to = attempt->end < end ? attempt->end : end;
    return from < to ? to - from : 0;
}

static bool may_be(const struct named_attempt *attempt, bool is_own, int64_t start, int64_t end,
                   bool is_hardware)
{
    if (is_own || !is_hardware)
        return attempt->start < end;
    return attempt->start - RESOURCE_MARGIN < end &&
           (attempt->goes_on || start < attempt->end + RESOURCE_MARGIN);
}

/* Whether `one` comes before the attempt chosen so far. */
static bool comes_before(const struct named_attempt *attempts, const struct choice *one,
                         const struct choice *other)
{
    const struct named_attempt *a = &attempts[one->candidate->attempt];
    const struct named_attempt *b = &attempts[other->candidate->attempt];
    if (one->candidate->is_own != other->candidate->is_own)
        return one->candidate->is_own;
    if (one->overlap != other->overlap)
        return one->overlap > other->overlap;
    if (a->start != b->start)
        return a->start > b->start;
    return a->id < b->id;
}

/* Takes one more candidate into account. */
static void consider(const struct named_attempt *attempts, struct choice *best, const struct choice *next)
{
    if (best->candidate == NULL) {
        *best = *next;
        return;
    }
    bool is_as_likely =
        best->candidate->is_own == next->candidate->is_own && (best->overlap > 0) == (next->overlap > 0);
    bool differs = attempts[best->candidate->attempt].cluster != attempts[next->candidate->attempt].cluster;
    bool is_of_several = is_as_likely && (best->is_of_several || differs);
    if (comes_before(attempts, next, best)) {
        *best = *next;
        best->is_of_several = is_of_several;
    } else if (is_as_likely) {
        best->is_of_several = is_of_several;
    }
}

size_t named_job(const struct named_attempt *attempts, const struct named_candidate *candidates, size_t count,
                 int64_t start, int64_t end, bool is_hardware)
{
    struct choice best = { 0 };
    for (size_t i = 0; i < count; i++) {
        const struct named_attempt *attempt = &attempts[candidates[i].attempt];
        struct choice next = { .candidate = &candidates[i], .overlap = overlap_of(attempt, start, end) };
        if (may_be(attempt, candidates[i].is_own, start, end, is_hardware))
            consider(attempts, &best, &next);
    }
    if (best.candidate == NULL)
        return NO_JOB;
    return best.is_of_several && !best.candidate->is_own ? SEVERAL_JOBS : best.candidate->attempt;
}
