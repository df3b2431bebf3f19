/* ingest/bill/aws_product.h: AWS's names of products and usage types in FOCUS's terms.
 *
 * A product code means one service, but AmazonEC2 also bills disks, addresses and traffic, which
 * must not count as hours of a node. Codes are compared with regard to case.
 */
#ifndef KSTAR_INGEST_BILL_AWS_PRODUCT_H
#define KSTAR_INGEST_BILL_AWS_PRODUCT_H

#include "base/text/csv_reader.h"

#include <stdbool.h>

/* FOCUS ServiceCategory of a line; "Other" for an unknown product. Each text may be null. */
const char *aws_service_category(const struct csv_field *product_code, const struct csv_field *product_family,
                                 const struct csv_field *usage_type);

/* Whether the usage type is one of spot capacity (SpotUsage, SageMaker's SpotTraining …). */
bool aws_is_spot(const struct csv_field *usage_type);

#endif
