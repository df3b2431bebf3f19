/* ingest/bill/line_sums.h: a checksum of the stored lines of a chunk, over all columns.
 *
 * The hash of a line is XXH3's 128 bits over its row in COPY's binary format. A load sends this row
 * to the server (billing_line_columns), which returns the same bytes if no column has changed. The
 * sum of a chunk is the sum of these hashes modulo 2^128: the order of lines makes no difference,
 * but a missing or additional line does. The load stores the sum in chunk.lines_sum, and kstar
 * verify makes it again. billing_content.h hashes the meaning of a line instead: there, the same
 * charge in another file is equal.
 *
 *     struct line_sums sums = { 0 };
 *     if (line_sums_read(connection, "verify/lines.sql", &sums, error))
 *         … line_sums_find(&sums, chunk_id, day) …
 *     line_sums_free(&sums);
 */
#ifndef KSTAR_INGEST_BILL_LINE_SUMS_H
#define KSTAR_INGEST_BILL_LINE_SUMS_H

#include "base/error.h"

#include <libpq-fe.h>
#include <stddef.h>
#include <stdint.h>
#include <xxhash.h>

/* The columns of billing_line, in the order in which a row has them. */
enum { BILLING_LINE_COLUMNS = 22 };
extern const char billing_line_columns[];

enum { LINE_SUM_BYTES = 2 + 32 + 1 }; /* of its text: \x, hexadecimal digits, NUL */

/* The lines of one billing period in one chunk. */
struct line_sum {
    int64_t chunk_id;
    int32_t day; /* of the billing period, counted from 2000-01-01 */
    int64_t lines;
    XXH128_hash_t sum;
};

struct line_sums {
    struct line_sum *sums; /* by chunk and day, once read */
    size_t count, capacity;
};

/* The hash of a line: of its row, field count included. */
XXH128_hash_t line_hash(const void *row, size_t length);

/* Adds up the lines that a file of sql/ copies to standard output, in binary and with
 * billing_line_columns. False if the database fails or the rows are no such lines. Call
 * line_sums_free in any case. */
bool line_sums_read(PGconn *connection, const char *file, struct line_sums *sums, struct error *error);
void line_sums_free(struct line_sums *sums); /* harmless on a zeroed one */

/* NULL: there is no line of it. */
const struct line_sum *line_sums_find(const struct line_sums *sums, int64_t chunk_id, int32_t day);

/* A sum as PostgreSQL writes chunk.lines_sum. */
void line_sum_text(XXH128_hash_t sum, char text[LINE_SUM_BYTES]);

#endif
