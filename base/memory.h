/* base/memory.h: the program ends when memory is out.
 *
 * An allocation of kstar, or of a library for it, succeeds or ends the program with one line and
 * exit code 1 (ERROR_FAILED). Not all libraries check: some write through NULL, others skip data
 * for which they had no memory, and a bill must not lose a line in this way. The end is like a
 * kill: transactions are rolled back, and the next run replaces a pending file. The memory that a
 * file can require is limited (byte_source.h, csv_reader.h). So no caller checks for NULL, and a
 * function that could fail only for memory cannot fail. model/, which includes no other folder,
 * relies on this, too.
 *
 * A sanitizer has its own allocator, which ends the program in its own way.
 */
#ifndef KSTAR_BASE_MEMORY_H
#define KSTAR_BASE_MEMORY_H

#include <stdarg.h>

/* vprintf into memory that the caller frees. */
char *memory_printed(const char *format, va_list arguments)
    __attribute__((format(printf, 1, 0), returns_nonnull));

/* Reports that there is no memory, and ends the program. */
void memory_is_out(void) __attribute__((noreturn));

/* The text that a process without memory writes to standard error at its end: lines for people
 * unless a program set others. "": nothing, if a parent waits for the process and reports it. Not
 * copied. */
void memory_last_words(const char *text);

#endif
