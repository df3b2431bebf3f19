/* Reserved instances and savings plans of AWS's bills over their whole term, worked out by hand:
 * what is paid is what is used and left unused. */
#include "tests/unit/aws_bill.h"

/* ---- reserved instances ---- */

static const char reservation_columns[] =
    "reservation/ReservationARN,reservation/EffectiveCost,"
    "reservation/UnusedAmortizedUpfrontFeeForBillingPeriod,reservation/UnusedRecurringFee";

/* 120 paid for two months, 60 in each. September: four hours used at 10, the rest left. October:
 * all used. */
static void test_an_all_upfront_reservation_is_amortised_to_the_last_cent(void **state)
{
    static const char *const lines[] = {
        "09 Fee,120.00,arn:ri,,,",
        "09 DiscountedUsage,0,arn:ri,10.00,,",
        "09 DiscountedUsage,0,arn:ri,30.00,,",
        "09 RIFee,0,arn:ri,,20.00,0",
        "10 DiscountedUsage,0,arn:ri,60.00,,",
        "10 RIFee,0,arn:ri,,0.00,0.0",
    };
    (void)state;
    struct bill *bill = read_bill(reservation_columns, lines, COUNT(lines));
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
    static const char *const lines[] = {
        "09 DiscountedUsage,0,arn:ri,60.0,,",
        "09 RIFee,72,arn:ri,,,12.0",
    };
    (void)state;
    struct bill *bill = read_bill(reservation_columns, lines, COUNT(lines));
    expect_rows(bill, "2 Usage - Usage-Based Committed 0 60.0 arn:ri Used\n"
                      "3 Purchase - Recurring Standard 72 0 arn:ri -\n"
                      "3 Usage - Usage-Based Committed 0 12.0 arn:ri Unused\n");
    expect_sum(bill, "arn:ri", AMOUNT_BILLED_COST, "72");
    expect_sum(bill, "arn:ri", AMOUNT_EFFECTIVE_COST, "72.0");
    free(bill);
}

/* 100 upfront and 25 a month for two months: 75 a month. A third of September is left, nothing of
 * October. */
static void test_a_partial_upfront_reservation_has_both(void **state)
{
    static const char *const lines[] = {
        "09 Fee,100,arn:ri,,,",
        "09 DiscountedUsage,0,arn:ri,50,,",
        "09 RIFee,25,arn:ri,,16.666666667,8.333333333",
        "10 DiscountedUsage,0,arn:ri,75,,",
        "10 RIFee,25,arn:ri,,0,0",
    };
    (void)state;
    struct bill *bill = read_bill(reservation_columns, lines, COUNT(lines));
    expect_sum(bill, "arn:ri", AMOUNT_BILLED_COST, "150");
    expect_sum(bill, "arn:ri", AMOUNT_EFFECTIVE_COST, "150.000000000");
    free(bill);
}

static void test_net_columns_come_first_where_they_are_filled(void **state)
{
    static const char *const lines[] = {
        "09 Usage,10,9,,,,,,,",
        "09 Usage,7,,,,,,,,",
        "09 DiscountedUsage,0,0,arn:ri,60,54,,,,",
        "09 RIFee,72,64.8,arn:ri,,,0,0,12,10.8",
    };
    (void)state;
    struct bill *bill =
        read_bill("lineItem/NetUnblendedCost,reservation/ReservationARN,reservation/EffectiveCost,"
                  "reservation/NetEffectiveCost,reservation/UnusedAmortizedUpfrontFeeForBillingPeriod,"
                  "reservation/NetUnusedAmortizedUpfrontFeeForBillingPeriod,reservation/UnusedRecurringFee,"
                  "reservation/NetUnusedRecurringFee",
                  lines, COUNT(lines));
    expect_rows(bill, "2 Usage - Usage-Based Standard 9 9 - -\n"
                      "3 Usage - Usage-Based Standard 7 7 - -\n"
                      "4 Usage - Usage-Based Committed 0 54 arn:ri Used\n"
                      "5 Purchase - Recurring Standard 64.8 0 arn:ri -\n"
                      "5 Usage - Usage-Based Committed 0 10.8 arn:ri Unused\n");
    expect_sum(bill, "arn:ri", AMOUNT_EFFECTIVE_COST, "64.8");
    free(bill);
}

/* ---- savings plans ---- */

static const char plan_columns[] = "savingsPlan/SavingsPlanARN,savingsPlan/SavingsPlanEffectiveCost,"
                                   "savingsPlan/TotalCommitmentToDate,savingsPlan/UsedCommitment";

/* 100 paid for two months, 50 in each; 30 used in September for what costs 45 on demand, 50 in
 * October for 75. The negation of October comes as one line for two lines of usage. */
static void test_an_all_upfront_plan_is_amortised_and_its_usage_taken_back(void **state)
{
    static const char *const lines[] = {
        "09 SavingsPlanUpfrontFee,100,arn:sp,,,",      "09 SavingsPlanCoveredUsage,45.5,arn:sp,30,,",
        "09 SavingsPlanNegation,-45.5,arn:sp,0,,",     "09 SavingsPlanRecurringFee,0,arn:sp,,50,30",
        "10 SavingsPlanCoveredUsage,50,arn:sp,33.4,,", "10 SavingsPlanCoveredUsage,25,arn:sp,16.6,,",
        "10 SavingsPlanNegation,-75,arn:sp,0,,",       "10 SavingsPlanRecurringFee,0,arn:sp,,50,50",
    };
    (void)state;
    struct bill *bill = read_bill(plan_columns, lines, COUNT(lines));
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
    static const char *const lines[] = {
        "09 SavingsPlanCoveredUsage,2.25,arn:sp,1.5,,",
        "09 SavingsPlanNegation,-2.25,arn:sp,0,,",
        "09 SavingsPlanRecurringFee,2,arn:sp,,2,1.5",
        "09 SavingsPlanCoveredUsage,3,arn:sp,2,,",
        "09 SavingsPlanNegation,-3,arn:sp,0,,",
        "09 SavingsPlanRecurringFee,2,arn:sp,,2,2",
        "09 Usage,0.75,,,,",
    };
    (void)state;
    struct bill *bill = read_bill(plan_columns, lines, COUNT(lines));
    expect_sum(bill, "arn:sp", AMOUNT_BILLED_COST, "4");
    expect_sum(bill, "arn:sp", AMOUNT_EFFECTIVE_COST, "4.0");
    expect_sum(bill, NULL, AMOUNT_BILLED_COST, "4.75");
    expect_decimal("0.00", &bill->cancelled);
    free(bill);
}

/* 2 upfront for two hours and 1 an hour: 2 an hour. 0.5 of the first is left. */
static void test_a_partial_upfront_plan_has_both(void **state)
{
    static const char *const lines[] = {
        "09 SavingsPlanUpfrontFee,2,arn:sp,,,",      "09 SavingsPlanCoveredUsage,2,arn:sp,1.5,,",
        "09 SavingsPlanNegation,-2,arn:sp,0,,",      "09 SavingsPlanRecurringFee,1,arn:sp,,2,1.5",
        "09 SavingsPlanCoveredUsage,2.7,arn:sp,2,,", "09 SavingsPlanNegation,-2.7,arn:sp,0,,",
        "09 SavingsPlanRecurringFee,1,arn:sp,,2,2",
    };
    (void)state;
    struct bill *bill = read_bill(plan_columns, lines, COUNT(lines));
    expect_sum(bill, "arn:sp", AMOUNT_BILLED_COST, "4");
    expect_sum(bill, "arn:sp", AMOUNT_EFFECTIVE_COST, "4.0");
    expect_decimal("0.0", &bill->cancelled);
    free(bill);
}

static const char net_columns[] =
    "lineItem/NetUnblendedCost,savingsPlan/SavingsPlanARN,savingsPlan/SavingsPlanEffectiveCost,"
    "savingsPlan/NetSavingsPlanEffectiveCost,savingsPlan/TotalCommitmentToDate,"
    "savingsPlan/UsedCommitment,savingsPlan/AmortizedUpfrontCommitmentForBillingPeriod,"
    "savingsPlan/RecurringCommitmentForBillingPeriod,"
    "savingsPlan/NetAmortizedUpfrontCommitmentForBillingPeriod,"
    "savingsPlan/NetRecurringCommitmentForBillingPeriod";

/* Ten per cent off: 2 an hour cost 1.8, of which 1.5 · 0.9 = 1.35 was used and 0.45 was not. */
static void expect_ten_per_cent_off(struct bill *bill)
{
    struct decimal sum, difference, expected;
    assert_int_equal(3, bill->count);
    assert_string_equal("Unused", bill->rows[2].texts[TEXT_COMMITMENT_DISCOUNT_STATUS]);
    assert_true(decimal_parse("1.8", 3, &expected));
    assert_true(decimal_add(&bill->rows[0].row.amounts[AMOUNT_EFFECTIVE_COST],
                            &bill->rows[2].row.amounts[AMOUNT_EFFECTIVE_COST], &sum));
    assert_true(decimal_subtract(&sum, &expected, &difference));
    assert_int_equal(0, difference.group_count);
    expect_sum(bill, "arn:sp", AMOUNT_BILLED_COST, "1.8");
    expect_decimal("0.000", &bill->cancelled);
    free(bill);
}

static void test_what_is_left_of_a_plan_has_the_discount_of_its_commitment(void **state)
{
    static const char *const lines[] = {
        "09 SavingsPlanCoveredUsage,2.25,2.025,arn:sp,1.5,1.35,,,,,,",
        "09 SavingsPlanNegation,-2.25,-2.025,arn:sp,,,,,,,,",
        "09 SavingsPlanRecurringFee,2,1.8,arn:sp,,,2,1.5,0,2,0,1.8",
    };
    (void)state;
    expect_ten_per_cent_off(read_bill(net_columns, lines, COUNT(lines)));
}

/* Paid upfront, the fee of the hour is 0 and says nothing: the commitment does. */
static void test_a_prepaid_plan_has_the_discount_of_its_prepayment(void **state)
{
    static const char *const lines[] = {
        "09 SavingsPlanCoveredUsage,2.25,2.025,arn:sp,1.5,1.35,,,,,,",
        "09 SavingsPlanNegation,-2.25,-2.025,arn:sp,,,,,,,,",
        "09 SavingsPlanRecurringFee,0,0,arn:sp,,,2,1.5,2,0,1.8,0",
    };
    (void)state;
    struct bill *bill = read_bill(net_columns, lines, COUNT(lines));
    struct decimal difference, expected;
    assert_true(decimal_parse("0.45", 4, &expected));
    assert_true(decimal_subtract(&bill->rows[2].row.amounts[AMOUNT_EFFECTIVE_COST], &expected, &difference));
    assert_int_equal(0, difference.group_count);
    free(bill);
}

static void test_without_the_commitments_net_cost_the_fee_says_the_discount(void **state)
{
    static const char *const lines[] = {
        "09 SavingsPlanCoveredUsage,2.25,2.025,arn:sp,1.5,1.35,,",
        "09 SavingsPlanNegation,-2.25,-2.025,arn:sp,,,,",
        "09 SavingsPlanRecurringFee,2,1.8,arn:sp,,,2,1.5",
    };
    (void)state;
    expect_ten_per_cent_off(
        read_bill("lineItem/NetUnblendedCost,savingsPlan/SavingsPlanARN,savingsPlan/SavingsPlanEffectiveCost,"
                  "savingsPlan/NetSavingsPlanEffectiveCost,savingsPlan/TotalCommitmentToDate,"
                  "savingsPlan/UsedCommitment",
                  lines, COUNT(lines)));
}

/* A bill without the negations that belong to it: what it does not take back stays visible. */
static void test_usage_that_nothing_takes_back_is_left_over(void **state)
{
    static const char *const lines[] = {
        "09 SavingsPlanCoveredUsage,10,,0.1,,",
        "09 SavingsPlanCoveredUsage,10,,0.1,,",
    };
    (void)state;
    struct bill *bill = read_bill(plan_columns, lines, COUNT(lines));
    expect_rows(bill, "2 Usage - Usage-Based Committed 0 0.1 - -\n"
                      "3 Usage - Usage-Based Committed 0 0.1 - -\n");
    expect_decimal("20", &bill->cancelled);
    free(bill);
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
        cmocka_unit_test(test_what_is_left_of_a_plan_has_the_discount_of_its_commitment),
        cmocka_unit_test(test_a_prepaid_plan_has_the_discount_of_its_prepayment),
        cmocka_unit_test(test_without_the_commitments_net_cost_the_fee_says_the_discount),
        cmocka_unit_test(test_usage_that_nothing_takes_back_is_left_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
