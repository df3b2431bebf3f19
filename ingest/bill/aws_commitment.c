/* ingest/bill/aws_commitment.c: see aws_commitment.h. */
#include "ingest/bill/aws_commitment.h"

#include "base/decimal_arithmetic.h"
#include "base/utf8.h"
#include "ingest/bill/aws_columns.h"

/* The line item of a fee, and the row in which problems are noted. */
struct line {
    const struct billing_file *file;
    const struct csv_record *record;
    struct billing_row *row;
};

static bool is_zero(const struct decimal *value)
{
    return value->group_count == 0;
}

/* Reads a column; a null is not known. Notes a value that is no number and returns false. */
static bool read_amount(const struct line *line, enum aws_column column, struct aws_amount *amount)
{
    char excerpt[80];
    struct csv_field text = aws_text(line->file, line->record, column);
    amount->known = text.text != NULL && decimal_parse(text.text, text.length, &amount->value);
    if (amount->known || text.text == NULL)
        return true;
    billing_note(line->row, aws_column_name(line->file, column), "\"%s\" is not a decimal number",
                 utf8_excerpt(text.text, text.length, excerpt, sizeof excerpt));
    return false;
}

/* Scales an amount by a discount, numerator ÷ denominator. Equal numbers are no discount. */
static bool scale_amount(struct decimal *amount, const struct decimal *numerator,
                         const struct decimal *denominator)
{
    struct decimal difference;
    if (!decimal_subtract(numerator, denominator, &difference))
        return false;
    if (is_zero(&difference) || is_zero(amount))
        return true;
    return decimal_multiply(amount, numerator, amount) && decimal_divide(amount, denominator, amount);
}

/* AWS gives the unused commitment of a savings plan without discounts, and used commitment with
 * them. The unused amount gets the discount of the commitment itself (net ÷ gross), or of the fee
 * if the commitment's is not known. */
static bool apply_plan_discount(const struct line *line, struct decimal *unused)
{
    struct aws_amount upfront, recurring, net_upfront, net_recurring, fee, net_fee;
    if (!read_amount(line, AWS_PLAN_UPFRONT, &upfront) ||
        !read_amount(line, AWS_PLAN_RECURRING, &recurring) ||
        !read_amount(line, AWS_PLAN_NET_UPFRONT, &net_upfront) ||
        !read_amount(line, AWS_PLAN_NET_RECURRING, &net_recurring) ||
        !read_amount(line, AWS_UNBLENDED_COST, &fee) || !read_amount(line, AWS_NET_UNBLENDED_COST, &net_fee))
        return false;
    if (net_upfront.known && net_recurring.known && upfront.known && recurring.known) {
        struct decimal net, gross;
        if (!decimal_add(&net_upfront.value, &net_recurring.value, &net) ||
            !decimal_add(&upfront.value, &recurring.value, &gross))
            return false;
        if (!is_zero(&gross))
            return scale_amount(unused, &net, &gross);
    }
    if (!net_fee.known || !fee.known || is_zero(&fee.value))
        return true;
    return scale_amount(unused, &net_fee.value, &fee.value);
}

struct aws_amount aws_plan_unused(const struct billing_file *file, const struct csv_record *record,
                                  struct billing_row *row)
{
    const struct line line = { file, record, row };
    struct aws_amount total, used, unused = { .known = false };
    if (!read_amount(&line, AWS_PLAN_TOTAL_COMMITMENT, &total) ||
        !read_amount(&line, AWS_PLAN_USED_COMMITMENT, &used))
        return unused;
    if (!total.known || !used.known) {
        enum aws_column missing = total.known ? AWS_PLAN_USED_COMMITMENT : AWS_PLAN_TOTAL_COMMITMENT;
        billing_note(row, aws_column_name(file, missing), "the fee of a commitment needs it, but it is null");
        return unused;
    }
    unused.known = decimal_subtract(&total.value, &used.value, &unused.value) &&
                   apply_plan_discount(&line, &unused.value);
    if (!unused.known)
        billing_note(row, aws_column_name(file, AWS_PLAN_TOTAL_COMMITMENT),
                     "what is left of it has too many digits");
    return unused;
}

/* Either column may be missing: AWS omits it if no such amount is possible. */
struct aws_amount aws_reservation_unused(const struct billing_file *file, const struct csv_record *record,
                                         struct billing_row *row)
{
    const struct line line = { file, record, row };
    const char *column = aws_column_name(file, AWS_RESERVATION_UNUSED_UPFRONT);
    struct aws_amount upfront, recurring, unknown = { .known = false };
    if (!read_amount(
            &line,
            aws_filled(file, record, AWS_RESERVATION_NET_UNUSED_UPFRONT, AWS_RESERVATION_UNUSED_UPFRONT),
            &upfront) ||
        !read_amount(
            &line,
            aws_filled(file, record, AWS_RESERVATION_NET_UNUSED_RECURRING, AWS_RESERVATION_UNUSED_RECURRING),
            &recurring))
        return unknown;
    if (!upfront.known && !recurring.known)
        billing_note(row, column, "the fee of a commitment needs it, but it is null");
    if (!upfront.known || !recurring.known)
        return upfront.known ? upfront : recurring;
    upfront.known = decimal_add(&upfront.value, &recurring.value, &upfront.value);
    if (!upfront.known)
        billing_note(row, column, "with the unused recurring fee it has too many digits");
    return upfront;
}
