/* allocate/bill_line.c: see bill_line.h. */
#include "allocate/bill_line.h"

void bill_line_open(struct bill_line *line)
{
    *line = (struct bill_line){ 0 };
    mpz_inits(line->line.seconds.units, line->line.billed_cost.units, line->line.effective_cost.units,
              line->line.list_cost.units, line->line.contracted_cost.units,
              line->line.corrected_seconds.units, line->consumed_seconds.units, NULL);
}

void bill_line_close(struct bill_line *line)
{
    mpz_clears(line->line.seconds.units, line->line.billed_cost.units, line->line.effective_cost.units,
               line->line.list_cost.units, line->line.contracted_cost.units,
               line->line.corrected_seconds.units, line->consumed_seconds.units, NULL);
}

/* Sets seconds = |quantity| x unit. False if that is not a time within the charge period. */
static bool states_time(const struct exact_decimal *quantity, int32_t unit_seconds, int64_t start,
                        int64_t end, struct exact_decimal *seconds)
{
    if (quantity == NULL || unit_seconds == 0 || mpz_sgn(quantity->units) == 0)
        return false;
    mpz_t period, reported;
    mpz_inits(period, reported, NULL);
    mpz_abs(seconds->units, quantity->units);
    mpz_mul_si(seconds->units, seconds->units, unit_seconds);
    seconds->scale = quantity->scale;
    mpz_ui_pow_ui(period, 10, quantity->scale);
    mpz_mul_ui(period, period, (uint64_t)end - (uint64_t)start);
    mpz_mul_ui(reported, seconds->units, 1000000);
    bool is_within = mpz_cmp(reported, period) <= 0;
    mpz_clears(period, reported, NULL);
    return is_within;
}

void bill_line_set_time(struct bill_line *line, const struct exact_decimal *consumed,
                        const struct exact_decimal *pricing)
{
    const struct line_class *class = line->class;
    struct resource_line *of_line = &line->line;
    line->has_consumed_time = consumed != NULL && class->consumed_unit_seconds != 0;
    if (line->has_consumed_time) {
        mpz_abs(line->consumed_seconds.units, consumed->units);
        mpz_mul_si(line->consumed_seconds.units, line->consumed_seconds.units, class->consumed_unit_seconds);
        line->consumed_seconds.scale = consumed->scale;
    }
    of_line->states_time =
        states_time(consumed, class->consumed_unit_seconds, of_line->start, of_line->end,
                    &of_line->seconds) ||
        states_time(pricing, class->pricing_unit_seconds, of_line->start, of_line->end, &of_line->seconds);
}
