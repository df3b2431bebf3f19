/* base/progress.c: see progress.h. */
#include "base/progress.h"

#include "base/log.h"
#include "base/status_line.h"
#include "base/utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { BAR = 20, SMALLEST_WHAT = 17, LINE = 512 };

static bool is_forbidden;

static bool may_draw(void)
{
    const char *terminal = getenv("TERM"), *no_color = getenv("NO_COLOR");
    return !is_forbidden && terminal != NULL && terminal[0] != '\0' && strcmp(terminal, "dumb") != 0 &&
           (no_color == NULL || no_color[0] == '\0') && isatty(STDERR_FILENO) == 1;
}

static int terminal_columns(void)
{
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

/* The beginning of a text that fits the screen, with room for an ellipsis. */
static const char *cut(const char *text, int room, char shown[LINE])
{
    size_t size = (size_t)room + sizeof "\xe2\x80\xa6";
    return utf8_excerpt(text, strlen(text), shown, size < LINE ? size : LINE);
}

/* Draws one line, never wider than the terminal: a wrapped line cannot be drawn over. */
static void draw(const struct progress *progress, int64_t done, const char *after)
{
    char bar[BAR + 1], what[LINE], rest[LINE];
    int64_t filled = progress->total > 0 ? BAR * done / progress->total : 0;
    for (int i = 0; i < BAR; i++)
        bar[i] = i < filled ? '#' : '.';
    bar[BAR] = '\0';
    int room = terminal_columns() - BAR - 6; /* of brackets, a blank, two ellipses and the cursor */
    int length = (int)strlen(after);
    int room_after = length < room - SMALLEST_WHAT ? length : room - SMALLEST_WHAT;
    if (room_after < 0)
        return;
    char line[2 * LINE + BAR + 4];
    snprintf(line, sizeof line, "%s [%s]%s", cut(progress->what, room - room_after, what), bar,
             cut(after, room_after, rest));
    status_line_draw(line);
}

void progress_forbid(void)
{
    is_forbidden = true;
}

void progress_start(struct progress *progress, const char *what, int64_t total)
{
    *progress = (struct progress){ what, total, log_clock_ns(), may_draw() };
}

void progress_update(struct progress *progress, int64_t done)
{
    int64_t now = log_clock_ns();
    int64_t interval_ns = progress->on_terminal ? 200000000 : 10000000000;
    if (now - progress->last_shown_ns < interval_ns)
        return;
    char after[64] = "";
    progress->last_shown_ns = now;
    if (!progress->on_terminal)
        log_event(LOG_INFO, "progress", "what=\"%s\" done=%lld total=%lld", progress->what, (long long)done,
                  (long long)progress->total);
    else if (progress->total > 0)
        snprintf(after, sizeof after, " %3d %%", (int)(100 * done / progress->total));
    else
        snprintf(after, sizeof after, " %lld", (long long)done);
    if (progress->on_terminal)
        draw(progress, done, after);
}

void progress_step(struct progress *progress, int64_t number, const char *name)
{
    char after[256];
    snprintf(after, sizeof after, " %lld of %lld %s", (long long)number, (long long)progress->total, name);
    if (progress->on_terminal)
        draw(progress, number - 1, after);
}

void progress_end(struct progress *progress)
{
    if (progress->on_terminal)
        status_line_hide();
}
