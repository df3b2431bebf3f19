/* ingest/bill/aws_charge.c: see aws_charge.h. */
#include "ingest/bill/aws_charge.h"

#include "base/utf8.h"
#include "ingest/bill/aws_columns.h"
#include "ingest/bill/aws_commitment.h"
#include "ingest/bill/aws_product.h"

#include <string.h>

enum treatment {
    TREAT_AS_BILLED,
    TREAT_USAGE,
    TREAT_RESERVED_USAGE,
    TREAT_COVERED_USAGE,
    TREAT_NEGATION,
    TREAT_PREPAYMENT,
    TREAT_PLAN_FEE,
    TREAT_RESERVATION_FEE,
    TREAT_FEE,
    TREAT_REFUND,
};

struct line_item_type {
    const char *name;
    enum treatment treatment;
    const char *category, *frequency; /* FOCUS ChargeCategory, ChargeFrequency */
};

static const struct line_item_type line_item_types[] = {
    { "Usage", TREAT_USAGE, "Usage", "Usage-Based" },
    { "DiscountedUsage", TREAT_RESERVED_USAGE, "Usage", "Usage-Based" },
    { "SavingsPlanCoveredUsage", TREAT_COVERED_USAGE, "Usage", "Usage-Based" },
    { "SavingsPlanNegation", TREAT_NEGATION, "Usage", "Usage-Based" },
    { "SavingsPlanUpfrontFee", TREAT_PREPAYMENT, "Purchase", "One-Time" },
    { "SavingsPlanRecurringFee", TREAT_PLAN_FEE, "Purchase", "Recurring" },
    { "RIFee", TREAT_RESERVATION_FEE, "Purchase", "Recurring" },
    { "Fee", TREAT_FEE, "Purchase", "One-Time" },
    { "Tax", TREAT_AS_BILLED, "Tax", "One-Time" },
    { "Credit", TREAT_AS_BILLED, "Credit", "One-Time" },
    { "Refund", TREAT_REFUND, "Adjustment", "One-Time" },
    { "Discount", TREAT_AS_BILLED, "Usage", "Usage-Based" },
    { "BundledDiscount", TREAT_AS_BILLED, "Usage", "Usage-Based" },
    { "DistributorDiscount", TREAT_AS_BILLED, "Usage", "Usage-Based" },
    { "EdpDiscount", TREAT_AS_BILLED, "Usage", "Usage-Based" },
    { "PrivateRateDiscount", TREAT_AS_BILLED, "Usage", "Usage-Based" },
    { "RiVolumeDiscount", TREAT_AS_BILLED, "Usage", "Usage-Based" },
    { "SppDiscount", TREAT_AS_BILLED, "Usage", "Usage-Based" },
};

/* A line item and the rows that it becomes. */
struct line_item {
    struct billing_file *file;
    const struct csv_record *record;
    const struct line_item_type *type;
    struct billing_row *rows;
};

static bool text_is(const struct csv_field *text, const char *wanted)
{
    return text->text != NULL && text->length == strlen(wanted) &&
           memcmp(text->text, wanted, text->length) == 0;
}

static void set_amount(struct billing_row *row, enum billing_amount amount, const struct decimal *value)
{
    row->amounts[amount] = *value;
    row->amount_known[amount] = true;
}

static void set_zero(struct billing_row *row, enum billing_amount amount)
{
    set_amount(row, amount, &(struct decimal){ 0 });
}

static void set_effective_to_billed(struct billing_row *row)
{
    row->amounts[AMOUNT_EFFECTIVE_COST] = row->amounts[AMOUNT_BILLED_COST];
    row->amount_known[AMOUNT_EFFECTIVE_COST] = row->amount_known[AMOUNT_BILLED_COST];
}

/* ---- reading ---- */

/* Reads an amount that a line of this type must have. */
static void require_amount(const struct line_item *item, enum aws_column net, enum aws_column gross,
                           enum billing_amount amount, struct billing_row *row)
{
    int position = item->file->positions[aws_filled(item->file, item->record, net, gross)];
    if (position >= 0)
        billing_read_amount(item->file, item->record, position, amount, true, row);
    else
        billing_note(row, aws_column_name(item->file, gross),
                     "a line of type %s needs it, but the file does not have it", item->type->name);
}

/* ---- usage ---- */

/* Reads the quantity and its unit: usage consumes it, a fee buys it. */
static void read_quantity(const struct line_item *item, enum billing_amount quantity, enum billing_text unit)
{
    struct billing_row *row = &item->rows[0];
    int position = item->file->positions[AWS_USAGE_AMOUNT];
    billing_read_amount(item->file, item->record, position, quantity, false, row);
    if (row->amount_known[quantity])
        row->texts[unit] = aws_text(item->file, item->record, AWS_PRICING_UNIT);
}

/* The contracted cost of billed usage is its on-demand cost. Reserved usage has none: AWS does not
 * give the cost of a reserved instance at a private rate. */
static void read_usage(const struct line_item *item, const struct aws_amount *cost)
{
    struct billing_file *file = item->file;
    struct billing_row *row = &item->rows[0];
    read_quantity(item, AMOUNT_CONSUMED_QUANTITY, TEXT_CONSUMED_UNIT);
    row->texts[TEXT_LIST_UNIT_PRICE] = aws_text(file, item->record, AWS_PUBLIC_RATE);
    billing_read_amount(file, item->record, file->positions[AWS_PUBLIC_COST], AMOUNT_LIST_COST, false, row);
    if (item->type->treatment == TREAT_RESERVED_USAGE)
        return;
    row->texts[TEXT_CONTRACTED_UNIT_PRICE] = aws_text(
        file, item->record, aws_filled(file, item->record, AWS_NET_UNBLENDED_RATE, AWS_UNBLENDED_RATE));
    if (cost->known)
        set_amount(row, AMOUNT_CONTRACTED_COST, &cost->value);
}

/* ---- commitments ---- */

/* The unused part of the commitment whose fee is rows[0]. In FOCUS its resource is the commitment,
 * and it has no quantity. */
static struct billing_row *add_unused_row(struct billing_row *rows)
{
    struct billing_row *row = &rows[1];
    *row = rows[0];
    row->problem = (struct billing_problem){ 0 };
    set_zero(row, AMOUNT_BILLED_COST);
    row->amount_known[AMOUNT_EFFECTIVE_COST] = false;
    row->amount_known[AMOUNT_PRICING_QUANTITY] = false;
    row->texts[TEXT_PRICING_UNIT] = (struct csv_field){ NULL, 0 };
    row->texts[TEXT_CHARGE_CATEGORY] = billing_literal("Usage");
    row->texts[TEXT_CHARGE_FREQUENCY] = billing_literal("Usage-Based");
    row->texts[TEXT_PRICING_CATEGORY] = billing_literal("Committed");
    if (row->texts[TEXT_COMMITMENT_DISCOUNT_ID].text != NULL) {
        row->texts[TEXT_COMMITMENT_DISCOUNT_STATUS] = billing_literal("Unused");
        row->texts[TEXT_RESOURCE_ID] = row->texts[TEXT_COMMITMENT_DISCOUNT_ID];
    }
    return row;
}

/* A fee itself has an effective cost of 0: the used and unused parts of the commitment have it. */
static int read_commitment_fee(const struct line_item *item, const struct aws_amount *unused)
{
    set_zero(&item->rows[0], AMOUNT_EFFECTIVE_COST);
    if (unused->known && unused->value.group_count == 0)
        return 1;
    struct billing_row *row = add_unused_row(item->rows);
    if (unused->known)
        set_amount(row, AMOUNT_EFFECTIVE_COST, &unused->value);
    return 2;
}

/* ---- refunds ---- */

/* In FOCUS only usage and purchases have a pricing category. */
static void set_category(struct billing_row *row, const char *category)
{
    bool priced = strcmp(category, "Usage") == 0 || strcmp(category, "Purchase") == 0;
    row->texts[TEXT_CHARGE_CATEGORY] = billing_literal(category);
    row->texts[TEXT_PRICING_CATEGORY] = priced ? billing_literal("Standard") : (struct csv_field){ NULL, 0 };
}

/* Gives a refund the category of the refunded charge, if the line shows it. A refunded prepayment
 * lowers the prepaid balance. A refunded monthly fee lowers the cost of its month. */
static void read_refund(const struct line_item *item)
{
    struct billing_row *row = &item->rows[0];
    struct csv_field option = aws_text(item->file, item->record, AWS_PLAN_PAYMENT_OPTION);
    const char *category = "Adjustment";
    if (option.text == NULL)
        option = aws_text(item->file, item->record, AWS_PURCHASE_OPTION);
    if (row->texts[TEXT_COMMITMENT_DISCOUNT_ID].text != NULL)
        category = "Purchase";
    else if (aws_text(item->file, item->record, AWS_TAX_TYPE).text != NULL)
        category = "Tax";
    else if (aws_text(item->file, item->record, AWS_USAGE_TYPE).text != NULL)
        category = "Usage";
    set_category(row, category);
    set_effective_to_billed(row);
    if (row->texts[TEXT_COMMITMENT_DISCOUNT_ID].text != NULL && text_is(&option, "All Upfront"))
        set_zero(row, AMOUNT_EFFECTIVE_COST);
    if (row->time_known[TIME_CHARGE_PERIOD_START] && row->time_known[TIME_BILLING_PERIOD_START] &&
        row->times[TIME_CHARGE_PERIOD_START] < row->times[TIME_BILLING_PERIOD_START])
        row->texts[TEXT_CHARGE_CLASS] = billing_literal("Correction");
}

/* ---- the line ---- */

static bool is_usage(enum treatment treatment)
{
    return treatment == TREAT_USAGE || treatment == TREAT_RESERVED_USAGE || treatment == TREAT_COVERED_USAGE;
}

static bool is_fee(enum treatment treatment)
{
    return treatment == TREAT_PREPAYMENT || treatment == TREAT_PLAN_FEE ||
           treatment == TREAT_RESERVATION_FEE || treatment == TREAT_FEE;
}

static const struct line_item_type *find_type(const struct csv_field *name)
{
    for (size_t i = 0; i < sizeof line_item_types / sizeof line_item_types[0]; i++) {
        if (text_is(name, line_item_types[i].name))
            return &line_item_types[i];
    }
    return NULL;
}

/* The kind of charge by the line item type. read_refund changes it for refunds. */
static void set_kind(const struct line_item *item)
{
    struct billing_row *row = &item->rows[0];
    enum treatment treatment = item->type->treatment;
    struct csv_field usage_type = aws_text(item->file, item->record, AWS_USAGE_TYPE);
    struct csv_field option = aws_text(item->file, item->record, AWS_MARKET_OPTION);
    struct csv_field term = aws_text(item->file, item->record, AWS_PRICING_TERM);
    set_category(row, item->type->category);
    row->texts[TEXT_CHARGE_FREQUENCY] = billing_literal(item->type->frequency);
    if (treatment == TREAT_RESERVED_USAGE || treatment == TREAT_COVERED_USAGE) {
        row->texts[TEXT_PRICING_CATEGORY] = billing_literal("Committed");
        if (row->texts[TEXT_COMMITMENT_DISCOUNT_ID].text != NULL)
            row->texts[TEXT_COMMITMENT_DISCOUNT_STATUS] = billing_literal("Used");
    } else if (treatment == TREAT_USAGE &&
               (aws_is_spot(&usage_type) || text_is(&option, "Spot") || text_is(&term, "Spot"))) {
        row->texts[TEXT_PRICING_CATEGORY] = billing_literal("Dynamic");
    }
}

/* Sets the effective cost and makes further rows; returns the number of rows. rows[0] already has
 * its billed cost, if that is readable. */
static int treat(const struct line_item *item)
{
    struct billing_row *row = &item->rows[0];
    struct aws_amount unused;
    switch (item->type->treatment) {
    case TREAT_RESERVED_USAGE:
        require_amount(item, AWS_RESERVATION_NET_EFFECTIVE_COST, AWS_RESERVATION_EFFECTIVE_COST,
                       AMOUNT_EFFECTIVE_COST, row);
        return 1;
    case TREAT_COVERED_USAGE:
        require_amount(item, AWS_PLAN_NET_EFFECTIVE_COST, AWS_PLAN_EFFECTIVE_COST, AMOUNT_EFFECTIVE_COST,
                       row);
        return 1;
    case TREAT_PLAN_FEE:
        unused = aws_plan_unused(item->file, item->record, row);
        return read_commitment_fee(item, &unused);
    case TREAT_RESERVATION_FEE:
        unused = aws_reservation_unused(item->file, item->record, row);
        return read_commitment_fee(item, &unused);
    case TREAT_PREPAYMENT:
        set_zero(row, AMOUNT_EFFECTIVE_COST);
        return 1;
    case TREAT_FEE:
        set_effective_to_billed(row);
        if (aws_text(item->file, item->record, AWS_RESERVATION_ARN).text != NULL)
            set_zero(row, AMOUNT_EFFECTIVE_COST);
        return 1;
    case TREAT_REFUND:
        read_refund(item);
        return 1;
    default:
        set_effective_to_billed(row);
        return 1;
    }
}

/* Bills the line at 0 and adds its cost to the file's cancelled cost: covered usage and its
 * negation add up to 0. A negation makes no row, unless its cost cannot be read. */
static bool cancel(const struct line_item *item)
{
    struct billing_row *row = &item->rows[0];
    if (!row->amount_known[AMOUNT_BILLED_COST])
        return false;
    billing_cancel(item->file, &row->amounts[AMOUNT_BILLED_COST]);
    set_zero(row, AMOUNT_BILLED_COST);
    return true;
}

int aws_read_charge(struct billing_file *file, const struct csv_record *record, struct billing_row *rows)
{
    static const struct line_item_type unknown = { "", TREAT_AS_BILLED, "Adjustment", "One-Time" };
    char excerpt[80];
    struct csv_field name = aws_text(file, record, AWS_LINE_ITEM_TYPE);
    struct line_item item = { file, record, find_type(&name), rows };
    const char *column = aws_column_name(file, AWS_LINE_ITEM_TYPE);
    if (name.text == NULL)
        billing_note(&rows[0], column, "a line item type is required, but this is null");
    else if (item.type == NULL)
        billing_note(&rows[0], column, "\"%s\" is not a known line item type",
                     utf8_excerpt(name.text, name.length, excerpt, sizeof excerpt));
    if (item.type == NULL)
        item.type = &unknown;
    set_kind(&item);
    require_amount(&item, AWS_NET_UNBLENDED_COST, AWS_UNBLENDED_COST, AMOUNT_BILLED_COST, &rows[0]);
    struct aws_amount cost = { rows[0].amounts[AMOUNT_BILLED_COST],
                               rows[0].amount_known[AMOUNT_BILLED_COST] };
    if (item.type->treatment == TREAT_NEGATION)
        return cancel(&item) ? 0 : 1;
    if (item.type->treatment == TREAT_COVERED_USAGE)
        cancel(&item);
    if (is_usage(item.type->treatment) || is_fee(item.type->treatment))
        read_quantity(&item, AMOUNT_PRICING_QUANTITY, TEXT_PRICING_UNIT);
    if (is_usage(item.type->treatment))
        read_usage(&item, &cost);
    return treat(&item);
}
