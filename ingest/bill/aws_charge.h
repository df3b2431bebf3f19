/* ingest/bill/aws_charge.h: the costs of an AWS line item in FOCUS's terms, by its type.
 *
 * N(x) is the net column of x if the file fills it, else x. Upfront and recurring are those of
 * docs/bills-aws.md.
 *
 *     type                          row     category  billed            effective
 *     Usage, Tax, Credit, Discount          by type   N(UnblendedCost)  the same
 *     DiscountedUsage               used    Usage     N(UnblendedCost)  N(EffectiveCost)
 *     SavingsPlanCoveredUsage       used    Usage     0                 N(EffectiveCost)
 *     SavingsPlanNegation           none
 *     SavingsPlanUpfrontFee         fee     Purchase  N(UnblendedCost)  0
 *     SavingsPlanRecurringFee       fee     Purchase  N(UnblendedCost)  0
 *                                   unused  Usage     0                 commitment − used
 *     RIFee                         fee     Purchase  N(UnblendedCost)  0
 *                                   unused  Usage     0                 N(upfront) + N(recurring)
 *     Fee of a reservation          fee     Purchase  N(UnblendedCost)  0
 *     another Fee                   fee     Purchase  N(UnblendedCost)  the same
 *     Refund                        see docs/bills-aws.md
 *
 * AWS bills usage of a savings plan at its on-demand cost, and a negation takes it back, by usage
 * type and not line by line. Both go to billing_cancel: Σ billed + Σ cancelled = Σ
 * N(UnblendedCost), and Σ cancelled is 0 in a whole bill. Over the term of a commitment, Σ
 * effective = Σ billed of its fees.
 */
#ifndef KSTAR_INGEST_BILL_AWS_CHARGE_H
#define KSTAR_INGEST_BILL_AWS_CHARGE_H

#include "ingest/bill/billing_format.h"

enum { AWS_ROWS_MAXIMUM = 2 };

/* Makes the rows of a line item and returns their number. rows[0] already has its texts and times,
 * but no money and no kind. An unknown type becomes a problem of the row, which keeps its money. */
int aws_read_charge(struct billing_file *file, const struct csv_record *record, struct billing_row *rows);

#endif
