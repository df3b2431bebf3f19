/* night/month/month.h: the statement of one month: allocate, model, round, prove, publish.
 *
 * month.c lists the steps in their order. First come the files of sql/allocate/, with the merge of
 * lines and held time among them, then those of sql/results/. C steps between them ask the model:
 * the fits and E(K) per attempt before hardware is decomposed, and the verdicts once each job's p
 * and f are known. All steps run in one transaction: a statement that does not add up is rolled
 * back, and the one before it stays.
 */
#ifndef KSTAR_NIGHT_MONTH_MONTH_H
#define KSTAR_NIGHT_MONTH_MONTH_H

#include "allocate/parts_wanted.h"
#include "base/error.h"

#include <libpq-fe.h>
#include <stdbool.h>

enum { MONTHS_MAXIMUM = 240 };

/* The open months that have a bill. */
struct month_list {
    int count;
    struct {
        char month[11];  /* "2026-09-01" */
        bool is_current; /* the present data and rules would give the same statement */
    } months[MONTHS_MAXIMUM];
};

/* `period` ("2026-09") NULL: all open months; `as_of` NULL: from the data. ERROR_USAGE if `as_of`
 * is earlier than the data's. */
bool month_list(PGconn *connection, const char *period, const char *as_of, struct month_list *list,
                struct error *error);

/* Whether the present data and rules would give the published statement of the open month `month`
 * again, at its own as-of. False if it has none. */
bool month_is_current(PGconn *connection, const char *month, bool *current, struct error *error);

/* Publishes the statement of `month` ("2026-09-01"). The connection must not be in a transaction.
 * During its work kstar holds the advisory lock of publishing. ERROR_BUSY names the current
 * holder. */
bool month_publish(PGconn *connection, const char *month, const char *as_of, struct error *error);

/* Whether the month has a published statement. A month whose bill was withdrawn has none any
 * more. */
bool month_has_statement(PGconn *connection, const char *month, bool *published, struct error *error);

/* Publishing, replaying, closing or pruning. Each is one transaction that sees one state of the
 * data and begins after the session has the lock. month_end commits if `ok`, else rolls back; then
 * it gives the lock back and returns whether all is well. Call it after a failed month_begin,
 * too. */
struct month_work {
    const char *month; /* "2026-09-01" */
    const char *as_of; /* NULL: from the data */
    bool is_replay;    /* of a closed month */
    /* it waits for deliveries, so each statement must see what was committed before it */
    bool is_removal;
    bool is_look; /* publishes nothing: takes no lock, and is ended with database_rollback */
};
bool month_begin(PGconn *connection, const struct month_work *work, struct error *error);
bool month_end(PGconn *connection, bool ok, struct error *error);

/* Sets how many connections read a month's lines at a time; 0 (the default): one per processor. */
void month_set_readers(int count);
int month_readers(void); /* as set by month_set_readers(), else one per processor */

/* What the steps of the allocation and the model are run for. A replay needs only the steps about
 * money. An explanation needs the steps up to the merge, without the merge itself: MONTH_ASK until
 * it is known which lines are wanted, then MONTH_EXPLAIN. */
enum month_use { MONTH_PUBLISH = 1, MONTH_REPLAY = 2, MONTH_ASK = 4, MONTH_EXPLAIN = 8 };

/* Runs the steps that the use needs, in their order. */
bool month_steps(PGconn *connection, enum month_use use, struct error *error);

/* Replays closed statements with their frozen rules (docs/late-facts.md). Published rows of a
 * closed month stay as they are: month_publish of an open month reads the sums that a replay keeps.
 * So replays come before month_list.
 *
 * month_replay_list: the closed months whose facts have changed since their close or latest replay.
 * month_replay: one of them, in a transaction of its own. month_replay_changed: all, up to the
 * first that fails. */
bool month_replay_list(PGconn *connection, struct month_list *list, struct error *error);
bool month_replay(PGconn *connection, const char *month, struct error *error);
bool month_replay_changed(PGconn *connection, struct error *error);

/* Closes the statement of `month`, which has to be current: freezes its rules and makes it Final.
 * ERROR_ATTENTION if the month must not be closed: `reasons` then has a row for each reason, else
 * it is NULL or empty; the caller clears it. `accepted`: why the month is closed although its data
 * are incomplete, or NULL; made NULL if they are complete. The connection must not be in a
 * transaction. */
struct month_close_request {
    const char *month; /* "2026-09-01" */
    const char *closed_by;
    const char *accepted;
};
bool month_close(PGconn *connection, struct month_close_request *request, PGresult **reasons,
                 struct error *error);

/* Fills the temporary table `explained` (sql/explain/explained.sql), which must exist, with the
 * parts of the month's charges. The published statement has to be current. Once the month is known,
 * `ask` says which parts are wanted, in texts that live until the call ends. `ask` NULL: all parts.
 * If it gives places, only lines at these places are read, and only jobs that may have a part of
 * them. Other jobs' parts of pools and internal charges are then taken from the published
 * statement. */
typedef bool month_question(PGconn *connection, struct parts_wanted *wanted, void *context,
                            struct error *error);
bool month_parts_find(PGconn *connection, month_question *ask, void *context, struct error *error);

/* ERROR_INPUT unless the statement of the open month is current. */
bool month_parts_check(PGconn *connection, const char *month, struct error *error);

/* Stores all rows of `explained` with the closure of the current month, which must exist. */
bool month_archive(PGconn *connection, struct error *error);

/* Stores the parts of an open month for readers, until its next statement removes them. The
 * connection must not be in a transaction. */
bool month_parts_store(PGconn *connection, const char *month, struct error *error);

#endif
