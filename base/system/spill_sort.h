/* base/system/spill_sort.h: sorts any number of records of one size, in bounded memory.
 *
 * Records that do not fit into memory are sorted in chunks, written to a temporary file without a
 * name, which disappears with the process, and merged while they are read.
 *
 *     struct spill_sort *sort = spill_sort_open(sizeof record, 1 << 20, by_start);
 *     while (…)
 *         ok = spill_sort_put(sort, &record, error);
 *     while ((ok = spill_sort_next(sort, &record, &found, error)) && found)
 *         …
 *     spill_sort_close(sort);
 */
#ifndef KSTAR_BASE_SYSTEM_SPILL_SORT_H
#define KSTAR_BASE_SYSTEM_SPILL_SORT_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

struct spill_sort;

/* `compare` as for qsort; `capacity` records are held in memory. */
struct spill_sort *spill_sort_open(size_t record_bytes, size_t capacity,
                                   int (*compare)(const void *, const void *));
void spill_sort_close(struct spill_sort *sort); /* NULL is allowed */

/* Adds a copy of a record. Not after the first spill_sort_next. False if the temporary file cannot
 * be written. */
bool spill_sort_put(struct spill_sort *sort, const void *record, struct error *error);

/* Copies the next record in order into `record`; *found false: no record is left. */
bool spill_sort_next(struct spill_sort *sort, void *record, bool *found, struct error *error);

#endif
