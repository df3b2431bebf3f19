/* What the lines of AWS's Cost and Usage Report become in FOCUS's terms. Each test is a small invented bill
 * and the rows that it must give, worked out by hand. */
#include "base/csv_reader.h"
#include "base/decimal_arithmetic.h"
#include "ingest/aws_product.h"
#include "ingest/billing_format.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { ROWS_MAXIMUM = 64, VALUE_BYTES = 400 };

/* A row whose texts outlive its record. */
struct kept_row {
    int line;
    char texts[TEXT_COUNT][VALUE_BYTES]; /* "" for null */
    char column[VALUE_BYTES];            /* of the problem */
    struct billing_row row;              /* its texts point nowhere */
};

struct bill {
    struct kept_row rows[ROWS_MAXIMUM];
    int count;
    char custom[2000]; /* names of the columns that are kept as JSON, each followed by a space */
    struct decimal cancelled;
};

static void write_file(char path[32], const char *csv)
{
    snprintf(path, 32, "/tmp/kstar-aws-XXXXXX");
    int handle = mkstemp(path);
    assert_true(handle >= 0);
    FILE *file = fdopen(handle, "w");
    assert_non_null(file);
    assert_true(fputs(csv, file) >= 0);
    assert_int_equal(0, fclose(file));
}

static void keep_row(struct bill *bill, const struct csv_record *record, const struct billing_row *row)
{
    assert_true(bill->count < ROWS_MAXIMUM);
    struct kept_row *kept = &bill->rows[bill->count++];
    kept->line = (int)record->line;
    kept->row = *row;
    snprintf(kept->column, sizeof kept->column, "%s", row->problem.column != NULL ? row->problem.column : "");
    for (int i = 0; i < TEXT_COUNT; i++)
        snprintf(kept->texts[i], VALUE_BYTES, "%.*s", (int)row->texts[i].length,
                 row->texts[i].text != NULL ? row->texts[i].text : "");
}

static bool open_bill(const char *path, struct csv_reader **reader, struct billing_file *file,
                      const char *currency, struct error *error)
{
    struct csv_record header;
    const struct billing_format *format = billing_format_find("aws-cur", error);
    *reader = csv_reader_open(path, ',', NULL, error);
    assert_non_null(*reader);
    assert_int_equal(CSV_RECORD, csv_reader_next(*reader, &header, error));
    return billing_file_open(file, format, path, currency, &header, error);
}

/* Reads a bill: all its rows. */
static struct bill *read_bill(const char *csv)
{
    struct bill *bill = calloc(1, sizeof *bill);
    struct csv_reader *reader;
    struct billing_file file;
    struct billing_row rows[BILLING_ROWS_MAXIMUM];
    struct csv_record record;
    struct error error = { 0 };
    char path[32];
    bool begun = false;
    assert_non_null(bill);
    write_file(path, csv);
    if (!open_bill(path, &reader, &file, NULL, &error))
        fail_msg("%s", error.message);
    while (csv_reader_next(reader, &record, &error) == CSV_RECORD) {
        assert_true(begun || billing_file_begin(&file, &record, &error));
        begun = true;
        int count = billing_read_rows(&file, &record, rows);
        for (int i = 0; i < count; i++)
            keep_row(bill, &record, &rows[i]);
    }
    for (int i = 0; i < file.custom_count; i++) {
        size_t used = strlen(bill->custom);
        snprintf(bill->custom + used, sizeof bill->custom - used, "%s ", file.names[file.custom[i]]);
    }
    bill->cancelled = file.cancelled;
    billing_file_free(&file);
    csv_reader_close(reader);
    unlink(path);
    return bill;
}

static const char *amount_text(const struct billing_row *row, enum billing_amount amount,
                               char text[DECIMAL_TEXT_BYTES])
{
    if (!row->amount_known[amount])
        return "-";
    decimal_format(&row->amounts[amount], text);
    return text;
}

static const char *or_dash(const char *text)
{
    return text[0] != '\0' ? text : "-";
}

/* One row as text: line, category, class, frequency, price category, billed, effective, commitment, status,
 * and the first problem. */
static void describe(const struct kept_row *kept, char *text, size_t size)
{
    char billed[DECIMAL_TEXT_BYTES], effective[DECIMAL_TEXT_BYTES];
    const char(*texts)[VALUE_BYTES] = kept->texts;
    snprintf(text, size, "%d %s %s %s %s %s %s %s %s%s%s\n", kept->line, or_dash(texts[TEXT_CHARGE_CATEGORY]),
             or_dash(texts[TEXT_CHARGE_CLASS]), or_dash(texts[TEXT_CHARGE_FREQUENCY]),
             or_dash(texts[TEXT_PRICING_CATEGORY]), amount_text(&kept->row, AMOUNT_BILLED_COST, billed),
             amount_text(&kept->row, AMOUNT_EFFECTIVE_COST, effective),
             or_dash(texts[TEXT_COMMITMENT_DISCOUNT_ID]), or_dash(texts[TEXT_COMMITMENT_DISCOUNT_STATUS]),
             kept->row.problem.reason[0] != '\0' ? " ! " : "", kept->row.problem.reason);
}

static void expect_rows(const struct bill *bill, const char *expected)
{
    char text[8000] = "";
    for (int i = 0; i < bill->count; i++)
        describe(&bill->rows[i], text + strlen(text), sizeof text - strlen(text));
    assert_string_equal(expected, text);
}

static void expect_decimal(const char *expected, const struct decimal *value)
{
    char text[DECIMAL_TEXT_BYTES];
    decimal_format(value, text);
    assert_string_equal(expected, text);
}

/* Σ over the bill; `commitment` NULL: of every row. */
static void expect_sum(const struct bill *bill, const char *commitment, enum billing_amount amount,
                       const char *expected)
{
    struct decimal sum = { 0 };
    for (int i = 0; i < bill->count; i++) {
        if (commitment != NULL && strcmp(bill->rows[i].texts[TEXT_COMMITMENT_DISCOUNT_ID], commitment) != 0)
            continue;
        assert_true(bill->rows[i].row.amount_known[amount]);
        assert_true(decimal_add(&sum, &bill->rows[i].row.amounts[amount], &sum));
    }
    expect_decimal(expected, &sum);
}

#define PERIOD(month, next)                                                                                  \
    "2026-" month "-01T00:00:00Z,2026-" month "-01T00:00:00Z,2026-" next "-01T00:00:00Z,USD,"
#define SEPTEMBER PERIOD("09", "10")
#define OCTOBER   PERIOD("10", "11")
#define HEADER                                                                                               \
    "bill/BillingPeriodStartDate,lineItem/UsageStartDate,lineItem/UsageEndDate,lineItem/CurrencyCode,"       \
    "lineItem/LineItemType,lineItem/UnblendedCost"

/* ---- reserved instances ---- */

#define RI_HEADER                                                                                            \
    HEADER ",reservation/ReservationARN,reservation/EffectiveCost,"                                          \
           "reservation/UnusedAmortizedUpfrontFeeForBillingPeriod,reservation/UnusedRecurringFee\n"

/* 120 paid for two months, 60 in each. September: four hours used at 10, the rest left. October: all used. */
static void test_an_all_upfront_reservation_is_amortised_to_the_last_cent(void **state)
{
    (void)state;
    struct bill *bill = read_bill(
        RI_HEADER SEPTEMBER "Fee,120.00,arn:ri,,,\n" SEPTEMBER "DiscountedUsage,0,arn:ri,10.00,,\n" SEPTEMBER
                            "DiscountedUsage,0,arn:ri,30.00,,\n" SEPTEMBER "RIFee,0,arn:ri,,20.00,0\n" OCTOBER
                            "DiscountedUsage,0,arn:ri,60.00,,\n" OCTOBER "RIFee,0,arn:ri,,0.00,0.0\n");
    expect_rows(bill, "2 Purchase - One-Time Standard 120.00 0 arn:ri -\n"
                      "3 Usage - Usage-Based Committed 0 10.00 arn:ri Used\n"
                      "4 Usage - Usage-Based Committed 0 30.00 arn:ri Used\n"
                      "5 Purchase - Recurring Standard 0 0 arn:ri -\n"
                      "5 Usage - Usage-Based Committed 0 20.00 arn:ri Unused\n"
                      "6 Usage - Usage-Based Committed 0 60.00 arn:ri Used\n"
                      "7 Purchase - Recurring Standard 0 0 arn:ri -\n");
    expect_sum(bill, "arn:ri", AMOUNT_BILLED_COST, "120.00");
    expect_sum(bill, "arn:ri", AMOUNT_EFFECTIVE_COST, "120.00");
    assert_string_equal("arn:ri", bill->rows[4].texts[TEXT_RESOURCE_ID]);
    assert_string_equal("Usage", bill->rows[4].texts[TEXT_COMMITMENT_DISCOUNT_CATEGORY]);
    assert_string_equal("Reserved Instance", bill->rows[4].texts[TEXT_COMMITMENT_DISCOUNT_TYPE]);
    free(bill);
}

/* 72 a month whether used or not: five parts of six were. */
static void test_a_no_upfront_reservation_is_its_fee(void **state)
{
    (void)state;
    struct bill *bill = read_bill(RI_HEADER SEPTEMBER "DiscountedUsage,0,arn:ri,60.0,,\n" SEPTEMBER
                                                      "RIFee,72,arn:ri,,,12.0\n");
    expect_rows(bill, "2 Usage - Usage-Based Committed 0 60.0 arn:ri Used\n"
                      "3 Purchase - Recurring Standard 72 0 arn:ri -\n"
                      "3 Usage - Usage-Based Committed 0 12.0 arn:ri Unused\n");
    expect_sum(bill, "arn:ri", AMOUNT_BILLED_COST, "72");
    expect_sum(bill, "arn:ri", AMOUNT_EFFECTIVE_COST, "72.0");
    free(bill);
}

/* 100 upfront and 25 a month for two months: 75 a month. A third of September is left, nothing of October. */
static void test_a_partial_upfront_reservation_has_both(void **state)
{
    (void)state;
    struct bill *bill = read_bill(RI_HEADER SEPTEMBER
                                  "Fee,100,arn:ri,,,\n" SEPTEMBER "DiscountedUsage,0,arn:ri,50,,\n" SEPTEMBER
                                  "RIFee,25,arn:ri,,16.666666667,8.333333333\n" OCTOBER
                                  "DiscountedUsage,0,arn:ri,75,,\n" OCTOBER "RIFee,25,arn:ri,,0,0\n");
    expect_sum(bill, "arn:ri", AMOUNT_BILLED_COST, "150");
    expect_sum(bill, "arn:ri", AMOUNT_EFFECTIVE_COST, "150.000000000");
    free(bill);
}

static void test_net_columns_come_first_where_they_are_filled(void **state)
{
    (void)state;
    struct bill *bill = read_bill(
        HEADER ",lineItem/NetUnblendedCost,reservation/ReservationARN,reservation/EffectiveCost,"
               "reservation/NetEffectiveCost,reservation/UnusedAmortizedUpfrontFeeForBillingPeriod,"
               "reservation/NetUnusedAmortizedUpfrontFeeForBillingPeriod,reservation/UnusedRecurringFee,"
               "reservation/NetUnusedRecurringFee\n" SEPTEMBER "Usage,10,9,,,,,,,\n" SEPTEMBER
               "Usage,7,,,,,,,,\n" SEPTEMBER "DiscountedUsage,0,0,arn:ri,60,54,,,,\n" SEPTEMBER
               "RIFee,72,64.8,arn:ri,,,0,0,12,10.8\n");
    expect_rows(bill, "2 Usage - Usage-Based Standard 9 9 - -\n"
                      "3 Usage - Usage-Based Standard 7 7 - -\n"
                      "4 Usage - Usage-Based Committed 0 54 arn:ri Used\n"
                      "5 Purchase - Recurring Standard 64.8 0 arn:ri -\n"
                      "5 Usage - Usage-Based Committed 0 10.8 arn:ri Unused\n");
    expect_sum(bill, "arn:ri", AMOUNT_EFFECTIVE_COST, "64.8");
    free(bill);
}

/* ---- savings plans ---- */

#define SP_HEADER                                                                                            \
    HEADER ",savingsPlan/SavingsPlanARN,savingsPlan/SavingsPlanEffectiveCost,"                               \
           "savingsPlan/TotalCommitmentToDate,savingsPlan/UsedCommitment\n"

/* 100 paid for two months, 50 in each; 30 used in September for what costs 45 on demand, 50 in October
 * for 75. The negation of October comes as one line for two lines of usage. */
static void test_an_all_upfront_plan_is_amortised_and_its_usage_taken_back(void **state)
{
    (void)state;
    struct bill *bill = read_bill(SP_HEADER SEPTEMBER "SavingsPlanUpfrontFee,100,arn:sp,,,\n" SEPTEMBER
                                                      "SavingsPlanCoveredUsage,45.5,arn:sp,30,,\n" SEPTEMBER
                                                      "SavingsPlanNegation,-45.5,arn:sp,0,,\n" SEPTEMBER
                                                      "SavingsPlanRecurringFee,0,arn:sp,,50,30\n" OCTOBER
                                                      "SavingsPlanCoveredUsage,50,arn:sp,33.4,,\n" OCTOBER
                                                      "SavingsPlanCoveredUsage,25,arn:sp,16.6,,\n" OCTOBER
                                                      "SavingsPlanNegation,-75,arn:sp,0,,\n" OCTOBER
                                                      "SavingsPlanRecurringFee,0,arn:sp,,50,50\n");
    expect_rows(bill, "2 Purchase - One-Time Standard 100 0 arn:sp -\n"
                      "3 Usage - Usage-Based Committed 0 30 arn:sp Used\n"
                      "5 Purchase - Recurring Standard 0 0 arn:sp -\n"
                      "5 Usage - Usage-Based Committed 0 20 arn:sp Unused\n"
                      "6 Usage - Usage-Based Committed 0 33.4 arn:sp Used\n"
                      "7 Usage - Usage-Based Committed 0 16.6 arn:sp Used\n"
                      "9 Purchase - Recurring Standard 0 0 arn:sp -\n");
    expect_sum(bill, "arn:sp", AMOUNT_BILLED_COST, "100");
    expect_sum(bill, "arn:sp", AMOUNT_EFFECTIVE_COST, "100.0");
    expect_decimal("0.0", &bill->cancelled);
    assert_string_equal("Spend", bill->rows[1].texts[TEXT_COMMITMENT_DISCOUNT_CATEGORY]);
    assert_string_equal("Savings Plan", bill->rows[1].texts[TEXT_COMMITMENT_DISCOUNT_TYPE]);
    free(bill);
}

/* 2 an hour. The first hour uses 1.5 of it, the second all. */
static void test_a_no_upfront_plan_is_its_hourly_fee(void **state)
{
    (void)state;
    struct bill *bill =
        read_bill(SP_HEADER SEPTEMBER "SavingsPlanCoveredUsage,2.25,arn:sp,1.5,,\n" SEPTEMBER
                                      "SavingsPlanNegation,-2.25,arn:sp,0,,\n" SEPTEMBER
                                      "SavingsPlanRecurringFee,2,arn:sp,,2,1.5\n" SEPTEMBER
                                      "SavingsPlanCoveredUsage,3,arn:sp,2,,\n" SEPTEMBER
                                      "SavingsPlanNegation,-3,arn:sp,0,,\n" SEPTEMBER
                                      "SavingsPlanRecurringFee,2,arn:sp,,2,2\n" SEPTEMBER "Usage,0.75,,,,\n");
    expect_sum(bill, "arn:sp", AMOUNT_BILLED_COST, "4");
    expect_sum(bill, "arn:sp", AMOUNT_EFFECTIVE_COST, "4.0");
    expect_sum(bill, NULL, AMOUNT_BILLED_COST, "4.75");
    expect_decimal("0.00", &bill->cancelled);
    free(bill);
}

/* 8,760 upfront for a year is 1 an hour, and as much again each hour: 2 committed, 0.5 left. With an upfront
 * fee of two hours' worth, the two hours make up the term. */
static void test_a_partial_upfront_plan_has_both(void **state)
{
    (void)state;
    struct bill *bill = read_bill(
        SP_HEADER SEPTEMBER
        "SavingsPlanUpfrontFee,2,arn:sp,,,\n" SEPTEMBER "SavingsPlanCoveredUsage,2,arn:sp,1.5,,\n" SEPTEMBER
        "SavingsPlanNegation,-2,arn:sp,0,,\n" SEPTEMBER "SavingsPlanRecurringFee,1,arn:sp,,2,1.5\n" SEPTEMBER
        "SavingsPlanCoveredUsage,2.7,arn:sp,2,,\n" SEPTEMBER "SavingsPlanNegation,-2.7,arn:sp,0,,\n" SEPTEMBER
        "SavingsPlanRecurringFee,1,arn:sp,,2,2\n");
    expect_sum(bill, "arn:sp", AMOUNT_BILLED_COST, "4");
    expect_sum(bill, "arn:sp", AMOUNT_EFFECTIVE_COST, "4.0");
    expect_decimal("0.0", &bill->cancelled);
    free(bill);
}

/* Ten per cent off: 2 an hour cost 1.8, of which 1.5 · 0.9 = 1.35 was used and 0.45 was not. Without the
 * commitment's net columns the fee's own share says the same. */
static void test_what_is_left_of_a_plan_has_the_discount_of_its_fee(void **state)
{
    static const char *const files[] = {
        HEADER ",lineItem/NetUnblendedCost,savingsPlan/SavingsPlanARN,savingsPlan/SavingsPlanEffectiveCost,"
               "savingsPlan/NetSavingsPlanEffectiveCost,savingsPlan/TotalCommitmentToDate,"
               "savingsPlan/UsedCommitment,savingsPlan/AmortizedUpfrontCommitmentForBillingPeriod,"
               "savingsPlan/RecurringCommitmentForBillingPeriod,"
               "savingsPlan/NetAmortizedUpfrontCommitmentForBillingPeriod,"
               "savingsPlan/NetRecurringCommitmentForBillingPeriod\n" SEPTEMBER
               "SavingsPlanCoveredUsage,2.25,2.025,arn:sp,1.5,1.35,,,,,,\n" SEPTEMBER
               "SavingsPlanNegation,-2.25,-2.025,arn:sp,,,,,,,,\n" SEPTEMBER
               "SavingsPlanRecurringFee,0,0,arn:sp,,,2,1.5,2,0,1.8,0\n" SEPTEMBER
               "SavingsPlanUpfrontFee,2,1.8,arn:sp,,,,,,,,\n",
        HEADER ",lineItem/NetUnblendedCost,savingsPlan/SavingsPlanARN,savingsPlan/SavingsPlanEffectiveCost,"
               "savingsPlan/NetSavingsPlanEffectiveCost,savingsPlan/TotalCommitmentToDate,"
               "savingsPlan/UsedCommitment\n" SEPTEMBER
               "SavingsPlanCoveredUsage,2.25,2.025,arn:sp,1.5,1.35,,\n" SEPTEMBER
               "SavingsPlanNegation,-2.25,-2.025,arn:sp,,,,\n" SEPTEMBER
               "SavingsPlanRecurringFee,2,1.8,arn:sp,,,2,1.5\n",
    };
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        struct bill *bill = read_bill(files[i]);
        struct decimal sum, difference, expected;
        struct billing_row *used = &bill->rows[0].row, *unused = &bill->rows[2].row;
        assert_string_equal("Unused", bill->rows[2].texts[TEXT_COMMITMENT_DISCOUNT_STATUS]);
        assert_true(decimal_parse("1.8", 3, &expected));
        assert_true(decimal_add(&used->amounts[AMOUNT_EFFECTIVE_COST],
                                &unused->amounts[AMOUNT_EFFECTIVE_COST], &sum));
        assert_true(decimal_subtract(&sum, &expected, &difference));
        assert_int_equal(0, difference.group_count);
        expect_decimal("0.000", &bill->cancelled);
        expect_sum(bill, "arn:sp", AMOUNT_BILLED_COST, "1.8");
        free(bill);
    }
}

/* A bill without the negations that belong to it: what it does not take back stays visible. */
static void test_usage_that_nothing_takes_back_is_left_over(void **state)
{
    (void)state;
    struct bill *bill = read_bill(SP_HEADER SEPTEMBER "SavingsPlanCoveredUsage,10,,0.1,,\n" SEPTEMBER
                                                      "SavingsPlanCoveredUsage,10,,0.1,,\n");
    expect_rows(bill, "2 Usage - Usage-Based Committed 0 0.1 - -\n"
                      "3 Usage - Usage-Based Committed 0 0.1 - -\n");
    expect_decimal("20", &bill->cancelled);
    free(bill);
}

/* ---- the other types ---- */

static void test_each_type_is_its_category(void **state)
{
    (void)state;
    struct bill *bill = read_bill(
        HEADER
        ",lineItem/UsageType,lineItem/TaxType\n" SEPTEMBER "Usage,1,USE2-BoxUsage:p5.48xlarge,\n" SEPTEMBER
        "Usage,2,USE2-SpotUsage:p5.48xlarge,\n" SEPTEMBER "Tax,3,,VAT\n" SEPTEMBER "Credit,-4,,\n" SEPTEMBER
        "Fee,5,,\n" SEPTEMBER "EdpDiscount,-6,,\n" SEPTEMBER "PrivateRateDiscount,-7,,\n" SEPTEMBER
        "BundledDiscount,-8,,\n" SEPTEMBER "Discount,-9,,\n");
    expect_rows(bill, "2 Usage - Usage-Based Standard 1 1 - -\n"
                      "3 Usage - Usage-Based Dynamic 2 2 - -\n"
                      "4 Tax - One-Time - 3 3 - -\n"
                      "5 Credit - One-Time - -4 -4 - -\n"
                      "6 Purchase - One-Time Standard 5 5 - -\n"
                      "7 Usage - Usage-Based Standard -6 -6 - -\n"
                      "8 Usage - Usage-Based Standard -7 -7 - -\n"
                      "9 Usage - Usage-Based Standard -8 -8 - -\n"
                      "10 Usage - Usage-Based Standard -9 -9 - -\n");
    free(bill);
}

#define REFUND(start) "2026-09-01T00:00:00Z," start ",2026-09-02T00:00:00Z,USD,Refund,"

static void test_a_refund_has_the_category_of_what_it_refunds(void **state)
{
    (void)state;
    struct bill *bill = read_bill(
        HEADER
        ",lineItem/UsageType,lineItem/TaxType,savingsPlan/SavingsPlanArn,"
        "savingsPlan/PaymentOption,reservation/ReservationArn,pricing/"
        "PurchaseOption\n" REFUND(
            "2026-09-01T00:00:00Z") "-1,BoxUsage:m5.large,,,,,"
                                    "\n" REFUND(
                                        "2026-08-31T23:00:"
                                        "00Z") "-2,BoxUsage:"
                                               "m5.large,,,,,"
                                               "\n" REFUND(
                                                   "2"
                                                   "0"
                                                   "2"
                                                   "6"
                                                   "-"
                                                   "0"
                                                   "7"
                                                   "-"
                                                   "0"
                                                   "1"
                                                   "T"
                                                   "0"
                                                   "0"
                                                   ":"
                                                   "0"
                                                   "0"
                                                   ":"
                                                   "0"
                                                   "0"
                                                   "Z") "-3,,VAT,,,,\n" REFUND("2026-09-01T00:00:"
                                                                               "00Z") "-4,,,arn:sp,"
                                                                                      "All "
                                                                                      "Upfront,,"
                                                                                      "\n" REFUND(
                                                                                          "2026-09-"
                                                                                          "01T00:00:"
                                                                                          "00Z") "-5"
                                                                                                 ",,"
                                                                                                 ",a"
                                                                                                 "rn"
                                                                                                 ":s"
                                                                                                 "p,"
                                                                                                 "No"
                                                                                                 " U"
                                                                                                 "pf"
                                                                                                 "ro"
                                                                                                 "nt"
                                                                                                 ",,"
                                                                                                 "\n" REFUND("2026-09-01T00:00:00Z") "-6,,,,,arn:ri,All Upfront\n" REFUND(
                                                                                                     "2026-"
                                                                                                     "09-"
                                                                                                     "01T00:"
                                                                                                     "00:00Z") "-7,,,,,,\n");
    expect_rows(bill, "2 Usage - One-Time Standard -1 -1 - -\n"
                      "3 Usage Correction One-Time Standard -2 -2 - -\n"
                      "4 Tax Correction One-Time - -3 -3 - -\n"
                      "5 Purchase - One-Time Standard -4 0 arn:sp -\n"
                      "6 Purchase - One-Time Standard -5 -5 arn:sp -\n"
                      "7 Purchase - One-Time Standard -6 0 arn:ri -\n"
                      "8 Adjustment - One-Time - -7 -7 - -\n");
    free(bill);
}

static void test_what_cannot_be_read_keeps_its_money(void **state)
{
    (void)state;
    struct bill *bill = read_bill(
        SP_HEADER SEPTEMBER
        "Surcharge,5.5,,,,\n" SEPTEMBER ",6,,,,\n" SEPTEMBER "Usage,\"12,40\",,,,\n" SEPTEMBER
        "SavingsPlanCoveredUsage,7,arn:sp,,,\n" SEPTEMBER "SavingsPlanNegation,-7 USD,arn:sp,,,\n" SEPTEMBER
        "SavingsPlanRecurringFee,8,arn:sp,,2,\n" SEPTEMBER "DiscountedUsage,0,,,,\n" SEPTEMBER
        "RIFee,9,,,,\n" SEPTEMBER "SavingsPlanRecurringFee,8,arn:sp,,2,two\n");
    expect_rows(
        bill,
        "2 Adjustment - One-Time - 5.5 5.5 - - ! \"Surcharge\" is no line item type that is known\n"
        "3 Adjustment - One-Time - 6 6 - - ! a line item type is required, but this is null\n"
        "4 Usage - Usage-Based Standard - - - - ! \"12,40\" is not a decimal number\n"
        "5 Usage - Usage-Based Committed 0 - arn:sp Used ! a decimal number is required, but this is null\n"
        "6 Usage - Usage-Based Standard - - arn:sp - ! \"-7 USD\" is not a decimal number\n"
        "7 Purchase - Recurring Standard 8 - arn:sp - ! the fee of a commitment needs it, but it is "
        "null\n"
        "8 Usage - Usage-Based Committed 0 - - - ! a line of type DiscountedUsage needs it, but the file "
        "does not have it\n"
        "9 Purchase - Recurring Standard 9 - - - ! the fee of a commitment needs it, but it is null\n"
        "10 Purchase - Recurring Standard 8 - arn:sp - ! \"two\" is not a decimal number\n");
    assert_string_equal("savingsPlan/SavingsPlanEffectiveCost", bill->rows[3].column);
    assert_string_equal("savingsPlan/UsedCommitment", bill->rows[5].column);
    assert_string_equal("reservation_effective_cost", bill->rows[6].column);
    expect_decimal("7", &bill->cancelled);
    free(bill);
}

static void test_a_file_without_a_required_column_is_refused(void **state)
{
    struct csv_reader *reader;
    struct billing_file file;
    struct error error = { 0 };
    char path[32];
    (void)state;
    write_file(path, "bill/BillingPeriodStartDate,lineItem/UsageStartDate,lineItem/LineItemType\n");
    assert_false(open_bill(path, &reader, &file, "USD", &error));
    assert_non_null(strstr(error.message, "line_item_usage_end_date, line_item_unblended_cost"));
    billing_file_free(&file);
    csv_reader_close(reader);
    unlink(path);
}

/* ---- one format, three spellings ---- */

static const char *const spellings[] = {
    "bill/BillingPeriodStartDate,bill/InvoiceId,bill/InvoicingEntity,bill/PayerAccountId,identity/LineItemId,"
    "lineItem/AvailabilityZone,lineItem/CurrencyCode,lineItem/LegalEntity,lineItem/LineItemDescription,"
    "lineItem/LineItemType,lineItem/Operation,lineItem/ProductCode,lineItem/ResourceId,lineItem/"
    "UnblendedCost,"
    "lineItem/UnblendedRate,lineItem/UsageAccountId,lineItem/UsageAmount,lineItem/UsageEndDate,"
    "lineItem/UsageStartDate,lineItem/UsageType,pricing/RateCode,pricing/publicOnDemandCost,"
    "pricing/publicOnDemandRate,pricing/unit,product/ProductName,product/instanceType,product/productFamily,"
    "product/regionCode,product/sku,reservation/EffectiveCost,reservation/ReservationARN,"
    "resourceTags/aws:autoscaling,resourceTags/user:team,resourceTags/user:costcenter,costCategory/project\n"
    "2026-09-01T00:00:00Z,INV7,Amazon Web Services EMEA SARL,111122223333,a1,eu-west-1a,EUR,\"AWS, Inc.\","
    "p5 hour,DiscountedUsage,RunInstances,AmazonEC2,i-0ab1,0,0,444455556666,1,2026-09-03T11:00:00Z,"
    "2026-09-03T10:00:00Z,EU-BoxUsage:p5.48xlarge,R1.J,98.32,98.32,Hrs,Amazon Elastic Compute "
    "Cloud,p5.48xlarge,"
    "Compute Instance,eu-west-1,SKU1,61.5,arn:ri/1,,\"vision \"\"x\"\"\",4711,atlas\n",

    "bill_billing_period_start_date,bill_invoice_id,bill_invoicing_entity,bill_payer_account_id,"
    "identity_line_item_id,line_item_availability_zone,line_item_currency_code,line_item_legal_entity,"
    "line_item_line_item_description,line_item_line_item_type,line_item_operation,line_item_product_code,"
    "line_item_resource_id,line_item_unblended_cost,line_item_unblended_rate,line_item_usage_account_id,"
    "line_item_usage_amount,line_item_usage_end_date,line_item_usage_start_date,line_item_usage_type,"
    "pricing_rate_code,pricing_public_on_demand_cost,pricing_public_on_demand_rate,pricing_unit,"
    "product_product_name,product_instance_type,product_product_family,product_region_code,product_sku,"
    "reservation_effective_cost,reservation_reservation_a_r_n,resource_tags_aws_autoscaling,"
    "resource_tags_user_team,resource_tags_user_costcenter,cost_category_project\n"
    "2026-09-01 00:00:00.000,INV7,Amazon Web Services EMEA SARL,111122223333,b2,eu-west-1a,EUR,\"AWS, Inc.\","
    "p5 hour,DiscountedUsage,RunInstances,AmazonEC2,i-0ab1,0,0,444455556666,1,2026-09-03 11:00:00.000,"
    "2026-09-03 10:00:00.000,EU-BoxUsage:p5.48xlarge,R1.J,98.32,98.32,Hrs,Amazon Elastic Compute Cloud,"
    "p5.48xlarge,Compute Instance,eu-west-1,SKU1,61.5,arn:ri/1,,\"vision \"\"x\"\"\",4711,atlas\n",

    "bill_billing_period_start_date,bill_invoice_id,bill_invoicing_entity,bill_payer_account_id,cost_"
    "category,"
    "discount,identity_line_item_id,line_item_availability_zone,line_item_currency_code,"
    "line_item_legal_entity,line_item_line_item_description,line_item_line_item_type,"
    "line_item_net_unblended_cost,line_item_operation,line_item_product_code,line_item_resource_id,"
    "line_item_unblended_cost,line_item_unblended_rate,line_item_usage_account_id,line_item_usage_amount,"
    "line_item_usage_end_date,line_item_usage_start_date,line_item_usage_type,pricing_rate_code,"
    "pricing_public_on_demand_cost,pricing_public_on_demand_rate,pricing_unit,product,product_instance_type,"
    "product_product_family,product_region_code,product_sku,reservation_effective_cost,"
    "reservation_reservation_a_r_n,resource_tags\n"
    "2026-09-01T00:00:00.000Z,INV7,Amazon Web Services EMEA "
    "SARL,111122223333,\"{\"\"project\"\":\"\"atlas\"\"}\","
    "{},c3,eu-west-1a,EUR,\"AWS, Inc.\",p5 "
    "hour,DiscountedUsage,,RunInstances,AmazonEC2,i-0ab1,0,0,444455556666,"
    "1,2026-09-03T11:00:00.000Z,2026-09-03T10:00:00.000Z,EU-BoxUsage:p5.48xlarge,R1.J,98.32,98.32,Hrs,"
    "\"{\"\"vcpu\"\":\"\"192\"\",\"\"product_name\"\":\"\"Amazon Elastic Compute Cloud\"\"}\",p5.48xlarge,"
    "Compute Instance,eu-west-1,SKU1,61.5,arn:ri/1,"
    "\"{\"\"user_team\"\":\"\"vision "
    "\\\"\"x\\\"\"\"\",\"\"user_costcenter\"\":\"\"4711\"\",\"\"aws_x\"\":\"\"\"\"}\"\n",
};

static void test_three_spellings_are_one_format(void **state)
{
    struct bill *bills[3];
    (void)state;
    for (int i = 0; i < 3; i++) {
        char text[VALUE_BYTES], of_first[VALUE_BYTES];
        bills[i] = read_bill(spellings[i]);
        assert_int_equal(1, bills[i]->count);
        describe(&bills[i]->rows[0], text, sizeof text);
        describe(&bills[0]->rows[0], of_first, sizeof of_first);
        assert_string_equal(of_first, text);
        for (int j = 0; j < TEXT_COUNT; j++)
            assert_string_equal(bills[0]->rows[0].texts[j], bills[i]->rows[0].texts[j]);
        for (int j = 0; j < TIME_COUNT; j++)
            assert_int_equal(bills[0]->rows[0].row.times[j], bills[i]->rows[0].row.times[j]);
        for (int j = 0; j < AMOUNT_COUNT; j++) {
            char amount[DECIMAL_TEXT_BYTES], of_first_bill[DECIMAL_TEXT_BYTES];
            assert_string_equal(amount_text(&bills[0]->rows[0].row, j, of_first_bill),
                                amount_text(&bills[i]->rows[0].row, j, amount));
        }
    }
    for (int i = 0; i < 3; i++)
        free(bills[i]);
}

static void test_a_line_has_all_that_focus_asks_of_it(void **state)
{
    static const struct {
        enum billing_text text;
        const char *value;
    } expected[] = {
        { TEXT_PROVIDER_NAME, "AWS" },
        { TEXT_PUBLISHER_NAME, "AWS, Inc." },
        { TEXT_BILLING_ACCOUNT_ID, "111122223333" },
        { TEXT_SUB_ACCOUNT_ID, "444455556666" },
        { TEXT_INVOICE_ISSUER_NAME, "Amazon Web Services EMEA SARL" },
        { TEXT_INVOICE_ID, "INV7" },
        { TEXT_BILLING_CURRENCY, "EUR" },
        { TEXT_RESOURCE_ID, "i-0ab1" },
        { TEXT_REGION_ID, "eu-west-1" },
        { TEXT_AVAILABILITY_ZONE, "eu-west-1a" },
        { TEXT_SERVICE_CATEGORY, "Compute" },
        { TEXT_SERVICE_NAME, "Amazon Elastic Compute Cloud" },
        { TEXT_SKU_ID, "SKU1" },
        { TEXT_SKU_PRICE_ID, "R1.J" },
        { TEXT_SKU_METER, "EU-BoxUsage:p5.48xlarge" },
        { TEXT_SKU_PRICE_DETAILS, "{\"InstanceType\":\"p5.48xlarge\"}" },
        { TEXT_PRICING_UNIT, "Hrs" },
        { TEXT_CONSUMED_UNIT, "Hrs" },
        { TEXT_LIST_UNIT_PRICE, "98.32" },
        { TEXT_COMMITMENT_DISCOUNT_ID, "arn:ri/1" },
        { TEXT_CHARGE_DESCRIPTION, "p5 hour" },
        { TEXT_TAGS,
          "{\"costCategory/project\":\"atlas\",\"costcenter\":\"4711\",\"team\":\"vision \\\"x\\\"\"}" },
    };
    char text[DECIMAL_TEXT_BYTES];
    (void)state;
    struct bill *bill = read_bill(spellings[0]);
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
        assert_string_equal(expected[i].value, bill->rows[0].texts[expected[i].text]);
    assert_string_equal("1", amount_text(&bill->rows[0].row, AMOUNT_CONSUMED_QUANTITY, text));
    assert_string_equal("1", amount_text(&bill->rows[0].row, AMOUNT_PRICING_QUANTITY, text));
    assert_string_equal("98.32", amount_text(&bill->rows[0].row, AMOUNT_LIST_COST, text));
    assert_string_equal("-", amount_text(&bill->rows[0].row, AMOUNT_CONTRACTED_COST, text));
    assert_string_equal("lineItem/Operation lineItem/ProductCode product/instanceType product/productFamily ",
                        bill->custom);
    free(bill);
}

/* A fee has bought its amount, and consumed nothing; the rest has neither. */
static void test_only_usage_consumes(void **state)
{
    static const char *const expected[] = { "1 Hrs 1 Hrs", "- - 730 Hrs", "- - 730 Hrs", "- - - -",
                                            "- - - -",     "- - - -",     "- - - -" };
    (void)state;
    struct bill *bill = read_bill(
        HEADER ",lineItem/UsageAmount,pricing/unit,reservation/UnusedRecurringFee\n" SEPTEMBER
               "Usage,1,1,Hrs,\n" SEPTEMBER "Fee,1,730,Hrs,\n" SEPTEMBER "RIFee,1,730,Hrs,5\n" SEPTEMBER
               "Tax,1,730,Hrs,\n" SEPTEMBER "Credit,1,730,Hrs,\n" SEPTEMBER "EdpDiscount,1,730,Hrs,\n");
    assert_int_equal(7, bill->count);
    for (int i = 0; i < bill->count; i++) {
        char consumed[DECIMAL_TEXT_BYTES], priced[DECIMAL_TEXT_BYTES], text[400];
        const struct kept_row *row = &bill->rows[i];
        snprintf(text, sizeof text, "%s %s %s %s", amount_text(&row->row, AMOUNT_CONSUMED_QUANTITY, consumed),
                 or_dash(row->texts[TEXT_CONSUMED_UNIT]),
                 amount_text(&row->row, AMOUNT_PRICING_QUANTITY, priced),
                 or_dash(row->texts[TEXT_PRICING_UNIT]));
        assert_string_equal(expected[i], text);
    }
    free(bill);
}

/* ---- tags ---- */

static void expect_tags(const char *header, const char *values, const char *expected)
{
    char csv[2000];
    snprintf(csv, sizeof csv, HEADER "%s\n" SEPTEMBER "Usage,1%s\n", header, values);
    struct bill *bill = read_bill(csv);
    assert_int_equal(1, bill->count);
    assert_string_equal("", bill->rows[0].row.problem.reason);
    assert_string_equal(expected, bill->rows[0].texts[TEXT_TAGS]);
    assert_string_equal("", bill->custom);
    free(bill);
}

static void test_tags_have_the_key_that_their_user_gave(void **state)
{
    (void)state;
    expect_tags(",resourceTags/user:Team,resourceTags/user:team,resourceTags/aws:createdBy", ",A,b,root",
                "{\"Team\":\"A\",\"aws:createdBy\":\"root\",\"team\":\"b\"}");
    expect_tags(",resourceTags/user:z,resourceTags/user:a", ",1,\"tab\there\"",
                "{\"a\":\"tab\\u0009here\",\"z\":\"1\"}");
    expect_tags(",resourceTags/user:a,costCategory/a", ",,", "");
    expect_tags(",tags",
                ",\"{\"\"resourceTags/department\"\":\"\"A\"\",\"\"accountTag/department\"\":\"\"C\"\","
                "\"\"userAttribute/Department\"\":\"\"B\"\",\"\"costCategory/department\"\":\"\"D\"\"}\"",
                "{\"accountTag/department\":\"C\",\"costCategory/department\":\"D\",\"department\":\"A\","
                "\"userAttribute/Department\":\"B\"}");
}

static void test_two_columns_of_one_key_stay_apart(void **state)
{
    (void)state;
    expect_tags(",resourceTags/user:team,resourceTags/team", ",mine,theirs",
                "{\"resourceTags/user:team\":\"mine\",\"team\":\"theirs\"}");
    expect_tags(",resource_tags", ",\"{\"\"user:a\"\":\"\"1\"\",\"\"a\"\":\"\"1\"\"}\"", "{\"a\":\"1\"}");
}

static void test_tags_that_are_no_object_are_a_problem(void **state)
{
    static const char *const fields[] = { "[1]", "{x}", "\"{\"\"a\"\":{}}\"" };
    (void)state;
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        char csv[1000];
        snprintf(csv, sizeof csv, HEADER ",resource_tags\n" SEPTEMBER "Usage,1,%s\n", fields[i]);
        struct bill *bill = read_bill(csv);
        assert_string_equal("resource_tags", bill->rows[0].column);
        free(bill);
    }
}

/* ---- products ---- */

static void test_only_instances_are_compute(void **state)
{
    static const struct {
        const char *code, *family, *usage_type, *category;
    } cases[] = {
        { "AmazonEC2", "Compute Instance", "USE2-BoxUsage:p5.48xlarge", "Compute" },
        { "AmazonEC2", "", "APN1-SpotUsage:g5.xlarge", "Compute" },
        { "AmazonEC2", "", "BoxUsage", "Compute" },
        { "AmazonEC2", "", "EU-UnusedBox:p4d.24xlarge", "Compute" },
        { "AmazonEC2", "Storage", "USE2-EBS:VolumeUsage.gp3", "Storage" },
        { "AmazonEC2", "", "USE2-EBS:VolumeUsage.gp3", "Storage" },
        { "AmazonEC2", "NAT Gateway", "USE2-NatGateway-Hours", "Networking" },
        { "AmazonEC2", "", "NatGateway-Hours", "Networking" },
        { "AmazonEC2", "", "USE1-USE2-AWS-Out-Bytes", "Networking" },
        { "AmazonEC2", "", "DataTransfer-Regional-Bytes", "Networking" },
        { "AmazonEC2", "Novelty", "USE2-Novelty-Hours", "Other" },
        { "AmazonEC2", "", "", "Compute" },
        { "AmazonSageMaker", "ML Instance", "USE2-Train:ml.p4d.24xlarge", "AI and Machine Learning" },
        { "AmazonS3", "", "TimedStorage-ByteHrs", "Storage" },
        { "AmazonVPC", "", "USE2-PublicIPv4:InUseAddress", "Networking" },
        { "ComputeSavingsPlans", "", "ComputeSP:1yrNoUpfront", "Compute" },
        { "AWSSupportEnterprise", "", "", "Other" },
        { "amazonec2", "", "", "Other" },
        { "", "", "", "Other" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct csv_field fields[3];
        const char *texts[3] = { cases[i].code, cases[i].family, cases[i].usage_type };
        for (int j = 0; j < 3; j++)
            fields[j] = (struct csv_field){ texts[j][0] != '\0' ? texts[j] : NULL, strlen(texts[j]) };
        assert_string_equal(cases[i].category, aws_service_category(&fields[0], &fields[1], &fields[2]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_all_upfront_reservation_is_amortised_to_the_last_cent),
        cmocka_unit_test(test_a_no_upfront_reservation_is_its_fee),
        cmocka_unit_test(test_a_partial_upfront_reservation_has_both),
        cmocka_unit_test(test_net_columns_come_first_where_they_are_filled),
        cmocka_unit_test(test_an_all_upfront_plan_is_amortised_and_its_usage_taken_back),
        cmocka_unit_test(test_a_no_upfront_plan_is_its_hourly_fee),
        cmocka_unit_test(test_a_partial_upfront_plan_has_both),
        cmocka_unit_test(test_what_is_left_of_a_plan_has_the_discount_of_its_fee),
        cmocka_unit_test(test_usage_that_nothing_takes_back_is_left_over),
        cmocka_unit_test(test_each_type_is_its_category),
        cmocka_unit_test(test_a_refund_has_the_category_of_what_it_refunds),
        cmocka_unit_test(test_what_cannot_be_read_keeps_its_money),
        cmocka_unit_test(test_a_file_without_a_required_column_is_refused),
        cmocka_unit_test(test_three_spellings_are_one_format),
        cmocka_unit_test(test_a_line_has_all_that_focus_asks_of_it),
        cmocka_unit_test(test_only_usage_consumes),
        cmocka_unit_test(test_tags_have_the_key_that_their_user_gave),
        cmocka_unit_test(test_two_columns_of_one_key_stay_apart),
        cmocka_unit_test(test_tags_that_are_no_object_are_a_problem),
        cmocka_unit_test(test_only_instances_are_compute),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
