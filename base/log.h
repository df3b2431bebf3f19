/* base/log.h: the log of what kstar does: one event a line, on standard error.
 *
 *     time=2026-11-20T02:00:07Z level=info run=312 stage=billing event=ingested rows=998159
 *     {"time":"2026-11-20T02:00:07Z","level":"info","run":312,"stage":"billing",…}
 *
 * The first form, logfmt, is for people and scripts alike, on a terminal, too; the second is JSON,
 * for a collector. Values may hold bytes of anybody's files: they are escaped, so that a line is
 * always one event and a value never becomes a field.
 *
 * Only standard error carries the log; standard output belongs to results. The clock appears here
 * and in the run ledger, never in published rows or workbooks.
 */
#ifndef KSTAR_BASE_LOG_H
#define KSTAR_BASE_LOG_H

#include <stdbool.h>
#include <stdint.h>

enum log_level { LOG_DEBUG, LOG_INFO, LOG_WARNING, LOG_ERROR };
enum log_format { LOG_LOGFMT, LOG_JSON };

void log_set_level(enum log_level lowest); /* default LOG_INFO */

/* "logfmt" (the default) or "json"; false for anything else. */
bool log_set_format(const char *name);
enum log_format log_format(void);

/* What every line names from now on: the run's number in the ledger, and its stage; NULL for none.
 * Not copied: they stay where they are. */
void log_set_run(const char *number);
void log_set_stage(const char *stage);

/* One line. `event` is one word; `fields` is logfmt text made with printf, in which values that may
 * be anything stand in quotes: "rows=%lld file=\"%s\"". It knows %s, %d, %u, %f, %g and %c with any
 * width, precision and length, but no '*'. */
void log_event(enum log_level level, const char *event, const char *fields, ...)
    __attribute__((format(printf, 3, 4)));

/* A monotonic clock in nanoseconds: how long something takes. */
int64_t log_clock_ns(void);

#endif
