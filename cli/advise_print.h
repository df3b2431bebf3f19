/* cli/advise_print.h: prints what `kstar advise` answers, as a table or as JSON. Both forms come
 * from the same answer; neither computes anything. */
#ifndef KSTAR_CLI_ADVISE_PRINT_H
#define KSTAR_CLI_ADVISE_PRINT_H

#include "cli/advise_answer.h"
#include "cli/advise_request.h"

/* Prints the answer as requested. `of` may be NULL (no family). False: standard output failed. */
bool advise_print(const struct advise_request *request, const struct advise_answer *answer,
                  const struct advise_row *rows, const struct advise_family_answer *of, struct error *error);

#endif
