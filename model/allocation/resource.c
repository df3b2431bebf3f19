/* model/allocation/resource.c: see resource.h. */
#include "model/allocation/resource.h"

static int64_t later(int64_t one, int64_t other)
{
    return one > other ? one : other;
}

static int64_t earlier(int64_t one, int64_t other)
{
    return one < other ? one : other;
}

/* to - from, or 0 if that is negative. Exact for any two times. */
static uint64_t microseconds(int64_t from, int64_t to)
{
    return from < to ? (uint64_t)to - (uint64_t)from : 0;
}

/* Adds a row that covers [from, to) of the period. */
static void add_row(struct resource_present *present, const struct resource_presence *row, size_t index,
                    int64_t from, int64_t to)
{
    if (!present->is_known)
        present->presence = index;
    present->is_known = true;
    present->present += microseconds(from, to);
    present->unrecorded += microseconds(later(from, row->recorded_to), to);
}

struct resource_present resource_present(const struct resource *resource, int64_t start, int64_t end)
{
    struct resource_present present = { 0 };
    for (size_t i = 0; i < resource->presence_count; i++) {
        const struct resource_presence *row = &resource->presences[i];
        if (row->from < end && start < row->to)
            add_row(&present, row, i, later(start, row->from), earlier(end, row->to));
    }
    present.is_named = present.is_known;
    for (size_t i = 0; !present.is_known && i < resource->presence_count; i++) {
        const struct resource_presence *row = &resource->presences[i];
        bool is_near =
            microseconds(end, row->from) < RESOURCE_MARGIN && microseconds(row->to, start) < RESOURCE_MARGIN;
        if (is_near)
            add_row(&present, row, i, start, end);
    }
    return present;
}
