/* model/forecast/back_test.h: how far off the forecast would have been: the last months are held
 * back, the months before them are carried on, and what comes out is set against what came.
 *
 * Held back: a quarter of the months, at most three, and only where four are left to go by (five
 * months in all); with less there is no back-test, and that is said. No lever takes part: this is
 * the judgement of the method, not of a scenario.
 */
#ifndef KSTAR_MODEL_FORECAST_BACK_TEST_H
#define KSTAR_MODEL_FORECAST_BACK_TEST_H

#include "model/forecast/forecast.h"

#define BACK_TEST_MONTHS 3u

struct back_test {
    unsigned held_back;                                          /* 0: too little history */
    double forecast[BACK_TEST_MONTHS], actual[BACK_TEST_MONTHS]; /* minor units */
    double error;       /* sum |forecast - actual| / sum |actual|: the weighted absolute percentage error */
    double bias;        /* sum (forecast - actual) / sum |actual| */
    double naive_error; /* the same error, had every month been like the last one before them */
};

/* Of the cells' first `months` months. */
void back_test(const struct forecast_cell *cells, size_t cell_count, size_t months, struct back_test *result);

/* All money of a month of a cell. */
double forecast_facts_total(const struct forecast_facts *facts);

#endif
