/* allocate/wire.c: see wire.h. */
#include "allocate/wire.h"

#include "base/postgres/database.h"
#include "base/postgres/sql_catalogue.h"
#include "model/allocation/exact_shift.h"

#include <stdlib.h>
#include <string.h>

#define MICROSECONDS_TO_2000 INT64_C(946684800000000)

enum { GROUP_DIGITS = 4, NEGATIVE_SIGN = 0x4000 };

static PGresult *run(PGconn *connection, const char *what, const char *sql, struct error *error)
{
    enum { BINARY = 1 };
    PGresult *result = PQexecParams(connection, sql, 0, NULL, NULL, NULL, NULL, BINARY);
    if (PQresultStatus(result) == PGRES_TUPLES_OK || PQresultStatus(result) == PGRES_COMMAND_OK)
        return result;
    database_error(connection, result, what, error);
    PQclear(result);
    return NULL;
}

PGresult *wire_query_file(PGconn *connection, const char *name, struct error *error)
{
    return run(connection, name, sql_text(name), error);
}

PGresult *wire_query(PGconn *connection, const char *sql, struct error *error)
{
    return run(connection, sql, sql, error);
}

static uint64_t read_bytes(const unsigned char *bytes, int count)
{
    uint64_t value = 0;
    for (int i = 0; i < count; i++)
        value = value << 8 | bytes[i];
    return value;
}

static const unsigned char *bytes_of(const PGresult *result, int row, int column)
{
    return (const unsigned char *)PQgetvalue(result, row, column);
}

bool wire_bool(const PGresult *result, int row, int column)
{
    return !PQgetisnull(result, row, column) && bytes_of(result, row, column)[0] != 0;
}

int32_t wire_int4(const PGresult *result, int row, int column)
{
    return PQgetisnull(result, row, column) ? 0 : (int32_t)read_bytes(bytes_of(result, row, column), 4);
}

int64_t wire_int8(const PGresult *result, int row, int column)
{
    return PQgetisnull(result, row, column) ? 0 : (int64_t)read_bytes(bytes_of(result, row, column), 8);
}

int64_t wire_time(const PGresult *result, int row, int column)
{
    int64_t time = wire_int8(result, row, column);
    return time == INT64_MAX || time == INT64_MIN ? time : time + MICROSECONDS_TO_2000;
}

/* The base-10000 digits of a numeric as one whole number. */
static void read_groups(const unsigned char *groups, int count, mpz_t whole)
{
    enum { GROUPS_OF_A_WORD = 4 };
    mpz_set_ui(whole, 0);
    for (int i = 0; i < count;) {
        unsigned long word = 0, base = 1;
        for (int j = 0; j < GROUPS_OF_A_WORD && i < count; i++, j++) {
            word = word * 10000 + read_bytes(groups + (size_t)2 * (size_t)i, 2);
            base *= 10000;
        }
        mpz_mul_ui(whole, whole, base);
        mpz_add_ui(whole, whole, word);
    }
}

bool wire_decimal(const PGresult *result, int row, int column, struct exact_decimal *decimal)
{
    mpz_set_ui(decimal->units, 0);
    decimal->scale = 0;
    if (PQgetisnull(result, row, column))
        return false;
    const unsigned char *bytes = bytes_of(result, row, column);
    int count = (int)read_bytes(bytes, 2), weight = (int16_t)read_bytes(bytes + 2, 2);
    decimal->scale = (unsigned)read_bytes(bytes + 6, 2);
    read_groups(bytes + 8, count, decimal->units);
    if (count > 0)
        exact_shift(decimal->units, (int)decimal->scale - GROUP_DIGITS * (count - 1 - weight));
    if (read_bytes(bytes + 4, 2) == NEGATIVE_SIGN)
        mpz_neg(decimal->units, decimal->units);
    return true;
}

/* ---- Writing ---- */

/* The digits of a number in groups of four around the point, most significant first. */
struct digit_groups {
    unsigned char *wire; /* two bytes each */
    int count, weight;
};

static int group_value(const char *digits)
{
    return (digits[0] - '0') * 1000 + (digits[1] - '0') * 100 + (digits[2] - '0') * 10 + (digits[3] - '0');
}

/* `text` has `length` digits, a multiple of four; `whole_groups` groups stand before the point. */
static void make_groups(const char *text, size_t length, int whole_groups, struct digit_groups *groups)
{
    int count = (int)(length / GROUP_DIGITS), first = 0;
    while (first < count && group_value(text + (size_t)first * GROUP_DIGITS) == 0)
        first++;
    while (count > first && group_value(text + (size_t)(count - 1) * GROUP_DIGITS) == 0)
        count--;
    groups->count = count - first;
    groups->weight = groups->count > 0 ? whole_groups - 1 - first : 0;
    for (int i = first; i < count; i++)
        wire_put_int2(groups->wire + (size_t)2 * (size_t)(i - first),
                      group_value(text + (size_t)i * GROUP_DIGITS));
}

void copy_exact(struct copy_stream *stream, mpz_srcptr units, unsigned scale)
{
    enum { HEADER = 8 };
    size_t digits = mpz_sizeinbase(units, 10) + 1;
    size_t behind = ((size_t)scale + 3) / 4 * 4, size = digits + behind + 2 * (size_t)GROUP_DIGITS;
    char *text = malloc(2 * size + 2), *number = text + size;
    unsigned char *wire = malloc(HEADER + size);
    mpz_get_str(number, 10, units);
    const char *shown = number[0] == '-' ? number + 1 : number;
    size_t length = strlen(shown), padded = length + (behind - scale);
    size_t total = (padded > behind ? padded : behind);
    total = (total + 3) / 4 * 4;
    memset(text, '0', total);
    memcpy(text + total - padded, shown, length);
    struct digit_groups groups = { .wire = wire + HEADER };
    make_groups(text, total, (int)((total - behind) / GROUP_DIGITS), &groups);
    wire_put_int2(wire, groups.count);
    wire_put_int2(wire + 2, groups.weight);
    wire_put_int2(wire + 4, mpz_sgn(units) < 0 ? NEGATIVE_SIGN : 0);
    wire_put_int2(wire + 6, (int)scale);
    copy_text(stream, (const char *)wire, HEADER + (size_t)2 * (size_t)groups.count);
    free(text);
    free(wire);
}
