/* allocate/machine_span.h: when an attempt had machine time on a resource in this statement.
 *
 * The span runs from the start of its first charge period to the end of its last one. A Correction
 * of machine time that lies wholly before or after the span corrects hours that another statement
 * priced. Such a Correction is no part of the attempt's price.
 */
#ifndef KSTAR_ALLOCATE_MACHINE_SPAN_H
#define KSTAR_ALLOCATE_MACHINE_SPAN_H

#include "model/allocation/resource.h"

struct machine_span {
    int64_t from, to;
};

#define NO_MACHINE_SPAN ((struct machine_span){ .from = INT64_MAX, .to = INT64_MIN })

/* Whether the line bills machine time: hardware, no Correction, and negative in neither cost. */
bool bills_machine_time(const struct resource_line *line);

/* Extends the span by the line's charge period. */
void machine_span_add(struct machine_span *span, const struct resource_line *line);

/* Whether the line is a Correction of machine time outside of the span. */
bool corrects_another_statement(const struct resource_line *line, const struct machine_span *span);

#endif
