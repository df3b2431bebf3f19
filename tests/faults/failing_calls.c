/* tests/faults/failing_calls.c: a library for LD_PRELOAD in which one call fails, once.
 *
 *     KSTAR_FAULT_CALL    which: malloc, write, fsync, rename, open; or statement, of which none
 *                         fails: the program is killed before it sends the statement
 *     KSTAR_FAULT_NUMBER  the number of the call that fails, from 1; 0: none
 *     KSTAR_FAULT_COUNTS  a file that gets the number of calls of each kind when the program ends
 *
 * Calls count only in the program that KSTAR_FAULT_PROGRAM names. What libraries call inside the C
 * library (getline, printf) goes past this one: write and open are seen where kstar, libpq and
 * libxlsxwriter call them.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <libpq-fe.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

enum call { CALL_MALLOC, CALL_WRITE, CALL_FSYNC, CALL_RENAME, CALL_OPEN, CALL_STATEMENT, CALLS };
static const char *const names[CALLS] = { "malloc", "write", "fsync", "rename", "open", "statement" };

static atomic_long counts[CALLS];
static enum call failing = CALLS;
static long failing_number;
static bool is_watched;

__attribute__((constructor)) static void begin(void)
{
    const char *call = getenv("KSTAR_FAULT_CALL"), *number = getenv("KSTAR_FAULT_NUMBER");
    const char *program = getenv("KSTAR_FAULT_PROGRAM");
    is_watched = program != NULL && strcmp(program, program_invocation_short_name) == 0;
    for (int i = 0; is_watched && call != NULL && number != NULL && i < CALLS; i++)
        if (strcmp(names[i], call) == 0)
            failing = (enum call)i;
    failing_number = number != NULL ? strtol(number, NULL, 10) : 0;
}

__attribute__((destructor)) static void end(void)
{
    const char *path = getenv("KSTAR_FAULT_COUNTS");
    long counted[CALLS];
    for (int i = 0; i < CALLS; i++)
        counted[i] = counts[i];
    FILE *out = is_watched && path != NULL ? fopen(path, "we") : NULL;
    for (int i = 0; out != NULL && i < CALLS; i++)
        fprintf(out, "%s %ld\n", names[i], counted[i]);
    if (out != NULL)
        fclose(out);
}

static bool fails(enum call call)
{
    return is_watched && atomic_fetch_add(&counts[call], 1) + 1 == failing_number && call == failing;
}

/* The C library's own malloc: dlsym, which would find it, asks for memory itself. */
extern void *__libc_malloc(size_t size); /* NOLINT(bugprone-reserved-identifier) */

void *malloc(size_t size)
{
    if (!fails(CALL_MALLOC))
        return __libc_malloc(size);
    errno = ENOMEM;
    return NULL;
}

ssize_t write(int descriptor, const void *bytes, size_t count)
{
    static ssize_t (*real)(int, const void *, size_t);
    if (real == NULL)
        *(void **)&real = dlsym(RTLD_NEXT, "write");
    if (!fails(CALL_WRITE))
        return real(descriptor, bytes, count);
    errno = ENOSPC;
    return -1;
}

int fsync(int descriptor)
{
    static int (*real)(int);
    if (real == NULL)
        *(void **)&real = dlsym(RTLD_NEXT, "fsync");
    if (!fails(CALL_FSYNC))
        return real(descriptor);
    errno = EIO;
    return -1;
}

int rename(const char *from, const char *to)
{
    static int (*real)(const char *, const char *);
    if (real == NULL)
        *(void **)&real = dlsym(RTLD_NEXT, "rename");
    if (!fails(CALL_RENAME))
        return real(from, to);
    errno = EACCES;
    return -1;
}

int open(const char *path, int flags, ...)
{
    static int (*real)(const char *, int, ...);
    va_list rest;
    va_start(rest, flags);
    mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    if (real == NULL)
        *(void **)&real = dlsym(RTLD_NEXT, "open");
    if (!fails(CALL_OPEN))
        return real(path, flags, mode);
    errno = EMFILE;
    return -1;
}

int open64(const char *path, int flags, ...) __attribute__((alias("open")));

FILE *fopen(const char *path, const char *mode)
{
    static FILE *(*real)(const char *, const char *);
    if (real == NULL)
        *(void **)&real = dlsym(RTLD_NEXT, "fopen");
    if (!fails(CALL_OPEN))
        return real(path, mode);
    errno = EMFILE;
    return NULL;
}

FILE *fopen64(const char *path, const char *mode) __attribute__((alias("fopen")));

/* ---- libpq ---- */

static void count_statement(void)
{
    if (fails(CALL_STATEMENT))
        raise(SIGKILL);
}

PGresult *PQexec(PGconn *connection, const char *query)
{
    static PGresult *(*real)(PGconn *, const char *);
    if (real == NULL)
        *(void **)&real = dlsym(RTLD_NEXT, "PQexec");
    count_statement();
    return real(connection, query);
}

PGresult *PQexecParams(PGconn *connection, const char *query, int count, const Oid *types,
                       const char *const *values, const int *lengths, const int *formats, int result_format)
{
    static PGresult *(*real)(PGconn *, const char *, int, const Oid *, const char *const *, const int *,
                             const int *, int);
    if (real == NULL)
        *(void **)&real = dlsym(RTLD_NEXT, "PQexecParams");
    count_statement();
    return real(connection, query, count, types, values, lengths, formats, result_format);
}

int PQsendQueryParams(PGconn *connection, const char *query, int count, const Oid *types,
                      const char *const *values, const int *lengths, const int *formats, int result_format)
{
    static int (*real)(PGconn *, const char *, int, const Oid *, const char *const *, const int *,
                       const int *, int);
    if (real == NULL)
        *(void **)&real = dlsym(RTLD_NEXT, "PQsendQueryParams");
    count_statement();
    return real(connection, query, count, types, values, lengths, formats, result_format);
}

int PQputCopyEnd(PGconn *connection, const char *message)
{
    static int (*real)(PGconn *, const char *);
    if (real == NULL)
        *(void **)&real = dlsym(RTLD_NEXT, "PQputCopyEnd");
    count_statement();
    return real(connection, message);
}
