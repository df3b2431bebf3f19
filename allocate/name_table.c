/* allocate/name_table.c: see name_table.h. */
#include "allocate/name_table.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

static uint32_t *place_of(const struct name_table *table, const char *name)
{
    uint32_t place = (uint32_t)XXH3_64bits(name, strlen(name)) & (table->place_count - 1);
    while (table->places[place] != 0 && strcmp(table->names[table->places[place]], name) != 0)
        place = (place + 1) & (table->place_count - 1);
    return &table->places[place];
}

static void grow(struct name_table *table)
{
    if (table->count == 0)
        table->count = 1; /* no name */
    table->capacity = table->capacity == 0 ? 64 : 2 * table->capacity;
    table->names = realloc(table->names, table->capacity * sizeof *table->names);
    table->place_count = 2 * table->capacity;
    free(table->places);
    table->places = calloc(table->place_count, sizeof *table->places);
    table->names[0] = NULL;
    for (uint32_t i = 1; i < table->count; i++)
        *place_of(table, table->names[i]) = i;
}

uint32_t name_table_number(struct name_table *table, const char *name)
{
    if (name == NULL)
        return 0;
    if (table->count + 1 >= table->capacity)
        grow(table);
    uint32_t *place = place_of(table, name);
    if (*place == 0) {
        *place = table->count++;
        table->names[*place] = strdup(name);
    }
    return *place;
}

uint32_t name_table_find(const struct name_table *table, const char *name)
{
    return table->place_count == 0 ? 0 : *place_of(table, name);
}

void name_table_free(struct name_table *table)
{
    for (uint32_t i = 1; i < table->count; i++)
        free(table->names[i]);
    free(table->names);
    free(table->places);
    *table = (struct name_table){ 0 };
}
