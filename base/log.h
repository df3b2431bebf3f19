/* base/log.h: what kstar says while it works: logfmt lines on standard error.
 *
 *     time=2026-11-20T02:00:07Z level=info event=ingest source=aws rows=998159 rejected=1
 *
 * Only standard error carries the log; standard output belongs to results. The clock appears here and in the
 * run ledger, never in published rows or workbooks.
 */
#ifndef KSTAR_BASE_LOG_H
#define KSTAR_BASE_LOG_H

#include <stdbool.h>
#include <stdint.h>

enum log_level { LOG_DEBUG, LOG_INFO, LOG_WARNING, LOG_ERROR };

void log_set_level(enum log_level lowest); /* default LOG_INFO */

/* One line. `event` is one word; `fields` is logfmt text made with printf: "rows=%lld file=\"%s\"". */
void log_event(enum log_level level, const char *event, const char *fields, ...)
    __attribute__((format(printf, 3, 4)));

/* A clock that only ever goes on, in nanoseconds: how long something takes. */
int64_t log_clock_ns(void);

/* A progress bar on a terminal, one log line every ten seconds elsewhere. `total` 0 means unknown. */
struct progress {
    const char *what;
    int64_t total;
    int64_t last_shown_ns;
    bool on_terminal;
};
void progress_start(struct progress *progress, const char *what, int64_t total);
void progress_update(struct progress *progress, int64_t done);
void progress_end(struct progress *progress);

#endif
