/* What one record of Google's export becomes in FOCUS's terms. */
#include "ingest/bill/billing_format.h"
#include "ingest/bill/gcp_sku.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { FIELDS_MAXIMUM = 40 };

/* A file of one record, its fields given as name, value, …, NULL; what is required and not given is
 * that of a plain usage line. */
struct export
{
    struct billing_file file;
    struct billing_row rows[BILLING_ROWS_MAXIMUM];
    struct csv_field names[FIELDS_MAXIMUM], values[FIELDS_MAXIMUM];
    int field_count, row_count;
};

static struct csv_field field(const char *text)
{
    return (struct csv_field){ text, strlen(text) };
}

static void set(struct export *export, const char *name, const char *value)
{
    int at = 0;
    while (at < export->field_count && strcmp(export->names[at].text, name) != 0)
        at++;
    assert_true(at < FIELDS_MAXIMUM);
    export->names[at] = field(name);
    export->values[at] = field(value);
    if (at == export->field_count)
        export->field_count++;
}

static void read_export(struct export *export, ...)
{
    static const char *const usual[][2] = {
        { "invoice.month", "202609" },
        { "usage_start_time", "2026-09-03 10:00:00 UTC" },
        { "cost", "1.00" },
        { "usage_end_time", "2026-09-03 11:00:00 UTC" },
        { "credits", "[]" },
        { "currency", "USD" },
        { "cost_type", "regular" },
    };
    struct error error = { 0 };
    va_list arguments;
    const char *name;
    memset(export, 0, sizeof *export);
    for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++)
        set(export, usual[i][0], usual[i][1]);
    va_start(arguments, export);
    while ((name = va_arg(arguments, const char *)) != NULL)
        set(export, name, va_arg(arguments, const char *));
    va_end(arguments);
    struct csv_record header = { .line = 1, .field_count = export->field_count, .fields = export->names };
    struct csv_record record = { .line = 2, .field_count = export->field_count, .fields = export->values };
    record.raw = header.raw = "";
    if (!billing_file_open(&export->file, &gcp_format, "bill.csv", NULL, &header, &error))
        fail_msg("%s", error.message);
    export->row_count = billing_read_rows(&export->file, &record, export->rows);
}

static void expect_text(const struct export *export, int row, enum billing_text text, const char *expected)
{
    const struct csv_field *got = &export->rows[row].texts[text];
    char copy[512];
    if (expected == NULL) {
        assert_null(got->text);
        return;
    }
    assert_non_null(got->text);
    snprintf(copy, sizeof copy, "%.*s", (int)got->length, got->text);
    assert_string_equal(expected, copy);
}

static void expect_amount(const struct export *export, int row, enum billing_amount amount,
                          const char *expected)
{
    char text[DECIMAL_TEXT_BYTES];
    assert_int_equal(expected != NULL, export->rows[row].amount_known[amount]);
    if (expected == NULL)
        return;
    decimal_format(&export->rows[row].amounts[amount], text);
    assert_string_equal(expected, text);
}

static void expect_time(const struct export *export, enum billing_time time, const char *expected)
{
    char text[32];
    assert_true(export->rows[0].time_known[time]);
    time_format(export->rows[0].times[time], text);
    assert_string_equal(expected, text);
}

static void test_discounts_lower_the_line_and_promotions_are_a_line_of_their_own(void **state)
{
    struct export export;
    (void)state;
    read_export(&export, "cost", "10.000001", "credits",
                "[{\"name\":\"SUD\",\"amount\":-2.5,\"type\":\"SUSTAINED_USAGE_DISCOUNT\"},"
                "{\"name\":\"trial\",\"full_name\":\"Free trial "
                "credit\",\"amount\":-3.000000125,\"type\":\"PROMOTION\"},"
                "{\"name\":\"CUD\",\"amount\":-1e-7,\"type\":\"COMMITTED_USAGE_DISCOUNT\"}]",
                "resource.global_name", "//compute.googleapis.com/projects/1/zones/z/instances/77", NULL);
    assert_int_equal(2, export.row_count);
    expect_amount(&export, 0, AMOUNT_BILLED_COST, "7.5000009");
    expect_amount(&export, 0, AMOUNT_EFFECTIVE_COST, "7.5000009");
    expect_amount(&export, 0, AMOUNT_CONTRACTED_COST, "10.000001");
    expect_text(&export, 0, TEXT_CHARGE_CATEGORY, "Usage");
    expect_text(&export, 0, TEXT_PRICING_CATEGORY, "Committed");
    expect_amount(&export, 1, AMOUNT_BILLED_COST, "-3.000000125");
    expect_amount(&export, 1, AMOUNT_EFFECTIVE_COST, "-3.000000125");
    expect_amount(&export, 1, AMOUNT_CONSUMED_QUANTITY, NULL);
    expect_text(&export, 1, TEXT_CHARGE_CATEGORY, "Credit");
    expect_text(&export, 1, TEXT_CHARGE_DESCRIPTION, "Free trial credit");
    expect_text(&export, 1, TEXT_RESOURCE_TYPE, "instances");
    expect_text(&export, 1, TEXT_PRICING_CATEGORY, NULL);
    billing_file_free(&export.file);
}

static void test_nothing_is_clamped(void **state)
{
    struct export export;
    (void)state;
    read_export(&export, "cost", "1", "credits", "{'name': 'x', 'amount': -1.5, 'type': 'DISCOUNT'}", NULL);
    assert_int_equal(1, export.row_count);
    expect_amount(&export, 0, AMOUNT_BILLED_COST, "-0.5");
    billing_file_free(&export.file);
}

static void test_the_invoice_month_begins_in_california(void **state)
{
    static const char *const months[][2] = {
        { "202601", "2026-01-01T08:00:00Z" }, { "202603", "2026-03-01T08:00:00Z" },
        { "202604", "2026-04-01T07:00:00Z" }, { "202609", "2026-09-01T07:00:00Z" },
        { "202611", "2026-11-01T07:00:00Z" }, { "202612", "2026-12-01T08:00:00Z" },
        { "202011", "2020-11-01T07:00:00Z" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof months / sizeof months[0]; i++) {
        struct export export;
        read_export(&export, "invoice.month", months[i][0], NULL);
        expect_time(&export, TIME_BILLING_PERIOD_START, months[i][1]);
        expect_time(&export, TIME_CHARGE_PERIOD_START, "2026-09-03T10:00:00Z");
        billing_file_free(&export.file);
    }
}

static void test_both_spellings_of_a_header_are_known(void **state)
{
    struct export export;
    (void)state;
    read_export(&export, "service_description", "Compute Engine", "Project_ID", "p", "usage_amount", "36",
                "usage_unit", "seconds", "sku_description",
                "Micro Instance with burstable CPU running in Americas", "billing_account_id", "01A-02B",
                "export_time", "2026-09-04", NULL);
    expect_text(&export, 0, TEXT_SERVICE_NAME, "Compute Engine");
    expect_text(&export, 0, TEXT_SERVICE_CATEGORY, "Compute");
    expect_text(&export, 0, TEXT_SUB_ACCOUNT_ID, "p");
    expect_text(&export, 0, TEXT_CONSUMED_UNIT, "seconds");
    expect_text(&export, 0, TEXT_INVOICE_ID, "01A-02B/202609");
    expect_amount(&export, 0, AMOUNT_CONSUMED_QUANTITY, "36");
    assert_int_equal(0, export.file.custom_count);
    billing_file_free(&export.file);
}

static void test_every_cost_type_has_its_category(void **state)
{
    static const struct {
        const char *type, *adjustment, *start, *category, *class;
    } cases[] = {
        { "regular", "", "2026-09-03", "Usage", NULL },
        { "tax", "", "2026-09-03", "Tax", NULL },
        { "adjustment", "GENERAL_ADJUSTMENT", "2026-09-03", "Adjustment", NULL },
        { "adjustment", "SLA_VIOLATION", "2026-09-03", "Credit", NULL },
        { "rounding_error", "", "2026-09-03", "Adjustment", NULL },
        { "regular", "USAGE_CORRECTION", "2026-08-03", "Usage", "Correction" },
        { "regular", "USAGE_CORRECTION", "2026-09-02", "Usage", NULL },
        { "adjustment", "PRICE_CORRECTION", "2026-08-31", "Adjustment", "Correction" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct export export;
        read_export(&export, "cost_type", cases[i].type, "adjustment_info.type", cases[i].adjustment,
                    "usage_start_time", cases[i].start, NULL);
        expect_text(&export, 0, TEXT_CHARGE_CATEGORY, cases[i].category);
        expect_text(&export, 0, TEXT_CHARGE_CLASS, cases[i].class);
        assert_string_equal("", export.rows[0].problem.reason);
        billing_file_free(&export.file);
    }
}

static void test_what_cannot_be_read_is_named_and_its_money_kept(void **state)
{
    static const struct {
        const char *name, *value, *column, *word, *billed;
    } cases[] = {
        { "cost_type", "fee", "cost_type", "\"fee\" is not one of", "-1.00" },
        { "cost_type", "", "cost_type", "a cost type is required", "-1.00" },
        { "invoice.month", "2026-09", "invoice.month", "is not a month such as 202609", "-1.00" },
        { "invoice.month", "202613", "invoice.month", "is not a month such as 202609", "-1.00" },
        { "cost", "1,00", "cost", "is not a decimal number", NULL },
        { "usage_end_time", "2026-09-03T09:00:00Z", "usage_end_time", "before usage_start_time", "-1.00" },
        { "credits", "[{'amount': -2, 'type': 'PROMOTION'}, {'amount': 0, 'type': 'BONUS'}]", "credits",
          "\"BONUS\" is not a known credit type", "-1.00" },
        { "credits", "[{'amount': 'two', 'type': 'PROMOTION'}]", "credits", "\"two\", no decimal number",
          NULL },
        { "credits", "[{'type': 'PROMOTION'}]", "credits", "amount is missing", NULL },
        { "credits", "-2", "credits", "no list of records", NULL },
        { "credits", "[{'amount': Decimal('1')}]", "credits", "neither JSON nor", NULL },
        { "labels", "[{'key': 'a', 'value': 'b'}, {'key': 'a', 'value': 'c'}]", "labels", "same label twice",
          "-1.00" },
        { "labels", "[{'value': 'b'}]", "labels", "without a key", "-1.00" },
        { "currency", "", "currency", "a currency is required", "-1.00" },
        { "currency", "usd", "currency", "\"usd\" is not a currency code of three capital letters", "-1.00" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct export export;
        read_export(&export, "credits", "[{'amount': -2, 'type': 'PROMOTION'}]", cases[i].name,
                    cases[i].value, NULL);
        assert_int_equal(1, export.row_count);
        assert_string_equal(cases[i].column, export.rows[0].problem.column);
        if (strstr(export.rows[0].problem.reason, cases[i].word) == NULL)
            fail_msg("%s: %s", cases[i].value, export.rows[0].problem.reason);
        expect_amount(&export, 0, AMOUNT_BILLED_COST, cases[i].billed);
        billing_file_free(&export.file);
    }
}

static void test_labels_become_tags(void **state)
{
    struct export export;
    (void)state;
    read_export(&export, "labels", "[{'key': 'job_id', 'value': '41'}, {'key': 'n', 'value': 5}]", "tags",
                "[{\"key\":\"env\",\"value\":\"prod\",\"inherited\":false,\"namespace\":\"123\"}]",
                "project.labels", "{\"team\": \"vision\"}", "system_labels",
                "[{\"key\":\"compute.googleapis.com/reservation_name\",\"value\":\"r1\"},"
                "{\"key\":\"compute.googleapis.com/reservation_project_id\",\"value\":\"p\"},"
                "{\"key\":\"compute.googleapis.com/is_unused_reservation\",\"value\":\"true\"}]",
                NULL);
    expect_text(&export, 0, TEXT_TAGS,
                "{\"job_id\":\"41\",\"n\":\"5\",\"123/env\":\"prod\",\"project:team\":\"vision\","
                "\"compute.googleapis.com/reservation_name\":\"r1\","
                "\"compute.googleapis.com/reservation_project_id\":\"p\","
                "\"compute.googleapis.com/is_unused_reservation\":\"true\"}");
    expect_text(&export, 0, TEXT_CAPACITY_RESERVATION_ID, "p/r1");
    expect_text(&export, 0, TEXT_CAPACITY_RESERVATION_STATUS, "Unused");
    billing_file_free(&export.file);
}

static void test_a_commitment_fee_is_a_purchase(void **state)
{
    struct export export;
    (void)state;
    read_export(
        &export, "sku.description", "Commitment v1: Cpu in Americas for 1 Year", "subscription.instance_id",
        "s-1", "usage.amount", "7200", "usage.unit", "seconds", "credits",
        "[{'amount': -0.75, 'type': 'FEE_UTILIZATION_OFFSET'}, {'amount': -0.1, 'type': 'PROMOTION'}]", NULL);
    expect_text(&export, 0, TEXT_CHARGE_CATEGORY, "Purchase");
    expect_text(&export, 0, TEXT_CHARGE_FREQUENCY, "Recurring");
    expect_text(&export, 0, TEXT_COMMITMENT_DISCOUNT_ID, "s-1");
    expect_text(&export, 0, TEXT_COMMITMENT_DISCOUNT_STATUS, NULL);
    expect_amount(&export, 0, AMOUNT_BILLED_COST, "0.25");
    expect_amount(&export, 0, AMOUNT_EFFECTIVE_COST, "0.25");
    expect_amount(&export, 0, AMOUNT_CONSUMED_QUANTITY, NULL);
    expect_text(&export, 1, TEXT_CHARGE_CATEGORY, "Credit");
    expect_text(&export, 1, TEXT_COMMITMENT_DISCOUNT_ID, "s-1");
    expect_amount(&export, 1, AMOUNT_BILLED_COST, "-0.1");
    billing_file_free(&export.file);
}

static void test_time_of_a_part_is_no_time_of_a_node(void **state)
{
    static const struct {
        const char *sku, *unit, *expected, *pricing_category;
    } cases[] = {
        { "A2 Instance Core running in Iowa", "seconds", "vCPU-seconds", "Standard" },
        { "A2 Instance Ram running in Iowa", "byte-seconds", "byte-seconds", "Standard" },
        { "Nvidia Tesla A100 GPU running in Iowa", "seconds", "GPU-seconds", "Standard" },
        { "Nvidia H100 80GB GPU attached to Spot Preemptible VMs running in Iowa", "hour", "GPU-hour",
          "Dynamic" },
        { "Tpu-v5p-8 usage in Ohio", "seconds", "TPU-seconds", "Standard" },
        { "Small Instance with 1 VCPU running in EMEA", "seconds", "seconds", "Standard" },
        { "Cloud Run CPU Allocation Time", "seconds", "vCPU-seconds", "Standard" },
        { "Static Ip Charge", "seconds", "seconds", "Standard" },
        { "Network Internet Egress from Iowa to Encore", "bytes", "bytes", "Standard" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct export export;
        read_export(&export, "sku.description", cases[i].sku, "usage.amount", "1", "usage.unit",
                    cases[i].unit, NULL);
        expect_text(&export, 0, TEXT_CONSUMED_UNIT, cases[i].expected);
        expect_text(&export, 0, TEXT_PRICING_CATEGORY, cases[i].pricing_category);
        billing_file_free(&export.file);
    }
}

static void test_disks_are_storage(void **state)
{
    struct csv_field service = field("Compute Engine");
    struct csv_field disk = field("Storage PD Capacity"),
                     core = field("N1 Predefined Instance Core running in Iowa");
    (void)state;
    assert_string_equal("Storage", gcp_sku_describe(&service, &disk).service_category);
    assert_string_equal("Compute", gcp_sku_describe(&service, &core).service_category);
    service = field("Something New");
    assert_string_equal("Other", gcp_sku_describe(&service, &core).service_category);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_discounts_lower_the_line_and_promotions_are_a_line_of_their_own),
        cmocka_unit_test(test_nothing_is_clamped),
        cmocka_unit_test(test_the_invoice_month_begins_in_california),
        cmocka_unit_test(test_both_spellings_of_a_header_are_known),
        cmocka_unit_test(test_every_cost_type_has_its_category),
        cmocka_unit_test(test_what_cannot_be_read_is_named_and_its_money_kept),
        cmocka_unit_test(test_labels_become_tags),
        cmocka_unit_test(test_a_commitment_fee_is_a_purchase),
        cmocka_unit_test(test_time_of_a_part_is_no_time_of_a_node),
        cmocka_unit_test(test_disks_are_storage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
