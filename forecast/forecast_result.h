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

/* A leaf's names: '' where there is none. */
struct forecast_leaf {
    const char *cost_centre, *family, *training;
};

/* What the model was asked of a planned training. */
struct forecast_question {
    struct training_question asked;
    struct node_limits limits;                /* which it points to */
    double failed_factor, interrupted_factor; /* as measured, whatever the scenario states */
    bool is_bought_as_family; /* over all cost centres; else as its own cost centre bought such jobs' */
    bool is_spot_price;       /* its family's latest price was paid for spot */
    bool spot_is_stated;      /* interrupted as the scenario says; else as its family is */
};

struct forecast_result {
    struct scenario scenario;
    size_t base_from, base_months; /* window of the history: its first month, and how many */
    unsigned months;
    struct forecast forecast;
    struct back_test back_test;
    size_t leaf_count;
    struct forecast_leaf *leaves;
    int64_t *minor;               /* [month][leaf][component]; the money that every total is a sum of */
    double *work, *hours, *price; /* [month][cell]: ideal node-hours, node-hours, minor units per node-hour */
    int64_t bridge[FORECAST_LEVERS +
                   2]; /* the base's total, what each lever does, and rounding: together the total */
    int64_t
        freed[FORECAST_LEVERS]; /* what each lever frees of committed and owned hardware, and does not save */
    struct forecast_floor_month *floors; /* [month][floor] */
    struct forecast_range *ranges;       /* months, and one for all of them together */
    struct training_answer *answers;     /* of the scenario's trainings; k 0: left out, outside the months */
    cJSON *notes;                        /* texts */
    /* what the forecast points to */
    struct forecast_cell *cells;
    struct forecast_drivers *drivers;
    struct forecast_training *trainings;
    struct forecast_question *questions; /* of the trainings that are costed */
    struct forecast_purchases purchases;
};

void forecast_result_free(struct forecast_result *result);

/* The first and the last of the trailing months (FORECAST_TRAILING), as days. */
void forecast_result_trailing(const struct forecast_history *history, const struct forecast_result *result,
                              char from[16], char to[16]);

/* Sums of minor[]: of a month, of a leaf, of a component; a negative number is all of them. */
int64_t forecast_result_sum(const struct forecast_result *result, int month, int leaf, int component);

#endif
