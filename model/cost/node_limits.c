/* model/cost/node_limits.c: see node_limits.h. */
#include "model/cost/node_limits.h"

static unsigned minimum_of(const struct node_limits *limits)
{
    if (limits->smallest > 0)
        return limits->smallest;
    return limits->step > 1 ? limits->step : 1;
}

static unsigned maximum_of(const struct node_limits *limits)
{
    return limits->largest > 0 && limits->largest < NODE_LIMITS_LARGEST ? limits->largest
                                                                        : NODE_LIMITS_LARGEST;
}

bool node_limits_endless(const struct node_limits *limits)
{
    return limits->largest == 0 && limits->allowed == NULL;
}

bool node_limits_unbroken(const struct node_limits *limits)
{
    return limits->allowed == NULL && limits->step <= 1 && !limits->powers_of_two &&
           limits->accelerators_per_node <= 1;
}

static bool listed(const struct node_limits *limits, unsigned k)
{
    for (size_t i = 0; i < limits->allowed_count; i++) {
        if (limits->allowed[i] == k)
            return true;
    }
    return false;
}

bool node_limits_allow(const struct node_limits *limits, unsigned k)
{
    unsigned minimum = minimum_of(limits);
    if (k < minimum || k > maximum_of(limits))
        return false;
    if (limits->step > 1 && (k - minimum) % limits->step != 0)
        return false;
    if (limits->powers_of_two && (k & (k - 1)) != 0)
        return false;
    if (limits->accelerators_per_node > 1 && k > limits->accelerators_per_node &&
        k % limits->accelerators_per_node != 0) {
        return false;
    }
    return limits->allowed == NULL || listed(limits, k);
}

/* The first K above `after` that may be feasible. The sparsest rule decides, so few K are tried. */
static unsigned candidate_after(const struct node_limits *limits, unsigned after)
{
    unsigned minimum = minimum_of(limits);
    if (limits->allowed != NULL) {
        unsigned best = 0;
        for (size_t i = 0; i < limits->allowed_count; i++) {
            if (limits->allowed[i] > after && (best == 0 || limits->allowed[i] < best))
                best = limits->allowed[i];
        }
        return best;
    }
    if (after < minimum)
        return minimum;
    if (limits->powers_of_two) {
        unsigned power = 1;
        while (power <= after)
            power *= 2;
        return power;
    }
    if (limits->step > 1)
        return after + (limits->step - (after - minimum) % limits->step);
    unsigned a = limits->accelerators_per_node;
    return a > 1 && after >= a ? after - after % a + a : after + 1;
}

unsigned node_limits_next(const struct node_limits *limits, unsigned after)
{
    while (after < NODE_LIMITS_LARGEST) {
        unsigned k = candidate_after(limits, after);
        if (k == 0 || k > maximum_of(limits))
            return 0;
        if (node_limits_allow(limits, k))
            return k;
        after = k;
    }
    return 0;
}

/* The largest listed K below `before` that the other rules also allow. */
static unsigned previous_listed(const struct node_limits *limits, unsigned before)
{
    unsigned best = 0;
    for (size_t i = 0; i < limits->allowed_count; i++) {
        unsigned k = limits->allowed[i];
        if (k < before && k > best && node_limits_allow(limits, k))
            best = k;
    }
    return best;
}

unsigned node_limits_previous(const struct node_limits *limits, unsigned before)
{
    if (limits->allowed != NULL)
        return previous_listed(limits, before);
    unsigned k = before > maximum_of(limits) ? maximum_of(limits) + 1 : before;
    while (k > minimum_of(limits)) {
        k--;
        if (node_limits_allow(limits, k))
            return k;
    }
    return 0;
}
