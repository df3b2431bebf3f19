/* tests/lib/failing_memory.c: loaded before the C library (LD_PRELOAD), lets one request for memory
 * of kstar fail: the first one that comes by the Nth way, where a way is the functions that were
 * under way, numbered from 1 as they first appear.
 *
 *     KSTAR_TEST_MEMORY_FAILS=N        fails there; 0: nowhere
 *     KSTAR_TEST_MEMORY_WAYS=FILE      how many ways there were, written at the end
 */
#define _GNU_SOURCE /* RTLD_NEXT, program_invocation_short_name */
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WAYS = 1 << 16, DEPTH = 24 };

static uint64_t seen[WAYS];
static long ways, fails;
static atomic_flag busy = ATOMIC_FLAG_INIT;
static bool is_ready;
static _Thread_local bool is_inside; /* backtrace() itself may ask for memory */

/* True if the request that is being made is the one to fail. */
static bool is_the_one(void)
{
    if (!is_ready || is_inside)
        return false;
    is_inside = true;
    void *frames[DEPTH];
    int depth = backtrace(frames, DEPTH);
    uint64_t hash = 14695981039346656037u;
    for (int i = 0; i < depth; i++)
        hash = (hash ^ (uint64_t)(uintptr_t)frames[i]) * 1099511628211u;
    while (atomic_flag_test_and_set(&busy))
        ;
    size_t at = hash % WAYS;
    while (seen[at] != 0 && seen[at] != hash)
        at = (at + 1) % WAYS;
    bool is_new = seen[at] == 0 && ways < WAYS - 1;
    if (is_new) {
        seen[at] = hash;
        ways++;
    }
    bool fail = is_new && ways == fails;
    atomic_flag_clear(&busy);
    is_inside = false;
    return fail;
}

static void *failed(void)
{
    errno = ENOMEM;
    return NULL;
}

void *malloc(size_t size)
{
    static void *(*next)(size_t);
    if (next == NULL)
        next = (void *(*)(size_t))(uintptr_t)dlsym(RTLD_NEXT, "malloc");
    return is_the_one() ? failed() : next(size);
}

void *realloc(void *memory, size_t size)
{
    static void *(*next)(void *, size_t);
    if (next == NULL)
        next = (void *(*)(void *, size_t))(uintptr_t)dlsym(RTLD_NEXT, "realloc");
    return is_the_one() ? failed() : next(memory, size);
}

void *calloc(size_t count, size_t size)
{
    static void *(*next)(size_t, size_t);
    if (next == NULL)
        next = (void *(*)(size_t, size_t))(uintptr_t)dlsym(RTLD_NEXT, "calloc");
    return is_the_one() ? failed() : next(count, size);
}

__attribute__((constructor)) static void begin(void)
{
    const char *number = getenv("KSTAR_TEST_MEMORY_FAILS");
    void *frames[DEPTH];
    backtrace(frames, DEPTH); /* loads the unwinder */
    fails = number != NULL ? strtol(number, NULL, 10) : 0;
    is_ready = number != NULL && strcmp(program_invocation_short_name, "kstar") == 0;
}

__attribute__((destructor)) static void end(void)
{
    const char *path = getenv("KSTAR_TEST_MEMORY_WAYS");
    bool was_ready = is_ready;
    is_ready = false;
    FILE *file = path != NULL && was_ready ? fopen(path, "w") : NULL;
    if (file != NULL) {
        fprintf(file, "%ld\n", ways);
        fclose(file);
    }
}
