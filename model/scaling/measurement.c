/* model/scaling/measurement.c: see measurement.h. */
#include "model/scaling/measurement.h"

#include <math.h>

double measured_hours(enum scaling_metric metric, enum scaling_mode mode, unsigned k, double value)
{
    if (k == 0 || !isfinite(value) || value <= 0)
        return NAN;
    double hours = NAN;
    switch (metric) {
    case SCALING_RUN_TIME:
    case SCALING_STEP_TIME:
        hours = mode == SCALING_WEAK ? value / k : value;
        break;
    case SCALING_THROUGHPUT:
        hours = 1 / value;
        break;
    case SCALING_EFFICIENCY:
        hours = 1 / (k * value);
        break;
    }
    return isfinite(hours) && hours > 0 ? hours : NAN;
}

/* Index of the first size with K >= k in the ascending array. */
static size_t place_of(const struct measured_size *sizes, size_t count, unsigned k)
{
    size_t at = 0;
    while (at < count && sizes[at].k < k)
        at++;
    return at;
}

size_t measured_sizes(const struct measurement *measurements, size_t count, struct measured_size *sizes)
{
    size_t distinct = 0;
    for (size_t i = 0; i < count; i++) {
        unsigned k = measurements[i].k;
        double hours = measurements[i].hours;
        if (k == 0 || !isfinite(hours) || hours <= 0)
            return 0;
        size_t at = place_of(sizes, distinct, k);
        if (at == distinct || sizes[at].k != k) {
            if (distinct == MEASURED_SIZES_MAX)
                return 0;
            for (size_t j = distinct; j > at; j--)
                sizes[j] = sizes[j - 1];
            sizes[at] = (struct measured_size){ .k = k, .law_hours = NAN };
            distinct++;
        }
        sizes[at].repeats++;
        sizes[at].hours += hours;
    }
    for (size_t j = 0; j < distinct; j++)
        sizes[j].hours /= sizes[j].repeats;
    for (size_t i = 0; i < count; i++) {
        struct measured_size *size = &sizes[place_of(sizes, distinct, measurements[i].k)];
        double off = (measurements[i].hours - size->hours) / size->hours;
        size->square_spread += off * off;
    }
    return distinct;
}

double repeat_noise(const struct measured_size *sizes, size_t count, unsigned *freedom)
{
    double squares = 0;
    *freedom = 0;
    for (size_t i = 0; i < count; i++) {
        squares += sizes[i].square_spread;
        *freedom += sizes[i].repeats - 1;
    }
    return *freedom > 0 ? sqrt(squares / *freedom) : 0;
}

const struct measured_size *measured_at(const struct measured_size *sizes, size_t count, unsigned k)
{
    size_t at = place_of(sizes, count, k);
    return at < count && sizes[at].k == k ? &sizes[at] : NULL;
}

enum size_basis size_basis_of(const struct measured_size *sizes, size_t count, unsigned k)
{
    if (count == 0 || k > sizes[count - 1].k)
        return SIZE_ABOVE;
    return measured_at(sizes, count, k) != NULL ? SIZE_MEASURED : SIZE_FITTED;
}

const char *size_basis_name(enum size_basis basis)
{
    static const char *const names[] = { "measured", "fitted", "fitted, low confidence" };
    return names[basis];
}
