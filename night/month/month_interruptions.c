/* night/month/month_interruptions.c: the interruptions of each family's jobs (docs/mathematics.md,
 * section 3), as computed by sql/results/04_interruptions.sql. See month_families.h. */
#include "night/month/month_families.h"

#include "base/postgres/database.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Columns of sql/model/interruptions.sql. */
enum { FAMILY, CAPACITY, RATE_BY_K, CHECKPOINT, RESTART, RATE, RATE_FROM, FAILURES, NODE_HOURS };

static const char *const capacity_names[CAPACITIES] = {
    [CAPACITY_ON_DEMAND] = "on demand",
    [CAPACITY_SPOT] = "spot",
};

const char *month_capacity_name(enum month_capacity capacity)
{
    return capacity_names[capacity];
}

enum month_capacity month_capacity_of(const char *name)
{
    return strcmp(name, capacity_names[CAPACITY_SPOT]) == 0 ? CAPACITY_SPOT : CAPACITY_ON_DEMAND;
}

char *month_interruption_text(const struct month_interruption *interruption, char *text, size_t size)
{
    const struct interruption *what = &interruption->interruption;
    text[0] = '\0';
    if (interruption->from != NULL)
        snprintf(text, size, "%.4g interruptions a node-hour (%s), checkpoint %.4g h, restart %.4g h",
                 interruption->rate_per_node_hour, interruption->from, what->checkpoint_hours,
                 what->restart_hours);
    return text;
}

/* "declared", or "measured: 12 failures in 1200 node-hours": the failures and node-hours behind a
 * measured rate, or for which a prior was taken. */
static char *from_text(const PGresult *rows, int row)
{
    char text[160];
    const char *failures = PQgetvalue(rows, row, FAILURES);
    if (PQgetisnull(rows, row, FAILURES))
        return strdup(PQgetvalue(rows, row, RATE_FROM));
    snprintf(text, sizeof text, "%s: %s failure%s in %s node-hours", PQgetvalue(rows, row, RATE_FROM),
             failures, strcmp(failures, "1") == 0 ? "" : "s", PQgetvalue(rows, row, NODE_HOURS));
    return strdup(text);
}

/* The rates of a row, for a fit of its family. */
static void take(const PGresult *rows, int row, struct month_family *family)
{
    struct month_interruption *known =
        &family->interruptions[month_capacity_of(PQgetvalue(rows, row, CAPACITY))];
    known->interruption =
        (struct interruption){ .rate = strtod(PQgetvalue(rows, row, RATE_BY_K), NULL),
                               .checkpoint_hours = strtod(PQgetvalue(rows, row, CHECKPOINT), NULL),
                               .restart_hours = strtod(PQgetvalue(rows, row, RESTART), NULL) };
    known->rate_per_node_hour = strtod(PQgetvalue(rows, row, RATE), NULL);
    free(known->from);
    known->from = from_text(rows, row);
}

bool month_interruptions_read(PGconn *connection, const char *query, struct month_families *families,
                              struct error *error)
{
    PGresult *rows = database_query_file(connection, query, 0, NULL, error);
    for (int row = 0; row < PQntuples(rows); row++)
        for (int i = 0; i < families->count; i++)
            if (strcmp(families->families[i].family, PQgetvalue(rows, row, FAMILY)) == 0)
                take(rows, row, &families->families[i]);
    PQclear(rows);
    return rows != NULL;
}

bool month_family_interruptions(PGconn *connection, struct month_families *families, struct error *error)
{
    return month_interruptions_read(connection, "model/interruptions.sql", families, error);
}
