/* model/cost/k_table.h: K* and its interval for all jobs of a family, looked up instead of
 * searched.
 *
 * C(K) = p (K T + (f/p) T) is a straight line over f/p at a given K. So K* is a step function of
 * f/p that rises (cost_envelope.h), and so is K* of each bootstrap draw and each quantile of them.
 * The table holds these steps. It is made once for a family. A binary search by a job's prices then
 * gives what k_star() finds by examining every K, and the interval without examining every K of 999
 * draws.
 *
 *     struct k_table *table = k_table_make(&fit, &curve, &limits);
 *     outcome = k_table_star(table, &curve, &k_star);        // curve with the prices of a job
 *     k_table_interval(table, &curve, &interval);
 *     struct excess_question question = { .k = 16 };
 *     k_table_excess(table, &curve, &question, &excess);
 *     k_table_free(table);
 */
#ifndef KSTAR_MODEL_COST_K_TABLE_H
#define KSTAR_MODEL_COST_K_TABLE_H

#include "model/cost/excess_interval.h"
#include "model/cost/k_interval.h"
#include "model/cost/k_star.h"
#include "model/scaling/scaling_fit.h"

struct k_table;

/* Makes the table for curves that differ from this one only in prices. The table points to the fit,
 * to the curve's data and to the list in `limits`, which must outlive it. */
struct k_table *k_table_make(const struct scaling_fit *fit, const struct cost_curve *curve,
                             const struct node_limits *limits);
void k_table_free(struct k_table *table); /* NULL is allowed */

/* Like k_star() and k_fastest(). The curve is the table's with the prices of a job. */
enum k_star_outcome k_table_star(const struct k_table *table, const struct cost_curve *curve,
                                 struct k_star_result *result);
enum k_star_outcome k_table_fastest(const struct k_table *table, const struct cost_curve *curve,
                                    struct k_star_result *result);

/* The interval on that K* (k_star_interval.h). The draws are made when an interval first needs
 * them. */
void k_table_interval(struct k_table *table, const struct cost_curve *curve, struct k_interval *interval);

/* By how much a job on question->k nodes is too expensive, and how sure that is. With existing
 * draws it takes some ten microseconds, and a few milliseconds more for the family's first job on
 * this K. So every job whose K is not K* can be checked. */
void k_table_excess(struct k_table *table, const struct cost_curve *curve,
                    const struct excess_question *question, struct excess_interval *excess);

/* What it would save the jobs on each of `count` node counts (ascending) to know K*, as a share of
 * their cost (experiment_value.h). NaN if that is unknown: K* of `curve` has no interval. */
void k_table_values(struct k_table *table, const struct cost_curve *curve, const unsigned *ks, size_t count,
                    double *values);

#endif
