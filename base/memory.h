/* base/memory.h: no memory ends the program.
 *
 * Every allocation of kstar, also one that a library makes for it, is there or ends the program
 * with one line and exit code 1 (ERROR_FAILED), as any failure of the machine does: libraries do
 * not all look (some write through NULL, others leave out what they had no memory for), and a bill
 * is no place for what was left out. What was begun is left as by a kill: transactions are dropped,
 * a pending file is replaced by the next run. Memory that a file asks for is bounded before
 * (byte_source.h, csv_reader.h), never tried. So nobody looks for NULL, and a function that could
 * fail by memory alone cannot fail; model/, which knows no other folder, goes by that, too.
 *
 * A sanitizer has an allocator of its own, which ends the program in a way of its own.
 */
#ifndef KSTAR_BASE_MEMORY_H
#define KSTAR_BASE_MEMORY_H

#include <stdarg.h>

/* vprintf into memory that the caller frees. */
char *memory_printed(const char *format, va_list arguments)
    __attribute__((format(printf, 1, 0), returns_nonnull));

/* Says that there is no memory, and ends the program. */
void memory_is_out(void) __attribute__((noreturn));

/* What a process without memory writes to standard error as it ends: lines, for people unless a
 * program asked for others. "": nothing, where a parent waits for it and reports it. Not copied. */
void memory_last_words(const char *text);

#endif
