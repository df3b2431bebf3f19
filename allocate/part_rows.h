/* allocate/part_rows.h: parts of lines as rows of line_part, kept in memory until they are
 * written.
 *
 * Only kstar explain needs them. The nightly run adds parts up and keeps none.
 */
#ifndef KSTAR_ALLOCATE_PART_ROWS_H
#define KSTAR_ALLOCATE_PART_ROWS_H

#include "allocate/node_charges.h"
#include "allocate/parts_wanted.h"
#include "base/postgres/copy_stream.h"

struct part_rows {
    const struct catalogue *catalogue;
    const struct parts_wanted *wanted;
    struct copy_stream rows;
};

/* Prepares the memory. Parts that are not wanted are not kept. */
void part_rows_open(struct part_rows *parts, const struct catalogue *catalogue,
                    const struct parts_wanted *wanted);
void part_rows_close(struct part_rows *parts);

/* A line_part_seer, whose context is a struct part_rows. */
void part_rows_take(const struct bill_line *line, const struct charge_key *key, const struct line_part *part,
                    void *context);

/* Whether there are enough rows to write them now. */
bool part_rows_are_many(const struct part_rows *parts);
/* Writes the rows and empties the memory. */
bool part_rows_write(struct part_rows *parts, PGconn *connection, struct error *error);

#endif
