/* night/month/latest_families.h: the fits of what is measured now, at the prices that jobs of each
 * family had last. For looking: changes nothing. */
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

/* Prices of statements in that currency; NULL: in that of the latest statement.
 * In the caller's transaction, where there is one. Zero it first; latest_families_close() frees it
 * also where this failed. */
bool latest_families_open(PGconn *connection, const char *currency, struct latest_families *latest,
                          struct error *error);

/* The same for a reader of the views (docs/security.md): families and prices of his cost centres'
 * jobs, without what interrupts them. */
bool latest_families_open_seen(PGconn *connection, struct latest_families *latest, struct error *error);

void latest_families_close(struct latest_families *latest);

/* What the prices are in; NULL: there are none. */
const char *latest_families_currency(const struct latest_families *latest);

/* p and o of one K, f and the cost of waiting of a family in the latest statement that has priced
 * jobs of it, what most of its hardware was paid for, and its month ("2026-09"). False: none has,
 * and nothing is changed. */
bool latest_family_price(const struct latest_families *latest, const struct month_family *family,
                         struct job_price *price, enum month_capacity *capacity, char month[16]);

#endif
