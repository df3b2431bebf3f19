/* Scenario files: what they say is read, what is wrong is named by file, line and column. */
#include "forecast/scenario_file.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static void assert_refused(const char *text, const char *message)
{
    struct scenario scenario;
    struct error error = { 0 };
    assert_false(scenario_read_text("s.json", text, strlen(text), &scenario, &error));
    assert_string_equal(error.message, message);
    assert_int_equal(error.kind, ERROR_INPUT);
    scenario_free(&scenario);
}

static void test_every_lever_is_read(void **state)
{
    (void)state;
    struct scenario scenario;
    struct error error = { 0 };
    assert_true(scenario_read(KSTAR_SOURCE_DIR "/tests/fuzz/corpus/scenario/full.json", &scenario, &error));
    assert_string_equal(scenario.name, "all levers");
    assert_int_equal(scenario.base_to, 2026 * 12 + 8);
    assert_int_equal(scenario.growth_count, 1); /* its own list, not that of what it extends */
    assert_string_equal(scenario.growth[0].jobs.cost_centre, "vision");
    assert_null(scenario.growth[0].jobs.family);
    assert_true(scenario.growth[0].monthly == .1);
    assert_int_equal(scenario.training_count, 2);
    assert_true(scenario.trainings[0].k == 0 && scenario.trainings[0].tokens == 1e12 &&
                scenario.trainings[0].runs == 2);
    assert_true(scenario.trainings[1].deadline_hours == 48 && scenario.trainings[1].spot);
    assert_true(scenario.prices[0].change == -.1 && scenario.prices[0].from == 2027 * 12 + 1);
    assert_true(scenario.spot.preemptions_per_node_hour == .01);
    assert_true(scenario.commitment.coverage == .6);
    assert_int_equal(scenario.policy, POLICY_CAP);
    assert_true(scenario.engineering.factor == 1 && scenario.engineering.plus_per_month == 100);
    assert_true(scenario.people[0].count == 2);
    assert_true(scenario.uncertainty.seed == 7 && scenario.uncertainty.draws == 500);
    scenario_free(&scenario);
}

static void test_the_ready_made_ones_differ_from_the_base(void **state)
{
    (void)state;
    static const char *const names[] = { "base", "k-star", "spot-heavy", "growth", "price-shock" };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct scenario scenario;
        struct error error = { 0 };
        assert_true(scenario_read(names[i], &scenario, &error));
        assert_string_equal(scenario.name, names[i]);
        assert_non_null(scenario.description);
        assert_true(isnan(scenario.failed_run_factor) && scenario.spot.price_fraction > 0);
        bool changed = scenario.policy == POLICY_K_STAR || scenario.spot.share > 0 ||
                       scenario.growth_count > 0 || scenario.price_count > 0;
        assert_int_equal(changed, i > 0);
        scenario_free(&scenario);
    }
}

static void test_what_is_wrong_is_named_by_line_and_column(void **state)
{
    (void)state;
    assert_refused("{\n  \"growth\": [\n    { \"monthly\": 0.1, }\n  ]\n}",
                   "s.json, line 3, column 23: is not JSON");
    assert_refused("", "s.json, line 1, column 1: is not JSON");
    assert_refused("{} x", "s.json, line 1, column 4: is not JSON");
    assert_refused("{x: 1}", "s.json, line 1, column 2: is not JSON");
    assert_refused("{\"growth\": [1,, 2]}", "s.json, line 1, column 15: is not JSON");
    assert_refused("{\"name\" \"x\"}", "s.json, line 1, column 9: is not JSON");
    /* to cJSON control characters are space */
    assert_refused("{\x01\"node_cap\":\x02 2.5}",
                   "s.json, line 1, column 16: node_cap 2.5 is not a whole number from 1 to 1048576");
    assert_refused("[1]", "s.json, line 1, column 1: [1] is not an object");
    assert_refused("{\"é\": 1}", "s.json, line 1, column 2: é is not a known member");
    assert_refused("{\"description\": \"é\", \"spto\": {}}",
                   "s.json, line 1, column 22: spto is not a known member");
    assert_refused("{\"growth\": [{\"monthly\": 1}, {\n\"mnthly\": 1}]}",
                   "s.json, line 2, column 1: growth[1].mnthly is not a known member");
    assert_refused("{\"spot\": {\"share\": 0.1,\n  \"share\": 0.2}}",
                   "s.json, line 2, column 3: spot.share stands twice");
    assert_refused("{\"spot\": {\n \"share\": 2}}",
                   "s.json, line 2, column 11: spot.share 2 is not a number from 0 to 1");
    assert_refused("{\"node_cap\": 2.5}",
                   "s.json, line 1, column 14: node_cap 2.5 is not a whole number from 1 to 1048576");
    assert_refused("{\"node_policy\": \"k*\"}",
                   "s.json, line 1, column 17: node_policy \"k*\" is not one of \"as is\", "
                   "\"K*\", \"cap\", \"powers of two\"");
    assert_refused("{\"prices\": [{\"change\": 1, \"purchase\": \"Spot\"}]}",
                   "s.json, line 1, column 39: prices[0].purchase \"Spot\" is not one of \"on demand\", "
                   "\"spot\", \"committed\"");
    assert_refused("{\"prices\": [{\"change\": 1, \"from\": \"2027-13\"}]}",
                   "s.json, line 1, column 35: prices[0].from \"2027-13\" is not a month (\"2027-01\")");
    assert_refused("{\"prices\": [{}]}", "s.json, line 1, column 13: prices[0] lacks change");
    assert_refused("{\"prices\": {}}", "s.json, line 1, column 12: prices {} is not a list");
    assert_refused("{\"name\": \"\"}", "s.json, line 1, column 10: name \"\" is not a text");
    assert_refused("{\"elastic_saving\": 1e999}",
                   "s.json, line 1, column 20: elastic_saving 1e999 is not a number from 0 to 1");
    assert_refused("{\"node_policy\": \"cap\"}",
                   "s.json, line 1, column 1: node_policy \"cap\" needs node_cap");
    assert_refused("{\"base\": {\"from\": \"2026-05\", \"to\": \"2026-04\"}}",
                   "s.json, line 1, column 1: base.from is after base.to");
    assert_refused("{\"name\": \"\xff\"}", "s.json, line 1, column 11: is not UTF-8 text");
}

#define TRAINING                                                                                             \
    "{\"trainings\": [{\"name\": \"a\", \"cost_centre\": \"b\", \"family\": \"c\", \"month\": \"2027-01\""

static void test_a_training_needs_its_work_and_one_size(void **state)
{
    (void)state;
    struct scenario scenario;
    struct error error = { 0 };
    const char *right = TRAINING ", \"ideal_node_hours\": 3, \"k\": \"K*\"}]}";
    assert_refused(TRAINING "}]}",
                   "s.json, line 1, column 16: trainings[0] needs ideal_node_hours, or tokens with "
                   "tokens_per_node_hour");
    assert_refused(TRAINING ", \"ideal_node_hours\": 3, \"tokens\": 4}]}",
                   "s.json, line 1, column 16: trainings[0] has both ideal_node_hours and tokens");
    assert_refused(TRAINING ", \"ideal_node_hours\": 3, \"k\": 4, \"deadline_hours\": 2}]}",
                   "s.json, line 1, column 16: trainings[0] has both k and deadline_hours");
    assert_refused(
        TRAINING ", \"k\": 0}]}",
        "s.json, line 1, column 90: trainings[0].k 0 is not a whole number from 1 to 1048576, or \"K*\"");
    assert_true(scenario_read_text("s.json", right, strlen(right), &scenario, &error));
    scenario_free(&scenario);
}

static char folder[] = "/tmp/kstar-scenario-XXXXXX";

static char *write_file(const char *name, const char *text)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    return path;
}

static void test_scenarios_extend_one_another(void **state)
{
    (void)state;
    struct scenario scenario;
    struct error error = { 0 };
    assert_non_null(mkdtemp(folder));
    write_file("a.json",
               "{\"extends\": \"spot-heavy\", \"contingency\": 0.1, \"growth\": [{\"monthly\": 0.2}]}");
    char *path =
        write_file("b.json", "{\"extends\": \"a.json\", \"spot\": {\"share\": 0.2}, \"growth\": []}");
    assert_true(scenario_read(path, &scenario, &error));
    assert_string_equal(scenario.name, "b");
    assert_null(scenario.description);
    assert_true(scenario.contingency == .1 && scenario.spot.share == .2 &&
                scenario.spot.price_fraction == .3);
    assert_int_equal(scenario.growth_count, 0);
    scenario_free(&scenario);

    write_file("c.json", "{\n \"extends\": \"d.json\"}");
    path = write_file("d.json", "{\"extends\": \"./c.json\"}");
    assert_false(scenario_read(path, &scenario, &error));
    assert_non_null(strstr(error.message, "d.json: extends itself"));
    assert_non_null(strstr(error.detail, "c.json, line 2, column 13"));
    scenario_free(&scenario);
    path = write_file("e.json", "{\"extends\": \"bse\"}");
    memset(&error, 0, sizeof error);
    assert_false(scenario_read(path, &scenario, &error));
    assert_string_equal(error.message, "bse: neither a file nor a ready-made scenario");
    assert_string_equal(error.hint, "ready-made: base, growth, k-star, price-shock, spot-heavy");
    scenario_free(&scenario);
    for (const char *name = "abcde"; *name != '\0'; name++) {
        char file[128];
        snprintf(file, sizeof file, "%s/%c.json", folder, *name);
        (void)remove(file);
    }
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_lever_is_read),
        cmocka_unit_test(test_the_ready_made_ones_differ_from_the_base),
        cmocka_unit_test(test_what_is_wrong_is_named_by_line_and_column),
        cmocka_unit_test(test_a_training_needs_its_work_and_one_size),
        cmocka_unit_test(test_scenarios_extend_one_another),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
