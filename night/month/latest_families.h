/* night/month/latest_families.h: fits of the present measurements, at the latest prices of each
 * family's jobs. Changes nothing. */
#ifndef KSTAR_NIGHT_MONTH_LATEST_FAMILIES_H
#define KSTAR_NIGHT_MONTH_LATEST_FAMILIES_H

#include "base/error.h"
#include "night/month/month_families.h"

#include <libpq-fe.h>
#include <stdbool.h>

struct latest_families {
    /* by the settings and families.csv of the latest statement's month */
    struct month_families families;
    PGresult *prices; /* in one currency */
    bool has_energy;  /* node_power.csv is configured (docs/energy.md) */
};

/* Reads prices of statements in that currency; NULL: in the currency of the latest statement. Runs
 * in the caller's transaction, if there is one. Zero `latest` first. latest_families_close() frees
 * it, also after a failure. */
bool latest_families_open(PGconn *connection, const char *currency, struct latest_families *latest,
                          struct error *error);

/* The same for a reader of the views (docs/security.md): families and prices of his cost centres'
 * jobs, without interruptions. */
bool latest_families_open_seen(PGconn *connection, struct latest_families *latest, struct error *error);

void latest_families_close(struct latest_families *latest);

/* The currency of the prices; NULL if there are no prices. */
const char *latest_families_currency(const struct latest_families *latest);

/* Gets a family's price from the latest statement that has priced jobs of the family: p and o of
 * one K, f and the cost of waiting, the capacity of most of its hardware cost, and the month
 * ("2026-09"). False if no statement has such jobs; then nothing is changed. */
bool latest_family_price(const struct latest_families *latest, const struct month_family *family,
                         struct job_price *price, enum month_capacity *capacity, char month[16]);

#endif
