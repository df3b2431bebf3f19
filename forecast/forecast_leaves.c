/* forecast/forecast_leaves.c: see forecast_leaves.h. The leaves are sorted, because there may be
 * thousands. */
#include "forecast/forecast_leaves.h"

#include <stdlib.h>
#include <string.h>

typedef int compare_leaves(const struct forecast_leaf *one, const struct forecast_leaf *other);

const char *forecast_leaves_centre(const char *cost_centre)
{
    return cost_centre[0] != '\0' ? cost_centre : "(company)";
}

static int by_centre(const struct forecast_leaf *one, const struct forecast_leaf *other)
{
    return strcmp(one->cost_centre, other->cost_centre);
}

static int by_place(const struct forecast_leaf *one, const struct forecast_leaf *other)
{
    int order = by_centre(one, other);
    order = order != 0 ? order : strcmp(one->family, other->family);
    return order != 0 ? order : strcmp(one->training, other->training);
}

/* A leaf to be sorted, with its comparison function. */
struct sorted {
    const struct forecast_leaf *leaf;
    compare_leaves *compare;
};

/* Equal leaves keep their order. */
static int compare_sorted(const void *one, const void *other)
{
    const struct sorted *a = one, *b = other;
    int order = a->compare(a->leaf, b->leaf);
    return order != 0 ? order : (a->leaf > b->leaf) - (a->leaf < b->leaf);
}

static size_t *find_first(const struct forecast_result *result, compare_leaves *compare)
{
    size_t count = result->leaf_count, first = 0;
    size_t *firsts = calloc(count + 1, sizeof *firsts);
    struct sorted *sorted = calloc(count + 1, sizeof *sorted);
    for (size_t i = 0; i < count; i++)
        sorted[i] = (struct sorted){ &result->leaves[i], compare };
    qsort(sorted, count, sizeof *sorted, compare_sorted);
    for (size_t i = 0; i < count; i++) {
        size_t leaf = (size_t)(sorted[i].leaf - result->leaves);
        if (i == 0 || compare(sorted[i - 1].leaf, sorted[i].leaf) != 0)
            first = leaf;
        firsts[leaf] = first;
    }
    free(sorted);
    return firsts;
}

size_t *forecast_leaves_of_centres(const struct forecast_result *result)
{
    return find_first(result, by_centre);
}

size_t *forecast_leaves_of_places(const struct forecast_result *result)
{
    return find_first(result, by_place);
}

int64_t *forecast_leaves_sums(const struct forecast_result *result, const size_t *first, int month)
{
    int64_t *sums = calloc(result->leaf_count + 1, sizeof *sums);
    for (size_t i = 0; i < result->leaf_count; i++)
        sums[first[i]] += forecast_result_sum(result, month, (int)i, -1);
    return sums;
}
