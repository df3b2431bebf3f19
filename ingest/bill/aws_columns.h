/* ingest/bill/aws_columns.h: the columns of AWS's Cost and Usage Report that have a place in FOCUS.
 *
 * Three spellings are one format: the legacy report (lineItem/UnblendedCost), the same through
 * Athena (line_item_unblended_cost), and CUR 2.0 of Data Exports, which has Athena's names and puts
 * products, tags and cost categories into columns that hold a JSON object each. Names here are
 * Athena's.
 */
#ifndef KSTAR_INGEST_BILL_AWS_COLUMNS_H
#define KSTAR_INGEST_BILL_AWS_COLUMNS_H

#include "ingest/bill/billing_format.h"

enum aws_column {
    AWS_BILLING_PERIOD_START,
    AWS_USAGE_START,
    AWS_USAGE_END,
    AWS_LINE_ITEM_TYPE,
    AWS_UNBLENDED_COST,
    AWS_CURRENCY,
    AWS_NET_UNBLENDED_COST,
    AWS_UNBLENDED_RATE,
    AWS_NET_UNBLENDED_RATE,
    AWS_USAGE_AMOUNT,
    AWS_USAGE_TYPE,
    AWS_RESOURCE_ID,
    AWS_PRODUCT_CODE,
    AWS_TAX_TYPE,
    AWS_AVAILABILITY_ZONE,
    AWS_DESCRIPTION,
    AWS_USAGE_ACCOUNT,
    AWS_USAGE_ACCOUNT_NAME,
    AWS_PAYER_ACCOUNT,
    AWS_PAYER_ACCOUNT_NAME,
    AWS_INVOICE_ID,
    AWS_INVOICING_ENTITY,
    AWS_LEGAL_ENTITY,
    AWS_PRICING_UNIT,
    AWS_PRICING_TERM,
    AWS_PURCHASE_OPTION,
    AWS_PUBLIC_COST,
    AWS_PUBLIC_RATE,
    AWS_RATE_CODE,
    AWS_RATE_ID,
    AWS_PRODUCT_NAME,
    AWS_SERVICE_NAME,
    AWS_PRODUCT_FAMILY,
    AWS_SKU,
    AWS_REGION_CODE,
    AWS_REGION,
    AWS_LOCATION,
    AWS_INSTANCE_TYPE,
    AWS_MARKET_OPTION,
    AWS_RESERVATION_ARN,
    AWS_RESERVATION_EFFECTIVE_COST,
    AWS_RESERVATION_NET_EFFECTIVE_COST,
    AWS_RESERVATION_UNUSED_UPFRONT,
    AWS_RESERVATION_NET_UNUSED_UPFRONT,
    AWS_RESERVATION_UNUSED_RECURRING,
    AWS_RESERVATION_NET_UNUSED_RECURRING,
    AWS_PLAN_ARN,
    AWS_PLAN_PAYMENT_OPTION,
    AWS_PLAN_EFFECTIVE_COST,
    AWS_PLAN_NET_EFFECTIVE_COST,
    AWS_PLAN_TOTAL_COMMITMENT,
    AWS_PLAN_USED_COMMITMENT,
    AWS_PLAN_UPFRONT,
    AWS_PLAN_NET_UPFRONT,
    AWS_PLAN_RECURRING,
    AWS_PLAN_NET_RECURRING,
    AWS_CAPACITY_RESERVATION_ARN,
    AWS_CAPACITY_RESERVATION_STATUS,
    AWS_PRODUCT, /* four columns with a JSON object */
    AWS_RESOURCE_TAGS,
    AWS_COST_CATEGORY,
    AWS_TAGS,
    AWS_FIRST_NOT_KEPT,
};

/* The column's value; a null is .text NULL. */
static inline struct csv_field aws_text(const struct billing_file *file, const struct csv_record *record,
                                        enum aws_column column)
{
    return billing_text(record, file->positions[column]);
}

/* The first of two columns that is not null, or `otherwise` if both are null. */
static inline enum aws_column aws_filled(const struct billing_file *file, const struct csv_record *record,
                                         enum aws_column first, enum aws_column otherwise)
{
    return aws_text(file, record, first).text != NULL ? first : otherwise;
}

/* The column's name in the file, else in the format: for messages. */
static inline const char *aws_column_name(const struct billing_file *file, enum aws_column column)
{
    int position = file->positions[column];
    return position >= 0 ? file->names[position] : file->format->columns[column].name;
}

#endif
