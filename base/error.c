/* base/error.c: see error.h. */
#define KSTAR_ERROR_DEFINITIONS
#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool error_set(struct error *error, enum error_kind kind, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    error->kind = kind;
    error->detail[0] = '\0';
    error->hint[0] = '\0';
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    return false;
}

/* How to remove the cause; NULL if the message already says it, or it is unknown. */
static const char *what_to_do(int cause)
{
    switch (cause) {
    case ENOSPC:
    case EDQUOT:
        return "make room on that disk, then run again";
    case EFBIG:
        return "allow kstar larger files (ulimit -f; LimitFSIZE= of its service), then run again";
    case EROFS:
        return "have it mounted for writing, or name another folder";
    case ENOMEM:
        return "give it more memory, or run less beside it; then run again";
    case EACCES:
    case EPERM:
        return "the user that kstar runs as may not: check owner and mode of the folder, or name another";
    case EAGAIN: /* no thread or process could be started */
        return "allow kstar more memory or processes (ulimit -v and -u; MemoryMax= and TasksMax= of its "
               "service), then run again";
    default:
        return NULL;
    }
}

bool error_set_errno(struct error *error, const char *format, ...)
{
    int cause = errno;
    va_list arguments;
    va_start(arguments, format);
    error_set(error, ERROR_FAILED, "%s", "");
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    size_t used = strlen(error->message);
    snprintf(error->message + used, sizeof error->message - used, ": %s", strerror(cause));
    if (what_to_do(cause) != NULL)
        error_hint(error, "%s", what_to_do(cause));
    return false;
}

bool error_set_empty_file(struct error *error, const char *path)
{
    error_set(error, ERROR_INPUT, "%s: the file is empty", path);
    error_hint(error, "export it again: even without rows an export is not empty");
    return false;
}

bool error_in(struct error *error, const char *format, ...)
{
    char cause[sizeof error->message];
    memcpy(cause, error->message, sizeof cause);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    size_t used = strlen(error->message);
    snprintf(error->message + used, sizeof error->message - used, ": %s", cause);
    return false;
}

void error_detail(struct error *error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->detail, sizeof error->detail, format, arguments);
    va_end(arguments);
}

void error_hint(struct error *error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->hint, sizeof error->hint, format, arguments);
    va_end(arguments);
}
