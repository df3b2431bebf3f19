/* cli/forecast_purchases.h: how the hardware of jobs was bought (sql/forecast/purchases.sql), by cost centre and
 * family: what changes of prices, spot and the workbook go by. */
#ifndef KSTAR_CLI_FORECAST_PURCHASES_H
#define KSTAR_CLI_FORECAST_PURCHASES_H

#include "base/error.h"
#include "model/forecast.h"

#include <libpq-fe.h>
#include <stdbool.h>
#include <stddef.h>

struct forecast_purchases {
    PGresult *rows;                /* owned, by cost centre and family in byte order; texts point into it */
    struct forecast_purchase *all; /* owned: one of each row */
    size_t count;
};

/* Those of each cost centre's and family's last month with work of the months `from` to `to` ("2026-09-01").
 * Zero it first; forecast_purchases_free() frees it also where this failed. */
bool forecast_purchases_read(PGconn *connection, const char *from, const char *to,
                             struct forecast_purchases *purchases, struct error *error);
void forecast_purchases_free(struct forecast_purchases *purchases);

/* Those of one cost centre and family, or with cost centre "" of all that the family has: *first and so many,
 * shares of the whole. 0: nobody knows of any. */
size_t forecast_purchases_of(const struct forecast_purchases *purchases, const char *cost_centre,
                             const char *family, const struct forecast_purchase **first);

/* The share that was bought on spot, from 0 to 1. */
double forecast_purchases_on_spot(const struct forecast_purchase *purchases, size_t count);

#endif
