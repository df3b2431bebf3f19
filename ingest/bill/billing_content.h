/* ingest/bill/billing_content.h: a hash of the content of lines, to recognise lines that are
 * delivered again.
 *
 * Each line has a hash of 128 bits, and the hash of many lines is the sum of theirs modulo 2^128.
 * So compression, line ends, order of lines and division into files make no difference, and a line
 * that appears twice counts twice. The hash covers the meaning of a line and not its bytes: all
 * columns of the row, also custom ones, with numbers by value, times in UTC and every spelling of
 * null as null. Source, file and line number are not included.
 */
#ifndef KSTAR_INGEST_BILL_BILLING_CONTENT_H
#define KSTAR_INGEST_BILL_BILLING_CONTENT_H

#include "base/decimal_sum.h"
#include "ingest/bill/billing_format.h"

#include <xxhash.h>

/* The hash of a line. `period` is midnight of the first day of its billing period, and `custom` the
 * key of its custom columns. */
XXH128_hash_t billing_content_of(const struct billing_row *row, time_us period, uint64_t custom);

/* Adds a hash to a sum, which is zero when zeroed. */
void billing_content_add(XXH128_hash_t *sum, XXH128_hash_t hash);

/* The sum as a whole number below 2^128, which PostgreSQL's numeric can store. */
void billing_content_number(XXH128_hash_t sum, struct decimal_sum *number);

#endif
