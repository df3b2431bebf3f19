/* night/inbox_news.h: files of an inbox that no night has looked at yet. */
#ifndef KSTAR_NIGHT_INBOX_NEWS_H
#define KSTAR_NIGHT_INBOX_NEWS_H

#include <stdbool.h>
#include <stdint.h>

struct inbox_news {
    int count; /* files that came, or changed, since then */
    /* the first of them in the order of names, as a path below the inbox; "" if there is none */
    char first[512];
};

/* Counts the files that came since a time, in microseconds since 1970. Like kstar nightly it
 * ignores names that begin with a dot. A file that was moved or copied into its place counts by the
 * time of the move or copy, not by its own time. A file of the last hundredth of a second before
 * `since` counts too, because the clock of a file system is that much behind. False if the folder
 * does not exist; it may be on another machine. */
bool inbox_news(const char *inbox, int64_t since, struct inbox_news *news);

#endif
