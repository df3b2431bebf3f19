/* ingest/bill/gcp_sku.h: what Google's descriptions of a service and a SKU say beyond their
 * columns.
 *
 * The export has no column for a service's category, for the price model of spot capacity, for the
 * fee of a commitment, or for what is measured: `seconds` of a core SKU are vCPU-seconds, eight a
 * second on a machine of eight. Only the text of sku.description shows it. Words are compared
 * without regard to case.
 */
#ifndef KSTAR_INGEST_BILL_GCP_SKU_H
#define KSTAR_INGEST_BILL_GCP_SKU_H

#include "base/text/csv_reader.h"

#include <stdbool.h>

struct gcp_sku {
    const char *service_category; /* FOCUS ServiceCategory */
    /* "vCPU", "GPU", "TPU": what a time of this SKU is a time of; NULL: as it says */
    const char *measure;
    bool is_spot;             /* priced by the market: FOCUS Dynamic */
    bool is_commitment_fee;   /* the fee of a committed use discount: FOCUS Purchase */
    bool is_spend_commitment; /* of which one on money spent, not on resources used */
};

/* Either text may be null (.text NULL). */
struct gcp_sku gcp_sku_describe(const struct csv_field *service, const struct csv_field *description);

/* Whether the unit is one of time alone: what allocation would take for seconds of a node
 * (docs/allocation.md, Nodes). */
bool gcp_unit_is_time(const struct csv_field *unit);

#endif
