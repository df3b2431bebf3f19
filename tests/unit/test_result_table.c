/* print/result_table.h: cells of each type as JSON. RFC 8259, sections 3 and 6, defines what is a
 * number there. */
#include "print/print_line.h"
#include "print/result_table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    BOOLEAN = 16,
    BIGINT = 20,
    SMALLINT = 21,
    INTEGER = 23,
    TEXT = 25,
    REAL = 700,
    DOUBLE = 701,
    TIME = 1184,
    DECIMAL = 1700
};

/* One cell of a column "cell" of that type, as PostgreSQL writes it (NULL: null), in the object of
 * its row.
 */
static char *cell_as(unsigned type, const char *text, enum json_decimals decimals)
{
    PGresult *rows = PQmakeEmptyPGresult(NULL, PGRES_TUPLES_OK);
    PGresAttDesc column = { .name = "cell", .typid = type, .typlen = -1 };
    char *value = text != NULL ? strdup(text) : NULL;
    assert_true(PQsetResultAttrs(rows, 1, &column));
    assert_true(PQsetvalue(rows, 0, 0, value, value != NULL ? (int)strlen(value) : -1));
    cJSON *object = cJSON_CreateObject();
    result_row_add(object, rows, 0, decimals);
    char *line = cJSON_PrintUnformatted(object);
    cJSON_Delete(object);
    PQclear(rows);
    free(value);
    return line;
}

static void expect(unsigned type, const char *text, const char *wanted)
{
    char *line = cell_as(type, text, DECIMALS_AS_TEXT);
    assert_string_equal(line, wanted);
    free(line);
}

static void what_is_no_text_is_printed_as_question_marks(void **state)
{
    (void)state;
    char *shown = NULL;
    size_t size;
    FILE *stream = open_memstream(&shown, &size);
    print_part(stream, "%s", "\xE5\x84\x84\xE5\x84, \xFFü\a \xC3");
    fclose(stream);
    assert_string_equal("億??, ?ü? ?", shown);
    free(shown);
}

static void a_cell_has_the_type_of_its_column(void **state)
{
    (void)state;
    expect(SMALLINT, "-7", "{\"cell\":-7}");
    expect(INTEGER, "7", "{\"cell\":7}");
    expect(BIGINT, "9223372036854775807", "{\"cell\":9223372036854775807}");
    expect(REAL, "0.5", "{\"cell\":0.5}");
    expect(DOUBLE, "-1.5e-07", "{\"cell\":-1.5e-07}");
    expect(BOOLEAN, "t", "{\"cell\":true}");
    expect(BOOLEAN, "f", "{\"cell\":false}");
    expect(TEXT, "7", "{\"cell\":\"7\"}");
    expect(TEXT, "", "{\"cell\":\"\"}");
    expect(TIME, "2026-09-01 06:30:00+00", "{\"cell\":\"2026-09-01T06:30:00Z\"}");
    expect(TIME, "2026-09-01 06:30:00.25+00", "{\"cell\":\"2026-09-01T06:30:00.25Z\"}");
    expect(TIME, "infinity", "{\"cell\":\"infinity\"}");
    expect(BIGINT, NULL, "{\"cell\":null}");
    expect(BOOLEAN, NULL, "{\"cell\":null}");
}

static void what_is_no_number_is_null(void **state)
{
    (void)state;
    static const char *const none[] = { "NaN", "Infinity", "-Infinity" };
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        expect(DOUBLE, none[i], "{\"cell\":null}");
        expect(DECIMAL, none[i], "{\"cell\":null}");
        char *line = cell_as(DECIMAL, none[i], DECIMALS_AS_NUMBERS);
        assert_string_equal(line, "{\"cell\":null}");
        free(line);
    }
}

static void decimals_keep_their_digits(void **state)
{
    (void)state;
    expect(DECIMAL, "41250.00", "{\"cell\":\"41250.00\"}");
    expect(DECIMAL, "-0.10", "{\"cell\":\"-0.10\"}");
    char *line = cell_as(DECIMAL, "-41250.00", DECIMALS_AS_NUMBERS);
    assert_string_equal(line, "{\"cell\":-41250.00}");
    free(line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cell_has_the_type_of_its_column),
        cmocka_unit_test(what_is_no_text_is_printed_as_question_marks),
        cmocka_unit_test(what_is_no_number_is_null),
        cmocka_unit_test(decimals_keep_their_digits),
    };
    return cmocka_run_group_tests_name("result_table", tests, NULL, NULL);
}
