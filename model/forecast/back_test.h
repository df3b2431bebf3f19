/* model/forecast/back_test.h: measures the error of the forecast method on the past. The last
 * months are held back, the earlier months are forecast forward, and the forecast is compared with
 * the actual cost.
 *
 * A quarter of the months is held back, at most three. At least four months must remain, so five
 * months are the minimum; with fewer there is no back-test, and the output says so. Levers play no
 * part: the back-test judges the method, not a scenario.
 */
#ifndef KSTAR_MODEL_FORECAST_BACK_TEST_H
#define KSTAR_MODEL_FORECAST_BACK_TEST_H

#include "model/forecast/forecast.h"

#define BACK_TEST_MONTHS 3u

struct back_test {
    unsigned held_back;                                          /* 0: too little history */
    double forecast[BACK_TEST_MONTHS], actual[BACK_TEST_MONTHS]; /* minor units */
    /* sum |forecast - actual| / sum |actual|: the weighted absolute percentage error */
    double error;
    double bias; /* sum (forecast - actual) / sum |actual| */
    /* the same error if each month is forecast as equal to the last known month */
    double naive_error;
};

/* Runs the back-test on the first `months` months of the cells. */
void back_test(const struct forecast_cell *cells, size_t cell_count, size_t months, struct back_test *result);

/* Overheads, and costs without a job. */
double forecast_facts_rest(const struct forecast_facts *facts);
/* The total cost of a month of a cell. */
double forecast_facts_total(const struct forecast_facts *facts);

#endif
