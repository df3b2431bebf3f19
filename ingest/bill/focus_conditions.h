/* ingest/bill/focus_conditions.h: conditions of FOCUS's rules across columns, for one row.
 *
 * A condition uses up to three columns. If it does not hold, the first of them is wrong. It is true
 * also if it does not apply, or if a value is unreadable, which is a fault of that column alone.
 * focus_rules.c has the columns and versions of each condition.
 */
#ifndef KSTAR_INGEST_BILL_FOCUS_CONDITIONS_H
#define KSTAR_INGEST_BILL_FOCUS_CONDITIONS_H

#include "base/text/csv_reader.h"

#include <stdbool.h>

enum { FOCUS_RULE_COLUMNS = 3 };

/* The columns of a rule in a row (.text NULL: null), and values that nearly every condition
 * needs. */
struct focus_values {
    struct csv_field fields[FOCUS_RULE_COLUMNS];
    struct csv_field category; /* ChargeCategory */
    struct csv_field status;   /* CommitmentDiscountStatus; null without that column */
    bool is_correction;        /* ChargeClass is not null */
};

typedef bool focus_condition(const struct focus_values *values);

/* The first column is null, or not, as the second is. */
focus_condition focus_null_with_second, focus_set_with_second, focus_null_exactly_with_second;
focus_condition focus_set_on_usage_with_second;

/* The first column is null, or not, by the kind of charge. */
focus_condition focus_null_for_tax, focus_set_for_usage_or_purchase, focus_null_off_usage,
    focus_null_when_unused;
focus_condition focus_set_when_used;
focus_condition focus_commitment_quantity; /* second: CommitmentDiscountId */

/* Times: the first is after the second; ChargePeriodStart is in [second, third). */
focus_condition focus_after_second, focus_in_billing_period;

/* Amounts. A product is first = second × third, up to a unit of the last digit that the first is
 * written with (a cent at most) or one part in a million. */
focus_condition focus_not_negative, focus_zero_on_commitment_purchase, focus_zero_when_used;
focus_condition focus_equals_second_for_credit, focus_is_product, focus_is_product_unless_correction;

/* Texts. */
focus_condition focus_purchase_not_by_usage, focus_committed_when_covered, focus_is_currency;
focus_condition focus_has_known_properties;

#endif
