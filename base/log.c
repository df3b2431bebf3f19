/* base/log.c: see log.h. */
#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static const char *const level_names[] = { "debug", "info", "warning", "error" };
static enum log_level lowest_level = LOG_INFO;

void log_set_level(enum log_level lowest)
{
    lowest_level = lowest;
}

void log_event(enum log_level level, const char *event, const char *fields, ...)
{
    if (level < lowest_level)
        return;
    char line[2048];
    char when[32];
    time_t now = time(NULL);
    struct tm utc;
    strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    va_list arguments;
    va_start(arguments, fields);
    vsnprintf(line, sizeof line, fields, arguments);
    va_end(arguments);
    for (char *byte = line; *byte != '\0'; byte++) {
        if (*byte == '\n' || *byte == '\r')
            *byte = ' ';
    }
    fprintf(stderr, "time=%s level=%s event=%s %s\n", when, level_names[level], event, line);
}

int64_t log_clock_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

void progress_start(struct progress *progress, const char *what, int64_t total)
{
    *progress = (struct progress){ what, total, log_clock_ns(), isatty(STDERR_FILENO) == 1 };
}

void progress_update(struct progress *progress, int64_t done)
{
    int64_t now = log_clock_ns();
    int64_t interval_ns = progress->on_terminal ? 200000000 : 10000000000;
    if (now - progress->last_shown_ns < interval_ns)
        return;
    progress->last_shown_ns = now;
    int percent = progress->total > 0 ? (int)(100 * done / progress->total) : 0;
    if (!progress->on_terminal) {
        log_event(LOG_INFO, "progress", "what=%s done=%lld total=%lld", progress->what, (long long)done,
                  (long long)progress->total);
        return;
    }
    char bar[31];
    for (int i = 0; i < 30; i++)
        bar[i] = i * 100 < percent * 30 ? '#' : '.';
    bar[30] = '\0';
    if (progress->total > 0)
        fprintf(stderr, "\r%s [%s] %3d %%", progress->what, bar, percent);
    else
        fprintf(stderr, "\r%s %lld", progress->what, (long long)done);
}

void progress_end(struct progress *progress)
{
    if (progress->on_terminal)
        fputs("\r\033[K", stderr);
}
