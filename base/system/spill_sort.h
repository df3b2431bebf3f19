/* base/system/spill_sort.h: records of one size in order, however many there are, in bounded
 * memory.
 *
 * Records that do not fit are sorted chunk by chunk into a temporary file without a name, which is
 * gone with the process, and merged when they are read.
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

/* Adds a record (copied). Not after the first spill_sort_next. False where the temporary file
 * cannot be written. */
bool spill_sort_put(struct spill_sort *sort, const void *record, struct error *error);

/* Copies the next record in order into `record`; *found false: there was none left. */
bool spill_sort_next(struct spill_sort *sort, void *record, bool *found, struct error *error);

#endif
