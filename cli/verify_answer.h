/* cli/verify_answer.h: the answer to one question of kstar verify. */
#ifndef KSTAR_CLI_VERIFY_ANSWER_H
#define KSTAR_CLI_VERIFY_ANSWER_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

enum { VERIFY_TEXT = 1024 };

struct verify_answer {
    int64_t compared, differing;
    char first[VERIFY_TEXT]; /* the first difference; "": none */
    char why[VERIFY_TEXT];   /* why it is not proven; "": it could be compared */
    bool waits;              /* not proven, and a person can mend that */
};

#endif
