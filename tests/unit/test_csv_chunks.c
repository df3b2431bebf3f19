/* tests/unit/test_csv_chunks.c: chunks of a file, and the records that are read from them. */
#include "base/text/csv_chunks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include <cmocka.h>

/* A text that is being written. */
struct text {
    char *bytes;
    size_t length, capacity;
};

static void append(struct text *text, const char *bytes, size_t length)
{
    if (text->length + length > text->capacity) {
        text->capacity = 2 * (text->length + length);
        text->bytes = realloc(text->bytes, text->capacity);
        assert_non_null(text->bytes);
    }
    memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
}

static void append_text(struct text *text, const char *more)
{
    append(text, more, strlen(more));
}

static void write_file(char path[64], const struct text *text, bool compress)
{
    static const char template[] = "/tmp/kstar-chunks-XXXXXX";
    memcpy(path, template, sizeof template);
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    if (compress) {
        gzFile file = gzdopen(descriptor, "wb1");
        assert_int_equal(gzwrite(file, text->bytes, (unsigned)text->length), (int)text->length);
        gzclose(file);
    } else {
        assert_int_equal(write(descriptor, text->bytes, text->length), (ssize_t)text->length);
        close(descriptor);
    }
}

/* Lines of a bill: `line_end` after each, from `seed` on. */
static void append_lines(struct text *text, int count, const char *line_end, unsigned seed)
{
    for (int i = 0; i < count; i++) {
        char line[256];
        snprintf(line, sizeof line,
                 "%u,2026-09-%02dT00:00:00Z,\"{\"\"team\"\": \"\"t%d\"\"}\",some text,%d.%06d%s",
                 seed + (unsigned)i, 1 + i % 30, i % 17, rand() % 1000, rand() % 1000000, line_end);
        append_text(text, line);
    }
}

enum { CHUNKS = 4096 };

/* Where a file's chunks end. */
static int find_cuts(const char *path, size_t cuts[CHUNKS])
{
    struct error error;
    struct csv_chunk chunk = { 0 };
    struct csv_chunks *chunks = csv_chunks_open(path, 0, NULL, &error);
    assert_non_null(chunks);
    int count = 0;
    size_t end = 0;
    do {
        assert_true(csv_chunks_next(chunks, &chunk, &error));
        assert_true(chunk.length <= CSV_CHUNK_BYTES_MAXIMUM);
        assert_true(chunk.is_last || chunk.length >= CSV_CHUNK_BYTES_MINIMUM);
        end += chunk.length;
        assert_true(count < CHUNKS);
        cuts[count++] = end;
    } while (!chunk.is_last);
    free(chunk.bytes);
    csv_chunks_close(chunks);
    return count;
}

static void chunks_are_the_file_from_the_offset_on(void **state)
{
    struct text text = { 0 };
    struct error error;
    char path[64];
    (void)state;
    append_lines(&text, 20000, "\n", 0);
    write_file(path, &text, false);
    struct csv_chunk chunk = { 0 };
    struct csv_chunks *chunks = csv_chunks_open(path, 777, NULL, &error);
    size_t at = 777;
    do {
        assert_true(csv_chunks_next(chunks, &chunk, &error));
        assert_memory_equal(chunk.bytes, text.bytes + at, chunk.length);
        at += chunk.length;
        assert_true(chunk.is_last || text.bytes[at - 1] == '\n');
    } while (!chunk.is_last);
    assert_int_equal(at, text.length);
    free(chunk.bytes);
    csv_chunks_close(chunks);
    unlink(path);
    free(text.bytes);
}

static void a_compressed_file_is_cut_in_the_same_places(void **state)
{
    static size_t plain[CHUNKS], compressed[CHUNKS];
    struct text text = { 0 };
    char path[64];
    (void)state;
    append_lines(&text, 50000, "\r\n", 0);
    write_file(path, &text, false);
    int count = find_cuts(path, plain);
    unlink(path);
    write_file(path, &text, true);
    assert_int_equal(find_cuts(path, compressed), count);
    unlink(path);
    assert_true(count > 20);
    assert_memory_equal(plain, compressed, (size_t)count * sizeof plain[0]);
    free(text.bytes);
}

/* Of a changed file all but the chunks around the change are as before. */
static void a_line_that_is_put_in_shifts_few_cuts(void **state)
{
    static size_t before[CHUNKS], after[CHUNKS];
    static const char line[] = "a line that was not there before\n";
    struct text text = { 0 }, changed = { 0 };
    char path[64];
    (void)state;
    append_lines(&text, 100000, "\n", 0);
    size_t place = (size_t)((char *)memchr(text.bytes + text.length / 10, '\n', 1000) - text.bytes) + 1;
    append(&changed, text.bytes, place);
    append_text(&changed, line);
    append(&changed, text.bytes + place, text.length - place);
    write_file(path, &text, false);
    int count = find_cuts(path, before);
    unlink(path);
    write_file(path, &changed, false);
    int changed_count = find_cuts(path, after);
    unlink(path);
    int same = 0;
    for (int i = 0, j = 0; i < count; i++) {
        size_t expected = before[i] + (before[i] > place ? strlen(line) : 0);
        while (j < changed_count && after[j] < expected)
            j++;
        same += j < changed_count && after[j] == expected;
    }
    assert_true(count > 50);
    assert_true(same >= count - 12);
    free(text.bytes);
    free(changed.bytes);
}

/* ---- records ---- */

static void expect_record(struct csv_reader *whole, const struct csv_record *record)
{
    struct csv_record expected;
    struct error error;
    assert_int_equal(csv_reader_next(whole, &expected, &error), CSV_RECORD);
    assert_int_equal(record->line, expected.line);
    assert_int_equal(record->raw_length, expected.raw_length);
    assert_memory_equal(record->raw, expected.raw, record->raw_length);
    assert_int_equal(record->field_count, expected.field_count);
    for (int i = 0; i < record->field_count; i++) {
        assert_int_equal(record->fields[i].length, expected.fields[i].length);
        if (record->fields[i].length > 0)
            assert_memory_equal(record->fields[i].text, expected.fields[i].text, record->fields[i].length);
    }
}

/* Reads a file chunk by chunk and as a whole: the same records, lines included. Returns how many
 * chunks ended within a record. The header is read before them, as a bill's is. */
static int compare(const struct text *text)
{
    char path[64];
    struct error error;
    struct csv_record record;
    write_file(path, text, false);
    struct csv_reader *whole = csv_reader_open(path, ',', NULL, &error);
    assert_int_equal(csv_reader_next(whole, &record, &error), CSV_RECORD);
    struct csv_place place = csv_reader_place(whole);
    struct csv_chunks *chunks = csv_chunks_open(path, place.offset, NULL, &error);
    struct csv_reader *reader = csv_reader_open_text(path, ',', NULL);
    struct csv_chunk chunk = { 0 };
    struct text tail = { 0 };
    int unfinished = 0;
    enum csv_outcome outcome;
    do {
        assert_true(csv_chunks_next(chunks, &chunk, &error));
        append(&tail, chunk.bytes, chunk.length);
        struct csv_text given = { tail.bytes, tail.length, place.line, place.lines_end_in_cr, chunk.is_last };
        csv_reader_give(reader, &given);
        while ((outcome = csv_reader_next(reader, &record, &error)) == CSV_RECORD)
            expect_record(whole, &record);
        place = csv_reader_place(reader);
        memmove(tail.bytes, tail.bytes + place.offset, tail.length - (size_t)place.offset);
        tail.length -= (size_t)place.offset;
        assert_true(outcome == CSV_END ? tail.length == 0 : outcome == CSV_UNFINISHED && tail.length > 0);
        unfinished += outcome == CSV_UNFINISHED;
    } while (!chunk.is_last);
    assert_int_equal(outcome, CSV_END);
    assert_int_equal(csv_reader_next(whole, &record, &error), CSV_END);
    free(tail.bytes);
    free(chunk.bytes);
    csv_reader_close(reader);
    csv_reader_close(whole);
    csv_chunks_close(chunks);
    unlink(path);
    return unfinished;
}

static void every_kind_of_line_end_gives_the_same_records(void **state)
{
    static const struct {
        const char *line_end;
        bool ends_within; /* chunks do: only LF is looked for */
    } kinds[] = { { "\n", false }, { "\r\n", false }, { "\r", true } };
    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        struct text text = { 0 };
        append_text(&text, "\xef\xbb\xbfnumber,time,tags,text,cost");
        append_text(&text, kinds[i].line_end);
        append_lines(&text, 40000, kinds[i].line_end, 0);
        append_text(&text, "last,line,,without,end");
        int unfinished = compare(&text);
        assert_true(kinds[i].ends_within ? unfinished > 0 : unfinished == 0);
        free(text.bytes);
    }
}

static void lines_within_quotes_do_not_end_a_chunk(void **state)
{
    struct text text = { 0 };
    (void)state;
    append_text(&text, "a,b\n");
    for (int i = 0; i < 20000; i++) {
        char line[128];
        snprintf(line, sizeof line, "%d,\"{\n  \"\"team\"\": \"\"t%d\"\"\r\n}\n\"\n\n", i, i % 13);
        append_text(&text, line);
    }
    assert_int_equal(compare(&text), 0);
    free(text.bytes);
}

/* A quote within a field is an ordinary character to libcsv and turns the count of quotes over. */
static void stray_quotes_and_joined_files_give_the_same_records(void **state)
{
    struct text text = { 0 };
    (void)state;
    append_text(&text, "number,time,tags,text,cost\n");
    for (int i = 0; i < 60; i++) {
        append_lines(&text, 500 + rand() % 3000, "\n", (unsigned)(10000 * i));
        append_text(&text, i % 3 == 0   ? "1,5\" disk,,,\n"
                           : i % 3 == 1 ? "\xef\xbb\xbfnumber,time,\"lines\nin\nquotes\",text,cost\n"
                                        : "\n \t\n\"a \"stray\" one\",,,\n");
    }
    compare(&text);
    append_text(&text, "5\" disk,,,\n"); /* from here on line ends within quotes seem to lie without */
    for (int i = 0; i < 20000; i++) {
        char line[64];
        snprintf(line, sizeof line, "%d,\"two %d\nlines\",,,\n", i, rand());
        append_text(&text, line);
    }
    assert_true(compare(&text) > 0);
    free(text.bytes);
}

static void a_record_over_the_limit_is_refused_with_its_line(void **state)
{
    struct csv_limits limits = { .record_bytes = 1000 };
    struct error error;
    struct csv_record record;
    char bytes[3000];
    (void)state;
    memset(bytes, 'x', sizeof bytes);
    memcpy(bytes, "a,b\n\"c", 6);
    struct csv_reader *reader = csv_reader_open_text("bill.csv", ',', &limits);
    struct csv_text text = { .bytes = bytes, .length = sizeof bytes, .line = 41 };
    csv_reader_give(reader, &text);
    assert_int_equal(csv_reader_next(reader, &record, &error), CSV_RECORD);
    assert_int_equal(csv_reader_next(reader, &record, &error), CSV_FAILED);
    assert_string_equal(
        error.message,
        "bill.csv, line 42: the record that begins here is longer than the limit of 1000 bytes");
    text.length = 500;
    csv_reader_give(reader, &text); /* forgets all of that */
    assert_int_equal(csv_reader_next(reader, &record, &error), CSV_RECORD);
    assert_int_equal(csv_reader_next(reader, &record, &error), CSV_UNFINISHED);
    assert_int_equal(csv_reader_place(reader).offset, 4);
    assert_int_equal(csv_reader_place(reader).line, 42);
    csv_reader_close(reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chunks_are_the_file_from_the_offset_on),
        cmocka_unit_test(a_compressed_file_is_cut_in_the_same_places),
        cmocka_unit_test(a_line_that_is_put_in_shifts_few_cuts),
        cmocka_unit_test(every_kind_of_line_end_gives_the_same_records),
        cmocka_unit_test(lines_within_quotes_do_not_end_a_chunk),
        cmocka_unit_test(stray_quotes_and_joined_files_give_the_same_records),
        cmocka_unit_test(a_record_over_the_limit_is_refused_with_its_line),
    };
    srand(20260901);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
