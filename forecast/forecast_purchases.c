/* forecast/forecast_purchases.c: see forecast_purchases.h. */
#include "forecast/forecast_purchases.h"

#include "base/postgres/database.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    CENTRE,
    FAMILY,
    PROVIDER,
    SKU,
    PURCHASE,
    CURRENCY,
    COMMITMENT,
    SHARE,
    COMMITTED,
    ENDS_ON,
    ENDS
}; /* sql/forecast/purchases.sql */

static const char *text_of_row(const PGresult *rows, int row, int column)
{
    return PQgetisnull(rows, row, column) ? NULL : PQgetvalue(rows, row, column);
}

static struct forecast_purchase purchase_of_row(const PGresult *rows, int row, double minor_per_unit)
{
    return (struct forecast_purchase){ .provider = text_of_row(rows, row, PROVIDER),
                                       .sku = text_of_row(rows, row, SKU),
                                       .purchase = PQgetvalue(rows, row, PURCHASE),
                                       .currency = text_of_row(rows, row, CURRENCY),
                                       .commitment = text_of_row(rows, row, COMMITMENT),
                                       .share = strtod(PQgetvalue(rows, row, SHARE), NULL),
                                       .committed =
                                           strtod(PQgetvalue(rows, row, COMMITTED), NULL) * minor_per_unit,
                                       .ends = strtod(PQgetvalue(rows, row, ENDS), NULL) };
}

/* ---- floors ---- */

/* Own nodes come after everything from a provider. */
static int compare_texts(const char *a, const char *b)
{
    return a == NULL || b == NULL ? (a == NULL) - (b == NULL) : strcmp(a, b);
}

static int compare_floors(const void *one, const void *other)
{
    const struct forecast_floor *a = one, *b = other;
    int order = compare_texts(a->provider, b->provider);
    return order != 0 ? order : compare_texts(a->sku, b->sku);
}

/* Makes one floor for each provider and SKU with committed or owned hardware. */
static void make_floors(struct forecast_purchases *purchases)
{
    size_t count = 0;
    purchases->floors = calloc(purchases->count + 1, sizeof *purchases->floors);
    for (size_t i = 0; i < purchases->count; i++)
        if (purchases->all[i].committed != 0)
            purchases->floors[count++] =
                (struct forecast_floor){ purchases->all[i].provider, purchases->all[i].sku };
    qsort(purchases->floors, count, sizeof *purchases->floors, compare_floors);
    for (size_t i = 0; i < count; i++)
        if (i == 0 ||
            compare_floors(&purchases->floors[i], &purchases->floors[purchases->floor_count - 1]) != 0)
            purchases->floors[purchases->floor_count++] = purchases->floors[i];
    for (size_t i = 0; i < purchases->count; i++) {
        const struct forecast_floor key = { purchases->all[i].provider, purchases->all[i].sku };
        const struct forecast_floor *found = bsearch(&key, purchases->floors, purchases->floor_count,
                                                     sizeof *purchases->floors, compare_floors);
        purchases->all[i].floor = found != NULL ? (size_t)(found - purchases->floors) + 1 : 0;
    }
}

bool forecast_purchases_read(PGconn *connection, const char *from, const char *to, double minor_per_unit,
                             struct forecast_purchases *purchases, struct error *error)
{
    const char *const span[] = { from, to };
    PGresult *rows = purchases->rows =
        database_query_file(connection, "forecast/purchases.sql", 2, span, error);
    if (rows == NULL)
        return false;
    purchases->count = (size_t)PQntuples(rows);
    purchases->all = calloc(purchases->count + 1, sizeof *purchases->all);
    for (int row = 0; row < PQntuples(rows); row++)
        purchases->all[row] = purchase_of_row(rows, row, minor_per_unit);
    make_floors(purchases);
    return true;
}

void forecast_purchases_free(struct forecast_purchases *purchases)
{
    PQclear(purchases->rows);
    free(purchases->all);
    free(purchases->floors);
    *purchases = (struct forecast_purchases){ 0 };
}

/* Compares a row's cost centre and family with these, in byte order. */
static int order_of(const struct forecast_purchases *purchases, size_t row, const char *cost_centre,
                    const char *family)
{
    int order = strcmp(PQgetvalue(purchases->rows, (int)row, CENTRE), cost_centre);
    return order != 0 ? order : strcmp(PQgetvalue(purchases->rows, (int)row, FAMILY), family);
}

size_t forecast_purchases_of(const struct forecast_purchases *purchases, const char *cost_centre,
                             const char *family, const struct forecast_purchase **first)
{
    size_t from = 0, to = purchases->count;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (order_of(purchases, middle, cost_centre, family) < 0)
            from = middle + 1;
        else
            to = middle;
    }
    while (to < purchases->count && order_of(purchases, to, cost_centre, family) == 0)
        to++;
    *first = purchases->all + from;
    return to - from;
}

double forecast_purchases_on_spot(const struct forecast_purchase *purchases, size_t count)
{
    double share = 0;
    for (size_t i = 0; i < count; i++)
        share += strcmp(purchases[i].purchase, "spot") == 0 ? purchases[i].share : 0;
    return fmin(fmax(share, 0), 1); /* refunds can make the share negative or above 1 */
}

bool forecast_purchases_billed(const struct forecast_purchase *purchases, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (purchases[i].provider != NULL)
            return true;
    return false;
}

const char *forecast_purchases_ends_on(const struct forecast_purchases *purchases,
                                       const struct forecast_purchase *purchase)
{
    return text_of_row(purchases->rows, (int)(purchase - purchases->all), ENDS_ON);
}
