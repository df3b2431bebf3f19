/* advise/cost_plot.c: see cost_plot.h. */
#include "advise/cost_plot.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 64, HEIGHT = 12, MARGIN = 12 };

struct canvas {
    char cells[HEIGHT][WIDTH + 1];
    double first, last; /* log2 of the smallest and the largest K */
    double top;         /* the cost at the upper edge; the lower edge is 0 */
};

static int column_of(const struct canvas *canvas, double k)
{
    double share = (log2(k) - canvas->first) / (canvas->last - canvas->first);
    return (int)lround(share * (WIDTH - 1));
}

static void mark(struct canvas *canvas, unsigned k, double cost, char sign)
{
    int column = column_of(canvas, k), row = (int)lround((1 - cost / canvas->top) * (HEIGHT - 1));
    if (column >= 0 && column < WIDTH && row >= 0 && row < HEIGHT)
        canvas->cells[row][column] = sign;
}

/* The cost of a measured size by its own time. */
static double measured_cost(const struct cost_curve *curve, const struct measured_size *size)
{
    double cost = cost_curve_cost(curve, size->k), fitted = cost_curve_fitted_hours(curve, size->k);
    bool is_own = isnan(fitted) || cost_curve_override(curve, size->k) != NULL;
    return is_own ? cost : cost * size->hours / fitted;
}

/* The K of a column of the picture. */
static unsigned k_of(const struct canvas *canvas, int column)
{
    return (unsigned)lround(exp2(canvas->first + (canvas->last - canvas->first) * column / (WIDTH - 1)));
}

static bool has_fit(const struct cost_curve *curve)
{
    return curve->law != NULL || curve->growth != NULL;
}

static double highest_cost(const struct canvas *canvas, const struct cost_curve *curve)
{
    double top = 0;
    for (size_t i = 0; i < curve->size_count; i++)
        top = fmax(top, measured_cost(curve, &curve->sizes[i]));
    for (int column = 0; column < WIDTH && has_fit(curve); column++)
        top = fmax(top, cost_curve_cost(curve, k_of(canvas, column)));
    return top;
}

static void draw(struct canvas *canvas, const struct cost_curve *curve)
{
    unsigned before = 0;
    for (int column = 0; column < WIDTH && has_fit(curve); column++) {
        unsigned k = k_of(canvas, column);
        if (k != before)
            mark(canvas, k, cost_curve_cost(curve, k), '.');
        before = k;
    }
    for (size_t i = 0; i < curve->size_count; i++)
        mark(canvas, curve->sizes[i].k, measured_cost(curve, &curve->sizes[i]), 'o');
}

static void clear(struct canvas *canvas, unsigned k_star)
{
    int column = k_star > 0 ? column_of(canvas, k_star) : -1;
    for (int row = 0; row < HEIGHT; row++) {
        memset(canvas->cells[row], ' ', WIDTH);
        canvas->cells[row][WIDTH] = '\0';
        if (column >= 0 && column < WIDTH)
            canvas->cells[row][column] = '|';
    }
}

static void print_axis(FILE *out, const struct canvas *canvas)
{
    char labels[WIDTH + 16] = "";
    int used = 0;
    for (int power = (int)ceil(canvas->first); power <= canvas->last + 1e-9; power++) {
        int column = column_of(canvas, exp2(power));
        if (column >= used)
            used =
                column + snprintf(labels + column, sizeof labels - (size_t)column, "%.0f", exp2(power)) + 2;
        for (int i = 0; i < column; i++) {
            if (labels[i] == '\0')
                labels[i] = ' ';
        }
    }
    fprintf(out, "%*s +%.*s K\n%*s  %s\n", MARGIN, "0", WIDTH,
            "----------------------------------------------------------------", MARGIN, "", labels);
}

void cost_plot(FILE *out, const struct cost_curve *curve, unsigned largest, unsigned k_star, const char *unit)
{
    unsigned smallest = curve->size_count > 0 ? cost_curve_smallest_k(curve) : cost_curve_base_k(curve);
    if (smallest >= largest)
        return;
    struct canvas canvas = { .first = log2(smallest), .last = log2(largest) };
    canvas.top = highest_cost(&canvas, curve);
    if (!(canvas.top > 0))
        return;
    clear(&canvas, k_star);
    draw(&canvas, curve);
    fprintf(out, "%*s\n", MARGIN, unit);
    for (int row = 0; row < HEIGHT; row++) {
        char figure[32] = "";
        if (row == 0)
            snprintf(figure, sizeof figure, "%.6g", canvas.top);
        int length = (int)strlen(canvas.cells[row]);
        while (length > 0 && canvas.cells[row][length - 1] == ' ')
            length--;
        fprintf(out, "%*s |%.*s\n", MARGIN, figure, length, canvas.cells[row]);
    }
    print_axis(out, &canvas);
}
