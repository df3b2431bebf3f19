/* forecast/forecast_purchases.h: how the hardware of jobs was bought (sql/forecast/purchases.sql),
 * by cost centre and family, and what of it is committed or owned, by provider and SKU: what
 * changes of prices, spot, floors and the workbook go by. */
#ifndef KSTAR_FORECAST_FORECAST_PURCHASES_H
#define KSTAR_FORECAST_FORECAST_PURCHASES_H

#include "base/error.h"
#include "model/forecast/forecast_floor.h"

#include <libpq-fe.h>
#include <stdbool.h>
#include <stddef.h>

struct forecast_purchases {
    PGresult *rows;                /* owned, by cost centre and family in byte order; texts point into it */
    struct forecast_purchase *all; /* owned: one of each row */
    size_t count;
    struct forecast_floor *floors; /* owned: by provider and SKU; one's own nodes are last */
    size_t floor_count;
};

/* Those of each cost centre's and family's last month with work of the months `from` to `to`
 * ("2026-09-01"). Zero it first; forecast_purchases_free() frees it also where this failed. */
bool forecast_purchases_read(PGconn *connection, const char *from, const char *to, double minor_per_unit,
                             struct forecast_purchases *purchases, struct error *error);
void forecast_purchases_free(struct forecast_purchases *purchases);

/* Those of one cost centre and family, or with cost centre "" of all that the family has: *first
 * and so many, shares of the whole. 0: nobody knows of any. */
size_t forecast_purchases_of(const struct forecast_purchases *purchases, const char *cost_centre,
                             const char *family, const struct forecast_purchase **first);

/* The share that was bought on spot, from 0 to 1. */
double forecast_purchases_on_spot(const struct forecast_purchase *purchases, size_t count);

/* Whether a bill names any of them; one's own nodes are on none. */
bool forecast_purchases_billed(const struct forecast_purchase *purchases, size_t count);

/* The first day on which a purchase is not paid any more, "2027-04-01"; NULL: nobody said. */
const char *forecast_purchases_ends_on(const struct forecast_purchases *purchases,
                                       const struct forecast_purchase *purchase);

#endif
