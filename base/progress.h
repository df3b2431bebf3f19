/* base/progress.h: progress of long work: a bar on a terminal, else a log line every ten seconds.
 *
 *     progress_start(&progress, label, bytes);
 *     while (…)
 *         progress_update(&progress, position);
 *     progress_end(&progress);
 *
 * The bar is one line of standard error that is drawn over itself. It disappears before a log line
 * or an error, and at the end. There is no bar with --quiet, NO_COLOR or TERM=dumb, or if standard
 * error is no terminal.
 */
#ifndef KSTAR_BASE_PROGRESS_H
#define KSTAR_BASE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
    const char *what; /* not copied */
    int64_t total;    /* 0: unknown */
    int64_t last_shown_ns;
    bool on_terminal;
};

void progress_start(struct progress *progress, const char *what, int64_t total);
void progress_update(struct progress *progress, int64_t done);
void progress_end(struct progress *progress);

/* The same for steps of different length: shown when each begins, only on a terminal, as "what
 * [###...] 3 of 46 name". */
void progress_step(struct progress *progress, int64_t number, const char *name);

void progress_forbid(void); /* --quiet */

#endif
