/* model/cost/cost_envelope.c: see cost_envelope.h. */
#include "model/cost/cost_envelope.h"

#include "model/cost/k_star.h"

#include <math.h>

/* The f/p at which the K at index b becomes cheaper than the K at index a < b, whose T is
 * longer. With `tie` > 0: cheaper by more than a tie. */
static double crossing(const unsigned *ks, const double *hours, unsigned a, unsigned b, double tie)
{
    double later = hours[b] * (1 + tie);
    return hours[a] > later ? (ks[b] * later - ks[a] * hours[a]) / (hours[a] - later) : INFINITY;
}

/* Only a larger K with a shorter T can become cheaper, and only at corners of the envelope. */
size_t cost_envelope(const unsigned *ks, const double *hours, size_t count, struct cost_step *steps)
{
    size_t used = 0;
    for (unsigned i = 0; i < count; i++) {
        if (isnan(hours[i]) || (used > 0 && hours[i] >= hours[steps[used - 1].at]))
            continue;
        while (used > 0) {
            /* at f/p = 0, equal cost keeps the smaller K of a tie */
            double from = crossing(ks, hours, steps[used - 1].at, i, used > 1 ? 0 : K_STAR_TIE);
            if (from > (used > 1 ? steps[used - 1].from : 0))
                break;
            used--;
        }
        steps[used].from = used > 0 ? crossing(ks, hours, steps[used - 1].at, i, 0) : 0;
        steps[used++].at = i;
    }
    size_t kept = used > 0 ? 1 : 0;
    for (size_t i = 1; i < used; i++) { /* the smaller K of a tie */
        double from = crossing(ks, hours, steps[kept - 1].at, steps[i].at, K_STAR_TIE);
        if (isfinite(from)) {
            steps[kept].from = from;
            steps[kept++].at = steps[i].at;
        }
    }
    return kept;
}

size_t cost_step_at(const struct cost_step *steps, size_t count, double ratio)
{
    size_t low = 0, high = count; /* steps[low].from <= ratio < steps[high].from */
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (steps[middle].from <= ratio)
            low = middle;
        else
            high = middle;
    }
    return low;
}
