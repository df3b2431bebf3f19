/* ingest/bill/azure_product.h: Azure's texts in FOCUS's terms: service categories and units. */
#ifndef KSTAR_INGEST_BILL_AZURE_PRODUCT_H
#define KSTAR_INGEST_BILL_AZURE_PRODUCT_H

#include "base/decimal.h"
#include "ingest/bill/billing_format.h"

/* FOCUS ServiceCategory of a MeterCategory; "Other" if it is unknown. */
const char *azure_service_category(const struct csv_field *meter_category);

/* Splits UnitOfMeasure into a number and a unit: "100 Hours" is 100 and Hours, "10K" 10,000 and
 * Units, "1 GB/Month" 1 and GB/Month; without a number it is 1. "1 Hour", "1 hora" and the like
 * become Hours, so that allocation recognises them as time of a node (docs/allocation.md, Nodes).
 * False if the number is invalid or 0. */
bool azure_unit(const struct csv_field *text, struct decimal *block, struct csv_field *unit);

#endif
