/* base/postgres/private_cluster_recovery.c: see private_cluster_recovery.h. */
#include "base/postgres/private_cluster_recovery.h"

#include "base/system/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The title of the process is "postgres: startup recovering 000000010000000000000005". */
static bool is_recovery(long process)
{
    char path[64], title[256] = "";
    snprintf(path, sizeof path, "/proc/%ld/cmdline", process);
    FILE *file = fopen(path, "re");
    size_t length = file != NULL ? fread(title, 1, sizeof title - 1, file) : 0;
    if (file != NULL)
        fclose(file);
    title[length] = '\0';
    return strncmp(title, "postgres: ", 10) == 0 && strstr(title, "startup") != NULL;
}

/* The child of the server that runs the recovery; 0: none. */
static long find_recovery(long server)
{
    char path[96];
    long child, found = 0;
    snprintf(path, sizeof path, "/proc/%ld/task/%ld/children", server, server);
    FILE *file = fopen(path, "re");
    while (file != NULL && found == 0 && fscanf(file, "%ld", &child) == 1)
        found = is_recovery(child) ? child : 0;
    if (file != NULL)
        fclose(file);
    return found;
}

bool recovery_repeats(struct recovery_watch *watch, long server)
{
    long process = server > 0 ? find_recovery(server) : 0;
    bool is_another = process != 0 && watch->process != 0 && process != watch->process;
    watch->repeats += is_another;
    watch->process = process != 0 ? process : watch->process;
    return is_another;
}

static void find_cause(const char *path, char line[512])
{
    char read[512];
    FILE *file = fopen(path, "re");
    while (file != NULL && fgets(read, sizeof read, file) != NULL) {
        const char *cause = strstr(read, "PANIC:");
        if (cause != NULL)
            snprintf(line, 512, "%.*s", (int)strcspn(cause, "\n"), cause);
    }
    if (file != NULL)
        fclose(file);
}

const char *recovery_cause(const char *log, char line[512])
{
    struct directory_listing listing;
    struct error ignored;
    line[0] = '\0';
    if (!directory_list(log, &listing, &ignored))
        return line;
    for (int i = 0; i < listing.count; i++) {
        char *path = path_join(log, listing.names[i]);
        find_cause(path, line);
        free(path);
    }
    directory_listing_free(&listing);
    return line;
}
