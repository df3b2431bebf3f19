/* allocate/array_room.h: room for one more thing in an array that keeps its capacity. */
#ifndef KSTAR_ALLOCATE_ARRAY_ROOM_H
#define KSTAR_ALLOCATE_ARRAY_ROOM_H

#include <stdlib.h>

/* `things`: `count` of `size` bytes, with room for another. The caller frees it. */
static inline void *array_room(void *things, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity)
        return things;
    *capacity = *capacity == 0 ? 64 : 2 * *capacity;
    return realloc(things, *capacity * size);
}

#endif
