/* model/cost/advise.h: everything that `kstar advise` answers about one law or curve.
 *
 *     struct advise_question question = {
 *         .law = { .t1_hours = 1, .serial_fraction = .03, .communication_coefficient = .0015 },
 *         .price = { .per_node_hour = 2.10, .per_wall_hour = 9 },
 *         .limits = { .largest = 256 },
 *     };
 *     struct advise_row rows[256];
 *     struct advise_answer answer;
 *     advise(&question, rows, 256, &answer);
 *     … answer.k_star.k == 8, answer.k_star.cost == 4.17315 …
 *
 * There is no fit and no interval: the law is the caller's, or a family's curve. If cost or time
 * falls for ever (k_star.h), the outcome says so.
 */
#ifndef KSTAR_MODEL_COST_ADVISE_H
#define KSTAR_MODEL_COST_ADVISE_H

#include "model/cost/k_star.h"

#include <stddef.h>

/* Doublings from 1 to NODE_LIMITS_LARGEST. */
#define ADVISE_DOUBLINGS 20

/* Without a maximum the curve ends here or at twice the fastest K, whichever is smaller. */
#define ADVISE_CURVE_LARGEST 256u

/* The curve has this many feasible K one by one. Then follow powers of two, measured sizes and
 * answers. */
#define ADVISE_CURVE_WHOLE 16384u

/* The most rows of a curve. The four are K*, K_fast, K_deadline and K_budget. */
#define ADVISE_CURVE_ROWS (ADVISE_CURVE_WHOLE + ADVISE_DOUBLINGS + MEASURED_SIZES_MAX + 4)

struct advise_question {
    /* a family's curve (verdict_curve()), used instead of the law below; its prices and
     * interruptions are not read; NULL: the law. Its sizes must outlive the question. */
    const struct cost_curve *curve;
    /* s, c, d, T1 (t1_hours = 0 means 1), and K0, a if they differ from 1. form need not be set: a
     * step above 0 makes the law stepped */
    struct scaling_law law;
    struct job_price price;
    struct interruption interruption;
    struct node_limits limits;
    double deadline_hours; /* 0: no deadline */
    double budget;         /* likewise; without the cost of waiting */
};

/* One point of the curve. */
struct advise_row {
    unsigned k;
    double speedup;    /* S(K) */
    double efficiency; /* E(K) */
    double hours;      /* T(K), stretch included */
    double cost;       /* C(K) */
};

struct advise_answer {
    struct scaling_law law; /* as used */
    enum k_star_outcome k_star_outcome;
    struct k_star_result k_star;
    enum k_star_outcome k_fastest_outcome;
    struct k_star_result k_fastest;
    double speed_extra_cost; /* the price of pure speed: C(K_fastest) - C(K*) ... */
    /* ... for T(K*) - T(K_fastest) hours; both NaN unless both are found */
    double speed_hours_saved;
    bool deadline_asked;
    /* K_STAR_DEADLINE_NOT_MET: k_deadline holds the fastest K, if any */
    enum k_star_outcome k_deadline_outcome;
    struct k_star_result k_deadline;
    bool budget_asked;
    /* K_STAR_BUDGET_NOT_MET: k_budget holds the cheapest K, if any */
    enum k_star_outcome k_budget_outcome;
    /* the fastest K within the budget, and its cost without waiting */
    struct k_star_result k_budget;
    size_t doubling_count;
    struct k_doubling doublings[ADVISE_DOUBLINGS]; /* from the smallest feasible K on */
    const struct k_doubling *first_unfavourable;   /* into doublings, or NULL */
    size_t row_count;                              /* rows written */
    /* rows of the curve for which the caller had no room */
    size_t rows_omitted;
};

/* Answers the question. `rows` (caller's, may be NULL with capacity 0) gets the curve, K ascending,
 * up to the maximum (without one, ADVISE_CURVE_LARGEST). ADVISE_CURVE_ROWS rows are always enough.
 * Returns K_STAR_INVALID if a number is out of range, else the outcome of K*. */
enum k_star_outcome advise(const struct advise_question *question, struct advise_row *rows, size_t capacity,
                           struct advise_answer *answer);

#endif
