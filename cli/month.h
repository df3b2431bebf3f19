/* cli/month.h: the statement of one month: allocate, model, round, prove, publish.
 *
 * The stages are the files of sql/allocate/ in their order, with the model's two answers between them: E(K)
 * per attempt before hardware is decomposed, and the verdicts once each job's p and f are known. All of it is
 * one transaction: a statement that does not add up is rolled back, and the one before it stays.
 */
#ifndef KSTAR_CLI_MONTH_H
#define KSTAR_CLI_MONTH_H

#include "base/error.h"

#include <libpq-fe.h>
#include <stdbool.h>

enum { MONTHS_MAXIMUM = 240 };

/* The open months for which there is a bill. */
struct month_list {
    int count;
    struct {
        char month[11];  /* "2026-09-01" */
        bool is_current; /* its statement is what the present data and rules would give */
    } months[MONTHS_MAXIMUM];
};

/* `period` ("2026-09") NULL for all of them; `as_of` NULL: from the data. */
bool month_list(PGconn *connection, const char *period, const char *as_of, struct month_list *list,
                struct error *error);

/* Publishes the statement of `month` ("2026-09-01"). The connection must not be in a transaction. While it
 * works it holds the advisory lock of publishing; ERROR_BUSY names who else does. */
bool month_publish(PGconn *connection, const char *month, const char *as_of, struct error *error);

#endif
