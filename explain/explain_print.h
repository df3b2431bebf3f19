/* explain/explain_print.h: prints kstar explain's answer from the view `asked`. */
#ifndef KSTAR_EXPLAIN_EXPLAIN_PRINT_H
#define KSTAR_EXPLAIN_EXPLAIN_PRINT_H

#include "base/error.h"

#include <libpq-fe.h>
#include <stdbool.h>

/* Of which month the answer is. */
struct explain_heading {
    const char *period, *month; /* "2026-09", "2026-09-01" */
    const char *status;
    bool is_reader; /* of the views alone */
};

/* Every part with all its columns. */
bool explain_print_csv(PGconn *connection, const struct explain_heading *heading, struct error *error);

/* An object: `period`, `status`, `parts`, `sums`, and `adjustments` in later statements. */
bool explain_print_json(PGconn *connection, const struct explain_heading *heading, struct error *error);

/* Tables: lines, what is handed on, rules, the sums, and the adjustments of a closed month. */
bool explain_print_text(PGconn *connection, const struct explain_heading *heading, struct error *error);

#endif
