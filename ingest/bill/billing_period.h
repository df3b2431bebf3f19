/* ingest/bill/billing_period.h: the billing periods of a delivery.
 *
 * A bill has the start of its billing period. Midnight UTC, also a date alone, means that day. Any
 * other moment means its day in the time zone of the source, because an invoice month may begin at
 * midnight there. PostgreSQL knows time zones and is asked once per start. Several threads may use
 * the same periods.
 */
#ifndef KSTAR_INGEST_BILL_BILLING_PERIOD_H
#define KSTAR_INGEST_BILL_BILLING_PERIOD_H

#include "base/error.h"
#include "base/time_text.h"

#include <libpq-fe.h>
#include <pthread.h>

enum { BILLING_PERIODS_MAXIMUM = 64 }; /* of one delivery; more refuse it */

struct billing_period {
    int number;    /* from 0, in any order */
    time_us day;   /* midnight of its first day */
    char text[11]; /* "2026-09-01" */
};

struct billing_periods {
    pthread_mutex_t mutex;
    PGconn *connection;
    const char *time_zone;
    struct {
        time_us start; /* BillingPeriodStart of the bill */
        const struct billing_period *period;
    } starts[BILLING_PERIODS_MAXIMUM];
    int start_count;
    struct billing_period periods[BILLING_PERIODS_MAXIMUM];
    int period_count;
};

/* Nobody else may use `connection` until the last call of billing_period_find. */
void billing_periods_open(struct billing_periods *periods, PGconn *connection, const char *time_zone);
void billing_periods_close(struct billing_periods *periods);

/* The period that starts at `start`; its address stays valid. NULL if there are too many
 * (ERROR_INPUT) or the database fails. */
const struct billing_period *billing_period_find(struct billing_periods *periods, time_us start,
                                                 struct error *error);

/* The period whose first day begins at `day`, as it was stored. */
const struct billing_period *billing_period_of_day(struct billing_periods *periods, time_us day,
                                                   struct error *error);

#endif
