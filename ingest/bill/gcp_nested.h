/* ingest/bill/gcp_nested.h: the lists in Google's export: credits, and the labels and tags of a
 * line. */
#ifndef KSTAR_INGEST_BILL_GCP_NESTED_H
#define KSTAR_INGEST_BILL_GCP_NESTED_H

#include "ingest/bill/billing_format.h"

/* Sums of a line's credits. */
struct gcp_credits {
    struct decimal discounts; /* Σ of credits that lower the price of the line: usually below 0 */
    /* Σ of credits that pay for it: free trial, vouchers, and credits without a type */
    struct decimal promotions;
    bool has_discounts, has_promotions;
    bool has_commitment;        /* a committed use discount is among them */
    struct csv_field promotion; /* the first promotion's name; .text NULL: none */
};

/* Reads column `position` (credits). False if the money of a credit is unreadable, so that the
 * net cost of the line is unknown. A credit type that Google does not document is a problem of
 * the row. */
bool gcp_read_credits(struct billing_file *file, const struct csv_record *record, int position,
                      struct gcp_credits *credits, struct billing_row *row);

/* A column of labels, and the prefix of its keys in Tags. */
struct gcp_label_column {
    int position; /* −1: the file has none */
    const char *prefix;
    bool has_namespace; /* a record's `namespace` and '/' come before its key */
};

/* Fills FOCUS Tags with the labels of all columns as one JSON object; null without labels. On a
 * Usage line, also fills the capacity reservation that the system labels of Compute Engine name. */
void gcp_read_labels(struct billing_file *file, const struct csv_record *record,
                     const struct gcp_label_column *columns, int count, struct billing_row *row);

#endif
