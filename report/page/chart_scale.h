/* report/page/chart_scale.h: the position of a value in a picture. Pure arithmetic. */
#ifndef KSTAR_REPORT_PAGE_CHART_SCALE_H
#define KSTAR_REPORT_PAGE_CHART_SCALE_H

enum { CHART_TICKS_MAXIMUM = 8 };

/* Round values from 0 up to the first that is at least `largest`, in steps of 1, 2 or 5 times a
 * power of ten. Returns their number, 2 to CHART_TICKS_MAXIMUM; 1 (only 0) if `largest` is not
 * above 0. */
int chart_ticks(double largest, double ticks[CHART_TICKS_MAXIMUM]);

/* The position of `value` on a line of `length`, with 0 at 0 and `largest` at the end. Values
 * outside of this range are placed at the ends. */
double chart_place(double value, double largest, double length);

/* The same on a scale on which each doubling has the same length. `smallest` is above 0. */
double chart_place_doubling(double value, double smallest, double largest, double length);

#endif
