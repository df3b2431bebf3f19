/* advise/answer.c: see answer.h. */
#include "advise/answer.h"

#include <math.h>

/* The unit of a family's measured times, unless --hours gives those of a job. */
static const char *const own_times[] = {
    [SCALING_RUN_TIME] = "hours of the measured work",
    [SCALING_THROUGHPUT] = "time is 1 / throughput",
    [SCALING_STEP_TIME] = "time is that of one step",
    [SCALING_EFFICIENCY] = "time is 1 on one node",
};

const char *advise_time_text(const struct month_family *family, const struct advise_request *request)
{
    return isnan(request->hours) ? own_times[family->metric] : "hours of the job";
}

bool advise_has_hours(const struct month_family *family, const struct advise_request *request)
{
    return family->metric == SCALING_RUN_TIME || !isnan(request->hours);
}

bool advise_is_beyond(const struct verdict_answer *answer)
{
    return answer->verdict == VERDICT_EXTRAPOLATED && answer->reason != VERDICT_REASON_K_BEYOND;
}
