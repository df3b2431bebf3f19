/* What the lines of AWS's Cost and Usage Report become in FOCUS's terms. */
#include "tests/unit/aws_bill.h"

/* ---- the other types ---- */

static void test_each_type_is_its_category(void **state)
{
    static const char *const lines[] = {
        "09 Usage,1,USE2-BoxUsage:p5.48xlarge,",
        "09 Usage,2,USE2-SpotUsage:p5.48xlarge,",
        "09 Tax,3,,VAT",
        "09 Credit,-4,,",
        "09 Fee,5,,",
        "09 EdpDiscount,-6,,",
        "09 PrivateRateDiscount,-7,,",
        "09 BundledDiscount,-8,,",
        "09 Discount,-9,,",
    };
    (void)state;
    struct bill *bill = read_bill("lineItem/UsageType,lineItem/TaxType", lines, COUNT(lines));
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

static void test_a_refund_has_the_category_of_what_it_refunds(void **state)
{
    static const char *const lines[] = {
        "09 Refund,-1,BoxUsage:m5.large,,,,,",
        "09/08 Refund,-2,BoxUsage:m5.large,,,,,",
        "09/07 Refund,-3,,VAT,,,,",
        "09 Refund,-4,,,arn:sp,All Upfront,,",
        "09 Refund,-5,,,arn:sp,No Upfront,,",
        "09 Refund,-6,,,,,arn:ri,All Upfront",
        "09 Refund,-7,,,,,,",
    };
    (void)state;
    struct bill *bill =
        read_bill("lineItem/UsageType,lineItem/TaxType,savingsPlan/SavingsPlanArn,"
                  "savingsPlan/PaymentOption,reservation/ReservationArn,pricing/PurchaseOption",
                  lines, COUNT(lines));
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
    static const char *const lines[] = {
        "09 Surcharge,5.5,,,,",
        "09 ,6,,,,",
        "09 Usage,\"12,40\",,,,",
        "09 SavingsPlanCoveredUsage,7,arn:sp,,,",
        "09 SavingsPlanNegation,-7 USD,arn:sp,,,",
        "09 SavingsPlanRecurringFee,8,arn:sp,,2,",
        "09 DiscountedUsage,0,,,,",
        "09 RIFee,9,,,,",
        "09 SavingsPlanRecurringFee,8,arn:sp,,2,two",
    };
    (void)state;
    struct bill *bill = read_bill("savingsPlan/SavingsPlanARN,savingsPlan/SavingsPlanEffectiveCost,"
                                  "savingsPlan/TotalCommitmentToDate,savingsPlan/UsedCommitment",
                                  lines, COUNT(lines));
    expect_rows(
        bill,
        "2 Adjustment - One-Time - 5.5 5.5 - - ! \"Surcharge\" is not a known line item type\n"
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
        bills[i] = read_csv(spellings[i]);
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
    struct bill *bill = read_csv(spellings[0]);
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
    static const char *const lines[] = {
        "09 Usage,1,1,Hrs,", "09 Fee,1,730,Hrs,",    "09 RIFee,1,730,Hrs,5",
        "09 Tax,1,730,Hrs,", "09 Credit,1,730,Hrs,", "09 EdpDiscount,1,730,Hrs,",
    };
    (void)state;
    struct bill *bill =
        read_bill("lineItem/UsageAmount,pricing/unit,reservation/UnusedRecurringFee", lines, COUNT(lines));
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_type_is_its_category),
        cmocka_unit_test(test_a_refund_has_the_category_of_what_it_refunds),
        cmocka_unit_test(test_what_cannot_be_read_keeps_its_money),
        cmocka_unit_test(test_a_file_without_a_required_column_is_refused),
        cmocka_unit_test(test_three_spellings_are_one_format),
        cmocka_unit_test(test_a_line_has_all_that_focus_asks_of_it),
        cmocka_unit_test(test_only_usage_consumes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
