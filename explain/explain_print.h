/* explain/explain_print.h: prints kstar explain's answer from the view `asked`. */
#ifndef KSTAR_EXPLAIN_EXPLAIN_PRINT_H
#define KSTAR_EXPLAIN_EXPLAIN_PRINT_H

#include "base/error.h"
#include "explain/explain_ask.h"

#include <libpq-fe.h>
#include <stdbool.h>

/* The month of the answer. */
struct explain_heading {
    const char *period, *month; /* "2026-09", "2026-09-01" */
    const char *status, *currency;
    bool is_reader; /* reads the views only */
    const struct explain_question *question;
};

/* Prints every part with all its columns. */
bool explain_print_csv(PGconn *connection, const struct explain_heading *heading, struct error *error);

/* Prints an object: `period`, `status`, `currency` (of the statement), `parts`, `sums`, and
 * `adjustments` in later statements. */
bool explain_print_json(PGconn *connection, const struct explain_heading *heading, struct error *error);

/* Prints the answer in a sentence, then tables: lines, redistributed charges, rules, sums, and the
 * adjustments of a closed month. */
bool explain_print_text(PGconn *connection, const struct explain_heading *heading, struct error *error);

#endif
