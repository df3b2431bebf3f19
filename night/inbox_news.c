/* night/inbox_news.c: see inbox_news.h. */
#include "night/inbox_news.h"

#include "base/system/file.h"
#include "night/inbox_stages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { DEEPEST = 16, CLOCK_BEHIND = 10000 /* microseconds */ };

static int64_t changed_at(const struct stat *found)
{
    return (int64_t)found->st_ctim.tv_sec * 1000000 + found->st_ctim.tv_nsec / 1000;
}

/* Whether the folder was moved to its place. The move sets the folder's ctime, but not its mtime
 * (the last time that an entry was added or removed), and no time of the files in it. */
static bool was_moved(const struct stat *folder, int64_t since)
{
    return changed_at(folder) >= since && (folder->st_ctim.tv_sec != folder->st_mtim.tv_sec ||
                                           folder->st_ctim.tv_nsec != folder->st_mtim.tv_nsec);
}

static void look_at(const char *path, size_t inbox_length, int64_t since, int depth, struct inbox_news *news)
{
    struct error unreadable;
    struct directory_listing listing = { 0 };
    struct stat found;
    if (stat(path, &found) != 0)
        return;
    if (S_ISREG(found.st_mode) && changed_at(&found) >= since && news->count++ == 0)
        snprintf(news->first, sizeof news->first, "%s", path + inbox_length + 1);
    if (!S_ISDIR(found.st_mode) || depth == DEEPEST || !directory_list(path, &listing, &unreadable))
        return;
    const int64_t all = 0;
    const int64_t since_below = was_moved(&found, since) ? all : since;
    for (int i = 0; i < listing.count; i++) {
        char *below = path_join(path, listing.names[i]);
        look_at(below, inbox_length, since_below, depth + 1, news);
        free(below);
    }
    directory_listing_free(&listing);
}

bool inbox_news(const char *inbox, int64_t since, struct inbox_news *news)
{
    struct error unreadable;
    struct directory_listing listing = { 0 };
    *news = (struct inbox_news){ 0 };
    if (!path_is_directory(inbox))
        return false;
    (void)directory_list(inbox, &listing, &unreadable);
    for (int i = 0; i < listing.count; i++) {
        char *folder = path_join(inbox, listing.names[i]);
        if (inbox_stage_is(listing.names[i]))
            look_at(folder, strlen(inbox), since - CLOCK_BEHIND, 0, news);
        free(folder);
    }
    directory_listing_free(&listing);
    return true;
}
