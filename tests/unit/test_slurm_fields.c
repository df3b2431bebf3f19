/* The fields of Slurm's accounting: durations, times, states, trackable resources. */
#include "ingest/jobs/slurm_fields.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void test_durations_in_every_form(void **state)
{
    static const struct {
        const char *text;
        int64_t seconds;
    } cases[] = {
        { "00:00:00", 0 },        { "00:00:24", 24 },         { "10-13:27:06", 912426 },
        { "5-00:00:26", 432026 }, { "37-14:00:00", 3247200 }, { "26:03:04", 93784 },
        { "00:23.779", 23 },      { "01:31.654", 91 },        { "59:59", 3599 },
        { "1-02", 93600 },        { "1-02:30", 95400 },       { "960-00:37:20", 82946240 },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int64_t seconds = -1;
        assert_true(slurm_duration(cases[i].text, strlen(cases[i].text), &seconds));
        assert_int_equal(seconds, cases[i].seconds);
    }
}

static void test_what_is_no_duration_is_refused(void **state)
{
    static const char *const cases[] = { "",         "24",         "UNLIMITED", "00:60",
                                         "00:60:00", "1-24:00:00", "-1:00",     "00:00:0x",
                                         "1:2:3:4",  "00:-1",      "00:00.",    ":",
                                         "1-",       "1-2-3",      " 00:10",    "Partition_Limit" };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int64_t seconds;
        assert_false(slurm_duration(cases[i], strlen(cases[i]), &seconds));
    }
}

static void test_times_known_unknown_and_bad(void **state)
{
    static const struct {
        const char *text, *utc; /* NULL: unknown; "": bad */
        bool has_offset;
    } cases[] = {
        { "2016-12-22T07:15:13", "2016-12-22T07:15:13Z", false },
        { "2026-09-01T02:00:00+02:00", "2026-09-01T00:00:00Z", true },
        { "2026-09-01T02:00:00Z", "2026-09-01T02:00:00Z", true },
        { "1482390913", "2016-12-22T07:15:13Z", true },
        { "Unknown", NULL, false },
        { "None", NULL, false },
        { "", NULL, false },
        { "0", NULL, false },
        { "N/A", NULL, false },
        { "16 Jan 08:00", "", false },
        { "2026-02-30T00:00:00", "", false },
        { "12345", "", false },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        time_us time;
        bool has_offset;
        char text[32];
        enum slurm_time outcome = slurm_time(cases[i].text, strlen(cases[i].text), &time, &has_offset);
        if (cases[i].utc == NULL) {
            assert_int_equal(outcome, SLURM_TIME_UNKNOWN);
        } else if (cases[i].utc[0] == '\0') {
            assert_int_equal(outcome, SLURM_TIME_BAD);
        } else {
            assert_int_equal(outcome, SLURM_TIME_KNOWN);
            time_format(time, text);
            assert_string_equal(text, cases[i].utc);
            assert_int_equal(has_offset, cases[i].has_offset);
        }
    }
}

static void test_states_lose_what_is_added_to_them(void **state)
{
    static const struct {
        const char *text, *base;
        bool final;
    } cases[] = {
        { "COMPLETED", "COMPLETED", true },      { "CANCELLED by 380693", "CANCELLED", true },
        { "CANCELLED+", "CANCELLED", true },     { "CANCELLED", "CANCELLED", true },
        { "OUT_OF_ME+", "OUT_OF_MEMORY", true }, { "NODE_FAIL", "NODE_FAIL", true },
        { "COMPL+", "UNKNOWN", false },          { "COMPLETI+", "RUNNING", false },
        { "COMPLETING", "RUNNING", false },      { "RESIZING", "RUNNING", false },
        { "REQUEUED", "REQUEUED", true },        { "REQUEUE+", "REQUEUED", true },
        { "LAUNCH_FAILED", "FAILED", true },     { "PENDING", "PENDING", false },
        { "SUSPENDED", "SUSPENDED", false },     { "completed", "UNKNOWN", false },
        { "EXPLODED", "UNKNOWN", false },        { "+", "UNKNOWN", false },
        { "PREEMPTED", "PREEMPTED", true },      { "TIMEOUT", "TIMEOUT", true },
        { "STOPPED", "SUSPENDED", false },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *base = slurm_state(cases[i].text, strlen(cases[i].text));
        assert_string_equal(base, cases[i].base);
        assert_int_equal(slurm_state_is_final(base), cases[i].final);
    }
}

static void test_accelerators_are_counted_once(void **state)
{
    static const struct {
        const char *tres;
        int64_t accelerators, cpus;
    } cases[] = {
        { "billing=12,cpu=12,gres/gpu=2,mem=31000M,node=1", 2, 12 },
        { "billing=97,cpu=8,gres/gpu=8,gres/gpu:a100=8,node=1", 8, 8 },
        { "gres/gpu:a100=8,gres/gpu=8", 8, -1 },
        { "cpu=4,gres/gpu:a100=2,gres/gpu:h100=3", 5, 4 },
        { "billing=8,cpu=8,mem=24000M,node=1", -1, 8 },
        { "gres/gpumem=80G,gres/gpu=1", 1, -1 },
        { "cpu=1K", -1, -1 },
        { "", -1, -1 },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t length = strlen(cases[i].tres);
        assert_int_equal(slurm_tres_accelerators(cases[i].tres, length), cases[i].accelerators);
        assert_int_equal(slurm_tres(cases[i].tres, length, "cpu"), cases[i].cpus);
    }
}

static void test_types_of_accelerators_are_those_of_all_of_them(void **state)
{
    static const struct {
        const char *tres, *types;
    } cases[] = {
        { "billing=97,cpu=8,gres/gpu=8,gres/gpu:h100=8,node=1", "h100" },
        { "gres/gpu:h100=3,gres/gpu:a100=2,gres/gpu=5", "a100,h100" },
        { "cpu=4,gres/gpu:nvidia_h100_80gb_hbm3=8", "nvidia_h100_80gb_hbm3" },
        { "gres/gpu:H100=3,gres/gpu:1g.10gb=2", "1g.10gb,H100" },
        { "gres/gpu:h100=0,gres/gpu:a100=2", "a100" },
        { "gres/gpu:h100=2,gres/gpu:h100=2", "h100" },
        { "gres/gpu=8,cpu=8", "" },
        { "gres/gpu=8,gres/gpu:a100=4", "" }, /* the site tracks one type, and the others are of another */
        { "gres/gpu=8,gres/gpu:a100=1K", "" },
        { "gres/gpu:=2", "" },
        { "gres/gpu:a 100=2", "" },
        { "gres/gpu:\xff=2", "" },
        { "gres/gpumem:x=80,gres/shard:h100=4", "" },
        { "", "" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char types[64];
        slurm_tres_accelerator_types(cases[i].tres, strlen(cases[i].tres), types, sizeof types);
        assert_string_equal(types, cases[i].types);
    }
}

static void test_types_that_do_not_fit_are_none(void **state)
{
    static const char tres[] = "gres/gpu:a100=2,gres/gpu:h100=2";
    char types[9] = "before";
    (void)state;
    slurm_tres_accelerator_types(tres, strlen(tres), types, sizeof types);
    assert_string_equal(types, "");
    char enough[10];
    slurm_tres_accelerator_types(tres, strlen(tres), enough, sizeof enough);
    assert_string_equal(enough, "a100,h100");
}

static void test_devices_are_named_or_not(void **state)
{
    static const struct {
        const char *tres;
        bool names_gres;
    } cases[] = {
        { "billing=8,cpu=8,mem=24000M,node=1", false },
        { "cpu=8,gres/gpu=2", true },
        { "gres/shard=4,cpu=8", true },
        { "cpu=8,gres/gpu:a100=1K,node=1", true },
        { "cpu=8,license/gres/gpu=1,gres", false },
        { "", false },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(slurm_tres_names_gres(cases[i].tres, strlen(cases[i].tres)), cases[i].names_gres);
    assert_false(slurm_tres_names_gres(NULL, 0));
}

static void test_counts_fill_the_text(void **state)
{
    (void)state;
    assert_int_equal(slurm_count("0", 1), 0);
    assert_int_equal(slurm_count("00123", 5), 123);
    assert_int_equal(slurm_count("99999999999999999", 17), INT64_C(99999999999999999));
    assert_int_equal(slurm_count("123456789012345678", 18), -1);
    assert_int_equal(slurm_count("1 ", 2), -1);
    assert_int_equal(slurm_count("-1", 2), -1);
    assert_int_equal(slurm_count(NULL, 0), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_durations_in_every_form),
        cmocka_unit_test(test_what_is_no_duration_is_refused),
        cmocka_unit_test(test_times_known_unknown_and_bad),
        cmocka_unit_test(test_states_lose_what_is_added_to_them),
        cmocka_unit_test(test_accelerators_are_counted_once),
        cmocka_unit_test(test_types_of_accelerators_are_those_of_all_of_them),
        cmocka_unit_test(test_types_that_do_not_fit_are_none),
        cmocka_unit_test(test_devices_are_named_or_not),
        cmocka_unit_test(test_counts_fill_the_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
