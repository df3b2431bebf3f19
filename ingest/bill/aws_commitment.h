/* ingest/bill/aws_commitment.h: the unused part of a reservation or savings plan, from its fee's
 * line.
 *
 *     reservation   N(UnusedAmortizedUpfrontFeeForBillingPeriod) + N(UnusedRecurringFee)
 *     savings plan  (TotalCommitmentToDate − UsedCommitment) × N(commitment) ÷ commitment
 *
 * N(x) is the net column of x if the file fills it, otherwise x. For a savings plan, AWS gives used
 * and total commitment only without discounts. The commitment is
 * AmortizedUpfrontCommitmentForBillingPeriod + RecurringCommitmentForBillingPeriod. If these are
 * null, the fee itself shows the discount. The quotient has 16 significant digits or more. Without
 * a discount there is no quotient, and the result is exact.
 */
#ifndef KSTAR_INGEST_BILL_AWS_COMMITMENT_H
#define KSTAR_INGEST_BILL_AWS_COMMITMENT_H

#include "ingest/bill/billing_format.h"

struct aws_amount {
    struct decimal value;
    bool known;
};

/* Not known if a column is null or unreadable, which is noted in `row`. */
struct aws_amount aws_plan_unused(const struct billing_file *file, const struct csv_record *record,
                                  struct billing_row *row);
struct aws_amount aws_reservation_unused(const struct billing_file *file, const struct csv_record *record,
                                         struct billing_row *row);

#endif
