/* ingest/bill/gcp_billing.c: Google Cloud's billing export (standard and detailed usage cost) as
 * CSV.
 *
 * The export is a table of BigQuery. In CSV, its records become columns with a dot (service.id) or
 * an underscore (service_id), and each list a field of JSON. `cost` is without credits. Discounts
 * lower the line: BilledCost = cost + Σ discounts. Promotions, which pay for it, become a line of
 * FOCUS category Credit, so that both lines add up to the invoice, digit for digit. Nothing is
 * amortised: Google bills nothing up front, and a credit does not name the fee that pays for it.
 * docs/bills-gcp.md has the whole mapping.
 *
 * Source: Google's schema of the detailed usage cost data export,
 * https://cloud.google.com/billing/docs/how-to/export-data-bigquery-tables/detailed-usage.
 */
#include "ingest/bill/billing_format.h"

#include "base/decimal_arithmetic.h"
#include "base/utf8.h"
#include "ingest/bill/gcp_fields.h"
#include "ingest/bill/gcp_nested.h"
#include "ingest/bill/gcp_sku.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum gcp_column {
    INVOICE_MONTH,
    USAGE_START,
    USAGE_END,
    COST,
    CREDITS,
    CURRENCY,
    COST_TYPE,
    BILLING_ACCOUNT,
    PROJECT_ID,
    PROJECT_NAME,
    PROJECT_LABELS,
    SERVICE,
    SKU_ID,
    SKU,
    LABELS,
    SYSTEM_LABELS,
    TAGS,
    LOCATION,
    REGION,
    ZONE,
    USAGE_AMOUNT,
    USAGE_UNIT,
    PRICING_AMOUNT,
    PRICING_UNIT,
    LIST_COST,
    DEFAULT_COST,
    LIST_PRICE,
    DEFAULT_PRICE,
    EFFECTIVE_PRICE,
    RESOURCE_GLOBAL_NAME,
    RESOURCE_NAME,
    SUBSCRIPTION,
    ADJUSTMENT_TYPE,
    CONSUMPTION_MODEL,
    SELLER,
    FIRST_NOT_KEPT,
};

static const struct billing_column gcp_columns[] = {
    [INVOICE_MONTH] = { "invoice.month", COLUMN_REQUIRED },
    [USAGE_START] = { "usage_start_time", COLUMN_REQUIRED },
    [USAGE_END] = { "usage_end_time", COLUMN_REQUIRED },
    [COST] = { "cost", COLUMN_REQUIRED },
    [CREDITS] = { "credits", COLUMN_REQUIRED },
    [CURRENCY] = { "currency", COLUMN_REQUIRED_CURRENCY },
    [COST_TYPE] = { "cost_type", COLUMN_REQUIRED },
    [BILLING_ACCOUNT] = { "billing_account_id", COLUMN_OPTIONAL },
    [PROJECT_ID] = { "project.id", COLUMN_OPTIONAL },
    [PROJECT_NAME] = { "project.name", COLUMN_OPTIONAL },
    [PROJECT_LABELS] = { "project.labels", COLUMN_OPTIONAL },
    [SERVICE] = { "service.description", COLUMN_OPTIONAL },
    [SKU_ID] = { "sku.id", COLUMN_OPTIONAL },
    [SKU] = { "sku.description", COLUMN_OPTIONAL },
    [LABELS] = { "labels", COLUMN_OPTIONAL },
    [SYSTEM_LABELS] = { "system_labels", COLUMN_OPTIONAL },
    [TAGS] = { "tags", COLUMN_OPTIONAL },
    [LOCATION] = { "location.location", COLUMN_OPTIONAL },
    [REGION] = { "location.region", COLUMN_OPTIONAL },
    [ZONE] = { "location.zone", COLUMN_OPTIONAL },
    [USAGE_AMOUNT] = { "usage.amount", COLUMN_OPTIONAL },
    [USAGE_UNIT] = { "usage.unit", COLUMN_OPTIONAL },
    [PRICING_AMOUNT] = { "usage.amount_in_pricing_units", COLUMN_OPTIONAL },
    [PRICING_UNIT] = { "usage.pricing_unit", COLUMN_OPTIONAL },
    [LIST_COST] = { "cost_at_list", COLUMN_OPTIONAL },
    [DEFAULT_COST] = { "cost_at_effective_price_default", COLUMN_OPTIONAL },
    [LIST_PRICE] = { "price.list_price", COLUMN_OPTIONAL },
    [DEFAULT_PRICE] = { "price.effective_price_default", COLUMN_OPTIONAL },
    [EFFECTIVE_PRICE] = { "price.effective_price", COLUMN_OPTIONAL },
    [RESOURCE_GLOBAL_NAME] = { "resource.global_name", COLUMN_OPTIONAL },
    [RESOURCE_NAME] = { "resource.name", COLUMN_OPTIONAL },
    [SUBSCRIPTION] = { "subscription.instance_id", COLUMN_OPTIONAL },
    [ADJUSTMENT_TYPE] = { "adjustment_info.type", COLUMN_OPTIONAL },
    [CONSUMPTION_MODEL] = { "consumption_model.description", COLUMN_OPTIONAL },
    [SELLER] = { "seller_name", COLUMN_OPTIONAL },
    /* they differ on every line, and no rule needs them */
    [FIRST_NOT_KEPT] = { "export_time", COLUMN_NOT_KEPT },
    [FIRST_NOT_KEPT + 1] = { "cost_at_list_consumption_model", COLUMN_NOT_KEPT },
};

enum { GCP_COLUMN_COUNT = sizeof gcp_columns / sizeof gcp_columns[0] };
_Static_assert((int)GCP_COLUMN_COUNT <= (int)BILLING_COLUMNS_MAXIMUM, "room for every column");

/* service_id means service.id, but usage_start_time is a column of its own. */
static void canonical_name(const char *header, char *name, size_t size)
{
    snprintf(name, size, "%s", header);
    for (int i = 0; i < GCP_COLUMN_COUNT; i++) {
        const char *dotted = gcp_columns[i].name;
        size_t at = 0;
        while (dotted[at] != '\0' &&
               tolower((unsigned char)header[at]) == (dotted[at] == '.' ? '_' : dotted[at]))
            at++;
        if (dotted[at] == '\0' && header[at] == '\0')
            snprintf(name, size, "%s", dotted);
    }
}

/* ---- fields ---- */

static bool field_ends_with(const struct csv_field *field, const char *text)
{
    size_t length = strlen(text);
    return field->text != NULL && field->length >= length &&
           memcmp(field->text + field->length - length, text, length) == 0;
}

static void read_invoice_month(const struct billing_file *file, const struct csv_record *record,
                               struct billing_row *row)
{
    char excerpt[80];
    struct csv_field month = billing_text(record, file->positions[INVOICE_MONTH]);
    row->time_known[TIME_BILLING_PERIOD_START] =
        gcp_invoice_month(&month, &row->times[TIME_BILLING_PERIOD_START]);
    if (!row->time_known[TIME_BILLING_PERIOD_START])
        billing_note(row, file->names[file->positions[INVOICE_MONTH]], "\"%s\" is not a month such as 202609",
                     month.text ? utf8_excerpt(month.text, month.length, excerpt, sizeof excerpt) : "");
}

/* ---- the line ---- */

static void read_texts(struct billing_file *file, const struct csv_record *record, struct billing_row *row)
{
    static const struct {
        enum billing_text text;
        enum gcp_column column, otherwise; /* the second if the first is null */
    } copied[] = {
        { TEXT_BILLING_ACCOUNT_ID, BILLING_ACCOUNT, BILLING_ACCOUNT },
        { TEXT_SUB_ACCOUNT_ID, PROJECT_ID, PROJECT_ID },
        { TEXT_SUB_ACCOUNT_NAME, PROJECT_NAME, PROJECT_NAME },
        { TEXT_INVOICE_ISSUER_NAME, SELLER, SELLER },
        { TEXT_BILLING_CURRENCY, CURRENCY, CURRENCY },
        { TEXT_RESOURCE_ID, RESOURCE_GLOBAL_NAME, RESOURCE_NAME },
        { TEXT_RESOURCE_NAME, RESOURCE_NAME, RESOURCE_NAME },
        { TEXT_REGION_ID, REGION, LOCATION },
        { TEXT_REGION_NAME, LOCATION, LOCATION },
        { TEXT_AVAILABILITY_ZONE, ZONE, ZONE },
        { TEXT_SERVICE_NAME, SERVICE, SERVICE },
        { TEXT_SKU_ID, SKU_ID, SKU_ID },
        { TEXT_SKU_METER, SKU, SKU },
        { TEXT_CHARGE_DESCRIPTION, SKU, SKU },
        { TEXT_LIST_UNIT_PRICE, LIST_PRICE, LIST_PRICE },
        { TEXT_CONTRACTED_UNIT_PRICE, DEFAULT_PRICE, EFFECTIVE_PRICE },
        { TEXT_COMMITMENT_DISCOUNT_ID, SUBSCRIPTION, SUBSCRIPTION },
    };
    const int *positions = file->positions;
    for (size_t i = 0; i < sizeof copied / sizeof copied[0]; i++) {
        struct csv_field *text = &row->texts[copied[i].text];
        *text = billing_text(record, positions[copied[i].column]);
        if (text->text == NULL)
            *text = billing_text(record, positions[copied[i].otherwise]);
    }
    row->texts[TEXT_PROVIDER_NAME] = billing_literal("Google Cloud");
    if (row->texts[TEXT_INVOICE_ISSUER_NAME].text == NULL)
        row->texts[TEXT_INVOICE_ISSUER_NAME] = billing_literal("Google Cloud");
    row->texts[TEXT_PUBLISHER_NAME] = row->texts[TEXT_INVOICE_ISSUER_NAME];
    if (row->texts[TEXT_SUB_ACCOUNT_ID].text != NULL)
        row->texts[TEXT_SUB_ACCOUNT_TYPE] = billing_literal("Project");
    billing_read_currency(file, "currency", row);
    struct csv_field month = billing_text(record, positions[INVOICE_MONTH]);
    row->texts[TEXT_INVOICE_ID] = gcp_invoice_id(file, &row->texts[TEXT_BILLING_ACCOUNT_ID], &month);
    row->texts[TEXT_RESOURCE_TYPE] = gcp_resource_type(&row->texts[TEXT_RESOURCE_ID]);
}

static void read_times(const struct billing_file *file, const struct csv_record *record,
                       struct billing_row *row)
{
    const int *positions = file->positions;
    read_invoice_month(file, record, row);
    billing_read_time(file, record, positions[USAGE_START], TIME_CHARGE_PERIOD_START, row);
    billing_read_time(file, record, positions[USAGE_END], TIME_CHARGE_PERIOD_END, row);
    if (row->time_known[TIME_CHARGE_PERIOD_START] && row->time_known[TIME_CHARGE_PERIOD_END] &&
        row->times[TIME_CHARGE_PERIOD_END] < row->times[TIME_CHARGE_PERIOD_START])
        billing_note(row, file->names[positions[USAGE_END]], "before usage_start_time");
}

/* Costs as FOCUS defines them: billed and effective cost after discounts, contracted cost before
 * commitments. */
static void read_amounts(struct billing_file *file, const struct csv_record *record,
                         struct gcp_credits *credits, struct billing_row *row)
{
    const int *positions = file->positions;
    billing_read_amount(file, record, positions[COST], AMOUNT_BILLED_COST, true, row);
    billing_read_amount(file, record, positions[LIST_COST], AMOUNT_LIST_COST, false, row);
    billing_read_amount(file, record, positions[USAGE_AMOUNT], AMOUNT_CONSUMED_QUANTITY, false, row);
    billing_read_amount(file, record, positions[PRICING_AMOUNT], AMOUNT_PRICING_QUANTITY, false, row);
    billing_read_amount(file, record, positions[DEFAULT_COST], AMOUNT_CONTRACTED_COST, false, row);
    struct decimal *billed = &row->amounts[AMOUNT_BILLED_COST];
    if (!row->amount_known[AMOUNT_CONTRACTED_COST] && row->amount_known[AMOUNT_BILLED_COST]) {
        row->amounts[AMOUNT_CONTRACTED_COST] = *billed;
        row->amount_known[AMOUNT_CONTRACTED_COST] = true;
    }
    bool known = gcp_read_credits(file, record, positions[CREDITS], credits, row);
    if (known && credits->has_discounts && !decimal_add(billed, &credits->discounts, billed)) {
        billing_note(row, "cost", "with its credits has too many digits");
        known = false;
    }
    row->amount_known[AMOUNT_BILLED_COST] = row->amount_known[AMOUNT_BILLED_COST] && known;
    row->amounts[AMOUNT_EFFECTIVE_COST] = *billed;
    row->amount_known[AMOUNT_EFFECTIVE_COST] = row->amount_known[AMOUNT_BILLED_COST];
}

/* Any consumption model but the default one has the prices of a spend commitment. */
static const char *pricing_category(const struct gcp_sku *sku, const struct gcp_credits *credits,
                                    const struct csv_field *model)
{
    if (sku->is_commitment_fee)
        return "Standard";
    if (sku->is_spot)
        return "Dynamic";
    if (credits->has_commitment || (model->text != NULL && !billing_text_is(model, "Default")))
        return "Committed";
    return "Standard";
}

static void set_kind(struct billing_row *row, const char *category, const char *frequency)
{
    row->texts[TEXT_CHARGE_CATEGORY] = billing_literal(category);
    row->texts[TEXT_CHARGE_FREQUENCY] = billing_literal(frequency);
}

/* A row of an unknown cost type is quarantined with its money rather than charged by guess. */
static void read_kind(const struct billing_file *file, const struct csv_record *record,
                      const struct gcp_sku *sku, struct billing_row *row)
{
    char excerpt[80];
    struct csv_field type = billing_text(record, file->positions[COST_TYPE]);
    struct csv_field adjustment = billing_text(record, file->positions[ADJUSTMENT_TYPE]);
    bool goodwill = billing_text_is(&adjustment, "GOODWILL") ||
                    billing_text_is(&adjustment, "SALES_BASED_GOODWILL") ||
                    billing_text_is(&adjustment, "SLA_VIOLATION");
    if (billing_text_is(&type, "regular"))
        set_kind(row, sku->is_commitment_fee ? "Purchase" : "Usage",
                 sku->is_commitment_fee ? "Recurring" : "Usage-Based");
    else if (billing_text_is(&type, "tax"))
        set_kind(row, "Tax", "One-Time");
    else if (billing_text_is(&type, "adjustment"))
        set_kind(row, goodwill ? "Credit" : "Adjustment", "One-Time");
    else if (billing_text_is(&type, "rounding_error"))
        set_kind(row, "Adjustment", "One-Time");
    else if (type.text == NULL)
        billing_note(row, file->names[file->positions[COST_TYPE]],
                     "a cost type is required, but this is null");
    else
        billing_note(row, file->names[file->positions[COST_TYPE]],
                     "\"%s\" is not one of regular, tax, adjustment, rounding_error",
                     utf8_excerpt(type.text, type.length, excerpt, sizeof excerpt));
    if (field_ends_with(&adjustment, "_CORRECTION") && row->time_known[TIME_CHARGE_PERIOD_START] &&
        row->time_known[TIME_BILLING_PERIOD_START] &&
        row->times[TIME_CHARGE_PERIOD_START] < row->times[TIME_BILLING_PERIOD_START])
        row->texts[TEXT_CHARGE_CLASS] = billing_literal("Correction");
}

static bool has_category(const struct billing_row *row, const char *category)
{
    return billing_text_is(&row->texts[TEXT_CHARGE_CATEGORY], category);
}

/* Sets prices, quantities and commitments only on the categories that have them in FOCUS. */
static void read_terms(struct billing_file *file, const struct csv_record *record, const struct gcp_sku *sku,
                       const struct gcp_credits *credits, struct billing_row *row)
{
    const int *positions = file->positions;
    bool usage = has_category(row, "Usage"), purchase = has_category(row, "Purchase");
    struct csv_field unit = billing_text(record, positions[USAGE_UNIT]);
    struct csv_field pricing_unit = billing_text(record, positions[PRICING_UNIT]);
    struct csv_field model = billing_text(record, positions[CONSUMPTION_MODEL]);
    row->texts[TEXT_SERVICE_CATEGORY] = billing_literal(sku->service_category);
    row->amount_known[AMOUNT_CONSUMED_QUANTITY] = usage && row->amount_known[AMOUNT_CONSUMED_QUANTITY];
    if (row->amount_known[AMOUNT_CONSUMED_QUANTITY])
        row->texts[TEXT_CONSUMED_UNIT] = gcp_measured_unit(file, &unit, sku->measure);
    row->amount_known[AMOUNT_PRICING_QUANTITY] =
        (usage || purchase) && row->amount_known[AMOUNT_PRICING_QUANTITY];
    if (row->amount_known[AMOUNT_PRICING_QUANTITY])
        row->texts[TEXT_PRICING_UNIT] = gcp_measured_unit(file, &pricing_unit, sku->measure);
    if (usage || purchase)
        row->texts[TEXT_PRICING_CATEGORY] = billing_literal(pricing_category(sku, credits, &model));
    if (row->texts[TEXT_COMMITMENT_DISCOUNT_ID].text == NULL)
        return;
    row->texts[TEXT_COMMITMENT_DISCOUNT_CATEGORY] =
        billing_literal(sku->is_spend_commitment ? "Spend" : "Usage");
    row->texts[TEXT_COMMITMENT_DISCOUNT_TYPE] = billing_literal("Committed use discount");
    if (usage)
        row->texts[TEXT_COMMITMENT_DISCOUNT_STATUS] = billing_literal("Used");
}

/* The part of `line` that promotions pay. The credit follows the line (same account, resource, SKU,
 * commitment and tags) and has no quantity. */
static void make_credit_row(const struct billing_row *line, const struct gcp_credits *credits,
                            struct billing_row *row)
{
    *row = *line;
    row->problem = (struct billing_problem){ 0 };
    for (int amount = 0; amount < AMOUNT_COUNT; amount++) {
        row->amounts[amount] = credits->promotions;
        row->amount_known[amount] = amount < AMOUNT_CONSUMED_QUANTITY;
    }
    for (int text = TEXT_PRICING_UNIT; text <= TEXT_PRICING_CURRENCY; text++)
        row->texts[text] = (struct csv_field){ NULL, 0 };
    set_kind(row, "Credit", "One-Time");
    row->texts[TEXT_PRICING_CATEGORY] = (struct csv_field){ NULL, 0 };
    row->texts[TEXT_COMMITMENT_DISCOUNT_STATUS] = (struct csv_field){ NULL, 0 };
    if (credits->promotion.text != NULL)
        row->texts[TEXT_CHARGE_DESCRIPTION] = credits->promotion;
}

static int read_rows(struct billing_file *file, const struct csv_record *record,
                     struct billing_row rows[BILLING_ROWS_MAXIMUM])
{
    struct billing_row *row = &rows[0];
    struct gcp_credits credits;
    const int *positions = file->positions;
    const struct gcp_label_column labels[] = {
        { positions[LABELS], "", false },
        { positions[TAGS], "", true },
        { positions[PROJECT_LABELS], "project:", false },
        { positions[SYSTEM_LABELS], "", false },
    };
    struct csv_field sku_text = billing_text(record, positions[SKU]);
    struct csv_field service = billing_text(record, positions[SERVICE]);
    struct gcp_sku sku = gcp_sku_describe(&service, &sku_text);
    read_times(file, record, row);
    read_amounts(file, record, &credits, row);
    read_texts(file, record, row);
    read_kind(file, record, &sku, row);
    read_terms(file, record, &sku, &credits, row);
    gcp_read_labels(file, record, labels, sizeof labels / sizeof labels[0], row);
    if (!credits.has_promotions)
        return 1;
    make_credit_row(row, &credits, &rows[1]);
    return 2;
}

const struct billing_format gcp_format = { .name = "gcp",
                                           .columns = gcp_columns,
                                           .column_count = GCP_COLUMN_COUNT,
                                           .rows_maximum = 2,
                                           .read_rows = read_rows,
                                           .canonical_name = canonical_name };
