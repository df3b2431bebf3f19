/* allocate/line_charge.c: see line_charge.h. */
#include "allocate/line_charge.h"

#define A_WEEK INT64_C(604800000000)

struct charge_key line_charge_key(const struct bill_line *line, int rule, enum charge_target target,
                                  uint32_t payer)
{
    return (struct charge_key){
        .group = line->class->charge_group, .payer = payer, .target = (uint8_t)target, .rule = (uint8_t)rule
    };
}

/* The key of the class charge to which a part with the charge key `key` belongs. */
static struct charge_key class_key_of(const struct charge_sink *sink, const struct bill_line *line,
                                      const struct charge_key *key)
{
    struct charge_key class = { .group = line->class->group,
                                .payer = key->payer,
                                .target = key->target,
                                .is_long = line->line.end - line->line.start > A_WEEK };
    if (key->target == CHARGE_JOB) {
        const struct catalogue_attempt *attempt = &sink->catalogue->attempts[key->payer];
        class.payer = attempt->cost_centre;
        class.family = attempt->family;
        class.outcome = attempt->outcome;
    } else if (key->target == CHARGE_REFUND) {
        class.payer = sink->catalogue->attempts[key->payer].pool;
        class.target = CHARGE_POOL;
    }
    return class;
}

static void add_to_class(const struct charge_sink *sink, const struct bill_line *line,
                         const struct charge_key *key, const struct line_part *part)
{
    const struct resource_line *of_line = &line->line;
    const unsigned scales[COST_COUNT] = { of_line->billed_cost.scale, of_line->effective_cost.scale,
                                          of_line->list_cost.scale, of_line->contracted_cost.scale };
    struct charge_key class_key = class_key_of(sink, line, key);
    struct charge *charge = charge_sums_find(sink->class_sums, &class_key);
    charge->line_count++;
    charge->unlisted_count += line->is_unlisted;
    for (int cost = 0; cost < COST_COUNT; cost++)
        exact_decimal_add(&charge->costs[cost], part->units[cost], scales[cost] + part->extra_digits);
}

struct charge *line_charge_add_part(const struct charge_sink *sink, const struct bill_line *line,
                                    const struct charge_key *key, const struct line_part *part)
{
    const struct resource_line *of_line = &line->line;
    mpz_srcptr effective = part->units[COST_EFFECTIVE];
    unsigned scale = of_line->effective_cost.scale + part->extra_digits;
    if (sink->see != NULL)
        sink->see(line, key, part, sink->context);
    add_to_class(sink, line, key, part);
    struct charge *charge = charge_sums_find(sink->sums, key);
    charge->line_count++;
    exact_decimal_add(&charge->costs[COST_BILLED], part->units[COST_BILLED],
                      of_line->billed_cost.scale + part->extra_digits);
    exact_decimal_add(&charge->costs[COST_EFFECTIVE], effective, scale);
    if (mpz_sgn(of_line->effective_cost.units) > 0) {
        exact_decimal_add(&charge->charged_cost, effective, scale);
        if (line->class->is_committed)
            exact_decimal_add(&charge->committed_cost, effective, scale);
    }
    if (line->class->is_spot)
        exact_decimal_add(&charge->spot_cost, effective, scale);
    return charge;
}

void line_charge_add(const struct charge_sink *sink, const struct bill_line *line,
                     const struct charge_key *key)
{
    const struct resource_line *of_line = &line->line;
    line_charge_add_part(
        sink, line, key,
        &(struct line_part){ .units = { of_line->billed_cost.units, of_line->effective_cost.units,
                                        of_line->list_cost.units, of_line->contracted_cost.units } });
}
