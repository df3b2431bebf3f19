/* allocate/array_room.h: room for one more element in an array that keeps its capacity. */
#ifndef KSTAR_ALLOCATE_ARRAY_ROOM_H
#define KSTAR_ALLOCATE_ARRAY_ROOM_H

#include <stdlib.h>

/* Returns `things` with room for one more element than `count`; an element has `size` bytes.
 * Doubles *capacity when the array is full. The caller frees the result. */
static inline void *array_room(void *things, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity)
        return things;
    *capacity = *capacity == 0 ? 64 : 2 * *capacity;
    return realloc(things, *capacity * size);
}

#endif
