/* ingest/bill/billing_period.c: see billing_period.h. */
#include "ingest/bill/billing_period.h"

#include "base/postgres/database.h"

#include <stdio.h>
#include <string.h>

void billing_periods_open(struct billing_periods *periods, PGconn *connection, const char *time_zone)
{
    *periods = (struct billing_periods){ .connection = connection, .time_zone = time_zone };
    pthread_mutex_init(&periods->mutex, NULL);
}

void billing_periods_close(struct billing_periods *periods)
{
    pthread_mutex_destroy(&periods->mutex);
}

static void refuse(struct error *error)
{
    error_set(error, ERROR_INPUT, "one delivery holds more than %d billing periods", BILLING_PERIODS_MAXIMUM);
}

static const struct billing_period *add_period(struct billing_periods *periods, const char *text,
                                               struct error *error)
{
    for (int i = 0; i < periods->period_count; i++) {
        if (strcmp(periods->periods[i].text, text) == 0)
            return &periods->periods[i];
    }
    if (periods->period_count == BILLING_PERIODS_MAXIMUM) {
        refuse(error);
        return NULL;
    }
    struct billing_period *period = &periods->periods[periods->period_count];
    period->number = periods->period_count++;
    snprintf(period->text, sizeof period->text, "%.10s", text);
    time_parse(period->text, strlen(period->text), &period->day);
    return period;
}

static const struct billing_period *find(struct billing_periods *periods, time_us start, struct error *error)
{
    for (int i = 0; i < periods->start_count; i++) {
        if (periods->starts[i].start == start)
            return periods->starts[i].period;
    }
    if (periods->start_count == BILLING_PERIODS_MAXIMUM) {
        refuse(error);
        return NULL;
    }
    char start_text[32];
    time_format(start, start_text);
    const char *parameters[] = { start_text, periods->time_zone };
    PGresult *result =
        database_query_file(periods->connection, "ingest/billing_period.sql", 2, parameters, error);
    if (result == NULL)
        return NULL;
    const struct billing_period *period = add_period(periods, PQgetvalue(result, 0, 0), error);
    PQclear(result);
    if (period == NULL)
        return NULL;
    periods->starts[periods->start_count].start = start;
    periods->starts[periods->start_count++].period = period;
    return period;
}

const struct billing_period *billing_period_find(struct billing_periods *periods, time_us start,
                                                 struct error *error)
{
    pthread_mutex_lock(&periods->mutex);
    const struct billing_period *period = find(periods, start, error);
    pthread_mutex_unlock(&periods->mutex);
    return period;
}

const struct billing_period *billing_period_of_day(struct billing_periods *periods, time_us day,
                                                   struct error *error)
{
    char text[32];
    time_format(day, text);
    text[10] = '\0'; /* the date alone */
    pthread_mutex_lock(&periods->mutex);
    const struct billing_period *period = add_period(periods, text, error);
    pthread_mutex_unlock(&periods->mutex);
    return period;
}
