/* base/exit_codes.h: the exit codes of kstar in one table. `kstar help` lists them, the run ledger
 * uses their words, and docs/operations.md explains them (a test compares them). */
#ifndef KSTAR_BASE_EXIT_CODES_H
#define KSTAR_BASE_EXIT_CODES_H

struct exit_code {
    int code;            /* an enum error_kind, or 128 + a signal */
    const char *outcome; /* in the run ledger */
    const char *meaning;
};

extern const struct exit_code exit_codes[]; /* ascending; ends with an outcome of NULL */

/* The outcome of a code; 'failed' if it is not in the table. */
const char *exit_code_outcome(int code);

/* The graver of two codes, in this order: a failure (of the database, the machine, the program), a
 * statement that does not add up, a refusal, something that waits, a budget. Of two failures the
 * first counts. */
int exit_code_graver(int one, int other);

#endif
