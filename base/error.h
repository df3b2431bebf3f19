/* base/error.h: how functions report failure.
 *
 * A function that can fail returns bool (or a pointer, NULL on failure) and takes a `struct error
 * *` as its last parameter. The function that knows the cause, and only that function, fills the
 * error: its kind, and one line that names file, line, column and value. Callers pass the error on
 * or add context once with error_in(). Only cli/main.c prints errors, at the end.
 *
 *     if (!read_bill(path, &bill, error))
 *         goto done;
 */
#ifndef KSTAR_BASE_ERROR_H
#define KSTAR_BASE_ERROR_H

#include <stdbool.h>

/* Kinds of failure; each is also the exit code of the program (base/exit_codes.c and
 * docs/operations.md list them). */
enum error_kind {
    ERROR_NONE = 0,
    /* kstar or the machine failed: no memory, no disk, a file not writable */
    ERROR_FAILED = 1,
    ERROR_USAGE = 2, /* the command line is wrong */
    /* a bill, job or reference file was refused; the data in force stay */
    ERROR_INPUT = 3,
    /* the work is done, but rows were quarantined or something waits for a person */
    ERROR_ATTENTION = 4,
    ERROR_CONSERVATION = 5, /* a statement does not add up; it was not published */
    ERROR_BUSY = 6,         /* another kstar holds the lock */
    ERROR_DATABASE = 7,     /* no connection, or the server refused or lost a statement */
    ERROR_BUDGET = 8,       /* the work is done, and a threshold of a budget is crossed */
    ERROR_NIGHT = 9,        /* kstar status: the last night failed, was killed or is too long ago */
    /* kstar advise: the node count costs more above K* than --fail-above allows */
    ERROR_ABOVE = 10,
};

struct error {
    enum error_kind kind;
    char message[1024]; /* one line, no final full stop or newline */
    char detail[1024];  /* optional second line */
    char hint[512];     /* optional: the action to take */
};

/* Fills `error` and returns false, so that a caller can `return error_set(error, ...)`. */
bool error_set(struct error *error, enum error_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same, with ": <strerror(errno)>" appended. The kind is ERROR_FAILED. A full or read-only disk
 * gets its hint. */
bool error_set_errno(struct error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Puts "<context>: " before the message. Returns false. */
bool error_in(struct error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Refuses an empty file, with a hint. Returns false. */
bool error_set_empty_file(struct error *error, const char *path);

#if defined(__clang_analyzer__) && !defined(KSTAR_ERROR_DEFINITIONS)
/* The analyser of tests/lint reads one file at a time. These lines declare to it that the functions
 * return false. */
#define error_set(...)            (error_set(__VA_ARGS__), false)
#define error_set_errno(...)      (error_set_errno(__VA_ARGS__), false)
#define error_in(...)             (error_in(__VA_ARGS__), false)
#define error_set_empty_file(...) (error_set_empty_file(__VA_ARGS__), false)
#endif

void error_detail(struct error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));
void error_hint(struct error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
