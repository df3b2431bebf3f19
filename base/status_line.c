/* base/status_line.c: see status_line.h. */
#include "base/status_line.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

static atomic_bool is_shown;

void status_line_draw(const char *text)
{
    status_line_hide();
    fputs(text, stderr);
    fflush(stderr);
    atomic_store(&is_shown, true);
}

void status_line_hide(void)
{
    if (!atomic_exchange(&is_shown, false))
        return;
    fputs("\r\033[K", stderr);
    fflush(stderr); /* the log does not use stdio */
}
