/* What a job's log says of its work: pairs of key and value in its head. */
#include "ingest/measure/throughput_log.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/scratch_file.h"

#define SPEEDS "throughput=1\nthroughput=1\nthroughput=1\nthroughput=1\n"

static void append(char *text, size_t size, const char *part)
{
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s", part);
}

/* "model=a precision=bf16!fp8": each field that was read, behind ! what contradicts it. */
static void describe(const struct logged_identity *identity, char *text, size_t size)
{
    text[0] = '\0';
    for (int field = 0; field < LOGGED_FIELDS; field++) {
        if (identity->values[field][0] == '\0')
            continue;
        append(text, size, text[0] != '\0' ? " " : "");
        append(text, size, logged_field_names[field]);
        append(text, size, "=");
        append(text, size, identity->values[field]);
        append(text, size, identity->others[field][0] != '\0' ? "!" : "");
        append(text, size, identity->others[field]);
    }
}

static void expect(const char *lines, size_t length, const char *wanted)
{
    struct logged_identity identity = { 0 };
    char found[1024];
    for (const char *line = lines, *end; line < lines + length; line = end + 1) {
        end = memchr(line, '\n', (size_t)(lines + length - line));
        end = end != NULL ? end : lines + length;
        logged_identity_take(&identity, line, (size_t)(end - line));
    }
    describe(&identity, found, sizeof found);
    if (strcmp(found, wanted) != 0)
        fail_msg("%s\n is %s\nwanted %s", lines, found, wanted);
}

static void test_keys_and_values_are_read_as_logs_write_them(void **state)
{
    static const struct {
        const char *lines, *wanted;
    } cases[] = {
        { "model=sft-7b precision=bf16 batch=512 sequence_length=4096",
          "precision=bf16 batch=512 model=sft-7b sequence_length=4096" },
        { "{\"accelerator\": \"NVIDIA H100\", \"batch\": 512, \"software\":\"torch 2.8\"}",
          "accelerator=NVIDIA H100 batch=512 software=torch 2.8" },
        { "Namespace(model='sft 7b', precision='bf16', batch=512)", "precision=bf16 batch=512 model=sft 7b" },
        { "{'model': 'a', 'batch' : 8}", "batch=8 model=a" },
        { "$ train.py --model=a --batch=4,096;", "batch=4,096 model=a" },
        { "[0] model=\"a, b\"\tprecision=bf16,batch=1|software=2.1]",
          "precision=bf16 batch=1 model=a, b software=2.1" },
        { "\x1b[32mmodel=a\x1b[0m", "" }, /* the colour ends in a letter */
        { "\x1b[0m model=a\x1b[0m", "model=a" },
        { "model=gr\xc3\xb6\xc3\x9f"
          "e",
          "model=gr\xc3\xb6\xc3\x9f"
          "e" },
        { "model=a\nMODEL=b\nmodel=A\nmodel=a", "model=a" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        expect(cases[i].lines, strlen(cases[i].lines), cases[i].wanted);
}

static void test_what_is_no_pair_is_not_read(void **state)
{
    static const char *const none[] = {
        "base_model=a",
        "teacher.model=a",
        "draft-model=a",
        "model_name=a",
        "models=a",
        "model: a",
        "model = a",
        "model= a",
        "model=",
        "model=\"\"",
        "model=\"a",
        "model='a\"",
        "model=null",
        "\"model\": None",
        "\"model\": [1, 2]",
        "\"model\": {\"name\": \"a\"}",
        "model=\"a\\u0000\"",
        "model=\"a\x07\"",
        "model=\xff\xfe",
        "model=\"\xe2\x80\xaez\"",
        "model",
        "\"model\"",
        "\"model\":",
        "--model a",
        "",
    };
    (void)state;
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        expect(none[i], strlen(none[i]), "");
    expect("model=\0a", 8, "");
    expect("\0model=a", 8, "model=a");
}

static void test_a_second_value_contradicts_the_first(void **state)
{
    (void)state;
    expect("batch=0\nbatch=1\nbatch=2", 23, "batch=0!1");
    expect("model=a {\"model\": \"b\"} precision=bf16", 37, "precision=bf16 model=a!b");
}

static void test_a_value_and_a_head_have_an_end(void **state)
{
    enum { LINE = 1 << 16 };
    char *line = malloc(LINE + 1), wanted[LOGGED_VALUE_BYTES + 16], text[LOGGED_VALUE_BYTES + 16];
    struct logged_identity identity = { 0 };
    (void)state;
    for (int bytes = LOGGED_VALUE_BYTES - 1; bytes <= LOGGED_VALUE_BYTES; bytes++) {
        int length = snprintf(text, sizeof text, "model=%0*d", bytes, 7);
        expect(text, (size_t)length, bytes < LOGGED_VALUE_BYTES ? text : "");
        length = snprintf(line, LINE, "model=\"%0*d\"", bytes, 7);
        expect(line, (size_t)length, bytes < LOGGED_VALUE_BYTES ? text : "");
    }
    memset(line, ' ', LINE);
    memcpy(line + LINE - 8, " model=a", 8);
    for (int lines = 0; lines < 3; lines++)
        logged_identity_take(&identity, line + (lines == 0 ? 8 : 0), LINE - 8);
    logged_identity_take(&identity, line, LINE);
    describe(&identity, wanted, sizeof wanted);
    assert_string_equal(wanted, "model=a"); /* 32 bytes of the head are left */
    logged_identity_take(&identity, "precision=bf16 batch=7 and more of the line", 43);
    logged_identity_take(&identity, "batch=8", 7);
    describe(&identity, wanted, sizeof wanted);
    assert_string_equal(wanted, "precision=bf16 batch=7 model=a");
    assert_int_equal(identity.head, LOGGED_HEAD_BYTES);
    free(line);
}

/* Each key would have its value looked for to the end of the line. */
static void test_a_line_of_keys_takes_no_long_time(void **state)
{
    static const char key[] = "(model=";
    enum { KEYS = 37000, KEY_BYTES = sizeof key - 1, LINE = KEYS * KEY_BYTES };
    struct logged_identity identity = { 0 };
    char *line = malloc(LINE);
    (void)state;
    for (int i = 0; i < KEYS; i++)
        memcpy(line + (ptrdiff_t)i * KEY_BYTES, key, KEY_BYTES);
    clock_t begin = clock();
    logged_identity_take(&identity, line, LINE);
    assert_true(clock() - begin < 3 * CLOCKS_PER_SEC);
    assert_int_equal(identity.values[LOGGED_MODEL][0], '('); /* of the last keys */
    free(line);
}

static void read_log(const char *text, struct throughput_samples *samples)
{
    struct error error = { 0 };
    double value;
    write_bytes(text, strlen(text));
    *samples = (struct throughput_samples){ 0 };
    if (!throughput_log_read(path, LOGGED_THROUGHPUT, &value, samples, &error))
        fail_msg("%s", error.message);
}

static void test_the_head_ends_before_the_first_speed(void **state)
{
    struct throughput_samples samples;
    char found[256];
    (void)state;
    read_log("model=a\nstep=0\n" SPEEDS "model=b\n", &samples);
    describe(&samples.identity, found, sizeof found);
    assert_string_equal(found, "model=a");
    read_log("batch=0 throughput=1\nbatch=1\nmodel=b\n" SPEEDS, &samples);
    describe(&samples.identity, found, sizeof found);
    assert_string_equal(found, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keys_and_values_are_read_as_logs_write_them),
        cmocka_unit_test(test_what_is_no_pair_is_not_read),
        cmocka_unit_test(test_a_second_value_contradicts_the_first),
        cmocka_unit_test(test_a_value_and_a_head_have_an_end),
        cmocka_unit_test(test_a_line_of_keys_takes_no_long_time),
        cmocka_unit_test(test_the_head_ends_before_the_first_speed),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
