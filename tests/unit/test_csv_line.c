/* tests/unit/test_csv_line.c: what csv_line_split splits, libcsv splits the same way. */
#include "base/text/csv_line.h"

#include <csv.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { FIELDS = 32, BYTES = 256 };

/* A line as libcsv reads it: fields one after the other, each with a mark of its end. */
struct reading {
    char text[BYTES];
    size_t used;
    int fields, records;
};

static void take_field(void *bytes, size_t length, void *data)
{
    struct reading *reading = data;
    if (reading->records > 0)
        return;
    if (length > 0)
        memcpy(reading->text + reading->used, bytes, length);
    reading->used += length;
    reading->text[reading->used++] = '|';
    reading->fields++;
}

static void take_record(int end, void *data)
{
    (void)end;
    ((struct reading *)data)->records++;
}

static void read_with_libcsv(struct csv_parser *parser, const char *line, size_t length,
                             struct reading *reading)
{
    memset(reading, 0, sizeof *reading);
    csv_parse(parser, line, length, take_field, take_record, reading);
    csv_parse(parser, "\n", 1, take_field, take_record, reading);
    csv_fini(parser, NULL, NULL, NULL); /* where the line ended within quotes */
}

/* Whether the line was split; then libcsv must agree. */
static bool check(struct csv_parser *parser, const char *line, size_t length)
{
    struct csv_field fields[FIELDS];
    struct reading expected;
    char room[BYTES], text[BYTES];
    int count = csv_line_split(line, length, ',', room, fields, FIELDS);
    if (count < 0)
        return false;
    size_t used = 0;
    for (int i = 0; i < count; i++) {
        memcpy(text + used, fields[i].text, fields[i].length);
        used += fields[i].length;
        text[used++] = '|';
    }
    read_with_libcsv(parser, line, length, &expected);
    if (expected.records != 1 || expected.fields != count || expected.used != used ||
        memcmp(expected.text, text, used) != 0)
        fail_msg("<%.*s> is <%.*s> here and <%.*s> with libcsv", (int)length, line, (int)used, text,
                 (int)expected.used, expected.text);
    return true;
}

static bool is_blank(const char *line, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (line[i] != ' ' && line[i] != '\t')
            return false;
    }
    return true;
}

/* Every line of up to eight of these characters; enough for any two fields with what can stand in
 * them. */
static void every_short_line_is_split_as_libcsv_does(void **state)
{
    static const char alphabet[] = { 'a', '"', ',', ' ', '\t', '\0' };
    enum { CHARACTERS = sizeof alphabet, LONGEST = 8 };
    struct csv_parser parser;
    (void)state;
    csv_init(&parser, 0);
    long split = 0, lines = 0;
    for (size_t length = 1, of_length = CHARACTERS; length <= LONGEST; length++, of_length *= CHARACTERS) {
        for (size_t number = 0; number < of_length; number++) {
            char line[LONGEST];
            size_t rest = number;
            for (size_t i = 0; i < length; i++, rest /= CHARACTERS)
                line[i] = alphabet[rest % CHARACTERS];
            if (is_blank(line, length))
                continue;
            lines++;
            split += check(&parser, line, length);
        }
    }
    csv_free(&parser);
    assert_true(split > 50000 && split < lines); /* both kinds are many */
}

static void lines_of_a_bill_are_split(void **state)
{
    static const struct {
        const char *line;
        int fields;
        const char *last;
    } cases[] = {
        { "a", 1, "a" },
        { ",", 2, "" },
        { "eu-north-2b,61.26,\"Company, billing\",USD,\"{\"\"team\"\": \"\"vision\"\"}\"", 5,
          "{\"team\": \"vision\"}" },
        { "\"\",x,\"\"\"\"", 3, "\"" },
        { "12345678,1234567,123456789,", 4, "" },
    };
    struct csv_parser parser;
    (void)state;
    csv_init(&parser, 0);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct csv_field fields[FIELDS];
        char room[BYTES];
        size_t length = strlen(cases[i].line);
        int count = csv_line_split(cases[i].line, length, ',', room, fields, FIELDS);
        assert_int_equal(count, cases[i].fields);
        assert_int_equal(fields[count - 1].length, strlen(cases[i].last));
        assert_memory_equal(fields[count - 1].text, cases[i].last, strlen(cases[i].last));
        assert_true(check(&parser, cases[i].line, length));
    }
    csv_free(&parser);
}

static void what_asks_for_a_decision_is_left_to_libcsv(void **state)
{
    static const char *const lines[] = { " a",     "a ,b",  "5\" disk", "\"a\" ,b", "\"a\"b",
                                         "\"open", "a,\"b", "a\t,b",    "\"a\"\"" };
    struct csv_field fields[FIELDS];
    char room[BYTES];
    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        assert_int_equal(csv_line_split(lines[i], strlen(lines[i]), ',', room, fields, FIELDS), -1);
    assert_int_equal(csv_line_split("a,b,c", 5, ',', room, fields, 2), -1);
    assert_int_equal(csv_line_split("a\tb", 3, '\t', room, fields, FIELDS), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_short_line_is_split_as_libcsv_does),
        cmocka_unit_test(lines_of_a_bill_are_split),
        cmocka_unit_test(what_asks_for_a_decision_is_left_to_libcsv),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
