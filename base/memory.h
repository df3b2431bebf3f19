/* base/memory.h: no memory ends the program.
 *
 * An allocation of kstar, or of a library for it, succeeds or ends the program with one line and
 * exit code 1 (ERROR_FAILED). Libraries do not all check: some write through NULL, others skip what
 * they had no memory for, and a bill must not lose a line that way. What was begun is left as by a
 * kill: transactions are dropped, and the next run replaces a pending file. The memory that a file
 * can ask for is bounded beforehand (byte_source.h, csv_reader.h). So no caller checks for NULL,
 * and a function that could fail by memory alone cannot fail. model/, which includes no other
 * folder, relies on that, too.
 *
 * A sanitizer has an allocator of its own, which ends the program in a way of its own.
 */
#ifndef KSTAR_BASE_MEMORY_H
#define KSTAR_BASE_MEMORY_H

#include <stdarg.h>

/* vprintf into memory that the caller frees. */
char *memory_printed(const char *format, va_list arguments)
    __attribute__((format(printf, 1, 0), returns_nonnull));

/* Reports that there is no memory, and ends the program. */
void memory_is_out(void) __attribute__((noreturn));

/* What a process without memory writes to standard error as it ends: lines, for people unless a
 * program asked for others. "": nothing, where a parent waits for it and reports it. Not copied. */
void memory_last_words(const char *text);

#endif
