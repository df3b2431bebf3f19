/* forecast/forecast_result.h: one scenario's forecast, in whole minor units. */
#ifndef KSTAR_FORECAST_FORECAST_RESULT_H
#define KSTAR_FORECAST_FORECAST_RESULT_H

#include "forecast/forecast_history.h"
#include "forecast/forecast_purchases.h"
#include "model/forecast/back_test.h"
#include "model/forecast/forecast_bridge.h"
#include "model/forecast/forecast_draws.h"
#include "model/forecast/planned_training.h"

#include <cjson/cJSON.h>

/* The names of a leaf: '' if it has none. */
struct forecast_leaf {
    const char *cost_centre, *family, *training;
};

/* The input of the model for a planned training. */
struct forecast_question {
    struct training_question asked;
    struct node_limits limits;                /* the question points to them */
    double failed_factor, interrupted_factor; /* as measured, not as the scenario states */
    /* bought like its family in all cost centres; else like such jobs of its cost centre */
    bool is_bought_as_family;
    bool is_spot_price; /* its family's latest price is a spot price */
    /* the scenario states the interruptions; else the family's measured ones apply */
    bool spot_is_stated;
};

struct forecast_result {
    struct scenario scenario;
    size_t base_from, base_months; /* window of the history: its first month, and how many */
    unsigned months;
    struct forecast forecast;
    struct back_test back_test;
    size_t leaf_count;
    struct forecast_leaf *leaves;
    /* [month][leaf][component]; every total is a sum of these amounts */
    int64_t *minor;
    /* [month][cell]: ideal node-hours, node-hours, price per node-hour (minor units) */
    double *work, *hours, *price;
    int64_t bridge[FORECAST_LEVERS +
                   /* the base's total, the effect of each lever, and rounding; they add up to
                    * the total */
                   2];
    int64_t
        /* committed and owned capacity that each lever frees but cannot save */
        freed[FORECAST_LEVERS];
    struct forecast_floor_month *floors; /* [month][floor] */
    struct forecast_range *ranges;       /* one for each month, and one for all months together */
    /* for each training of the scenario; k 0: not costed, because it is outside the forecast's
     * months */
    struct training_answer *answers;
    cJSON *notes; /* an array of texts */
    /* data that the forecast points to */
    struct forecast_cell *cells;
    struct forecast_drivers *drivers;
    struct forecast_training *trainings;
    struct forecast_question *questions; /* for the trainings that are costed */
    struct forecast_purchases purchases;
};

void forecast_result_free(struct forecast_result *result);

/* The first and the last of the trailing months (FORECAST_TRAILING), as days. */
void forecast_result_trailing(const struct forecast_history *history, const struct forecast_result *result,
                              char from[16], char to[16]);

/* Sums minor[] over a month, a leaf and a component; a negative index means all of them. */
int64_t forecast_result_sum(const struct forecast_result *result, int month, int leaf, int component);

#endif
