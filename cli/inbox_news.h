/* cli/inbox_news.h: files of an inbox that no night has looked at yet. */
#ifndef KSTAR_CLI_INBOX_NEWS_H
#define KSTAR_CLI_INBOX_NEWS_H

#include <stdbool.h>
#include <time.h>

struct inbox_news {
    int count;       /* files that came, or changed, at `since` or later */
    char first[512]; /* below the inbox, the first of them in the order of names; "" where there is none */
};

/* Looks through an inbox, as kstar nightly does: names that begin with a dot are left alone. A file that was
 * moved or copied into its place is told by the time of that, not by its own. False where there is no such
 * folder, on another machine perhaps. */
bool inbox_news(const char *inbox, time_t since, struct inbox_news *news);

#endif
