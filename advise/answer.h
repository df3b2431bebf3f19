/* advise/answer.h: what `kstar advise` knows of a family beside its curve. */
#ifndef KSTAR_ADVISE_ANSWER_H
#define KSTAR_ADVISE_ANSWER_H

#include "advise/request.h"
#include "model/cost/verdict.h"
#include "night/month/month_families.h"

/* The part of an answer that comes from a family. */
struct advise_family_answer {
    const struct month_family *family;
    struct cost_curve curve;
    struct k_interval interval;
    struct verdict_answer verdict;
    char month[16];        /* of the prices; "": they were given */
    char interrupted[256]; /* what interrupts its jobs, in words; "": nothing */
};

/* What the times of the family's answer are: "hours of the job", or of what was measured. */
const char *advise_time_text(const struct month_family *family, const struct advise_request *request);

/* Whether the answer is in hours of a job, and its costs in money of one. */
bool advise_has_hours(const struct month_family *family, const struct advise_request *request);

/* Whether K* itself is beyond what the family's measurements may be stretched to: the K* shown is
 * only the end of the curve. */
bool advise_is_beyond(const struct verdict_answer *answer);

#endif
