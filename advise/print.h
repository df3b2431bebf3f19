/* advise/print.h: prints what `kstar advise` answers, as a table or as JSON. Both forms come
 * from the same answer; neither computes anything. */
#ifndef KSTAR_ADVISE_PRINT_H
#define KSTAR_ADVISE_PRINT_H

#include "advise/answer.h"
#include "advise/request.h"

/* Prints the answer as requested. `of` may be NULL (no family). False: standard output failed. */
bool advise_print(const struct advise_request *request, const struct advise_answer *answer,
                  const struct advise_row *rows, const struct advise_family_answer *of, struct error *error);

#endif
