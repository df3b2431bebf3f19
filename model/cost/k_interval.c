/* model/cost/k_interval.c: see k_interval.h. */
#include "model/cost/k_interval.h"

#include <stdio.h>

static const double TAIL = (1 - K_STAR_INTERVAL_LEVEL) / 2;

bool k_interval_contains(const struct k_interval *interval, unsigned k)
{
    for (size_t i = 0; i < interval->range_count; i++) {
        if (k >= interval->ranges[i].from && k <= interval->ranges[i].to)
            return true;
    }
    return false;
}

char *k_interval_text(const struct k_interval *interval, char *text, size_t size)
{
    size_t used = 0;
    if (size > 0)
        text[0] = '\0';
    for (size_t i = 0; i < interval->range_count && used < size; i++) {
        const struct k_range *range = &interval->ranges[i];
        const char *comma = i > 0 ? ", " : "";
        int wrote;
        if (range->to == K_STAR_NO_END)
            wrote = snprintf(text + used, size - used, "%s%u or more", comma, range->from);
        else if (range->to == range->from)
            wrote = snprintf(text + used, size - used, "%s%u", comma, range->from);
        else
            wrote = snprintf(text + used, size - used, "%s%u-%u", comma, range->from, range->to);
        used += wrote > 0 ? (size_t)wrote : 0;
    }
    return text;
}

/* Index in ks of the draw of this rank, counted from 0. */
static size_t ranked(const unsigned *counts, size_t rank)
{
    size_t at = 0;
    for (size_t before = counts[0]; before <= rank; before += counts[at])
        at++;
    return at;
}

void k_interval_of_counts(const unsigned *ks, const unsigned *counts, size_t count, unsigned one_node,
                          struct k_interval *interval)
{
    size_t draws = 0, below = 0; /* all; those at or below one node */
    for (size_t i = 0; i < count; i++) {
        draws += counts[i];
        below += ks[i] <= one_node ? counts[i] : 0;
    }
    size_t tail = (size_t)(TAIL * (double)draws);
    size_t low = tail;
    size_t high = draws - 1 - tail;
    struct k_range whole = { .from = ks[ranked(counts, low)], .to = ks[ranked(counts, high)] };
    if (below <= low || below > high) {
        interval->range_count = 1;
        interval->ranges[0] = whole;
        return;
    }
    size_t from = below + tail < high ? below + tail : high;
    interval->range_count = 2;
    interval->ranges[0] = (struct k_range){ .from = whole.from, .to = ks[ranked(counts, below - 1)] };
    interval->ranges[1] = (struct k_range){ .from = ks[ranked(counts, from)], .to = whole.to };
}

void k_interval_include(struct k_interval *interval, unsigned k, unsigned one_node)
{
    if (k_interval_contains(interval, k))
        return;
    struct k_range *first = &interval->ranges[0];
    struct k_range *last = &interval->ranges[interval->range_count - 1];
    if (k < first->from && (k > one_node || first->from <= one_node)) {
        first->from = k;
    } else if (k < first->from) {
        interval->ranges[1] = *first;
        *first = (struct k_range){ .from = k, .to = k };
        interval->range_count = 2;
    } else if (k > last->to && interval->range_count == 1 && last->to <= one_node) {
        interval->ranges[1] = (struct k_range){ .from = k, .to = k };
        interval->range_count = 2;
    } else if (k > last->to) {
        last->to = k;
    } else if (k <= one_node) {
        first->to = k;
    } else {
        last->from = k;
    }
}
