/* ingest/bill/billing_period.h: the billing periods of a delivery.
 *
 * A bill says when its billing period starts; the period is that moment's day in the source's time
 * zone (an invoice month may turn at midnight there), and that day itself where it is midnight UTC,
 * as a date alone is. PostgreSQL knows time zones, so it is asked, once per start. Several threads
 * may look at the same periods.
 */
#ifndef KSTAR_INGEST_BILL_BILLING_PERIOD_H
#define KSTAR_INGEST_BILL_BILLING_PERIOD_H

#include "base/error.h"
#include "base/time_text.h"

#include <libpq-fe.h>
#include <pthread.h>

enum { BILLING_PERIODS_MAXIMUM = 64 }; /* of one delivery; more refuse it */

struct billing_period {
    int number;    /* from 0, in no order that matters */
    time_us day;   /* midnight of its first day */
    char text[11]; /* "2026-09-01" */
};

struct billing_periods {
    pthread_mutex_t mutex;
    PGconn *connection;
    const char *time_zone;
    struct {
        time_us start; /* BillingPeriodStart as it stands in the bill */
        const struct billing_period *period;
    } starts[BILLING_PERIODS_MAXIMUM];
    int start_count;
    struct billing_period periods[BILLING_PERIODS_MAXIMUM];
    int period_count;
};

/* `connection` is used by nobody else until the last call of billing_period_find. */
void billing_periods_open(struct billing_periods *periods, PGconn *connection, const char *time_zone);
void billing_periods_close(struct billing_periods *periods);

/* The period that starts at `start`; it stays where it is. NULL where there are too many
 * (ERROR_INPUT) or the database fails. */
const struct billing_period *billing_period_find(struct billing_periods *periods, time_us start,
                                                 struct error *error);

/* The period whose first day begins at `day`, as it was stored. */
const struct billing_period *billing_period_of_day(struct billing_periods *periods, time_us day,
                                                   struct error *error);

#endif
