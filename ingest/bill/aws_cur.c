/* ingest/bill/aws_cur.c: AWS's Cost and Usage Report: legacy, through Athena, and CUR 2.0.
 *
 * A line item becomes one row, a commitment's fee two, a savings plan's negation none
 * (aws_charge.h). This file reads accounts, products and times. docs/bills-aws.md has the whole
 * mapping.
 *
 * Source: AWS's dictionaries of the report,
 * https://docs.aws.amazon.com/cur/latest/userguide/data-dictionary.html and
 * https://docs.aws.amazon.com/cur/latest/userguide/table-dictionary-cur2.html.
 */
#include "ingest/bill/aws_charge.h"
#include "ingest/bill/aws_columns.h"
#include "ingest/bill/aws_product.h"
#include "ingest/bill/aws_tags.h"
#include "ingest/bill/nested_text.h"

#include <cjson/cJSON.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct billing_column aws_columns[] = {
    [AWS_BILLING_PERIOD_START] = { "bill_billing_period_start_date", COLUMN_REQUIRED },
    [AWS_USAGE_START] = { "line_item_usage_start_date", COLUMN_REQUIRED },
    [AWS_USAGE_END] = { "line_item_usage_end_date", COLUMN_REQUIRED },
    [AWS_LINE_ITEM_TYPE] = { "line_item_line_item_type", COLUMN_REQUIRED },
    [AWS_UNBLENDED_COST] = { "line_item_unblended_cost", COLUMN_REQUIRED },
    [AWS_CURRENCY] = { "line_item_currency_code", COLUMN_REQUIRED_CURRENCY },
    [AWS_NET_UNBLENDED_COST] = { "line_item_net_unblended_cost", COLUMN_OPTIONAL },
    [AWS_UNBLENDED_RATE] = { "line_item_unblended_rate", COLUMN_OPTIONAL },
    [AWS_NET_UNBLENDED_RATE] = { "line_item_net_unblended_rate", COLUMN_OPTIONAL },
    [AWS_USAGE_AMOUNT] = { "line_item_usage_amount", COLUMN_OPTIONAL },
    [AWS_USAGE_TYPE] = { "line_item_usage_type", COLUMN_OPTIONAL },
    [AWS_RESOURCE_ID] = { "line_item_resource_id", COLUMN_OPTIONAL },
    [AWS_PRODUCT_CODE] = { "line_item_product_code", COLUMN_ALSO_KEPT },
    [AWS_TAX_TYPE] = { "line_item_tax_type", COLUMN_ALSO_KEPT },
    [AWS_AVAILABILITY_ZONE] = { "line_item_availability_zone", COLUMN_OPTIONAL },
    [AWS_DESCRIPTION] = { "line_item_line_item_description", COLUMN_OPTIONAL },
    [AWS_USAGE_ACCOUNT] = { "line_item_usage_account_id", COLUMN_OPTIONAL },
    [AWS_USAGE_ACCOUNT_NAME] = { "line_item_usage_account_name", COLUMN_OPTIONAL },
    [AWS_PAYER_ACCOUNT] = { "bill_payer_account_id", COLUMN_OPTIONAL },
    [AWS_PAYER_ACCOUNT_NAME] = { "bill_payer_account_name", COLUMN_OPTIONAL },
    [AWS_INVOICE_ID] = { "bill_invoice_id", COLUMN_OPTIONAL },
    [AWS_INVOICING_ENTITY] = { "bill_invoicing_entity", COLUMN_OPTIONAL },
    [AWS_LEGAL_ENTITY] = { "line_item_legal_entity", COLUMN_OPTIONAL },
    [AWS_PRICING_UNIT] = { "pricing_unit", COLUMN_OPTIONAL },
    [AWS_PRICING_TERM] = { "pricing_term", COLUMN_ALSO_KEPT },
    [AWS_PURCHASE_OPTION] = { "pricing_purchase_option", COLUMN_ALSO_KEPT },
    [AWS_PUBLIC_COST] = { "pricing_public_on_demand_cost", COLUMN_OPTIONAL },
    [AWS_PUBLIC_RATE] = { "pricing_public_on_demand_rate", COLUMN_OPTIONAL },
    [AWS_RATE_CODE] = { "pricing_rate_code", COLUMN_OPTIONAL },
    [AWS_RATE_ID] = { "pricing_rate_id", COLUMN_ALSO_KEPT },
    [AWS_PRODUCT_NAME] = { "product_product_name", COLUMN_OPTIONAL },
    [AWS_SERVICE_NAME] = { "product_servicename", COLUMN_ALSO_KEPT },
    [AWS_PRODUCT_FAMILY] = { "product_product_family", COLUMN_ALSO_KEPT },
    [AWS_SKU] = { "product_sku", COLUMN_OPTIONAL },
    [AWS_REGION_CODE] = { "product_region_code", COLUMN_OPTIONAL },
    [AWS_REGION] = { "product_region", COLUMN_ALSO_KEPT },
    [AWS_LOCATION] = { "product_location", COLUMN_OPTIONAL },
    [AWS_INSTANCE_TYPE] = { "product_instance_type", COLUMN_ALSO_KEPT },
    [AWS_MARKET_OPTION] = { "product_marketoption", COLUMN_ALSO_KEPT },
    [AWS_RESERVATION_ARN] = { "reservation_reservation_a_r_n", COLUMN_OPTIONAL },
    [AWS_RESERVATION_EFFECTIVE_COST] = { "reservation_effective_cost", COLUMN_OPTIONAL },
    [AWS_RESERVATION_NET_EFFECTIVE_COST] = { "reservation_net_effective_cost", COLUMN_OPTIONAL },
    [AWS_RESERVATION_UNUSED_UPFRONT] = { "reservation_unused_amortized_upfront_fee_for_billing_period",
                                         COLUMN_OPTIONAL },
    [AWS_RESERVATION_NET_UNUSED_UPFRONT] = { "reservation_net_unused_amortized_upfront_fee_for_billing_"
                                             "period",
                                             COLUMN_OPTIONAL },
    [AWS_RESERVATION_UNUSED_RECURRING] = { "reservation_unused_recurring_fee", COLUMN_OPTIONAL },
    [AWS_RESERVATION_NET_UNUSED_RECURRING] = { "reservation_net_unused_recurring_fee", COLUMN_OPTIONAL },
    [AWS_PLAN_ARN] = { "savings_plan_savings_plan_a_r_n", COLUMN_OPTIONAL },
    [AWS_PLAN_PAYMENT_OPTION] = { "savings_plan_payment_option", COLUMN_ALSO_KEPT },
    [AWS_PLAN_EFFECTIVE_COST] = { "savings_plan_savings_plan_effective_cost", COLUMN_OPTIONAL },
    [AWS_PLAN_NET_EFFECTIVE_COST] = { "savings_plan_net_savings_plan_effective_cost", COLUMN_OPTIONAL },
    [AWS_PLAN_TOTAL_COMMITMENT] = { "savings_plan_total_commitment_to_date", COLUMN_OPTIONAL },
    [AWS_PLAN_USED_COMMITMENT] = { "savings_plan_used_commitment", COLUMN_OPTIONAL },
    [AWS_PLAN_UPFRONT] = { "savings_plan_amortized_upfront_commitment_for_billing_period", COLUMN_OPTIONAL },
    [AWS_PLAN_NET_UPFRONT] = { "savings_plan_net_amortized_upfront_commitment_for_billing_period",
                               COLUMN_OPTIONAL },
    [AWS_PLAN_RECURRING] = { "savings_plan_recurring_commitment_for_billing_period", COLUMN_OPTIONAL },
    [AWS_PLAN_NET_RECURRING] = { "savings_plan_net_recurring_commitment_for_billing_period",
                                 COLUMN_OPTIONAL },
    [AWS_CAPACITY_RESERVATION_ARN] = { "capacity_reservation_capacity_reservation_arn", COLUMN_OPTIONAL },
    [AWS_CAPACITY_RESERVATION_STATUS] = { "capacity_reservation_capacity_reservation_status",
                                          COLUMN_ALSO_KEPT },
    [AWS_PRODUCT] = { "product", COLUMN_ALSO_KEPT },
    [AWS_RESOURCE_TAGS] = { "resource_tags", COLUMN_OPTIONAL },
    [AWS_COST_CATEGORY] = { "cost_category", COLUMN_OPTIONAL },
    [AWS_TAGS] = { "tags", COLUMN_OPTIONAL },
    /* they differ on every line, and no rule needs them */
    [AWS_FIRST_NOT_KEPT] = { "identity_line_item_id", COLUMN_NOT_KEPT },
    { "identity_time_interval", COLUMN_NOT_KEPT },
    { "bill_billing_period_end_date", COLUMN_NOT_KEPT }, /* the start is enough */
    { "line_item_blended_cost", COLUMN_NOT_KEPT },
    { "line_item_normalized_usage_amount", COLUMN_NOT_KEPT },
    { "discount", COLUMN_NOT_KEPT }, /* the net cost already contains discounts */
    { "discount_total_discount", COLUMN_NOT_KEPT },
    { "discount_bundled_discount", COLUMN_NOT_KEPT },
    { "discount_edp_discount", COLUMN_NOT_KEPT },
    { "discount_private_rate_discount", COLUMN_NOT_KEPT },
    { "discount_ri_volume_discount", COLUMN_NOT_KEPT },
    { "discount_spp_discount", COLUMN_NOT_KEPT },
    /* the effective cost contains them */
    { "reservation_amortized_upfront_cost_for_usage", COLUMN_NOT_KEPT },
    { "reservation_recurring_fee_for_usage", COLUMN_NOT_KEPT },
    { "reservation_net_amortized_upfront_cost_for_usage", COLUMN_NOT_KEPT },
    { "reservation_net_recurring_fee_for_usage", COLUMN_NOT_KEPT },
    { "split_line_item_actual_usage", COLUMN_NOT_KEPT }, /* shares of a container in its node */
    { "split_line_item_reserved_usage", COLUMN_NOT_KEPT },
    { "split_line_item_split_usage", COLUMN_NOT_KEPT },
    { "split_line_item_split_usage_ratio", COLUMN_NOT_KEPT },
    { "split_line_item_split_cost", COLUMN_NOT_KEPT },
    { "split_line_item_unused_cost", COLUMN_NOT_KEPT },
    { "split_line_item_net_split_cost", COLUMN_NOT_KEPT },
    { "split_line_item_net_unused_cost", COLUMN_NOT_KEPT },
    { "split_line_item_public_on_demand_split_cost", COLUMN_NOT_KEPT },
    { "split_line_item_public_on_demand_unused_cost", COLUMN_NOT_KEPT },
};

enum { AWS_COLUMN_COUNT = sizeof aws_columns / sizeof aws_columns[0] };
_Static_assert((int)AWS_COLUMN_COUNT <= (int)BILLING_COLUMNS_MAXIMUM, "room for every column");

/* Athena's rule for names: lower case, with one underscore before each capital letter and for each
 * run of other characters. ARN becomes a_r_n. Some files have Arn, which means the same. */
static void canonical_name(const char *header, char *name, size_t size)
{
    size_t length = 0;
    for (; *header != '\0' && length + 2 < size; header++) {
        unsigned char c = (unsigned char)*header;
        bool separates = isupper(c) || !isalnum(c);
        if (separates && length > 0 && name[length - 1] != '_')
            name[length++] = '_';
        if (isalnum(c))
            name[length++] = (char)tolower(c);
    }
    while (length > 0 && name[length - 1] == '_')
        length--;
    name[length] = '\0';
    if (strcmp(name, "savings_plan_savings_plan_arn") == 0 ||
        strcmp(name, "reservation_reservation_arn") == 0)
        memcpy(name + length - strlen("arn"), "a_r_n", sizeof "a_r_n");
}

/* ---- the file ---- */

static bool begin(struct billing_file *file, const struct csv_record *first, struct error *error)
{
    (void)first;
    (void)error;
    struct aws_tags *tags = calloc(1, sizeof *tags);
    file->state = tags;
    aws_tags_find(file, tags);
    return true;
}

static void close_file(struct billing_file *file)
{
    if (file->state != NULL)
        aws_tags_free(file->state);
    free(file->state);
    file->state = NULL;
}

/* ---- texts ---- */

/* An attribute in CUR 2.0's column `product`; null if it is missing. */
static struct csv_field product_attribute(struct billing_file *file, const struct csv_record *record,
                                          const char *name)
{
    const char *problem;
    struct csv_field value = { NULL, 0 };
    struct csv_field text = aws_text(file, record, AWS_PRODUCT);
    cJSON *product = text.text != NULL ? nested_text_parse(text.text, text.length, &problem) : NULL;
    const char *attribute = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(product, name));
    if (attribute != NULL && attribute[0] != '\0') {
        size_t length = strlen(attribute);
        value = (struct csv_field){ memcpy(billing_room(file, length), attribute, length), length };
    }
    cJSON_Delete(product);
    return value;
}

static void read_texts(struct billing_file *file, const struct csv_record *record, struct billing_row *row)
{
    static const struct {
        enum billing_text text;
        enum aws_column column, otherwise; /* the second if the first is null */
    } copied[] = {
        { TEXT_BILLING_ACCOUNT_ID, AWS_PAYER_ACCOUNT, AWS_PAYER_ACCOUNT },
        { TEXT_BILLING_ACCOUNT_NAME, AWS_PAYER_ACCOUNT_NAME, AWS_PAYER_ACCOUNT_NAME },
        { TEXT_SUB_ACCOUNT_ID, AWS_USAGE_ACCOUNT, AWS_USAGE_ACCOUNT },
        { TEXT_SUB_ACCOUNT_NAME, AWS_USAGE_ACCOUNT_NAME, AWS_USAGE_ACCOUNT_NAME },
        { TEXT_PUBLISHER_NAME, AWS_LEGAL_ENTITY, AWS_INVOICING_ENTITY },
        { TEXT_INVOICE_ISSUER_NAME, AWS_INVOICING_ENTITY, AWS_LEGAL_ENTITY },
        { TEXT_INVOICE_ID, AWS_INVOICE_ID, AWS_INVOICE_ID },
        { TEXT_BILLING_CURRENCY, AWS_CURRENCY, AWS_CURRENCY },
        { TEXT_RESOURCE_ID, AWS_RESOURCE_ID, AWS_RESOURCE_ID },
        { TEXT_REGION_ID, AWS_REGION_CODE, AWS_REGION },
        { TEXT_REGION_NAME, AWS_LOCATION, AWS_LOCATION },
        { TEXT_AVAILABILITY_ZONE, AWS_AVAILABILITY_ZONE, AWS_AVAILABILITY_ZONE },
        { TEXT_SERVICE_NAME, AWS_PRODUCT_NAME, AWS_SERVICE_NAME },
        { TEXT_SKU_ID, AWS_SKU, AWS_SKU },
        { TEXT_SKU_PRICE_ID, AWS_RATE_CODE, AWS_RATE_ID },
        { TEXT_SKU_METER, AWS_USAGE_TYPE, AWS_USAGE_TYPE },
        { TEXT_COMMITMENT_DISCOUNT_ID, AWS_PLAN_ARN, AWS_RESERVATION_ARN },
        { TEXT_CAPACITY_RESERVATION_ID, AWS_CAPACITY_RESERVATION_ARN, AWS_CAPACITY_RESERVATION_ARN },
        { TEXT_CHARGE_DESCRIPTION, AWS_DESCRIPTION, AWS_DESCRIPTION },
    };
    for (size_t i = 0; i < sizeof copied / sizeof copied[0]; i++) {
        struct csv_field *text = &row->texts[copied[i].text];
        *text = aws_text(file, record, copied[i].column);
        if (text->text == NULL)
            *text = aws_text(file, record, copied[i].otherwise);
    }
    row->texts[TEXT_PROVIDER_NAME] = billing_literal("AWS");
    if (row->texts[TEXT_INVOICE_ISSUER_NAME].text == NULL)
        row->texts[TEXT_INVOICE_ISSUER_NAME] = billing_literal("Amazon Web Services");
    billing_read_currency(file, aws_column_name(file, AWS_CURRENCY), row);
}

/* Price details with the instance type alone: allocation of accelerators needs no other. */
static struct csv_field price_details(struct billing_file *file, const struct csv_field *instance_type)
{
    size_t size = instance_type->length + sizeof "{\"InstanceType\":\"\"}";
    for (size_t i = 0; i < instance_type->length; i++) {
        unsigned char c = (unsigned char)instance_type->text[i];
        if (!isalnum(c) && c != '.' && c != '-')
            return (struct csv_field){ NULL, 0 };
    }
    char *details = instance_type->text != NULL ? billing_room(file, size) : NULL;
    if (details == NULL)
        return (struct csv_field){ NULL, 0 };
    int length = snprintf(details, size, "{\"InstanceType\":\"%.*s\"}", (int)instance_type->length,
                          instance_type->text);
    return (struct csv_field){ details, (size_t)length };
}

static void read_service(struct billing_file *file, const struct csv_record *record, struct billing_row *row)
{
    struct csv_field code = aws_text(file, record, AWS_PRODUCT_CODE);
    struct csv_field family = aws_text(file, record, AWS_PRODUCT_FAMILY);
    struct csv_field usage_type = aws_text(file, record, AWS_USAGE_TYPE);
    struct csv_field instance_type = aws_text(file, record, AWS_INSTANCE_TYPE);
    struct csv_field *name = &row->texts[TEXT_SERVICE_NAME];
    if (name->text == NULL)
        *name = product_attribute(file, record, "product_name");
    if (name->text == NULL)
        *name = code;
    if (row->texts[TEXT_REGION_ID].text == NULL)
        row->texts[TEXT_REGION_ID] = product_attribute(file, record, "region");
    row->texts[TEXT_SKU_PRICE_DETAILS] = price_details(file, &instance_type);
    row->texts[TEXT_SERVICE_CATEGORY] = billing_literal(aws_service_category(&code, &family, &usage_type));
}

/* If a line names both commitments, the savings plan covers it. */
static void read_commitment(struct billing_file *file, const struct csv_record *record,
                            struct billing_row *row)
{
    bool plan = aws_text(file, record, AWS_PLAN_ARN).text != NULL;
    struct csv_field status = aws_text(file, record, AWS_CAPACITY_RESERVATION_STATUS);
    if (row->texts[TEXT_COMMITMENT_DISCOUNT_ID].text != NULL) {
        row->texts[TEXT_COMMITMENT_DISCOUNT_CATEGORY] = billing_literal(plan ? "Spend" : "Usage");
        row->texts[TEXT_COMMITMENT_DISCOUNT_TYPE] =
            billing_literal(plan ? "Savings Plan" : "Reserved Instance");
    }
    if (row->texts[TEXT_CAPACITY_RESERVATION_ID].text != NULL &&
        ((status.length == 4 && memcmp(status.text, "Used", 4) == 0) ||
         (status.length == 6 && memcmp(status.text, "Unused", 6) == 0)))
        row->texts[TEXT_CAPACITY_RESERVATION_STATUS] = status;
}

static void read_times(const struct billing_file *file, const struct csv_record *record,
                       struct billing_row *row)
{
    const int *positions = file->positions;
    billing_read_time(file, record, positions[AWS_BILLING_PERIOD_START], TIME_BILLING_PERIOD_START, row);
    billing_read_time(file, record, positions[AWS_USAGE_START], TIME_CHARGE_PERIOD_START, row);
    billing_read_time(file, record, positions[AWS_USAGE_END], TIME_CHARGE_PERIOD_END, row);
    if (row->time_known[TIME_CHARGE_PERIOD_START] && row->time_known[TIME_CHARGE_PERIOD_END] &&
        row->times[TIME_CHARGE_PERIOD_END] < row->times[TIME_CHARGE_PERIOD_START])
        billing_note(row, file->names[positions[AWS_USAGE_END]], "before the usage start date");
}

static int read_rows(struct billing_file *file, const struct csv_record *record,
                     struct billing_row rows[BILLING_ROWS_MAXIMUM])
{
    read_times(file, record, &rows[0]);
    read_texts(file, record, &rows[0]);
    read_service(file, record, &rows[0]);
    read_commitment(file, record, &rows[0]);
    aws_tags_read(file, record, file->state, &rows[0]);
    return aws_read_charge(file, record, rows);
}

const struct billing_format aws_cur_format = { .name = "aws-cur",
                                               .columns = aws_columns,
                                               .column_count = AWS_COLUMN_COUNT,
                                               .rows_maximum = AWS_ROWS_MAXIMUM,
                                               .read_rows = read_rows,
                                               .canonical_name = canonical_name,
                                               .begin = begin,
                                               .close = close_file,
                                               .cancel_hint =
                                                   "put all parts of the report into one delivery" };
