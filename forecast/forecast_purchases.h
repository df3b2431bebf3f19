/* forecast/forecast_purchases.h: how the hardware of jobs was bought
 * (sql/forecast/purchases.sql), by cost centre and family; and its committed and owned part, by
 * provider and SKU. Changes of prices, spot, floors and the workbook use it. */
#ifndef KSTAR_FORECAST_FORECAST_PURCHASES_H
#define KSTAR_FORECAST_FORECAST_PURCHASES_H

#include "base/error.h"
#include "model/forecast/forecast_floor.h"

#include <libpq-fe.h>
#include <stdbool.h>
#include <stddef.h>

struct forecast_purchases {
    /* owned, by cost centre and family in byte order; owns the texts */
    PGresult *rows;
    struct forecast_purchase *all; /* owned: one for each row */
    size_t count;
    struct forecast_floor *floors; /* owned: by provider and SKU; own nodes are last */
    size_t floor_count;
};

/* Reads the purchases of each cost centre and family in its last month with work between the
 * months `from` and `to` ("2026-09-01"). Zero `purchases` first. Free it with
 * forecast_purchases_free(), also after a failure. */
bool forecast_purchases_read(PGconn *connection, const char *from, const char *to, double minor_per_unit,
                             struct forecast_purchases *purchases, struct error *error);
void forecast_purchases_free(struct forecast_purchases *purchases);

/* The purchases of one cost centre and family, or of the whole family if the cost centre is "".
 * Sets *first and returns their number; their shares add up to 1. 0: unknown. */
size_t forecast_purchases_of(const struct forecast_purchases *purchases, const char *cost_centre,
                             const char *family, const struct forecast_purchase **first);

/* The share that was bought on spot, 0 to 1. */
double forecast_purchases_on_spot(const struct forecast_purchase *purchases, size_t count);

/* Whether a bill names any of them. Own nodes are on no bill. */
bool forecast_purchases_billed(const struct forecast_purchase *purchases, size_t count);

/* The first day after the end of a purchase, "2027-04-01". NULL: unknown. */
const char *forecast_purchases_ends_on(const struct forecast_purchases *purchases,
                                       const struct forecast_purchase *purchase);

#endif
