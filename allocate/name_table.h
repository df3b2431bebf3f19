/* allocate/name_table.h: names that recur (pools, cost centres, SkuIds, clusters) as small numbers.
 *
 * Number 0 is no name. */
#ifndef KSTAR_ALLOCATE_NAME_TABLE_H
#define KSTAR_ALLOCATE_NAME_TABLE_H

#include <stddef.h>
#include <stdint.h>

struct name_table {
    char **names; /* names[0] is NULL */
    uint32_t count, capacity;
    uint32_t *places; /* by hash; a power of two */
    uint32_t place_count;
};

/* The number of a name, a new one where it has none; NULL is 0. Zeroed at the start. */
uint32_t name_table_number(struct name_table *table, const char *name);
/* The number of a name, or 0. */
uint32_t name_table_find(const struct name_table *table, const char *name);
void name_table_free(struct name_table *table);

#endif
