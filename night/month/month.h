/* night/month/month.h: the statement of one month: allocate, model, round, prove, publish.
 *
 * month.c lists the steps in their order: files of sql/allocate/ and then of sql/results/, with the
 * merge of lines and held time among the first, and the model's answers in C between them: the
 * fits and E(K) per attempt before hardware is decomposed, and the verdicts once each job's p and f
 * are known. All of it is one transaction: a statement that does
 * not add up is rolled back, and the one before it stays.
 */
#ifndef KSTAR_NIGHT_MONTH_MONTH_H
#define KSTAR_NIGHT_MONTH_MONTH_H

#include "allocate/parts_wanted.h"
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

/* `period` ("2026-09") NULL for all of them; `as_of` NULL: from the data. ERROR_USAGE where it lies
 * before theirs. */
bool month_list(PGconn *connection, const char *period, const char *as_of, struct month_list *list,
                struct error *error);

/* Publishes the statement of `month` ("2026-09-01"). The connection must not be in a transaction.
 * While it works it holds the advisory lock of publishing; ERROR_BUSY names who else does. */
bool month_publish(PGconn *connection, const char *month, const char *as_of, struct error *error);

/* Whether the month has a published statement; one whose bill was withdrawn has none any more. */
bool month_has_statement(PGconn *connection, const char *month, bool *published, struct error *error);

/* Publishing, replaying, closing or pruning: all of it is one transaction that sees one state of
 * the data, begun once the session has the lock. month_end commits where `ok`, else drops the
 * transaction, gives the lock back and returns whether all is well; it is to be called after
 * month_begin failed, too. */
struct month_work {
    const char *month; /* "2026-09-01" */
    const char *as_of; /* NULL: from the data */
    bool is_replay;    /* of a closed month */
    /* each statement sees what was committed before it, for one that waits for deliveries */
    bool is_removal;
    bool is_look; /* publishes nothing: takes no lock, and is ended with database_rollback */
};
bool month_begin(PGconn *connection, const struct month_work *work, struct error *error);
bool month_end(PGconn *connection, bool ok, struct error *error);

/* How many connections read a month's lines at a time; 0 (the default): one a processor. */
void month_set_readers(int count);
int month_readers(void); /* as set by month_set_readers(), else one a processor */

/* What the steps of the allocation and the model are run for. A replay needs the steps of money
 * alone. An explanation needs those up to the merge, without the merge itself: MONTH_ASK until it
 * is known which lines are asked for, then MONTH_EXPLAIN. */
enum month_use { MONTH_PUBLISH = 1, MONTH_REPLAY = 2, MONTH_ASK = 4, MONTH_EXPLAIN = 8 };

/* Runs the steps that it needs, in their order. */
bool month_steps(PGconn *connection, enum month_use use, struct error *error);

/* Replays of closed statements, with their frozen rules (docs/late-facts.md). What is published of
 * a closed month is not touched: month_publish of an open one reads what is kept. To be done before
 * month_list.
 *
 * month_replay_list: the closed months whose facts have changed since their close or latest replay.
 * month_replay: one of them, in a transaction of its own. month_replay_changed: all, up to the
 * first that fails. */
bool month_replay_list(PGconn *connection, struct month_list *list, struct error *error);
bool month_replay(PGconn *connection, const char *month, struct error *error);
bool month_replay_changed(PGconn *connection, struct error *error);

/* Closes the statement of `month`, which has to be current: freezes its rules and makes it Final.
 * Refused (ERROR_ATTENTION) where it must not be closed: `reasons` then has a row for each reason,
 * else it is NULL or empty; the caller clears it. `accepted`: why the month is closed although its
 * data are incomplete, or NULL; made NULL if they are complete. The connection must not be in a
 * transaction. */
struct month_close_request {
    const char *month; /* "2026-09-01" */
    const char *closed_by;
    const char *accepted;
};
bool month_close(PGconn *connection, struct month_close_request *request, PGresult **reasons,
                 struct error *error);

/* Fills the temporary table `explained` (sql/explain/explained.sql), which exists, with what the
 * month's charges are made of. The published statement has to be current. Once the month is known,
 * `ask` says which parts are wanted, in texts that live until the call ends; if it is NULL, all
 * are. If it says places, only lines there are read, and only jobs that may have a part of them.
 * What other jobs have of pools and internal charges is taken from the published statement. */
typedef bool month_question(PGconn *connection, struct parts_wanted *wanted, void *context,
                            struct error *error);
bool month_parts_find(PGconn *connection, month_question *ask, void *context, struct error *error);

/* Keeps all of `explained` with the closure of the month at hand, which is there. */
bool month_archive(PGconn *connection, struct error *error);

#endif
