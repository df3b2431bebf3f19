/* allocate/machine_span.c: see machine_span.h. */
#include "allocate/machine_span.h"

bool bills_machine_time(const struct resource_line *line)
{
    bool is_negative = mpz_sgn(line->billed_cost.units) < 0 || mpz_sgn(line->effective_cost.units) < 0;
    return line->is_hardware && !line->is_correction && !is_negative;
}

void machine_span_add(struct machine_span *span, const struct resource_line *line)
{
    if (line->start < span->from)
        span->from = line->start;
    if (line->end > span->to)
        span->to = line->end;
}

bool corrects_another_statement(const struct resource_line *line, const struct machine_span *span)
{
    return line->is_correction && line->is_hardware && !(span->from < line->end && line->start < span->to);
}
