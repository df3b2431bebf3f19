/* report/page/chart_scale.c: see chart_scale.h. */
#include "report/page/chart_scale.h"

#include <math.h>

static double round_step(double rough)
{
    double power = pow(10, floor(log10(rough)));
    double digit = rough / power;
    return power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
}

int chart_ticks(double largest, double ticks[CHART_TICKS_MAXIMUM])
{
    ticks[0] = 0;
    if (!(largest > 0) || !isfinite(largest))
        return 1;
    double step = round_step(largest / 4);
    int count = 1;
    while (count < CHART_TICKS_MAXIMUM && ticks[count - 1] < largest) {
        ticks[count] = step * count;
        count++;
    }
    return count;
}

static double within(double place, double length)
{
    return place < 0 ? 0 : place > length ? length : place;
}

double chart_place(double value, double largest, double length)
{
    return largest > 0 ? within(value / largest * length, length) : 0;
}

double chart_place_doubling(double value, double smallest, double largest, double length)
{
    if (value <= smallest || largest <= smallest)
        return 0;
    return within(log2(value / smallest) / log2(largest / smallest) * length, length);
}
