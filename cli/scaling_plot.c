/* cli/scaling_plot.c: see scaling_plot.h. */
#include "cli/scaling_plot.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 64, HEIGHT = 12 };

struct canvas {
    char cells[HEIGHT][WIDTH + 1];
    double first, last; /* log2 of the smallest and the largest K */
    double top;         /* E at the upper edge; 0 is the lower one */
};

static int column_of(const struct canvas *canvas, double k)
{
    double share = (log2(k) - canvas->first) / (canvas->last - canvas->first);
    return (int)lround(share * (WIDTH - 1));
}

static void mark(struct canvas *canvas, int column, double efficiency, char sign)
{
    int row = (int)lround((1 - efficiency / canvas->top) * (HEIGHT - 1));
    if (column >= 0 && column < WIDTH && row >= 0 && row < HEIGHT)
        canvas->cells[row][column] = sign;
}

/* E of a measured size, and of the fit, relative to the curve's own K0. */
static double measured_efficiency(const struct cost_curve *curve, const struct measured_size *size)
{
    double node_hours = cost_curve_efficiency(curve, size->k) * size->k * cost_curve_hours(curve, size->k);
    return node_hours / (size->k * size->hours);
}

static void draw_fit(struct canvas *canvas, const struct cost_curve *curve)
{
    unsigned before = 0;
    for (int column = 0; column < WIDTH; column++) {
        double x = canvas->first + (canvas->last - canvas->first) * column / (WIDTH - 1);
        unsigned k = (unsigned)lround(exp2(x));
        if (k != before && (curve->law != NULL || curve->growth != NULL))
            mark(canvas, column_of(canvas, k), cost_curve_efficiency(curve, k), '.');
        before = k;
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
    fprintf(out, "     +%.*s K\n      %s\n", WIDTH,
            "----------------------------------------------------------------", labels);
}

void scaling_plot(FILE *out, const struct cost_curve *curve, unsigned k_star)
{
    struct canvas canvas = { .first = log2(cost_curve_smallest_k(curve)),
                             .last = log2(cost_curve_largest_k(curve)),
                             .top = 1 };
    for (size_t i = 0; i < curve->size_count; i++)
        canvas.top = fmax(canvas.top, measured_efficiency(curve, &curve->sizes[i]));
    for (int row = 0; row < HEIGHT; row++) {
        memset(canvas.cells[row], ' ', WIDTH);
        canvas.cells[row][WIDTH] = '\0';
        int column = k_star > 0 ? column_of(&canvas, k_star) : -1;
        if (column >= 0 && column < WIDTH)
            canvas.cells[row][column] = '|';
    }
    draw_fit(&canvas, curve);
    for (size_t i = 0; i < curve->size_count; i++)
        mark(&canvas, column_of(&canvas, curve->sizes[i].k), measured_efficiency(curve, &curve->sizes[i]),
             'o');
    for (int row = 0; row < HEIGHT; row++) {
        int length = (int)strlen(canvas.cells[row]);
        while (length > 0 && canvas.cells[row][length - 1] == ' ')
            length--;
        fprintf(out, "%s%.*s\n", row == 0 ? " E   |" : "     |", length, canvas.cells[row]);
    }
    print_axis(out, &canvas);
}
