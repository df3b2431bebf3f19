/* base/error.h: the one way to fail.
 *
 * A function that can fail returns bool (or a pointer, NULL on failure) and takes a `struct error
 * *` as its last parameter. Where the cause is known, and only there, the error is filled: what
 * kind it is and one line that names file, line, column and value. Callers pass it on untouched or
 * add context once with error_in(). Nobody prints in the middle; cli/main.c prints at the end.
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
    /* something in kstar or the machine: no memory, no disk, a file not writable */
    ERROR_FAILED = 1,
    ERROR_USAGE = 2, /* the command line is wrong */
    /* a bill, job or reference file was refused; what was there before stays current */
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
    char hint[512];     /* optional: what to do */
};

/* Fills `error` and returns false, so that a caller can `return error_set(error, ...)`. */
bool error_set(struct error *error, enum error_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same, with ": <strerror(errno)>" appended. Kind is ERROR_FAILED. A disk that is full or
 * read-only has its hint. */
bool error_set_errno(struct error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Puts "<context>: " before the message. Returns false. */
bool error_in(struct error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Refuses a file without content, with what to do about it. Returns false. */
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
