/* ingest/bill/azure_charge.h: the kind and the costs of an Azure row in FOCUS's terms. */
#ifndef KSTAR_INGEST_BILL_AZURE_CHARGE_H
#define KSTAR_INGEST_BILL_AZURE_CHARGE_H

#include "ingest/bill/billing_format.h"

enum azure_column {
    PERIOD_START,
    DATE,
    COST_IN_BILLING_CURRENCY,
    COST,
    PRETAX_COST,
    CURRENCY,
    CHARGE_TYPE,
    FREQUENCY,
    PRICING_MODEL,
    QUANTITY,
    UNIT_OF_MEASURE,
    UNIT_PRICE,
    PAYG_PRICE,
    PAYG_COST,
    PRICING_CURRENCY,
    EXCHANGE_RATE,
    EARLIER_EXCHANGE_RATE,
    BENEFIT_ID,
    BENEFIT_NAME,
    PRODUCT_ORDER_ID,
    RESERVATION_ID,
    RESERVATION_NAME,
    ACCOUNT_ID,
    ACCOUNT_NAME,
    PROFILE_ID,
    PROFILE_NAME,
    SUBSCRIPTION_ID,
    SUBSCRIPTION_NAME,
    INVOICE_ID,
    PARTNER_NAME,
    PUBLISHER_NAME,
    RESOURCE_ID,
    RESOURCE_NAME,
    RESOURCE_LOCATION,
    AVAILABILITY_ZONE,
    METER_CATEGORY,
    METER_SUBCATEGORY,
    METER_ID,
    METER_NAME,
    PRODUCT,
    ADDITIONAL_INFO,
    TAGS,
    FIRST_NOT_KEPT,
};

enum dataset { ACTUAL = 'a', AMORTIZED = 'm' };

/* Decisions that are made once per file. */
struct azure_file {
    bool us_dates;
    enum dataset dataset;
    bool reads_both; /* the delivery holds both datasets */
};

/* Fills category, commitment, quantities and costs of `row`, which has its other texts, by the
 * dataset of the file. Returns the number of rows: 0 for a row of the actual dataset that is in the
 * amortised one, too. */
int azure_read_charge(struct billing_file *file, const struct csv_record *record, struct billing_row *row);

#endif
