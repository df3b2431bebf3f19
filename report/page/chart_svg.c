/* report/page/chart_svg.c: see chart_svg.h. */
#include "report/page/chart_svg.h"

#include "report/page/chart_scale.h"
#include "report/page/html.h"

#include <stdint.h>
#include <string.h>

static void open_picture(FILE *out, int width, int height, const char *title)
{
    fprintf(out, "<svg viewBox=\"0 0 %d %d\" role=\"img\" ", width, height);
    html_print(out, "aria-label=\"$\"><title>$</title>\n", title, title);
}

static double sum_of(const struct chart_bar *bar)
{
    double sum = 0;
    for (int i = 0; i < CHART_PARTS; i++)
        sum += bar->parts[i] > 0 ? bar->parts[i] : 0;
    return sum;
}

static double largest_of(const struct chart_bar *bars, int count)
{
    double largest = 0;
    for (int i = 0; i < count; i++)
        largest = sum_of(&bars[i]) > largest ? sum_of(&bars[i]) : largest;
    return largest;
}

/* ---- bars ---- */

/* A digit of the widest font that page_style names takes less than BAR_DIGIT. */
enum { BAR_WIDTH = 560, BAR_LEFT = 150, BAR_STEP = 30, BAR_HEIGHT = 20, BAR_GAP = 6, BAR_DIGIT = 9 };

/* The length of the longest bar: there must be room for the amount beside it. */
static double room_of(const struct chart_bar *bars, int count)
{
    size_t digits = 0;
    for (int i = 0; i < count; i++)
        digits = strlen(bars[i].amount) > digits ? strlen(bars[i].amount) : digits;
    double room = BAR_WIDTH - BAR_LEFT - BAR_GAP - (double)digits * BAR_DIGIT;
    return room > 0 ? room : 0;
}

static void write_bar(FILE *out, const struct chart_bar *bar, double largest, double room, int top)
{
    double left = BAR_LEFT;
    fprintf(out, "<text class=\"ink end\" x=\"%d\" y=\"%d\">", BAR_LEFT - 8, top + 15);
    html_print(out, "$</text>", bar->name);
    for (int i = 0; i < CHART_PARTS; i++) {
        double width = chart_place(bar->parts[i], largest, room);
        if (width > 0)
            fprintf(out, "<rect class=\"c%d\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>", i + 1,
                    left, top, width, BAR_HEIGHT);
        left += width;
    }
    fprintf(out, "<text class=\"ink\" x=\"%.1f\" y=\"%d\">", left + BAR_GAP, top + 15);
    html_print(out, "$</text>\n", bar->amount);
}

void chart_bars(FILE *out, const char *title, const struct chart_bar *bars, int count)
{
    double largest = largest_of(bars, count), room = room_of(bars, count);
    open_picture(out, BAR_WIDTH, count * BAR_STEP + 4, title);
    for (int i = 0; i < count; i++)
        write_bar(out, &bars[i], largest, room, i * BAR_STEP + 4);
    fputs("</svg>\n", out);
}

/* ---- columns ---- */

enum { COLUMN_WIDTH = 560, COLUMN_LEFT = 58, COLUMN_ROOM = 490, COLUMN_TOP = 10, COLUMN_HEIGHT = 170 };

/* An amount on an axis: 250k, 1.5M. */
static void write_rough(FILE *out, double amount)
{
    static const struct {
        double unit;
        const char *mark;
    } units[] = { { 1e9, "bn" }, { 1e6, "M" }, { 1e3, "k" } };
    for (int i = 0; i < 3; i++) {
        if (amount >= units[i].unit) {
            fprintf(out, "%.3g%s", amount / units[i].unit, units[i].mark);
            return;
        }
    }
    fprintf(out, "%.3g", amount);
}

static double write_axis(FILE *out, double largest)
{
    double ticks[CHART_TICKS_MAXIMUM];
    int count = chart_ticks(largest, ticks);
    double top = ticks[count - 1];
    for (int i = 0; i < count; i++) {
        double y = COLUMN_TOP + COLUMN_HEIGHT - chart_place(ticks[i], top, COLUMN_HEIGHT);
        fprintf(
            out,
            "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/><text class=\"end\" x=\"%d\" "
            "y=\"%.1f\">",
            COLUMN_LEFT, COLUMN_LEFT + COLUMN_ROOM, y, y, COLUMN_LEFT - 6, y + 4);
        write_rough(out, ticks[i]);
        fputs("</text>\n", out);
    }
    return top;
}

static void write_column(FILE *out, const struct chart_bar *column, double top, double left, double width)
{
    double bottom = COLUMN_TOP + COLUMN_HEIGHT;
    for (int i = 0; i < CHART_PARTS; i++) {
        double height = chart_place(column->parts[i], top, COLUMN_HEIGHT);
        bottom -= height;
        if (height > 0)
            fprintf(out, "<rect class=\"c%d\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>", i + 1,
                    left, bottom, width, height);
    }
    fprintf(out, "<text class=\"middle\" x=\"%.1f\" y=\"%d\">", left + width / 2,
            COLUMN_TOP + COLUMN_HEIGHT + 17);
    html_print(out, "$</text>\n", column->amount);
}

void chart_columns(FILE *out, const char *title, const struct chart_bar *columns, int count)
{
    enum { MONTHS = 12 };
    double step = (double)COLUMN_ROOM / MONTHS;
    open_picture(out, COLUMN_WIDTH, COLUMN_TOP + COLUMN_HEIGHT + 26, title);
    double top = write_axis(out, largest_of(columns, count));
    for (int i = 0; i < count; i++) /* the last month is at the right end */
        write_column(out, &columns[i], top, COLUMN_LEFT + step * (MONTHS - count + i) + 6, step - 12);
    fputs("</svg>\n", out);
}

/* ---- the curve ---- */

enum { CURVE_WIDTH = 460, CURVE_LEFT = 44, CURVE_ROOM = 396, CURVE_TOP = 26, CURVE_HEIGHT = 150 };

/* Costs above this multiple of the cost at K* are cut off, so that the bend of the curve is
 * visible. Sizes on which jobs ran are not cut off. */
#define CURVE_COST_MAXIMUM 4.0

struct curve {
    FILE *out;
    const struct chart_point *points;
    int count;
    double smallest, largest, top;
};

static double x_of(const struct curve *curve, double k)
{
    return CURVE_LEFT + chart_place_doubling(k, curve->smallest, curve->largest, CURVE_ROOM);
}

static double y_of(const struct curve *curve, double cost)
{
    return CURVE_TOP + CURVE_HEIGHT - chart_place(cost, curve->top, CURVE_HEIGHT);
}

static void write_multiples(const struct curve *curve)
{
    double ticks[CHART_TICKS_MAXIMUM];
    int count = chart_ticks(curve->top, ticks);
    for (int i = 0; i < count && ticks[i] <= curve->top; i++)
        fprintf(
            curve->out,
            "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/><text class=\"end\" x=\"%d\" "
            "y=\"%.1f\">%g×</text>\n",
            CURVE_LEFT, CURVE_LEFT + CURVE_ROOM, y_of(curve, ticks[i]), y_of(curve, ticks[i]), CURVE_LEFT - 6,
            y_of(curve, ticks[i]) + 4, ticks[i]);
}

static void write_interval(const struct curve *curve)
{
    double first = 0, last = 0;
    for (int i = 0; i < curve->count; i++) {
        if (!curve->points[i].is_plausible)
            continue;
        first = first > 0 ? first : curve->points[i].k;
        last = curve->points[i].k;
    }
    if (last > 0)
        fprintf(curve->out, "<rect class=\"interval\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>\n",
                x_of(curve, first) - 5, CURVE_TOP, x_of(curve, last) - x_of(curve, first) + 10, CURVE_HEIGHT);
}

static void write_line(const struct curve *curve)
{
    fputs("<polyline class=\"curve\" points=\"", curve->out);
    for (int i = 0; i < curve->count; i++)
        if (curve->points[i].cost > 0 && curve->points[i].cost <= curve->top)
            fprintf(curve->out, "%.1f,%.1f ", x_of(curve, curve->points[i].k),
                    y_of(curve, curve->points[i].cost));
    fputs("\"/>\n", curve->out);
}

static void write_marks(const struct curve *curve)
{
    for (int i = 0; i < curve->count; i++) {
        const struct chart_point *point = &curve->points[i];
        double x = x_of(curve, point->k), y = y_of(curve, point->cost);
        if (point->is_measured && point->cost <= curve->top)
            fprintf(curve->out, "<circle class=\"dot\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/>", x, y);
        if (point->jobs > 0)
            fprintf(curve->out, "<path class=\"ran\" d=\"M%.1f,%.1f l6,-11 l-12,0 z\"/>", x, y - 4);
        if (point->is_k_star)
            fprintf(
                curve->out,
                "<line class=\"best\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/><text class=\"good middle\" "
                "x=\"%.1f\" y=\"%d\">K* = %.0f</text>",
                x, x, CURVE_TOP, CURVE_TOP + CURVE_HEIGHT, x, CURVE_TOP - 12, point->k);
    }
    putc('\n', curve->out);
}

/* Writes powers of two below the picture, as many as fit. */
static void write_sizes(const struct curve *curve)
{
    const int64_t every = curve->largest / curve->smallest > 512 ? 4 : 2;
    for (int64_t size = 1; (double)size <= curve->largest; size *= every) {
        const double k = (double)size;
        if (k >= curve->smallest)
            fprintf(curve->out, "<text class=\"middle\" x=\"%.1f\" y=\"%d\">%.0f</text>", x_of(curve, k),
                    CURVE_TOP + CURVE_HEIGHT + 17, k);
    }
    putc('\n', curve->out);
}

void chart_curve(FILE *out, const char *title, const struct chart_point *points, int count)
{
    struct curve curve = { .out = out, .points = points, .count = count, .top = 1.5 };
    if (count == 0)
        return;
    curve.smallest = points[0].k;
    curve.largest = points[count - 1].k;
    for (int i = 0; i < count; i++) {
        double shown =
            points[i].jobs > 0 || points[i].cost < CURVE_COST_MAXIMUM ? points[i].cost : CURVE_COST_MAXIMUM;
        curve.top = shown > curve.top ? shown : curve.top;
    }
    open_picture(out, CURVE_WIDTH, CURVE_TOP + CURVE_HEIGHT + 26, title);
    write_multiples(&curve);
    write_interval(&curve);
    write_line(&curve);
    write_marks(&curve);
    write_sizes(&curve);
    fputs("</svg>\n", out);
}
