/* The CSV reader against its traps: quoting, line ends, marks, gzip, limits; and against Python's
 * csv module over random files (tests/unit/csv_vectors.py). */
#include "base/text/csv_reader.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include <cmocka.h>

#include "tests/unit/scratch_file.h"

static size_t gzip(const char *bytes, size_t length, unsigned char *packed, size_t size)
{
    z_stream stream = { 0 };
    assert_int_equal(deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    stream.next_in = (unsigned char *)(uintptr_t)bytes;
    stream.avail_in = (uInt)length;
    stream.next_out = packed;
    stream.avail_out = (uInt)size;
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    deflateEnd(&stream);
    return stream.total_out;
}

/* What the file at `path` reads as: "line:[field][field]raw=<…>" per record, or the error's
 * message. */
static const char *reading_limited(char delimiter, const struct csv_limits *limits)
{
    static char result[1 << 16];
    struct error error = { 0 };
    struct csv_record record;
    enum csv_outcome outcome;
    size_t used = 0;
    struct csv_reader *reader = csv_reader_open(path, delimiter, limits, &error);
    assert_non_null(reader);
    result[0] = '\0';
    while ((outcome = csv_reader_next(reader, &record, &error)) == CSV_RECORD) {
        used += (size_t)snprintf(result + used, sizeof result - used, "%d:", (int)record.line);
        for (int i = 0; i < record.field_count; i++)
            used += (size_t)snprintf(result + used, sizeof result - used, "[%.*s]",
                                     (int)record.fields[i].length, record.fields[i].text);
        used += (size_t)snprintf(result + used, sizeof result - used, "<%.*s>", (int)record.raw_length,
                                 record.raw);
    }
    if (outcome == CSV_FAILED) {
        const char *cause =
            strncmp(error.message, path, strlen(path)) == 0 ? error.message + strlen(path) : "no path";
        snprintf(result + used, sizeof result - used, "failed%s", cause);
        assert_int_equal(error.kind, ERROR_INPUT);
    }
    csv_reader_close(reader);
    return result;
}

static const char *reading(const char *text)
{
    write_bytes(text, strlen(text));
    return reading_limited(',', NULL);
}

static void test_records_come_with_line_and_raw_bytes(void **state)
{
    (void)state;
    assert_string_equal(reading("a,b\n1,2\n"), "1:[a][b]<a,b>2:[1][2]<1,2>");
    assert_string_equal(reading("a,b\n1,2"), "1:[a][b]<a,b>2:[1][2]<1,2>");
    assert_string_equal(reading("a\n\n\n b \n"), "1:[a]<a>4:[b]< b >");
    assert_string_equal(reading("a,b\n,\n"), "1:[a][b]<a,b>2:[][]<,>");
    assert_string_equal(reading("\"a\",\"b\"\"c\"\n"), "1:[a][b\"c]<\"a\",\"b\"\"c\">");
    assert_string_equal(reading("a,b\n5\" disk,x\n"), "1:[a][b]<a,b>2:[5\" disk][x]<5\" disk,x>");
    assert_string_equal(reading("a\n\"1\n2\n\"\nx\n"), "1:[a]<a>2:[1\n2\n]<\"1\n2\n\">5:[x]<x>");
}

static void test_every_line_end_works(void **state)
{
    (void)state;
    assert_string_equal(reading("a,b\r\n1,2\r\n\r\n3,4\r\n"), "1:[a][b]<a,b>2:[1][2]<1,2>4:[3][4]<3,4>");
    assert_string_equal(reading("a,b\r1,2\r\r3,4\r"), "1:[a][b]<a,b>2:[1][2]<1,2>4:[3][4]<3,4>");
    assert_string_equal(reading("a,b\r1,2"), "1:[a][b]<a,b>2:[1][2]<1,2>");
    assert_string_equal(reading("a\n\"1\r2\"\n3\n"), "1:[a]<a>2:[1\r2]<\"1\r2\">3:[3]<3>");
    assert_string_equal(reading("a\r\n\"1\r\n2\"\r\n3\r\n"), "1:[a]<a>2:[1\r\n2]<\"1\r\n2\">4:[3]<3>");
}

static void test_byte_order_marks_are_dropped(void **state)
{
    (void)state;
    assert_string_equal(reading("\xef\xbb\xbf"
                                "a\n1\n"),
                        "1:[a]<\xef\xbb\xbf"
                        "a>2:[1]<1>");
    assert_string_equal(reading("\xef\xbb\xbf\xef\xbb\xbf\"a\"\n"), "1:[a]<\xef\xbb\xbf\xef\xbb\xbf\"a\">");
    assert_string_equal(reading("a\n\xef\xbb\xbf"
                                "1\n"),
                        "1:[a]<a>2:[1]<\xef\xbb\xbf"
                        "1>");
    assert_string_equal(reading("\xef\xbb\xbf"), "failed: the file is empty");
}

static void test_what_is_no_csv_is_refused(void **state)
{
    (void)state;
    assert_string_equal(reading(""), "failed: the file is empty");
    assert_string_equal(reading("\n \n\r\n"), "failed: the file is empty");
    assert_string_equal(reading("a\n\"1\n2"),
                        "1:[a]<a>failed, line 2: a quote in the record that begins here is never closed");
    assert_string_equal(reading("PK\x03\x04xl/"), "failed: this is a ZIP file or a workbook, not text");
    assert_string_equal(reading("\xff\xfe"
                                "a"),
                        "failed: this is UTF-16 text; kstar reads UTF-8");
}

static void test_nul_bytes_survive(void **state)
{
    (void)state;
    struct error error;
    struct csv_record record;
    write_bytes("a,b\n1\0002,\0\n", 10);
    struct csv_reader *reader = csv_reader_open(path, ',', NULL, &error);
    assert_int_equal(csv_reader_next(reader, &record, &error), CSV_RECORD);
    assert_int_equal(csv_reader_next(reader, &record, &error), CSV_RECORD);
    assert_int_equal(record.field_count, 2);
    assert_int_equal(record.fields[0].length, 3);
    assert_memory_equal(record.fields[0].text, "1\0002", 3);
    assert_int_equal(record.fields[1].length, 1);
    csv_reader_close(reader);
}

static void test_other_delimiters(void **state)
{
    (void)state;
    write_bytes("a|b,c\n1| |x\n", 12);
    assert_string_equal(reading_limited('|', NULL), "1:[a][b,c]<a|b,c>2:[1][][x]<1| |x>");
    write_bytes("a\tb\n\t\n", 6);
    assert_string_equal(reading_limited('\t', NULL), "1:[a][b]<a\tb>2:[][]<\t>");
}

static void test_limits_refuse_the_file(void **state)
{
    (void)state;
    struct csv_limits limits = { .record_bytes = 8, .columns = 3 };
    write_bytes("a,b,c\n1,2,3,4\n", 14);
    assert_string_equal(reading_limited(',', &limits),
                        "1:[a][b][c]<a,b,c>failed, line 2: a record of more than 3 columns");
    write_bytes("a\n12345678\n123456789\n", 21);
    assert_string_equal(reading_limited(',', &limits),
                        "1:[a]<a>2:[12345678]<12345678>failed, line 3: the record that begins here is longer "
                        "than the limit of 8 bytes");
    limits = (struct csv_limits){ .uncompressed_bytes = 4 };
    write_bytes("a\n1\n2\n", 6);
    assert_string_equal(reading_limited(',', &limits), "failed: holds more than the limit of 4 bytes");
}

static void test_gzip_is_known_by_its_bytes(void **state)
{
    (void)state;
    unsigned char packed[4096];
    size_t first = gzip("a,b\n1,", 6, packed, sizeof packed);
    size_t both = first + gzip("2\n", 2, packed + first, sizeof packed - first);
    write_bytes((char *)packed, both);
    assert_string_equal(reading_limited(',', NULL), "1:[a][b]<a,b>2:[1][2]<1,2>");
    size_t empty = gzip("", 0, packed, sizeof packed);
    write_bytes((char *)packed, empty);
    assert_string_equal(reading_limited(',', NULL), "failed: the file is empty");
}

static void test_broken_gzip_is_refused(void **state)
{
    (void)state;
    unsigned char packed[4096];
    size_t length = gzip("a,b\n1,2\n", 8, packed, sizeof packed - 8);
    for (size_t cut = 3; cut < length; cut++) {
        write_bytes((char *)packed, cut);
        assert_non_null(strstr(reading_limited(',', NULL), "failed: the gzip data is truncated"));
    }
    memcpy(packed + length, "\0\0junk", 6);
    write_bytes((char *)packed, length + 6);
    assert_non_null(strstr(reading_limited(',', NULL), "failed: there are other bytes after the gzip data"));
    packed[length - 8] ^= 1; /* the checksum */
    write_bytes((char *)packed, length);
    assert_non_null(
        strstr(reading_limited(',', NULL), "failed: the gzip data is damaged (incorrect data check)"));
}

static void test_a_gzip_bomb_is_refused(void **state)
{
    (void)state;
    size_t length = 66 << 20; /* up to 64 MiB may be as compressible as they like */
    char *zeros = malloc(length);
    unsigned char *packed = malloc(1 << 20);
    memset(zeros, '\n', length);
    zeros[0] = 'a';
    write_bytes((char *)packed, gzip(zeros, length, packed, 1 << 20));
    assert_non_null(
        strstr(reading_limited(',', NULL), "failed: the gzip data expands to more than 1000 times its size"));
    free(zeros);
    free(packed);
}

static void test_header_names(void **state)
{
    (void)state;
    struct error error = { 0 };
    struct csv_field fields[] = {
        { "BilledCost", 10 }, { " Tags ", 6 }, { "SkuPriceid", 10 }, { "tags", 4 }
    };
    struct csv_record header = { .line = 1, .field_count = 4, .fields = fields };
    const char *const names[] = { "SkuPriceId", "Tags", "BilledCost", "EffectiveCost" };
    int columns[4];
    assert_true(csv_header_find(&header, "x.csv", names, 4, columns, &error));
    assert_int_equal(columns[0], 2);
    assert_int_equal(columns[1], 1);
    assert_int_equal(columns[2], 0);
    assert_int_equal(columns[3], -1);
    fields[3] = (struct csv_field){ "Tags", 4 };
    assert_false(csv_header_find(&header, "x.csv", names, 4, columns, &error));
    assert_string_equal(error.message, "x.csv, line 1: column Tags stands twice in the header");
}

static bool is_hex_of(const char *hex, const struct csv_field *field)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < field->length; i++) {
        unsigned char byte = (unsigned char)field->text[i];
        if (hex[2 * i] != digits[byte >> 4] || hex[2 * i + 1] != digits[byte & 15])
            return false;
    }
    return true;
}

/* The script writes a random CSV file to its first argument and, on standard output, what Python's
 * csv reads from it: per record a line with the line number and the fields in hexadecimal. */
static void test_random_files_agree_with_python(void **state)
{
    (void)state;
    for (int seed = 0; seed < 6; seed++) {
        static char line[1 << 20];
        char command[512];
        snprintf(command, sizeof command,
                 "PATH=/usr/bin:$PATH python3 " KSTAR_SOURCE_DIR "/tests/unit/csv_vectors.py %s %d", path,
                 seed);
        FILE *expected = popen(command, "r");
        struct error error;
        struct csv_record record;
        struct csv_reader *reader = NULL;
        int count = 0;
        for (; fgets(line, sizeof line, expected) != NULL; count++) {
            if (reader == NULL) /* the file is complete once the first line is printed */
                reader = csv_reader_open(path, ',', NULL, &error);
            assert_int_equal(csv_reader_next(reader, &record, &error), CSV_RECORD);
            char *at = line;
            assert_int_equal(strtol(at, &at, 10), record.line);
            for (int i = 0; i < record.field_count; i++) {
                assert_int_equal(*at++, ' ');
                assert_true(is_hex_of(at, &record.fields[i]));
                at += 2 * record.fields[i].length;
            }
            assert_int_equal(*at, '\n');
        }
        assert_true(count > 1000);
        assert_int_equal(csv_reader_next(reader, &record, &error), CSV_END);
        csv_reader_close(reader);
        assert_int_equal(pclose(expected), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_records_come_with_line_and_raw_bytes),
        cmocka_unit_test(test_every_line_end_works),
        cmocka_unit_test(test_byte_order_marks_are_dropped),
        cmocka_unit_test(test_what_is_no_csv_is_refused),
        cmocka_unit_test(test_nul_bytes_survive),
        cmocka_unit_test(test_other_delimiters),
        cmocka_unit_test(test_limits_refuse_the_file),
        cmocka_unit_test(test_gzip_is_known_by_its_bytes),
        cmocka_unit_test(test_broken_gzip_is_refused),
        cmocka_unit_test(test_a_gzip_bomb_is_refused),
        cmocka_unit_test(test_header_names),
        cmocka_unit_test(test_random_files_agree_with_python),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
