/* model/cost/verdict_next.h: what to measure next: the one size that would narrow the answer most,
 * among the sizes that the family allows. */
#ifndef KSTAR_MODEL_COST_VERDICT_NEXT_H
#define KSTAR_MODEL_COST_VERDICT_NEXT_H

#include "model/cost/verdict_answer.h"

/* Sets `next` and `next_k` of an answer with a verdict: the first missing measurement, the most
 * informative first. */
void verdict_next(const struct verdict_question *question, const struct verdict_rules *rules,
                  struct verdict_answer *answer);

#endif
