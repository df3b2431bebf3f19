/* ingest/delivery_of_file.c: see delivery_of_file.h. */
#include "ingest/delivery_of_file.h"

#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *delivery_of_file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

void delivery_of_file_label(struct ingest_summary *summary, const char *label, const char *path,
                            const char *format, ...)
{
    *summary = (struct ingest_summary){ 0 };
    if (label == NULL) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(summary->label, sizeof summary->label, format, arguments);
        va_end(arguments);
        label = delivery_of_file_name(path);
    }
    size_t used = strlen(summary->label);
    snprintf(summary->label + used, sizeof summary->label - used, "%s", label);
}

bool delivery_of_file_check(const char *path, const char *what, struct error *error)
{
    if (!path_is_readable(path, error))
        return false;
    if (!path_is_directory(path))
        return true;
    error_set(error, ERROR_INPUT, "%s: is a folder; a delivery of %s is a file", path, what);
    error_hint(error, "give its files (%s/*), or put the folder into an inbox for kstar nightly", path);
    return false;
}

void delivery_of_file_unchanged(const char *kind, const char *source, struct ingest_summary *summary)
{
    summary->unchanged = true;
    log_event(LOG_DEBUG, "unchanged", "kind=%s source=\"%s\" label=\"%s\"", kind, source, summary->label);
}

bool delivery_of_file_open(struct delivery *delivery, PGconn *connection, const char *kind,
                           const char *source, const char *path, const char *configuration,
                           struct ingest_summary *summary, struct error *error)
{
    static const char *const any_name[] = { "", NULL };
    if (!delivery_gather(delivery, 1, &path, any_name, configuration, error) ||
        !delivery_open(delivery, connection, kind, source, summary->label, &summary->unchanged, error))
        return false;
    summary->files = !summary->unchanged;
    if (summary->unchanged)
        delivery_of_file_unchanged(kind, source, summary);
    return true;
}
