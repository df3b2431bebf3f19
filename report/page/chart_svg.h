/* report/page/chart_svg.h: the pictures of a page as SVG. Pure: numbers and texts in, SVG out.
 *
 * A picture has a text alternative: `title` names the picture, and a table below has the figures.
 * Colours are the page's classes (page_style.c): c1 to c6 for the groups of components. */
#ifndef KSTAR_REPORT_PAGE_CHART_SVG_H
#define KSTAR_REPORT_PAGE_CHART_SVG_H

#include <stdio.h>
#include <stdbool.h>

enum { CHART_PARTS = 6 };

/* A stacked bar with the amount of each part. Parts below 0 are not drawn, but are in the sum that
 * `amount` gives. */
struct chart_bar {
    char *name;         /* of a bar: before it */
    const char *amount; /* of a bar: at its end; of a column: below it */
    double parts[CHART_PARTS];
};

/* Horizontal bars, one below the other. */
void chart_bars(FILE *out, const char *title, const struct chart_bar *bars, int count);

/* Columns side by side, over an axis with round amounts. */
void chart_columns(FILE *out, const char *title, const struct chart_bar *columns, int count);

/* Cost against K on a scale of doublings, each cost as a multiple of the cost at K*. */
struct chart_point {
    double k, cost;
    bool is_measured, is_k_star, is_plausible; /* plausible: in the interval of K* */
    int jobs;                                  /* of the month that ran on this K */
};
void chart_curve(FILE *out, const char *title, const struct chart_point *points, int count);

#endif
