/* model/cost/verdict_texts.h: verdicts, their reasons and the next measurement in words. */
#ifndef KSTAR_MODEL_COST_VERDICT_TEXTS_H
#define KSTAR_MODEL_COST_VERDICT_TEXTS_H

#include "model/cost/verdict_answer.h"

#include <stddef.h>

/* "above K*": for workbooks and databases. */
const char *verdict_name(enum verdict verdict);

/* A sentence for the reader. */
const char *verdict_reason_text(enum verdict_reason reason);

/* "measure K = 16: one size beyond the suspected optimum pins K* down best." Returns text. */
char *verdict_next_text(const struct verdict_answer *answer, char *text, size_t size);

#endif
