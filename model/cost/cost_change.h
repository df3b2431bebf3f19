/* model/cost/cost_change.h: why one month cost more than another: volume, mix, efficiency, price,
 * fees, failures and the rest.
 *
 * A cell (the jobs of a cost centre and family) costs
 *
 *     ideal node-hours x 1/E x price x (1 + fees/hardware) x (1 + lost/productive) + rest
 *
 * The old month becomes the new one a factor at a time, as in the variance analysis of standard
 * costs: volume at the old mix and rates; the new mix; the new efficiency at the old price; the new
 * price at the new node-hours; fees; failed and cancelled runs; the rest. Each stage is rounded
 * once to cents, and an effect is the difference of two stages. So the effects add up to the change
 * exactly.
 *
 * A cell without priced work in the old month has no old rates: all of its cost is mix, or volume
 * if no cell had work in the old month. Failed runs of a cell without work in the new month are
 * failures.
 */
#ifndef KSTAR_MODEL_COST_COST_CHANGE_H
#define KSTAR_MODEL_COST_COST_CHANGE_H

#include <stddef.h>
#include <stdint.h>

/* One cell in one month. Money in minor units. */
struct cost_drivers {
    /* Of productive attempts. Ideal: node-hours x E, or all node-hours if E was not measured. */
    double ideal_node_hours, node_hours;
    int64_t hardware, fees;
    int64_t failed, cancelled;
    int64_t rest; /* overheads, and costs without a job */
};

enum cost_effect {
    EFFECT_VOLUME,
    EFFECT_MIX,
    EFFECT_EFFICIENCY,
    EFFECT_PRICE,
    EFFECT_FEES,
    EFFECT_FAILURES,
    EFFECT_REST,
    COST_EFFECTS
};

/* "volume", "mix", ... */
const char *cost_effect_name(enum cost_effect effect);

/* Sum of all money of a cell. */
int64_t cost_drivers_total(const struct cost_drivers *drivers);

/* before[i] and after[i] are one cell. The sum of effects[] is that of `after` − `before`. */
void cost_change(const struct cost_drivers *before, const struct cost_drivers *after, size_t count,
                 int64_t effects[COST_EFFECTS]);

#endif
