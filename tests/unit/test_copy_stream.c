/* Rows in COPY's binary format, byte by byte, as PostgreSQL's manual describes it. Whether
 * PostgreSQL agrees is tested in tests/database/. */
#include "base/postgres/copy_stream.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static void test_a_spool_holds_header_rows_and_trailer(void **state)
{
    (void)state;
    struct copy_stream stream;
    struct error error;
    struct decimal cost;
    int64_t rows;
    time_us time;
    const char *texts[] = { "a", NULL };
    const size_t lengths[] = { 1, 0 };
    assert_true(decimal_parse("1.5", 3, &cost));
    assert_true(time_parse("2000-01-02T00:00:00.000001Z", 27, &time));
    assert_true(copy_stream_to_spool(&stream, &error));
    copy_row(&stream, 11);
    copy_null(&stream);
    copy_int2(&stream, -2);
    copy_int4(&stream, 4);
    copy_int8(&stream, -8);
    copy_bool(&stream, true);
    copy_float8(&stream, 1.0);
    copy_text(&stream, "kstar", 5);
    copy_jsonb(&stream, "{}", 2);
    copy_decimal(&stream, &cost);
    copy_timestamptz(&stream, time);
    copy_date(&stream, time);
    copy_row(&stream, 2);
    copy_text_array(&stream, 2, texts, lengths);
    copy_text_array(&stream, 0, NULL, NULL);
    assert_true(copy_stream_end(&stream, &rows, &error));
    assert_int_equal(rows, 2);
    static const char expected[] =
        "PGCOPY\n\377\r\n\0\0\0\0\0\0\0\0\0"
        "\0\13"
        "\377\377\377\377"
        "\0\0\0\2\377\376"
        "\0\0\0\4\0\0\0\4"
        "\0\0\0\10\377\377\377\377\377\377\377\370"
        "\0\0\0\1\1"
        "\0\0\0\10\77\360\0\0\0\0\0\0"
        "\0\0\0\5kstar"
        "\0\0\0\3\1{}"
        "\0\0\0\14\0\2\0\0\0\0\0\1\0\1\23\210"
        "\0\0\0\10\0\0\0\24\35\327\140\1"
        "\0\0\0\4\0\0\0\1"
        "\0\2"
        "\0\0\0\35\0\0\0\1\0\0\0\1\0\0\0\31\0\0\0\2\0\0\0\1\0\0\0\1a\377\377\377\377"
        "\0\0\0\14\0\0\0\0\0\0\0\0\0\0\0\31"
        "\377\377";
    char written[sizeof expected + 1];
    assert_int_equal(pread(stream.spool, written, sizeof written, 0), sizeof expected - 1);
    assert_memory_equal(written, expected, sizeof expected - 1);
    copy_stream_discard(&stream);
    copy_stream_discard(&stream); /* harmless */
}

static void test_fields_larger_than_the_buffer_pass_through_whole(void **state)
{
    (void)state;
    struct copy_stream stream;
    struct error error;
    size_t length = 700001;
    char *text = malloc(length);
    char *written = malloc(length);
    for (size_t i = 0; i < length; i++)
        text[i] = (char)('a' + i % 23);
    assert_true(copy_stream_to_spool(&stream, &error));
    for (int i = 0; i < 3; i++) {
        copy_row(&stream, 1);
        copy_text(&stream, text, length);
    }
    assert_true(copy_stream_end(&stream, NULL, &error));
    for (int i = 0; i < 3; i++) {
        off_t place = 19 + i * (off_t)(2 + 4 + length) + 6;
        assert_int_equal(pread(stream.spool, written, length, place), length);
        assert_memory_equal(written, text, length);
    }
    copy_stream_discard(&stream);
    free(text);
    free(written);
}

/* A descriptor that is gone stands for a full disk; field writers keep silent and the end says
 * it. */
static void test_the_first_failure_comes_out_of_the_end(void **state)
{
    (void)state;
    struct copy_stream stream;
    struct error error = { 0 };
    assert_true(copy_stream_to_spool(&stream, &error));
    close(stream.spool);
    stream.spool = -1;
    copy_row(&stream, 1);
    copy_int4(&stream, 1);
    assert_false(copy_stream_end(&stream, NULL, &error));
    assert_int_equal(error.kind, ERROR_FAILED);
    assert_non_null(strstr(error.message, "temporary file"));
}

static void test_a_spool_needs_its_folder(void **state)
{
    (void)state;
    struct copy_stream stream;
    struct error error = { 0 };
    setenv("TMPDIR", "/nowhere/at/all", 1);
    assert_false(copy_stream_to_spool(&stream, &error));
    assert_non_null(strstr(error.message, "/nowhere/at/all"));
    unsetenv("TMPDIR");
}

/* ---- a spool that cannot be sent: functions in libpq's place record its calls ---- */

static struct {
    int sent, ended;
    bool sends;
    char reason[64]; /* of the COPY's end; "" where it is ended as whole */
} server;

PGresult *PQexec(PGconn *connection, const char *query)
{
    (void)connection;
    (void)query;
    return PQmakeEmptyPGresult(NULL, PGRES_COPY_IN);
}

int PQputCopyData(PGconn *connection, const char *buffer, int count)
{
    (void)connection;
    (void)buffer;
    (void)count;
    server.sent++;
    return server.sends ? 1 : -1;
}

int PQputCopyEnd(PGconn *connection, const char *reason)
{
    (void)connection;
    server.ended++;
    snprintf(server.reason, sizeof server.reason, "%s", reason != NULL ? reason : "");
    return 1;
}

PGresult *PQgetResult(PGconn *connection)
{
    (void)connection;
    return NULL;
}

static bool send_a_row(bool sends, struct error *error)
{
    struct copy_stream spool;
    memset(&server, 0, sizeof server);
    server.sends = sends;
    assert_true(copy_stream_to_spool(&spool, error));
    copy_row(&spool, 1);
    copy_int4(&spool, 1);
    assert_true(copy_stream_end(&spool, NULL, error));
    return copy_stream_send_spool(&spool, NULL, "COPY t FROM STDIN (FORMAT binary)", error);
}

static void test_a_spool_that_was_sent_is_ended_as_whole(void **state)
{
    (void)state;
    struct error error = { 0 };
    assert_true(send_a_row(true, &error));
    assert_int_equal(server.ended, 1);
    assert_string_equal(server.reason, "");
}

/* PostgreSQL takes rows without the format's trailer as all of them: an end must say that they are
 * not. */
static void test_a_spool_that_was_cut_off_is_not_ended_as_whole(void **state)
{
    (void)state;
    struct error error = { 0 };
    assert_false(send_a_row(false, &error));
    assert_int_equal(error.kind, ERROR_DATABASE);
    assert_int_equal(server.sent, 1);
    assert_int_equal(server.ended, 1);
    assert_string_not_equal(server.reason, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_spool_holds_header_rows_and_trailer),
        cmocka_unit_test(test_fields_larger_than_the_buffer_pass_through_whole),
        cmocka_unit_test(test_the_first_failure_comes_out_of_the_end),
        cmocka_unit_test(test_a_spool_needs_its_folder),
        cmocka_unit_test(test_a_spool_that_was_sent_is_ended_as_whole),
        cmocka_unit_test(test_a_spool_that_was_cut_off_is_not_ended_as_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
