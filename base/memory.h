/* base/memory.h: memory without which nothing goes on.
 *
 * Parsers report that there is none as any other error. Small things that a caller can do nothing without
 * (names, paths, the rows of a workbook's plan) come from here: no memory ends the program with one line and
 * exit code 1 (ERROR_FAILED), as any failure of the machine does, and never with a signal. What was begun is
 * left as by a kill: a transaction is dropped, a pending file is replaced by the next run. */
#ifndef KSTAR_BASE_MEMORY_H
#define KSTAR_BASE_MEMORY_H

/* What it is given, unless that is NULL. */
void *memory_or_die(void *memory) __attribute__((returns_nonnull, warn_unused_result));

/* Says that there is no memory, and ends the program. */
void memory_is_out(void) __attribute__((noreturn));

#endif
