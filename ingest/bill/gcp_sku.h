/* ingest/bill/gcp_sku.h: reads Google's descriptions of services and SKUs.
 *
 * The export has no columns for the category of a service, the price model of spot capacity, the
 * fee of a commitment, or the measured quantity: `seconds` of a core SKU are vCPU-seconds, eight a
 * second on a machine with eight. Only the words of sku.description show these. They are compared
 * without regard to case.
 */
#ifndef KSTAR_INGEST_BILL_GCP_SKU_H
#define KSTAR_INGEST_BILL_GCP_SKU_H

#include "base/text/csv_reader.h"

#include <stdbool.h>

struct gcp_sku {
    const char *service_category; /* FOCUS ServiceCategory */
    /* "vCPU", "GPU", "TPU": the thing whose time the SKU measures; NULL: as the unit says */
    const char *measure;
    bool is_spot;             /* priced by the market: FOCUS Dynamic */
    bool is_commitment_fee;   /* the fee of a committed use discount: FOCUS Purchase */
    bool is_spend_commitment; /* a commitment to spend money, not to use resources */
};

/* Either text may be null (.text NULL). */
struct gcp_sku gcp_sku_describe(const struct csv_field *service, const struct csv_field *description);

/* Whether the unit is only a time, which allocation takes for time of a node (docs/allocation.md,
 * Nodes). */
bool gcp_unit_is_time(const struct csv_field *unit);

#endif
