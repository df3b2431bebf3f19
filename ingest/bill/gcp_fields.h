/* ingest/bill/gcp_fields.h: FOCUS values that Google's export has only between the lines. */
#ifndef KSTAR_INGEST_BILL_GCP_FIELDS_H
#define KSTAR_INGEST_BILL_GCP_FIELDS_H

#include "ingest/bill/billing_format.h"

/* The moment at which the invoice month YYYYMM begins: midnight in California, where the first of a
 * month is in summer time from April to November (since 2007). It is on the month's first day in
 * UTC, too. False where the text is no such month. */
bool gcp_invoice_month(const struct csv_field *month, time_us *start);

/* ACCOUNT/YYYYMM: Google gives no invoice number but one invoice a month. Null if either part is.
 */
struct csv_field gcp_invoice_id(struct billing_file *file, const struct csv_field *account,
                                const struct csv_field *month);

/* `seconds` of vCPU as `vCPU-seconds`: only a unit of time alone is a time that a node was held.
 * `measure` is gcp_sku's; a unit that is no time stays. */
struct csv_field gcp_measured_unit(struct billing_file *file, const struct csv_field *unit,
                                   const char *measure);

/* "instances" of "…/zones/us-central1-a/instances/123"; null where there is none. */
struct csv_field gcp_resource_type(const struct csv_field *global_name);

#endif
