/* ingest/bill/gcp_fields.h: FOCUS values that follow from columns of Google's export. */
#ifndef KSTAR_INGEST_BILL_GCP_FIELDS_H
#define KSTAR_INGEST_BILL_GCP_FIELDS_H

#include "ingest/bill/billing_format.h"

/* The beginning of the invoice month YYYYMM: midnight in California, where the first of a month is
 * in summer time from April to November (since 2007). In UTC it is on the first day of the month,
 * too. False if the text is no such month. */
bool gcp_invoice_month(const struct csv_field *month, time_us *start);

/* The id ACCOUNT/YYYYMM: Google has no invoice numbers, but one invoice a month. Null if a part is
 * null. */
struct csv_field gcp_invoice_id(struct billing_file *file, const struct csv_field *account,
                                const struct csv_field *month);

/* Names `seconds` of vCPU `vCPU-seconds`, because allocation takes a unit of time alone as time of
 * a node. `measure` is that of gcp_sku. Other units stay. */
struct csv_field gcp_measured_unit(struct billing_file *file, const struct csv_field *unit,
                                   const char *measure);

/* "instances" of "…/zones/us-central1-a/instances/123"; null if there is none. */
struct csv_field gcp_resource_type(const struct csv_field *global_name);

#endif
