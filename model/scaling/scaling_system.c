/* model/scaling/scaling_system.c: see scaling_system.h. */
#include "model/scaling/scaling_system.h"

unsigned scaling_parameters(enum scaling_form form)
{
    static const unsigned parameters[] = { [SCALING_USL] = 3, [SCALING_STEPPED] = 4 };
    return parameters[form];
}

void scaling_system_start(struct scaling_system *system, const struct scaling_law *shell)
{
    system->shell = *shell;
    system->nnls = (struct nnls){ .columns = scaling_parameters(shell->form) + (shell->behind > 0) };
}

void scaling_system_add(struct scaling_system *system, unsigned k, double hours)
{
    double r = (double)k / scaling_law_smallest_k(&system->shell);
    double row[NNLS_MAX] = {
        1 / (r * hours),
        (r - 1) / (r * hours),
        (r - 1) / hours,
        k > scaling_law_one_node(&system->shell) ? 1 / (r * hours) : 0,
        0,
    };
    if (system->shell.behind > 0) /* the column of the later step is the last one */
        row[system->nnls.columns - 1] = k > system->shell.behind ? 1 / (r * hours) : 0;
    nnls_add_row(&system->nnls, row, 1);
}

bool scaling_system_solve(const struct scaling_system *system, struct scaling_law *law,
                          struct nnls_solution *solution)
{
    nnls_solve(&system->nnls, solution);
    double t1 = solution->x[0];
    *law = system->shell;
    law->t1_hours = t1;
    if (!(t1 > 0))
        return false;
    law->serial_fraction = solution->x[1] / t1;
    law->communication_coefficient = solution->x[2] / t1;
    law->step = law->form == SCALING_STEPPED ? solution->x[3] / t1 : 0;
    law->later_step = law->behind > 0 ? solution->x[system->nnls.columns - 1] / t1 : 0;
    return scaling_law_valid(law);
}
