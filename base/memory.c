/* base/memory.c: see memory.h.
 *
 * The program defines its own malloc, calloc and realloc, which its libraries use, too. They call
 * those of the C library; free() is the C library's.
 */
#define _GNU_SOURCE /* RTLD_NEXT, vasprintf */
#include "base/memory.h"

#include "base/error.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) || __has_feature(thread_sanitizer)
#define KSTAR_FOREIGN_ALLOCATOR
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define KSTAR_FOREIGN_ALLOCATOR
#endif

static const char *last_words = "error: out of memory\n"
                                "  hint:   give kstar more, or run less beside it; then run again\n";

void memory_last_words(const char *text)
{
    last_words = text;
}

/* This function must not need memory, nor `stderr`, which is not ours while a workbook is closed.
 * If several threads are out of memory at once, one of them reports it and ends the program. */
void memory_is_out(void)
{
    static atomic_flag is_reported = ATOMIC_FLAG_INIT;
    while (atomic_flag_test_and_set(&is_reported))
        pause();
    ssize_t ignored = write(STDERR_FILENO, last_words, strlen(last_words));
    (void)ignored;
    _exit(ERROR_FAILED);
}

char *memory_printed(const char *format, va_list arguments)
{
    char *text = NULL;
    if (vasprintf(&text, format, arguments) < 0)
        memory_is_out();
    return text;
}

#ifndef KSTAR_FOREIGN_ALLOCATOR

/* The C library's function of this name, looked up once. */
static void *next_of(const char *name, atomic_uintptr_t *known)
{
    uintptr_t address = atomic_load_explicit(known, memory_order_relaxed);
    if (address == 0) {
        address = (uintptr_t)dlsym(RTLD_NEXT, name);
        atomic_store_explicit(known, address, memory_order_relaxed);
    }
    return (void *)address;
}

static void *there(void *memory)
{
    if (memory == NULL)
        memory_is_out();
    return memory;
}

void *malloc(size_t size)
{
    static atomic_uintptr_t known;
    void *(*next)(size_t) = (void *(*)(size_t))(uintptr_t)next_of("malloc", &known);
    return there(next(size));
}

void *calloc(size_t count, size_t size)
{
    static atomic_uintptr_t known;
    void *(*next)(size_t, size_t) = (void *(*)(size_t, size_t))(uintptr_t)next_of("calloc", &known);
    return there(next(count, size));
}

void *realloc(void *before, size_t size)
{
    static atomic_uintptr_t known;
    void *(*next)(void *, size_t) = (void *(*)(void *, size_t))(uintptr_t)next_of("realloc", &known);
    void *memory = next(before, size);
    return size == 0 ? memory : there(memory);
}

#endif
