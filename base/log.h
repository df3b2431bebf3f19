/* base/log.h: the log of kstar: one event per line, on standard error.
 *
 *     time=2026-11-20T02:00:07Z level=info run=312 stage=billing event=ingested rows=998159
 *     {"time":"2026-11-20T02:00:07Z","level":"info","run":312,"stage":"billing",…}
 *
 * The first form, logfmt, is for people and scripts, also on a terminal. The second is JSON for a
 * collector. Values may contain bytes of foreign files. They are escaped, so that a line is always
 * one event and a value never becomes a field.
 *
 * The log is only on standard error; standard output is for results. Clock times appear in the log
 * and the run ledger, never in published rows or workbooks.
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

/* The run number of the ledger and the stage on all lines from now on; NULL for none. The texts are
 * not copied and must stay valid. */
void log_set_run(const char *number);
void log_set_stage(const char *stage);

/* Writes a line. `event` is one word. `fields` is logfmt text for printf, with quotes around values
 * of any content: "rows=%lld file=\"%s\"". Allowed are %s, %d, %u, %f, %g and %c with any width,
 * precision and length, but no '*'. */
void log_event(enum log_level level, const char *event, const char *fields, ...)
    __attribute__((format(printf, 3, 4)));

/* A monotonic clock in nanoseconds, to measure durations. */
int64_t log_clock_ns(void);

#endif
