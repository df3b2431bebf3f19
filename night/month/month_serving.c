/* night/month/month_serving.c: how many replicas serve each fleet at the lowest cost
 * (model/cost/serving_fleet.h), at the prices and measurements that sql/results/15_serving.sql has
 * found. See month_families.h. */
#include "night/month/month_families.h"

#include "base/postgres/database.h"
#include "model/cost/serving_fleet.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Columns of sql/serving/sizes.sql. */
enum { FLEET, PRICE, FIXED, LIMIT, REPLICAS, TOKENS, LATENCY };

static double number_or(const PGresult *rows, int row, int column, double otherwise)
{
    return PQgetisnull(rows, row, column) ? otherwise : strtod(PQgetvalue(rows, row, column), NULL);
}

static bool keep(PGconn *connection, const char *fleet, const char *outcome,
                 const struct serving_choice *choice, struct error *error)
{
    char counts[3][16];
    snprintf(counts[0], sizeof counts[0], "%u", choice->cheapest);
    snprintf(counts[1], sizeof counts[1], "%u", choice->highest_throughput);
    snprintf(counts[2], sizeof counts[2], "%u", choice->quickest);
    const char *const parameters[] = { fleet, outcome, counts[0], counts[1], counts[2] };
    return database_run_query(connection, "serving/chosen.sql", 5, parameters, error);
}

/* Judges the fleet whose sizes are the rows from `first` to before `last`. Without a price no count
 * is the cheapest. */
static bool judge(PGconn *connection, const PGresult *rows, int first, int last, struct error *error)
{
    struct serving_size *sizes = calloc((size_t)(last - first), sizeof *sizes);
    struct serving_price price = { number_or(rows, first, PRICE, 0), number_or(rows, first, FIXED, 0) };
    struct serving_choice choice;
    size_t count = 0;
    for (int row = first; row < last; row++) {
        if (!PQgetisnull(rows, row, REPLICAS))
            sizes[count++] =
                (struct serving_size){ (unsigned)number_or(rows, row, REPLICAS, 0),
                                       number_or(rows, row, TOKENS, 0), number_or(rows, row, LATENCY, 0) };
    }
    enum serving_outcome outcome =
        serving_choose(sizes, count, &price, number_or(rows, first, LIMIT, INFINITY), &choice);
    const char *name = serving_outcome_name(outcome);
    if (PQgetisnull(rows, first, PRICE) && outcome == SERVING_FOUND) {
        choice.cheapest = 0;
        name = "no price";
    }
    free(sizes);
    return keep(connection, PQgetvalue(rows, first, FLEET), name, &choice, error);
}

bool month_serving_fleets(PGconn *connection, struct month_families *families, struct error *error)
{
    (void)families;
    PGresult *rows = database_query_file(connection, "serving/sizes.sql", 0, NULL, error);
    bool ok = rows != NULL;
    for (int first = 0, last; ok && first < PQntuples(rows); first = last) {
        for (last = first + 1; last < PQntuples(rows); last++) {
            if (strcmp(PQgetvalue(rows, first, FLEET), PQgetvalue(rows, last, FLEET)) != 0)
                break;
        }
        ok = judge(connection, rows, first, last, error);
    }
    PQclear(rows);
    return ok;
}
