/* cli/forecast_purchases.c: see forecast_purchases.h. */
#include "cli/forecast_purchases.h"

#include "base/database.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CENTRE, FAMILY, PROVIDER, SKU, PURCHASE, CURRENCY, SHARE }; /* sql/forecast/purchases.sql */

bool forecast_purchases_read(PGconn *connection, const char *from, const char *to,
                             struct forecast_purchases *purchases, struct error *error)
{
    const char *const span[] = { from, to };
    PGresult *rows = purchases->rows =
        database_query_file(connection, "forecast/purchases.sql", 2, span, error);
    if (rows == NULL)
        return false;
    purchases->count = (size_t)PQntuples(rows);
    purchases->all = memory_or_die(calloc(purchases->count + 1, sizeof *purchases->all));
    for (int row = 0; row < PQntuples(rows); row++)
        purchases->all[row] =
            (struct forecast_purchase){ PQgetvalue(rows, row, PROVIDER), PQgetvalue(rows, row, SKU),
                                        PQgetvalue(rows, row, PURCHASE), PQgetvalue(rows, row, CURRENCY),
                                        strtod(PQgetvalue(rows, row, SHARE), NULL) };
    return true;
}

void forecast_purchases_free(struct forecast_purchases *purchases)
{
    PQclear(purchases->rows);
    free(purchases->all);
    *purchases = (struct forecast_purchases){ 0 };
}

/* How a row's cost centre and family lie to these, in byte order. */
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
    return fmin(fmax(share, 0), 1); /* refunds may lie on either side */
}
