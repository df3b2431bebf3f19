/* advise/answer.h: what `kstar advise` knows of a family besides its curve. */
#ifndef KSTAR_ADVISE_ANSWER_H
#define KSTAR_ADVISE_ANSWER_H

#include "advise/request.h"
#include "model/cost/verdict_answer.h"
#include "night/month/month_families.h"

/* The part of an answer that comes from a family. */
struct advise_family_answer {
    const struct month_family *family;
    struct cost_curve curve;
    struct k_interval interval;
    struct verdict_answer verdict;
    char month[16];        /* of the prices; "": all prices were given */
    char interrupted[256]; /* the interruptions of its jobs, in words; "": none */
};

/* The unit of the times in the answer: "hours of the job", or of the measurements. */
const char *advise_time_text(const struct month_family *family, const struct advise_request *request);

/* Whether times are hours of a job, and costs are money of a job. */
bool advise_has_hours(const struct month_family *family, const struct advise_request *request);

/* Whether K* itself is beyond the K that the family's measurements cover. The K* shown is then only
 * the end of the curve. */
bool advise_is_beyond(const struct verdict_answer *answer);

#endif
