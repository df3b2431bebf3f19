/* advise/sentence.h: the verdict of `kstar advise` in one sentence, with its currency. */
#ifndef KSTAR_ADVISE_SENTENCE_H
#define KSTAR_ADVISE_SENTENCE_H

#include "advise/answer.h"

enum { ADVISE_SENTENCE = 640 };

/* `of` NULL: without measured sizes. Returns text. */
char *advise_sentence(const struct advise_request *request, const struct advise_answer *answer,
                      const struct advise_row *rows, const struct advise_family_answer *of,
                      char text[ADVISE_SENTENCE]);

/* The share of the cost on --k that the job would save on K*; NaN: unknown. */
double advise_excess_share(const struct advise_request *request, const struct advise_answer *answer,
                           const struct advise_row *rows, const struct advise_family_answer *of);

/* With --fail-above, sets the kind of error: ERROR_ABOVE, or ERROR_ATTENTION if --k cannot be
 * judged. */
void advise_fail_above(const struct advise_request *request, const struct advise_answer *answer,
                       const struct advise_row *rows, const struct advise_family_answer *of,
                       struct error *error);

#endif
