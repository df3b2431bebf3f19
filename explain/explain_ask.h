/* explain/explain_ask.h: the question that kstar explain answers, and which of the month's lines
 * it needs. */
#ifndef KSTAR_EXPLAIN_EXPLAIN_ASK_H
#define KSTAR_EXPLAIN_EXPLAIN_ASK_H

#include "allocate/parts_wanted.h"
#include "base/error.h"

#include <libpq-fe.h>
#include <stdbool.h>

/* One of `job` .. `line` is set, or none for the whole month. */
struct explain_question {
    const char *period; /* "2026-09" */
    const char *job;    /* "900" or "west/900" */
    const char *cost_centre, *pool, *invoice;
    const char *line; /* "FILE:LINE" */
    char month[16];   /* "2026-09-01" */
    char *attempts;   /* of the job, "{1,2}": set by explain_ask, freed by the caller */
    char *places;     /* of the job or line: set by explain_wanted, freed by the caller */
};

/* Checks the question. ERROR_USAGE if it cannot be answered. */
bool explain_check(struct explain_question *question, struct error *error);

/* Sets the settings that sql/explain reads with current_setting, and finds the job's attempts.
 * ERROR_INPUT if the month's statement has no such job. Runs in the transaction of the answer. */
bool explain_ask(PGconn *connection, struct explain_question *question, struct error *error);

/* The same for a user with the reader role. explain_ask_job_seen finds the job's attempts once
 * `explained` is filled. */
bool explain_ask_seen(PGconn *connection, const struct explain_question *question, struct error *error);
bool explain_ask_job_seen(PGconn *connection, const struct explain_question *question, struct error *error);

/* A month_question (month.h), whose context is the question. */
bool explain_wanted(PGconn *connection, struct parts_wanted *wanted, void *context, struct error *error);

#endif
