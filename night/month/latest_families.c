/* night/month/latest_families.c: see latest_families.h. */
#include "night/month/latest_families.h"

#include "base/postgres/database.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    FAMILY,
    PRICE,
    OVERHEAD,
    FIXED,
    WAITING,
    MONTH,
    CAPACITY,
    SERIES,
    CURRENCY
}; /* sql/model/latest_prices.sql */

/* All that the month's queries change is rolled back: with this function's own transaction, or to a
 * savepoint in the caller's. */
bool latest_families_open(PGconn *connection, const char *currency, struct latest_families *latest,
                          struct error *error)
{
    const char *const parameters[] = { currency };
    bool is_inside = PQtransactionStatus(connection) == PQTRANS_INTRANS;
    struct error ignored = { 0 };
    bool ok = database_execute(connection, is_inside ? "SAVEPOINT latest_families" : "BEGIN", error) &&
              database_run_file(connection, "model/latest_month.sql", error) &&
              database_run_file(connection, "allocate/02_month.sql", error) &&
              month_families_fit(connection, &latest->families, error);
    ok = ok &&
         month_interruptions_read(connection, "model/latest_interruptions.sql", &latest->families, error) &&
         database_query_flag(connection, "model/has_energy.sql", 0, NULL, &latest->has_energy, error);
    if (ok)
        latest->prices = database_query_file(connection, "model/latest_prices.sql", 1, parameters, error);
    database_execute(connection, is_inside ? "ROLLBACK TO SAVEPOINT latest_families" : "ROLLBACK", &ignored);
    return latest->prices != NULL;
}

bool latest_families_open_seen(PGconn *connection, struct latest_families *latest, struct error *error)
{
    if (month_families_fit_seen(connection, &latest->families, error))
        latest->prices = database_query_file(connection, "model/latest_prices_seen.sql", 0, NULL, error);
    return latest->prices != NULL;
}

void latest_families_close(struct latest_families *latest)
{
    PQclear(latest->prices);
    month_families_free(&latest->families);
    *latest = (struct latest_families){ 0 };
}

const char *latest_families_currency(const struct latest_families *latest)
{
    return PQntuples(latest->prices) > 0 ? PQgetvalue(latest->prices, 0, CURRENCY) : NULL;
}

/* Whether a row has prices of this fit. The row's series begins with its accelerator; prices of an
 * earlier fit of that name, of jobs on another accelerator, do not count. Rows of a reader have no
 * series: their prices are the whole family's, on all accelerators. */
static bool is_price_of(const struct latest_families *latest, int row, const struct month_family *family)
{
    const char *series = PQgetvalue(latest->prices, row, SERIES),
               *name = PQgetvalue(latest->prices, row, FAMILY);
    size_t length = strlen(family->accelerator);
    if (PQgetisnull(latest->prices, row, SERIES))
        return strcmp(name, family->family) == 0;
    if (strcmp(name, family->name) != 0)
        return false;
    return length == 0 || (strncasecmp(series, family->accelerator, length) == 0 &&
                           (series[length] == ',' || series[length] == '\0'));
}

bool latest_family_price(const struct latest_families *latest, const struct month_family *family,
                         struct job_price *price, enum month_capacity *capacity, char month[16])
{
    for (int row = 0; row < PQntuples(latest->prices); row++) {
        if (!is_price_of(latest, row, family))
            continue;
        *price =
            (struct job_price){ .per_node_hour = strtod(PQgetvalue(latest->prices, row, PRICE), NULL),
                                .overhead_per_node_hour =
                                    strtod(PQgetvalue(latest->prices, row, OVERHEAD), NULL),
                                .per_wall_hour = strtod(PQgetvalue(latest->prices, row, FIXED), NULL),
                                .waiting_per_hour = strtod(PQgetvalue(latest->prices, row, WAITING), NULL) };
        *capacity = month_capacity_of(PQgetvalue(latest->prices, row, CAPACITY));
        snprintf(month, 16, "%s", PQgetvalue(latest->prices, row, MONTH));
        return true;
    }
    return false;
}
