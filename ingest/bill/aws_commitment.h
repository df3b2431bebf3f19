/* ingest/bill/aws_commitment.h: the unused part of a reservation or savings plan, from its fee's
 * line.
 *
 *     reservation   N(UnusedAmortizedUpfrontFeeForBillingPeriod) + N(UnusedRecurringFee)
 *     savings plan  (TotalCommitmentToDate − UsedCommitment) × N(commitment) ÷ commitment
 *
 * N(x) is the net column of x where the file fills it, else x. For a savings plan AWS gives what is
 * used and the total without discounts only; the commitment is
 * AmortizedUpfrontCommitmentForBillingPeriod + RecurringCommitmentForBillingPeriod, and where these
 * are null the fee itself says what a discount took off. The quotient has 16 significant digits or
 * more; without a discount there is none, and the result is exact.
 */
#ifndef KSTAR_INGEST_BILL_AWS_COMMITMENT_H
#define KSTAR_INGEST_BILL_AWS_COMMITMENT_H

#include "ingest/bill/billing_format.h"

struct aws_amount {
    struct decimal value;
    bool known;
};

/* Not known where a column that it takes is null or unreadable: noted in `row`. */
struct aws_amount aws_plan_unused(const struct billing_file *file, const struct csv_record *record,
                                  struct billing_row *row);
struct aws_amount aws_reservation_unused(const struct billing_file *file, const struct csv_record *record,
                                         struct billing_row *row);

#endif
