/* ingest/bill/azure_charge.c: see azure_charge.h. docs/bills-azure.md has the tables. */
#include "ingest/bill/azure_charge.h"

#include "base/decimal_arithmetic.h"
#include "base/utf8.h"
#include "ingest/bill/azure_product.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

static const struct azure_file *decided(const struct billing_file *file)
{
    return file->state;
}

/* ---- kind ---- */

struct charge_type {
    const char *name, *category;
    bool is_correction, is_unused;
};

/* A row of a type that is not in the table is quarantined with its money. Pay-as-you-go files have
 * no types. */
static const struct charge_type *find_type(const struct billing_file *file, const struct csv_record *record,
                                           struct billing_row *row)
{
    static const struct charge_type types[] = {
        { "Usage", "Usage", false, false },
        { "Purchase", "Purchase", false, false },
        { "UnusedReservation", "Usage", false, true },
        { "UnusedSavingsPlan", "Usage", false, true },
        { "Refund", "Purchase", true, false },
        { "Credit", "Credit", false, false },
        { "Tax", "Tax", false, false },
        { "Adjustment", "Adjustment", false, false },
        { "RoundingAdjustment", "Adjustment", false, false },
    };
    char excerpt[80];
    struct csv_field text = billing_text(record, file->positions[CHARGE_TYPE]);
    if (text.text == NULL)
        return &types[0];
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (billing_text_is(&text, types[i].name))
            return &types[i];
    }
    billing_note(row, file->names[file->positions[CHARGE_TYPE]],
                 "\"%s\" is a charge type that kstar does not know",
                 utf8_excerpt(text.text, text.length, excerpt, sizeof excerpt));
    return NULL;
}

/* How a row relates to a commitment. */
struct commitment {
    bool is_part;     /* of a reservation or a savings plan */
    bool is_usage;    /* used or unused capacity */
    bool is_purchase; /* its price or a refund; false for adjustments and taxes */
};

/* The part of a benefit id that purchase and use have in common, its order:
 * /providers/Microsoft.Capacity/reservationOrders/ORDER, without /reservations/RESERVATION */
static struct csv_field order_of(struct csv_field benefit)
{
    static const char before[] = "Orders/";
    const size_t length = sizeof before - 1;
    for (size_t at = 0; at + length < benefit.length; at++) {
        if (strncasecmp(benefit.text + at, before, length) != 0)
            continue;
        const char *order = benefit.text + at + length;
        const char *slash = memchr(order, '/', benefit.length - at - length);
        if (slash != NULL)
            benefit.length = (size_t)(slash - benefit.text);
        break;
    }
    return benefit;
}

/* In small letters: the spelling differs from row to row. */
static struct csv_field read_order(struct billing_file *file, const struct csv_record *record)
{
    struct csv_field id = order_of(billing_text(record, file->positions[BENEFIT_ID]));
    if (id.text == NULL)
        id = billing_text(record, file->positions[PRODUCT_ORDER_ID]);
    if (id.text == NULL)
        id = billing_text(record, file->positions[RESERVATION_ID]);
    char *small = id.text != NULL ? billing_room(file, id.length) : NULL;
    if (small == NULL)
        return id;
    for (size_t i = 0; i < id.length; i++)
        small[i] = (char)tolower((unsigned char)id.text[i]);
    return (struct csv_field){ small, id.length };
}

static struct commitment read_commitment(struct billing_file *file, const struct csv_record *record,
                                         const struct charge_type *type, struct billing_row *row)
{
    struct csv_field model = billing_text(record, file->positions[PRICING_MODEL]);
    bool is_plan = billing_text_is(&model, "SavingsPlan");
    struct commitment commitment = { .is_part = is_plan || billing_text_is(&model, "Reservation") ||
                                                type->is_unused };
    commitment.is_usage = commitment.is_part && strcmp(type->category, "Usage") == 0;
    commitment.is_purchase = commitment.is_part && strcmp(type->category, "Purchase") == 0;
    if (!commitment.is_part)
        return commitment;
    is_plan = is_plan ||
              billing_text_is(&(struct csv_field){ type->name, strlen(type->name) }, "UnusedSavingsPlan");
    row->texts[TEXT_COMMITMENT_DISCOUNT_ID] = read_order(file, record);
    if (row->texts[TEXT_COMMITMENT_DISCOUNT_ID].text == NULL)
        return commitment;
    row->texts[TEXT_COMMITMENT_DISCOUNT_NAME] = billing_text(record, file->positions[BENEFIT_NAME]);
    if (row->texts[TEXT_COMMITMENT_DISCOUNT_NAME].text == NULL)
        row->texts[TEXT_COMMITMENT_DISCOUNT_NAME] = billing_text(record, file->positions[RESERVATION_NAME]);
    row->texts[TEXT_COMMITMENT_DISCOUNT_CATEGORY] = billing_literal(is_plan ? "Spend" : "Usage");
    row->texts[TEXT_COMMITMENT_DISCOUNT_TYPE] = billing_literal(is_plan ? "Savings Plan" : "Reservation");
    if (commitment.is_usage)
        row->texts[TEXT_COMMITMENT_DISCOUNT_STATUS] = billing_literal(type->is_unused ? "Unused" : "Used");
    return commitment;
}

static void read_kind(const struct billing_file *file, const struct csv_record *record,
                      const struct charge_type *type, const struct commitment *commitment,
                      struct billing_row *row)
{
    struct csv_field frequency = billing_text(record, file->positions[FREQUENCY]);
    struct csv_field model = billing_text(record, file->positions[PRICING_MODEL]);
    row->texts[TEXT_CHARGE_CATEGORY] = billing_literal(type->category);
    if (type->is_correction)
        row->texts[TEXT_CHARGE_CLASS] = billing_literal("Correction");
    row->texts[TEXT_CHARGE_FREQUENCY] =
        billing_literal(billing_text_is(&frequency, "OneTime")     ? "One-Time"
                        : billing_text_is(&frequency, "Recurring") ? "Recurring"
                                                                   : "Usage-Based");
    if (strcmp(type->category, "Tax") != 0)
        row->texts[TEXT_PRICING_CATEGORY] = billing_literal(commitment->is_usage              ? "Committed"
                                                            : billing_text_is(&model, "Spot") ? "Dynamic"
                                                                                              : "Standard");
}

/* ---- money ---- */

static const struct decimal zero;

static void set_amount(struct billing_row *row, enum billing_amount amount, const struct decimal *value)
{
    row->amounts[amount] = *value;
    row->amount_known[amount] = true;
}

/* Reads the row's cost as both billed and effective cost. */
static void read_cost(const struct billing_file *file, const struct csv_record *record,
                      struct billing_row *row)
{
    const int *positions = file->positions;
    int position = positions[COST_IN_BILLING_CURRENCY] >= 0 ? positions[COST_IN_BILLING_CURRENCY]
                   : positions[COST] >= 0                   ? positions[COST]
                                                            : positions[PRETAX_COST];
    billing_read_amount(file, record, position, AMOUNT_BILLED_COST, true, row);
    row->amounts[AMOUNT_EFFECTIVE_COST] = row->amounts[AMOUNT_BILLED_COST];
    row->amount_known[AMOUNT_EFFECTIVE_COST] = row->amount_known[AMOUNT_BILLED_COST];
}

/* Converts a price to the currency of the bill; null without an exchange rate. A price that is no
 * number stays as it is, and the row is quarantined later. */
static void convert_price(struct billing_file *file, const struct csv_field *rate, struct csv_field *price)
{
    struct decimal value, factor;
    if (price->text == NULL || !decimal_parse(price->text, price->length, &value))
        return;
    char *text = NULL;
    if (rate->text != NULL && decimal_parse(rate->text, rate->length, &factor) &&
        decimal_multiply(&value, &factor, &value))
        text = billing_room(file, DECIMAL_TEXT_BYTES);
    *price = (struct csv_field){ text, text != NULL ? decimal_format(&value, text) : 0 };
}

/* Unit prices are in the pricing currency (Customer Agreements: mostly dollars). */
static void convert_prices(struct billing_file *file, const struct csv_record *record,
                           struct billing_row *row)
{
    const struct csv_field *pricing = &row->texts[TEXT_PRICING_CURRENCY];
    const struct csv_field *billing = &row->texts[TEXT_BILLING_CURRENCY];
    struct csv_field rate = billing_text(record, file->positions[EXCHANGE_RATE]);
    if (rate.text == NULL)
        rate = billing_text(record, file->positions[EARLIER_EXCHANGE_RATE]);
    if (pricing->text == NULL || (billing->text != NULL && pricing->length == billing->length &&
                                  strncasecmp(pricing->text, billing->text, billing->length) == 0))
        return;
    convert_price(file, &rate, &row->texts[TEXT_LIST_UNIT_PRICE]);
    convert_price(file, &rate, &row->texts[TEXT_CONTRACTED_UNIT_PRICE]);
}

/* Sets an amount to price × quantity, if the price is known. */
static void multiply(const struct csv_field *price, const struct decimal *quantity,
                     enum billing_amount amount, struct billing_row *row)
{
    struct decimal value;
    if (price->text != NULL && decimal_parse(price->text, price->length, &value) &&
        decimal_multiply(&value, quantity, &value))
        set_amount(row, amount, &value);
}

/* Quantities of usage, list and contracted cost. */
static void read_quantities(struct billing_file *file, const struct csv_record *record,
                            const struct charge_type *type, struct billing_row *row)
{
    const int *positions = file->positions;
    struct csv_field text = billing_text(record, positions[QUANTITY]), unit;
    struct csv_field measure = billing_text(record, positions[UNIT_OF_MEASURE]);
    struct decimal quantity, block;
    billing_read_amount(file, record, positions[PAYG_COST], AMOUNT_LIST_COST, false, row);
    if (text.text == NULL || !decimal_parse(text.text, text.length, &quantity))
        return;
    if (!row->amount_known[AMOUNT_LIST_COST])
        multiply(&row->texts[TEXT_LIST_UNIT_PRICE], &quantity, AMOUNT_LIST_COST, row);
    multiply(&row->texts[TEXT_CONTRACTED_UNIT_PRICE], &quantity, AMOUNT_CONTRACTED_COST, row);
    if (strcmp(type->category, "Usage") != 0 || type->is_unused || !azure_unit(&measure, &block, &unit))
        return;
    set_amount(row, AMOUNT_CONSUMED_QUANTITY, &quantity);
    row->texts[TEXT_CONSUMED_UNIT] = unit;
    if (decimal_divide(&quantity, &block, &row->amounts[AMOUNT_PRICING_QUANTITY])) {
        row->amount_known[AMOUNT_PRICING_QUANTITY] = true;
        row->texts[TEXT_PRICING_UNIT] = measure;
    }
}

/* Actual and amortised rows of one charge must cancel out, so their costs are added with opposite
 * signs. Returns the number of rows: 0 for an actual row that the amortised dataset has, too. Such
 * a row, if quarantined, stays so with cost 0: the amortised row has the cost. */
static int settle_datasets(struct billing_file *file, bool is_purchase, struct billing_row *row)
{
    struct decimal cost = row->amounts[AMOUNT_BILLED_COST];
    if (decided(file)->dataset == AMORTIZED) {
        cost = decimal_negated(&cost);
        billing_cancel(file, &cost);
        return 1;
    }
    if (is_purchase)
        return 1;
    billing_cancel(file, &cost);
    if (row->problem.reason[0] == '\0')
        return 0;
    set_amount(row, AMOUNT_BILLED_COST, &zero);
    set_amount(row, AMOUNT_EFFECTIVE_COST, &zero);
    return 1;
}

/* Sets billed and effective cost by dataset. Returns the number of rows. */
static int settle_costs(struct billing_file *file, const struct commitment *commitment,
                        struct billing_row *row)
{
    if (!row->amount_known[AMOUNT_BILLED_COST])
        return 1;
    if (decided(file)->dataset == AMORTIZED && commitment->is_usage)
        set_amount(row, AMOUNT_BILLED_COST, &zero);
    if (commitment->is_purchase)
        set_amount(row, AMOUNT_EFFECTIVE_COST, &zero);
    return decided(file)->reads_both ? settle_datasets(file, commitment->is_purchase, row) : 1;
}

int azure_read_charge(struct billing_file *file, const struct csv_record *record, struct billing_row *row)
{
    read_cost(file, record, row);
    const struct charge_type *type = find_type(file, record, row);
    struct commitment commitment = { 0 };
    if (type == NULL)
        return settle_costs(file, &commitment, row);
    commitment = read_commitment(file, record, type, row);
    read_kind(file, record, type, &commitment, row);
    convert_prices(file, record, row);
    read_quantities(file, record, type, row);
    return settle_costs(file, &commitment, row);
}
