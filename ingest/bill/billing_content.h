/* ingest/bill/billing_content.h: the content of a bill's lines as a number, to recognise the same
 * again.
 *
 * Each line has a hash of 128 bits, and the hash of many lines is the sum of theirs modulo 2^128.
 * So packing, line ends, the order of the lines and the cut into files make no difference, and a
 * line that stands twice counts twice. The hash covers what a line means and not its bytes: all
 * columns of the row, custom ones too, with numbers by their value, times as moments in UTC and
 * every spelling of null as null. Source, file and line number are not in it.
 */
#ifndef KSTAR_INGEST_BILL_BILLING_CONTENT_H
#define KSTAR_INGEST_BILL_BILLING_CONTENT_H

#include "base/decimal_sum.h"
#include "ingest/bill/billing_format.h"

#include <xxhash.h>

/* The hash of a line. `period` is midnight of its billing period's first day; `custom` stands for
 * its custom columns. */
XXH128_hash_t billing_content_of(const struct billing_row *row, time_us period, uint64_t custom);

/* Adds a hash to a sum, which is zero when zeroed. */
void billing_content_add(XXH128_hash_t *sum, XXH128_hash_t hash);

/* The sum as PostgreSQL's numeric can hold it: a whole number below 2^128. */
void billing_content_number(XXH128_hash_t sum, struct decimal_sum *number);

#endif
