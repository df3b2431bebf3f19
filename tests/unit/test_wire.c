/* Numbers of any size on their way to PostgreSQL and back, beside the bytes that PostgreSQL 15
 * itself sends of them:
 *
 *     SELECT encode(numeric_send('-1.50'), 'hex')  */
#include "allocate/wire.h"
#include "model/statistics/seeded_random.h"
#include "model_test.h"

#include <arpa/inet.h>

enum { LONGEST = 4096 };

static const struct {
    const char *units;
    unsigned scale;
    const char *bytes; /* hexadecimal */
} numbers[] = {
    { "0", 0, "0000000000000000" },
    { "0", 3, "0000000000000003" },
    { "0", 130, "0000000000000082" },
    { "-150", 2, "000200004000000200011388" },
    { "15", 0, "0001000000000000000f" },
    { "10000", 0, "00010001000000000001" },
    { "100000000", 0, "00010002000000000001" },
    { "1", 4, "0001ffff000000040001" },
    { "1", 5, "0001fffe0000000503e8" },
    { "1", 8, "0001fffe000000080001" },
    { "99999999", 4, "0002000000000004270f270f" },
    { "-1", 130, "0001ffdf400000820064" },
    { "5000", 4, "0001ffff000000041388" },
    { "120000", 4, "0001000000000004000c" },
    { "123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456"
      "789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012"
      "34567890",
      0,
      "003200310000000004d2162e23340d801ed204d2162e23340d801ed204d2162e23340d801ed204d2162e23340d801ed2"
      "04d2162e23340d801ed204d2162e23340d801ed204d2162e23340d801ed204d2162e23340d801ed204d2162e23340d80"
      "1ed204d2162e23340d801ed2" },
    { "-12345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345"
      "678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901"
      "234567890",
      3,
      "0033003140000003000109291a85007b11d722c509291a85007b11d722c509291a85007b11d722c509291a85007b11d7"
      "22c509291a85007b11d722c509291a85007b11d722c509291a85007b11d722c509291a85007b11d722c509291a85007b"
      "11d722c509291a85007b11d722c4" },
    { "123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456"
      "789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012"
      "34567890",
      130,
      "0033001100000082000c0d801ed204d2162e23340d801ed204d2162e23340d801ed204d2162e23340d801ed204d2162e"
      "23340d801ed204d2162e23340d801ed204d2162e23340d801ed204d2162e23340d801ed204d2162e23340d801ed204d2"
      "162e23340d801ed204d2162e2328" },
    { "999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999"
      "99999999999999999999999999999999",
      64,
      "0020000f00000040270f270f270f270f270f270f270f270f270f270f270f270f270f270f270f270f270f270f270f270f"
      "270f270f270f270f270f270f270f270f270f270f270f270f" },
    { "100000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
      "000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
      "00000000",
      199, "00010000000000c70001" },
    { "100000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
      "000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
      "00000000",
      0, "000100310000000003e8" },
    { "123450000", 3, "0002000100000003000c0d7a" },
};

enum { NUMBERS = sizeof numbers / sizeof numbers[0] };

static size_t bytes_of_hex(const char *hex, unsigned char *bytes)
{
    size_t count = strlen(hex) / 2;
    for (size_t i = 0; i < count; i++) {
        const char digits[] = { hex[2 * i], hex[2 * i + 1], '\0' };
        bytes[i] = (unsigned char)strtoul(digits, NULL, 16);
    }
    return count;
}

/* The field that copy_exact() writes: its bytes without their length. */
static size_t written(mpz_srcptr units, unsigned scale, unsigned char *bytes)
{
    struct copy_stream stream;
    uint32_t length;
    copy_stream_to_memory(&stream);
    copy_exact(&stream, units, scale);
    memcpy(&length, stream.buffer, sizeof length);
    length = ntohl(length);
    assert_int_equal(stream.used, sizeof length + length);
    assert_true(length <= LONGEST);
    memcpy(bytes, stream.buffer + sizeof length, length);
    copy_stream_discard(&stream);
    return length;
}

/* A result of one field; NULL is null. */
static PGresult *result_of(const void *bytes, size_t length)
{
    enum { BINARY = 1 };
    char name[] = "value";
    PGresAttDesc column = { .name = name, .format = BINARY };
    PGresult *result = PQmakeEmptyPGresult(NULL, PGRES_TUPLES_OK);
    assert_true(PQsetResultAttrs(result, 1, &column));
    assert_true(PQsetvalue(result, 0, 0, (char *)(uintptr_t)bytes, bytes == NULL ? -1 : (int)length));
    return result;
}

static bool read_number(const void *bytes, size_t length, struct exact_decimal *decimal)
{
    PGresult *result = result_of(bytes, length);
    bool is_there = wire_decimal(result, 0, 0, decimal);
    PQclear(result);
    return is_there;
}

static void numbers_are_written_as_postgresql_sends_them(void **state)
{
    (void)state;
    unsigned char expected[LONGEST], bytes[LONGEST];
    mpz_t units;
    mpz_init(units);
    for (size_t i = 0; i < NUMBERS; i++) {
        mpz_set_str(units, numbers[i].units, 10);
        size_t length = bytes_of_hex(numbers[i].bytes, expected);
        assert_int_equal(written(units, numbers[i].scale, bytes), length);
        assert_memory_equal(bytes, expected, length);
    }
    mpz_clear(units);
}

static void numbers_are_read_as_postgresql_sends_them(void **state)
{
    (void)state;
    unsigned char bytes[LONGEST];
    struct exact_decimal decimal;
    mpz_init_set_ui(decimal.units, 77);
    for (size_t i = 0; i < NUMBERS; i++) {
        assert_true(read_number(bytes, bytes_of_hex(numbers[i].bytes, bytes), &decimal));
        char *text = mpz_get_str(NULL, 10, decimal.units);
        assert_string_equal(text, numbers[i].units);
        assert_int_equal(decimal.scale, numbers[i].scale);
        free(text);
    }
    assert_false(read_number(NULL, 0, &decimal));
    assert_int_equal(mpz_sgn(decimal.units), 0);
    assert_int_equal(decimal.scale, 0);
    mpz_clear(decimal.units);
}

/* Text such as "-12.5000" of so many digits; runs of zeros are where groups go wrong. */
static void random_text(struct seeded_random *random, char *text)
{
    size_t whole = 1 + seeded_random_bits(random) % 60, behind = seeded_random_bits(random) % 60;
    unsigned digits = seeded_random_bits(random) % 2 == 0 ? 10 : 2;
    if (seeded_random_bits(random) % 3 == 0)
        *text++ = '-';
    for (size_t i = 0; i < whole + behind; i++) {
        if (i == whole)
            *text++ = '.';
        *text++ = (char)('0' + (seeded_random_bits(random) >> 8) % digits);
    }
    *text = '\0';
}

/* What both can hold has the same bytes, and comes back. */
static void random_numbers_have_the_bytes_of_a_decimal_and_come_back(void **state)
{
    (void)state;
    struct seeded_random random;
    char text[DECIMAL_TEXT_BYTES];
    struct exact_decimal back;
    mpz_t units;
    mpz_inits(units, back.units, NULL);
    seeded_random_start(&random, 20261123);
    for (int i = 0; i < 20000; i++) {
        struct decimal decimal;
        unsigned char expected[DECIMAL_WIRE_BYTES], bytes[LONGEST];
        random_text(&random, text);
        assert_true(decimal_parse(text, strlen(text), &decimal));
        size_t length = decimal_to_wire(&decimal, expected);
        char *point = strchr(text, '.');
        unsigned scale = point == NULL ? 0 : (unsigned)strlen(point + 1);
        if (point != NULL)
            memmove(point, point + 1, scale + 1);
        mpz_set_str(units, text, 10);
        assert_int_equal(written(units, scale, bytes), length);
        assert_memory_equal(bytes, expected, length);
        assert_true(read_number(bytes, length, &back));
        assert_int_equal(mpz_cmp(back.units, units), 0);
        assert_int_equal(back.scale, scale);
    }
    mpz_clears(units, back.units, NULL);
}

static int64_t read_time(const char *bytes)
{
    PGresult *result = result_of(bytes, 8);
    int64_t time = wire_time(result, 0, 0);
    PQclear(result);
    return time;
}

static void times_are_since_1970_and_may_be_infinite(void **state)
{
    (void)state;
    assert_int_equal(read_time("\0\0\0\0\0\0\0\1"), INT64_C(946684800000001));
    assert_int_equal(read_time("\377\374\242\376\304\310\040\000"), 0); /* -946,684,800,000,000 */
    assert_true(read_time("\177\377\377\377\377\377\377\377") == INT64_MAX);
    assert_true(read_time("\200\0\0\0\0\0\0\0") == INT64_MIN);
}

static void whole_numbers_have_their_sign_and_null_is_nothing(void **state)
{
    (void)state;
    PGresult *null = result_of(NULL, 0);
    assert_int_equal(wire_int4(null, 0, 0), 0);
    assert_int_equal(wire_int8(null, 0, 0), 0);
    assert_false(wire_bool(null, 0, 0));
    PQclear(null);
    PGresult *number = result_of("\377\377\377\376\0\0\0\3", 8);
    assert_int_equal(wire_int4(number, 0, 0), -2);
    assert_int_equal(wire_int8(number, 0, 0), INT64_C(-8589934589)); /* -2 x 2^32 + 3 */
    assert_true(wire_bool(number, 0, 0));
    PQclear(number);
    PGresult *yes = result_of("\1", 1);
    assert_true(wire_bool(yes, 0, 0));
    PQclear(yes);
    PGresult *no = result_of("\0", 1);
    assert_false(wire_bool(no, 0, 0));
    PQclear(no);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_written_as_postgresql_sends_them),
        cmocka_unit_test(numbers_are_read_as_postgresql_sends_them),
        cmocka_unit_test(random_numbers_have_the_bytes_of_a_decimal_and_come_back),
        cmocka_unit_test(times_are_since_1970_and_may_be_infinite),
        cmocka_unit_test(whole_numbers_have_their_sign_and_null_is_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
