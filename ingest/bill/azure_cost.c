/* ingest/bill/azure_cost.c: Azure cost details: Enterprise and Customer Agreement, actual and
 * amortised.
 *
 * Azure delivers two datasets of one bill. FOCUS takes every row of the amortised dataset, and from
 * the actual one the purchases and refunds of commitments, which the amortised one spreads. Format
 * `azure` reads both; the file's name says which dataset it has (actual, amortized). The other rows
 * of the actual dataset are in the amortised one, too, and make no row. Their money is counted
 * against that of the amortised rows (billing_cancel). So a dataset of other days, or a missing
 * one, is noticed. `azure-actual` and `azure-amortized` read one dataset alone.
 *
 * A row covers a day. Dates are MM/DD/YYYY or ISO throughout a file; its first row decides.
 * docs/bills-azure.md has the whole mapping.
 *
 * Source: Microsoft, "Understand cost details fields" and the FOCUS conversion of its cost details,
 * https://learn.microsoft.com/azure/cost-management-billing/automate/understand-usage-details-fields
 * and https://learn.microsoft.com/cloud-computing/finops/focus/convert.
 */
#include "ingest/bill/azure_additional.h"
#include "ingest/bill/azure_charge.h"
#include "ingest/bill/azure_product.h"

#include "base/utf8.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const struct billing_column azure_columns[] = {
    [PERIOD_START] = { "billingperiodstartdate", COLUMN_OPTIONAL },
    [DATE] = { "date", COLUMN_REQUIRED },
    [COST_IN_BILLING_CURRENCY] = { "costinbillingcurrency", COLUMN_OPTIONAL },
    [COST] = { "cost", COLUMN_OPTIONAL },
    [PRETAX_COST] = { "pretaxcost", COLUMN_OPTIONAL },
    [CURRENCY] = { "billingcurrency", COLUMN_REQUIRED_CURRENCY },
    [CHARGE_TYPE] = { "chargetype", COLUMN_OPTIONAL },
    [FREQUENCY] = { "frequency", COLUMN_OPTIONAL },
    [PRICING_MODEL] = { "pricingmodel", COLUMN_OPTIONAL },
    [QUANTITY] = { "quantity", COLUMN_OPTIONAL },
    [UNIT_OF_MEASURE] = { "unitofmeasure", COLUMN_OPTIONAL },
    [UNIT_PRICE] = { "unitprice", COLUMN_OPTIONAL },
    [PAYG_PRICE] = { "paygprice", COLUMN_OPTIONAL },
    [PAYG_COST] = { "paygcostinbillingcurrency", COLUMN_OPTIONAL },
    [PRICING_CURRENCY] = { "pricingcurrency", COLUMN_OPTIONAL },
    [EXCHANGE_RATE] = { "exchangeratepricingtobilling", COLUMN_OPTIONAL },
    [EARLIER_EXCHANGE_RATE] = { "exchangerate", COLUMN_OPTIONAL },
    [BENEFIT_ID] = { "benefitid", COLUMN_ALSO_KEPT },
    [BENEFIT_NAME] = { "benefitname", COLUMN_OPTIONAL },
    [PRODUCT_ORDER_ID] = { "productorderid", COLUMN_ALSO_KEPT },
    [RESERVATION_ID] = { "reservationid", COLUMN_ALSO_KEPT },
    [RESERVATION_NAME] = { "reservationname", COLUMN_OPTIONAL },
    [ACCOUNT_ID] = { "billingaccountid", COLUMN_OPTIONAL },
    [ACCOUNT_NAME] = { "billingaccountname", COLUMN_OPTIONAL },
    [PROFILE_ID] = { "billingprofileid", COLUMN_OPTIONAL },
    [PROFILE_NAME] = { "billingprofilename", COLUMN_OPTIONAL },
    [SUBSCRIPTION_ID] = { "subscriptionid", COLUMN_OPTIONAL },
    [SUBSCRIPTION_NAME] = { "subscriptionname", COLUMN_OPTIONAL },
    [INVOICE_ID] = { "invoiceid", COLUMN_OPTIONAL },
    [PARTNER_NAME] = { "partnername", COLUMN_OPTIONAL },
    [PUBLISHER_NAME] = { "publishername", COLUMN_OPTIONAL },
    [RESOURCE_ID] = { "resourceid", COLUMN_OPTIONAL },
    [RESOURCE_NAME] = { "resourcename", COLUMN_OPTIONAL },
    [RESOURCE_LOCATION] = { "resourcelocation", COLUMN_OPTIONAL },
    [AVAILABILITY_ZONE] = { "availabilityzone", COLUMN_OPTIONAL },
    [METER_CATEGORY] = { "metercategory", COLUMN_OPTIONAL },
    [METER_SUBCATEGORY] = { "metersubcategory", COLUMN_OPTIONAL },
    [METER_ID] = { "meterid", COLUMN_OPTIONAL },
    [METER_NAME] = { "metername", COLUMN_OPTIONAL },
    [PRODUCT] = { "product", COLUMN_OPTIONAL },
    [ADDITIONAL_INFO] = { "additionalinfo", COLUMN_ALSO_KEPT },
    [TAGS] = { "tags", COLUMN_OPTIONAL },
    /* they differ on every line and no rule needs them, or they repeat another column */
    [FIRST_NOT_KEPT] = { "effectiveprice", COLUMN_NOT_KEPT },
    { "billingperiodenddate", COLUMN_NOT_KEPT },
    { "costinusd", COLUMN_NOT_KEPT },
    { "costinpricingcurrency", COLUMN_NOT_KEPT },
    { "paygcostinusd", COLUMN_NOT_KEPT },
    { "exchangeratedate", COLUMN_NOT_KEPT },
};
enum { AZURE_COLUMN_COUNT = sizeof azure_columns / sizeof azure_columns[0] };
_Static_assert((int)AZURE_COLUMN_COUNT <= (int)BILLING_COLUMNS_MAXIMUM, "room for every column");

/* A translated header has the English name in parentheses: Abonnement-GUID (SubscriptionGuid).
 * Agreements differ in letter case and in some names. */
static void canonical_name(const char *header, char *name, size_t size)
{
    static const char *const same[][2] = {
        { "billingcurrencycode", "billingcurrency" },
        { "billingperiodstart", "billingperiodstartdate" },
        { "billingperiodend", "billingperiodenddate" },
        { "currency", "billingcurrency" },
        { "instanceid", "resourceid" },
        { "productname", "product" },
        { "resourcerate", "unitprice" },
        { "subscriptionguid", "subscriptionid" },
        { "usagedate", "date" },
        { "usagedatetime", "date" },
        { "usagequantity", "quantity" },
    };
    const char *open = strrchr(header, '('), *from = header;
    size_t length = strlen(header);
    if (open != NULL && header[length - 1] == ')') {
        from = open + 1;
        length = strlen(from) - 1;
    }
    if (length >= size)
        length = size - 1;
    for (size_t i = 0; i < length; i++)
        name[i] = (char)tolower((unsigned char)from[i]);
    name[length] = '\0';
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
        if (strcmp(name, same[i][0]) == 0)
            snprintf(name, size, "%s", same[i][1]);
    }
}

/* ---- the file ---- */

static const struct azure_file *decided(const struct billing_file *file)
{
    return file->state;
}

/* The dataset by the last such word in the path; 0: none. */
static int dataset_of_name(const char *path)
{
    int found = 0;
    for (const char *c = path; *c != '\0'; c++) {
        if (strncasecmp(c, "actual", 6) == 0)
            found = ACTUAL;
        else if (strncasecmp(c, "amortized", 9) == 0 || strncasecmp(c, "amortised", 9) == 0)
            found = AMORTIZED;
    }
    return found;
}

static bool begin(struct billing_file *file, const struct csv_record *first, struct error *error)
{
    const int *positions = file->positions;
    struct csv_field date = { NULL, 0 };
    if (first != NULL && first->field_count == file->field_count)
        date = billing_text(first, positions[DATE]);
    bool us = date.text != NULL && memchr(date.text, '/', date.length) != NULL;
    bool both = strcmp(file->format->name, "azure") == 0;
    int dataset = both                                              ? dataset_of_name(file->path)
                  : strcmp(file->format->name, "azure-actual") == 0 ? ACTUAL
                                                                    : AMORTIZED;
    if (positions[COST_IN_BILLING_CURRENCY] < 0 && positions[COST] < 0 && positions[PRETAX_COST] < 0)
        return error_set(error, ERROR_INPUT,
                         "%s: required column missing: CostInBillingCurrency, Cost or PreTaxCost",
                         file->path);
    if (dataset == 0) {
        error_set(error, ERROR_INPUT, "%s: actual or amortized cost? Its name says neither", file->path);
        error_hint(error, "where a source delivers one dataset alone, give it the format azure-actual or "
                          "azure-amortized in "
                          "sources.csv");
        return false;
    }
    struct azure_file *decided = malloc(sizeof *decided);
    *decided = (struct azure_file){ us, (enum dataset)dataset, both };
    file->state = decided;
    snprintf(file->signature, sizeof file->signature, "dates=%s dataset=%c both=%d", us ? "us" : "iso",
             dataset, both);
    return true;
}

static void close_file(struct billing_file *file)
{
    free(file->state);
    file->state = NULL;
}

/* ---- times ---- */

/* MM/DD/YYYY, leading zeros optional; only midnight may follow. */
static bool parse_us_date(const struct csv_field *text, time_us *day)
{
    char copy[32], iso[16];
    int month, date, year, used = 0;
    if (text->length >= sizeof copy)
        return false;
    memcpy(copy, text->text, text->length);
    copy[text->length] = '\0';
    if (!isdigit((unsigned char)copy[0]) || sscanf(copy, "%2d/%2d/%4d%n", &month, &date, &year, &used) != 3)
        return false;
    if (copy[used] != '\0' && strspn(copy + used, " 0:AMam12") != strlen(copy + used))
        return false;
    snprintf(iso, sizeof iso, "%04d-%02d-%02d", year % 10000, month % 100, date % 100);
    return time_parse(iso, strlen(iso), day);
}

static bool read_day(const struct billing_file *file, const struct csv_record *record, int position,
                     struct billing_row *row, time_us *day)
{
    char excerpt[80];
    struct csv_field text = billing_text(record, position);
    bool us = decided(file)->us_dates;
    if (text.text != NULL && (us ? parse_us_date(&text, day) : time_parse(text.text, text.length, day)))
        return true;
    billing_note(row, file->names[position],
                 "\"%s\" is not a date such as %s, as this file's first row has it",
                 text.text != NULL ? utf8_excerpt(text.text, text.length, excerpt, sizeof excerpt) : "",
                 us ? "09/30/2026" : "2026-09-30");
    return false;
}

static void set_time(struct billing_row *row, enum billing_time time, time_us value)
{
    row->times[time] = value;
    row->time_known[time] = true;
}

/* A row covers a day. Without a billing period, its period is the month of the day. */
static void read_times(const struct billing_file *file, const struct csv_record *record,
                       struct billing_row *row)
{
    static const time_us day_length = INT64_C(86400000000);
    const int *positions = file->positions;
    struct csv_field period = billing_text(record, positions[PERIOD_START]);
    time_us day, start;
    bool known = read_day(file, record, positions[DATE], row, &day);
    if (known) {
        set_time(row, TIME_CHARGE_PERIOD_START, day);
        set_time(row, TIME_CHARGE_PERIOD_END, day + day_length);
    }
    if (period.text != NULL && read_day(file, record, positions[PERIOD_START], row, &start))
        set_time(row, TIME_BILLING_PERIOD_START, start);
    else if (period.text == NULL && known)
        set_time(row, TIME_BILLING_PERIOD_START, time_month_start(day));
}

/* ---- texts ---- */

static void read_texts(struct billing_file *file, const struct csv_record *record, struct billing_row *row)
{
    static const struct {
        enum billing_text text;
        enum azure_column column, otherwise; /* the second if the first is null */
    } copied[] = {
        { TEXT_BILLING_ACCOUNT_ID, PROFILE_ID, ACCOUNT_ID },
        { TEXT_BILLING_ACCOUNT_NAME, PROFILE_NAME, ACCOUNT_NAME },
        { TEXT_SUB_ACCOUNT_ID, SUBSCRIPTION_ID, SUBSCRIPTION_ID },
        { TEXT_SUB_ACCOUNT_NAME, SUBSCRIPTION_NAME, SUBSCRIPTION_NAME },
        { TEXT_INVOICE_ISSUER_NAME, PARTNER_NAME, PARTNER_NAME },
        { TEXT_INVOICE_ID, INVOICE_ID, INVOICE_ID },
        { TEXT_BILLING_CURRENCY, CURRENCY, CURRENCY },
        { TEXT_PUBLISHER_NAME, PUBLISHER_NAME, PUBLISHER_NAME },
        { TEXT_RESOURCE_ID, RESOURCE_ID, RESOURCE_ID },
        { TEXT_RESOURCE_NAME, RESOURCE_NAME, RESOURCE_NAME },
        { TEXT_REGION_ID, RESOURCE_LOCATION, RESOURCE_LOCATION },
        { TEXT_AVAILABILITY_ZONE, AVAILABILITY_ZONE, AVAILABILITY_ZONE },
        { TEXT_SERVICE_NAME, METER_CATEGORY, METER_CATEGORY },
        { TEXT_SKU_ID, METER_ID, METER_ID },
        { TEXT_SKU_METER, METER_NAME, METER_SUBCATEGORY },
        { TEXT_LIST_UNIT_PRICE, PAYG_PRICE, PAYG_PRICE },
        { TEXT_CONTRACTED_UNIT_PRICE, UNIT_PRICE, UNIT_PRICE },
        { TEXT_PRICING_CURRENCY, PRICING_CURRENCY, PRICING_CURRENCY },
        { TEXT_CHARGE_DESCRIPTION, PRODUCT, METER_NAME },
    };
    for (size_t i = 0; i < sizeof copied / sizeof copied[0]; i++) {
        struct csv_field *text = &row->texts[copied[i].text];
        *text = billing_text(record, file->positions[copied[i].column]);
        if (text->text == NULL)
            *text = billing_text(record, file->positions[copied[i].otherwise]);
    }
    row->texts[TEXT_PROVIDER_NAME] = billing_literal("Microsoft");
    if (row->texts[TEXT_INVOICE_ISSUER_NAME].text == NULL)
        row->texts[TEXT_INVOICE_ISSUER_NAME] = billing_literal("Microsoft");
    billing_read_currency(file, "BillingCurrency", row);
    row->texts[TEXT_SERVICE_CATEGORY] =
        billing_literal(azure_service_category(&row->texts[TEXT_SERVICE_NAME]));
    row->texts[TEXT_TAGS] = azure_object(file, billing_text(record, file->positions[TAGS]));
    azure_read_additional(file, billing_text(record, file->positions[ADDITIONAL_INFO]), row);
}

static int read_rows(struct billing_file *file, const struct csv_record *record,
                     struct billing_row rows[BILLING_ROWS_MAXIMUM])
{
    read_times(file, record, &rows[0]);
    read_texts(file, record, &rows[0]);
    return azure_read_charge(file, record, &rows[0]);
}

/* NOLINTBEGIN(bugprone-macro-parentheses): `variable` is declared */
#define AZURE_FORMAT(variable, format_name)                                                                  \
    const struct billing_format variable = { .name = format_name,                                            \
                                             .columns = azure_columns,                                       \
                                             .column_count = AZURE_COLUMN_COUNT,                             \
                                             .read_rows = read_rows,                                         \
                                             .canonical_name = canonical_name,                               \
                                             .begin = begin,                                                 \
                                             .close = close_file,                                            \
                                             .cancel_hint =                                                  \
                                                 "put actual and amortized cost of the same days "           \
                                                 "into one delivery" }
/* NOLINTEND(bugprone-macro-parentheses) */
AZURE_FORMAT(azure_format, "azure");
AZURE_FORMAT(azure_actual_format, "azure-actual");
AZURE_FORMAT(azure_amortized_format, "azure-amortized");
