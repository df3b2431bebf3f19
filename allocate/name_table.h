/* allocate/name_table.h: numbers for names that recur (pools, cost centres, SkuIds, clusters).
 *
 * Number 0 means no name.
 */
#ifndef KSTAR_ALLOCATE_NAME_TABLE_H
#define KSTAR_ALLOCATE_NAME_TABLE_H

#include <stddef.h>
#include <stdint.h>

struct name_table {
    char **names; /* names[0] is NULL */
    uint32_t count, capacity;
    uint32_t *places; /* hash table; its size is a power of two */
    uint32_t place_count;
};

/* The number of a name. A new name gets a new number; NULL is 0. Zero the table at the start. */
uint32_t name_table_number(struct name_table *table, const char *name);
/* The number of a name, or 0 if it has none. */
uint32_t name_table_find(const struct name_table *table, const char *name);
void name_table_free(struct name_table *table);

#endif
