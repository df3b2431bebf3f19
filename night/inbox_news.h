/* night/inbox_news.h: files of an inbox that no night has looked at yet. */
#ifndef KSTAR_NIGHT_INBOX_NEWS_H
#define KSTAR_NIGHT_INBOX_NEWS_H

#include <stdbool.h>
#include <stdint.h>

struct inbox_news {
    int count; /* files that came, or changed, since then */
    /* below the inbox, the first of them in the order of names; "" where there is none */
    char first[512];
};

/* Counts the files that came since a time, in microseconds since 1970. It looks through an inbox as
 * kstar nightly does: names that begin with a dot are left alone. A file that was moved or copied
 * into its place counts by the time of that, not by its own. A file of the last hundredth of a
 * second before counts too: the clock of a file system is so much behind. False where there is no
 * such folder, on another machine perhaps. */
bool inbox_news(const char *inbox, int64_t since, struct inbox_news *news);

#endif
