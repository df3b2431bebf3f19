/* ingest/bill/focus.c: FOCUS CSV, versions 1.0 to 1.4 (https://focus.finops.org).
 *
 * Rows already have the form of FOCUS. Versions differ only in which columns they have; no column
 * changed its meaning for kstar. So the header decides, not the version. 1.3 renamed ProviderName
 * to ServiceProviderName and kept both for a while. 1.2 added InvoiceId, which Microsoft had before
 * as x_InvoiceId. Text columns without a place in the schema stay with the line as JSON, like
 * columns of the provider (x_…). Numbers that differ on every line and that no rule needs are not
 * kept.
 */
#include "ingest/bill/billing_format.h"

#include "base/utf8.h"

#include <string.h>

enum focus_column {
    BILLING_PERIOD_START,
    CHARGE_PERIOD_START,
    CHARGE_PERIOD_END,
    BILLED_COST,
    EFFECTIVE_COST,
    LIST_COST,
    CONTRACTED_COST,
    CONSUMED_QUANTITY,
    PRICING_QUANTITY,
    FIRST_TEXT, /* text columns follow in the order of enum billing_text */
    PROVIDER_NAME = FIRST_TEXT + TEXT_COUNT,
    CUSTOM_INVOICE_ID,
    FIRST_NOT_KEPT,
};

#define TEXT_COLUMN(text) [FIRST_TEXT + (text)]

static const struct billing_column focus_columns[] = {
    [BILLING_PERIOD_START] = { "BillingPeriodStart", COLUMN_REQUIRED },
    [CHARGE_PERIOD_START] = { "ChargePeriodStart", COLUMN_REQUIRED },
    [CHARGE_PERIOD_END] = { "ChargePeriodEnd", COLUMN_REQUIRED },
    [BILLED_COST] = { "BilledCost", COLUMN_REQUIRED },
    [EFFECTIVE_COST] = { "EffectiveCost", COLUMN_REQUIRED },
    [LIST_COST] = { "ListCost", COLUMN_OPTIONAL },
    [CONTRACTED_COST] = { "ContractedCost", COLUMN_OPTIONAL },
    [CONSUMED_QUANTITY] = { "ConsumedQuantity", COLUMN_OPTIONAL },
    [PRICING_QUANTITY] = { "PricingQuantity", COLUMN_OPTIONAL },
    TEXT_COLUMN(TEXT_PROVIDER_NAME) = { "ServiceProviderName", COLUMN_OPTIONAL },
    TEXT_COLUMN(TEXT_PUBLISHER_NAME) = { "PublisherName", COLUMN_OPTIONAL },
    TEXT_COLUMN(TEXT_BILLING_ACCOUNT_ID) = { "BillingAccountId", COLUMN_OPTIONAL },
    TEXT_COLUMN(TEXT_BILLING_ACCOUNT_NAME) = { "BillingAccountName", COLUMN_OPTIONAL },
    TEXT_COLUMN(TEXT_BILLING_ACCOUNT_TYPE) = { "BillingAccountType", COLUMN_OPTIONAL },
    TEXT_COLUMN(TEXT_SUB_ACCOUNT_ID) = { "SubAccountId", COLUMN_OPTIONAL },
    TEXT_COLUMN(TEXT_SUB_ACCOUNT_NAME) = { "SubAccountName", COLUMN_OPTIONAL },
    TEXT_COLUMN(TEXT_SUB_ACCOUNT_TYPE) = { "SubAccountType", COLUMN_OPTIONAL },
    TEXT_COLUMN(TEXT_INVOICE_ISSUER_NAME) = { "InvoiceIssuerName", COLUMN_OPTIONAL },
    TEXT_COLUMN(TEXT_INVOICE_ID) = { "InvoiceId", COLUMN_OPTIONAL },
    TEXT_COLUMN(TEXT_BILLING_CURRENCY) = { "BillingCurrency", COLUMN_REQUIRED_CURRENCY },
    TEXT_COLUMN(TEXT_RESOURCE_ID) = { "ResourceId", COLUMN_OPTIONAL },
    TEXT_COLUMN(TEXT_RESOURCE_NAME) = { "ResourceName", COLUMN_OPTIONAL },
    TEXT_COLUMN(TEXT_RESOURCE_TYPE) = { "ResourceType", COLUMN_OPTIONAL },
    TEXT_COLUMN(TEXT_REGION_ID) = { "RegionId", COLUMN_OPTIONAL },
    TEXT_COLUMN(TEXT_REGION_NAME) = { "RegionName", COLUMN_OPTIONAL },
    TEXT_COLUMN(TEXT_AVAILABILITY_ZONE) = { "AvailabilityZone", COLUMN_OPTIONAL },
    TEXT_COLUMN(TEXT_SERVICE_CATEGORY) = { "ServiceCategory", COLUMN_OPTIONAL },
    TEXT_COLUMN(TEXT_SERVICE_SUBCATEGORY) = { "ServiceSubcategory", COLUMN_OPTIONAL },
    TEXT_COLUMN(TEXT_SERVICE_NAME) = { "ServiceName", COLUMN_OPTIONAL },
    TEXT_COLUMN(TEXT_SKU_ID) = { "SkuId", COLUMN_OPTIONAL },
    TEXT_COLUMN(TEXT_SKU_PRICE_ID) = { "SkuPriceId", COLUMN_OPTIONAL },
    TEXT_COLUMN(TEXT_SKU_METER) = { "SkuMeter", COLUMN_OPTIONAL },
    TEXT_COLUMN(TEXT_SKU_PRICE_DETAILS) = { "SkuPriceDetails", COLUMN_OPTIONAL },
    TEXT_COLUMN(TEXT_PRICING_UNIT) = { "PricingUnit", COLUMN_OPTIONAL },
    TEXT_COLUMN(TEXT_CONSUMED_UNIT) = { "ConsumedUnit", COLUMN_OPTIONAL },
    TEXT_COLUMN(TEXT_LIST_UNIT_PRICE) = { "ListUnitPrice", COLUMN_OPTIONAL },
    TEXT_COLUMN(TEXT_CONTRACTED_UNIT_PRICE) = { "ContractedUnitPrice", COLUMN_OPTIONAL },
    TEXT_COLUMN(TEXT_PRICING_CURRENCY) = { "PricingCurrency", COLUMN_OPTIONAL },
    TEXT_COLUMN(TEXT_COMMITMENT_DISCOUNT_ID) = { "CommitmentDiscountId", COLUMN_OPTIONAL },
    TEXT_COLUMN(TEXT_COMMITMENT_DISCOUNT_NAME) = { "CommitmentDiscountName", COLUMN_OPTIONAL },
    TEXT_COLUMN(TEXT_COMMITMENT_DISCOUNT_CATEGORY) = { "CommitmentDiscountCategory", COLUMN_OPTIONAL },
    TEXT_COLUMN(TEXT_COMMITMENT_DISCOUNT_TYPE) = { "CommitmentDiscountType", COLUMN_OPTIONAL },
    TEXT_COLUMN(TEXT_COMMITMENT_DISCOUNT_UNIT) = { "CommitmentDiscountUnit", COLUMN_OPTIONAL },
    TEXT_COLUMN(TEXT_CAPACITY_RESERVATION_ID) = { "CapacityReservationId", COLUMN_OPTIONAL },
    TEXT_COLUMN(TEXT_CHARGE_CATEGORY) = { "ChargeCategory", COLUMN_REQUIRED },
    TEXT_COLUMN(TEXT_CHARGE_CLASS) = { "ChargeClass", COLUMN_OPTIONAL },
    TEXT_COLUMN(TEXT_CHARGE_FREQUENCY) = { "ChargeFrequency", COLUMN_OPTIONAL },
    TEXT_COLUMN(TEXT_PRICING_CATEGORY) = { "PricingCategory", COLUMN_OPTIONAL },
    TEXT_COLUMN(TEXT_COMMITMENT_DISCOUNT_STATUS) = { "CommitmentDiscountStatus", COLUMN_OPTIONAL },
    TEXT_COLUMN(TEXT_CAPACITY_RESERVATION_STATUS) = { "CapacityReservationStatus", COLUMN_OPTIONAL },
    TEXT_COLUMN(TEXT_CHARGE_DESCRIPTION) = { "ChargeDescription", COLUMN_OPTIONAL },
    TEXT_COLUMN(TEXT_TAGS) = { "Tags", COLUMN_OPTIONAL },
    [PROVIDER_NAME] = { "ProviderName", COLUMN_OPTIONAL },
    [CUSTOM_INVOICE_ID] = { "x_InvoiceId", COLUMN_ALSO_KEPT },
    [FIRST_NOT_KEPT] = { "BillingPeriodEnd", COLUMN_NOT_KEPT }, /* the start is enough */
    [FIRST_NOT_KEPT + 4] = { "CommitmentDiscountQuantity", COLUMN_NOT_KEPT },
    [FIRST_NOT_KEPT + 1] = { "PricingCurrencyContractedUnitPrice", COLUMN_NOT_KEPT },
    [FIRST_NOT_KEPT + 2] = { "PricingCurrencyEffectiveCost", COLUMN_NOT_KEPT },
    [FIRST_NOT_KEPT + 3] = { "PricingCurrencyListUnitPrice", COLUMN_NOT_KEPT },
};

enum { FOCUS_COLUMN_COUNT = sizeof focus_columns / sizeof focus_columns[0] };
_Static_assert((int)FOCUS_COLUMN_COUNT <= (int)BILLING_COLUMNS_MAXIMUM, "room for every column");

static bool is_one_of(const struct csv_field *text, const char *const *values)
{
    for (; *values != NULL; values++) {
        if (text->length == strlen(*values) && memcmp(text->text, *values, text->length) == 0)
            return true;
    }
    return false;
}

/* Each category and class is treated in its own way, so an unknown one is quarantined, not
 * guessed. */
static void check_kind(struct billing_row *row)
{
    static const char *const categories[] = { "Usage", "Purchase", "Tax", "Credit", "Adjustment", NULL };
    static const char *const classes[] = { "Correction", NULL };
    char excerpt[80];
    const struct csv_field *category = &row->texts[TEXT_CHARGE_CATEGORY];
    const struct csv_field *class = &row->texts[TEXT_CHARGE_CLASS];
    if (category->text == NULL)
        billing_note(row, "ChargeCategory", "a charge category is required, but this is null");
    else if (!is_one_of(category, categories))
        billing_note(row, "ChargeCategory", "\"%s\" is not one of Usage, Purchase, Tax, Credit, Adjustment",
                     utf8_excerpt(category->text, category->length, excerpt, sizeof excerpt));
    if (class->text != NULL && !is_one_of(class, classes))
        billing_note(row, "ChargeClass", "\"%s\" is neither null nor Correction",
                     utf8_excerpt(class->text, class->length, excerpt, sizeof excerpt));
}

static int read_rows(struct billing_file *file, const struct csv_record *record,
                     struct billing_row rows[BILLING_ROWS_MAXIMUM])
{
    struct billing_row *row = &rows[0];
    const int *positions = file->positions;
    for (int time = 0; time < TIME_COUNT; time++)
        billing_read_time(file, record, positions[BILLING_PERIOD_START + time], time, row);
    for (int amount = 0; amount < AMOUNT_COUNT; amount++)
        billing_read_amount(file, record, positions[BILLED_COST + amount], amount,
                            amount <= AMOUNT_EFFECTIVE_COST, row);
    for (int text = 0; text < TEXT_COUNT; text++)
        row->texts[text] = billing_text(record, positions[FIRST_TEXT + text]);
    if (row->texts[TEXT_PROVIDER_NAME].text == NULL)
        row->texts[TEXT_PROVIDER_NAME] = billing_text(record, positions[PROVIDER_NAME]);
    if (row->texts[TEXT_INVOICE_ID].text == NULL)
        row->texts[TEXT_INVOICE_ID] = billing_text(record, positions[CUSTOM_INVOICE_ID]);
    billing_read_currency(file, "BillingCurrency", row);
    if (row->time_known[TIME_CHARGE_PERIOD_START] && row->time_known[TIME_CHARGE_PERIOD_END] &&
        row->times[TIME_CHARGE_PERIOD_END] < row->times[TIME_CHARGE_PERIOD_START])
        billing_note(row, "ChargePeriodEnd", "before ChargePeriodStart");
    check_kind(row);
    return 1;
}

const struct billing_format focus_format = {
    .name = "focus", .columns = focus_columns, .column_count = FOCUS_COLUMN_COUNT, .read_rows = read_rows
};
