/* explain/explain_ask.h: what kstar explain is asked, and where in the month's lines the answer
 * is. */
#ifndef KSTAR_EXPLAIN_EXPLAIN_ASK_H
#define KSTAR_EXPLAIN_EXPLAIN_ASK_H

#include "base/error.h"

#include <libpq-fe.h>
#include <stdbool.h>

/* One of job to line, or none: the whole month. */
struct explain_question {
    const char *period; /* "2026-09" */
    const char *job;    /* "900" or "west/900" */
    const char *cost_centre, *pool, *invoice;
    const char *line; /* "FILE:LINE" */
    char month[16];   /* "2026-09-01" */
    char *attempts;   /* of the job, "{1,2}": explain_ask finds them, the caller frees them */
};

/* Refuses (ERROR_USAGE) what cannot be asked. */
bool explain_check(struct explain_question *question, struct error *error);

/* Sets what sql/explain reads with current_setting, and finds the job's attempts. ERROR_INPUT where
 * there is no such job in the month's statement. In the transaction of the answer. */
bool explain_ask(PGconn *connection, struct explain_question *question, struct error *error);

/* The same for a reader. With `explained` filled, explain_ask_job_seen finds the job's attempts. */
bool explain_ask_seen(PGconn *connection, const struct explain_question *question, struct error *error);
bool explain_ask_job_seen(PGconn *connection, const struct explain_question *question, struct error *error);

/* A month_places (month.h), whose context is the question. */
bool explain_places(PGconn *connection, char **places, void *context, struct error *error);

#endif
