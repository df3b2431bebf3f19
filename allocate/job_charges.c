/* allocate/job_charges.c: see job_charges.h. */
#include "allocate/job_charges.h"

#include "allocate/array_room.h"
#include "allocate/line_charge.h"
#include "allocate/machine_span.h"
#include "model/allocation/exact_split.h"
#include "model/allocation/resource_slots.h"

/* A line and its job. */
struct job_line {
    size_t attempt;
    const struct bill_line *line;
};

struct job_charges {
    const struct catalogue *catalogue;
    const struct charge_sink *sink;
    struct job_line *lines;
    size_t line_count, line_capacity;

    /* lines of machine time of the current job, copied into one array, and their span */
    struct resource_line *timed;
    size_t timed_count, timed_capacity;
    struct machine_span span;

    struct resource_slots slots;
    struct machine_span *periods; /* of the slots with priced time */
    size_t period_count, period_capacity;
    struct exact_split split;
    mpz_t amount, parts[2], weights[2];
    mpq_t time;
};

struct job_charges *job_charges_open(const struct catalogue *catalogue, const struct charge_sink *sink)
{
    struct job_charges *charges = calloc(1, sizeof *charges);
    charges->catalogue = catalogue;
    charges->sink = sink;
    resource_slots_open(&charges->slots);
    exact_split_open(&charges->split);
    mpz_inits(charges->amount, charges->parts[0], charges->parts[1], charges->weights[0], charges->weights[1],
              NULL);
    mpq_init(charges->time);
    return charges;
}

void job_charges_close(struct job_charges *charges)
{
    resource_slots_close(&charges->slots);
    exact_split_close(&charges->split);
    mpz_clears(charges->amount, charges->parts[0], charges->parts[1], charges->weights[0],
               charges->weights[1], NULL);
    mpq_clear(charges->time);
    free(charges->lines);
    free(charges->timed);
    free(charges->periods);
    free(charges);
}

void job_charges_add(struct job_charges *charges, size_t attempt, const struct bill_line *line)
{
    charges->lines =
        array_room(charges->lines, charges->line_count, &charges->line_capacity, sizeof *charges->lines);
    charges->lines[charges->line_count++] = (struct job_line){ .attempt = attempt, .line = line };
}

/* ---- Costs ---- */

static void divide_refund(struct job_charges *charges, const struct exact_decimal *cost,
                          const struct resource_attempt *refund)
{
    mpz_set_ui(charges->weights[0], refund->kept);
    mpz_set_ui(charges->weights[1], refund->refunded);
    mpz_ui_pow_ui(charges->amount, 10, PART_EXTRA_DIGITS);
    mpz_mul(charges->amount, charges->amount, cost->units);
    exact_split(&charges->split, charges->amount, charges->weights, 2, charges->parts);
}

/* Charges a line of a job that is refunded in part. */
static void add_divided_line(struct job_charges *charges, const struct job_line *line,
                             const struct resource_attempt *refund)
{
    const struct resource_line *of_line = &line->line->line;
    const struct exact_decimal *costs[COST_COUNT] = { &of_line->billed_cost, &of_line->effective_cost,
                                                      &of_line->list_cost, &of_line->contracted_cost };
    mpz_t parts[2][COST_COUNT];
    for (int cost = 0; cost < COST_COUNT; cost++) {
        divide_refund(charges, costs[cost], refund);
        mpz_init_set(parts[0][cost], charges->parts[0]);
        mpz_init_set(parts[1][cost], charges->parts[1]);
    }
    mpz_add(charges->amount, charges->weights[0], charges->weights[1]);
    for (int i = 0; i < 2; i++) {
        struct charge_key key = line_charge_key(line->line, RULE_JOB, i == 0 ? CHARGE_JOB : CHARGE_REFUND,
                                                (uint32_t)line->attempt);
        struct line_part part = { .extra_digits = PART_EXTRA_DIGITS,
                                  .weight = charges->weights[i],
                                  .weights = charges->amount };
        key.is_of_another_statement = i == 0 && corrects_another_statement(of_line, &charges->span);
        for (int cost = 0; cost < COST_COUNT; cost++)
            part.units[cost] = parts[i][cost];
        line_charge_add_part(charges->sink, line->line, &key, &part);
    }
    for (int cost = 0; cost < COST_COUNT; cost++)
        mpz_clears(parts[0][cost], parts[1][cost], NULL);
}

static void add_job_line(struct job_charges *charges, const struct job_line *line)
{
    const struct resource_attempt *refund = &charges->catalogue->refunds[line->attempt];
    if (refund->kept > 0 && refund->refunded > 0) {
        add_divided_line(charges, line, refund);
        return;
    }
    bool is_refund = refund->refunded > 0;
    struct charge_key key = line_charge_key(line->line, RULE_JOB, is_refund ? CHARGE_REFUND : CHARGE_JOB,
                                            (uint32_t)line->attempt);
    key.is_of_another_statement = !is_refund && corrects_another_statement(&line->line->line, &charges->span);
    line_charge_add(charges->sink, line->line, &key);
}

/* ---- Priced time ---- */

static int by_start(const void *one, const void *other)
{
    const struct machine_span *a = one, *b = other;
    return (a->from > b->from) - (a->from < b->from);
}

/* The most time that a managed job can have had: its instances from its start to its end, in the
 * charge periods with priced time. */
static uint64_t instance_microseconds(const struct job_charges *charges, size_t attempt)
{
    const struct named_attempt *times = &charges->catalogue->named_attempts[attempt];
    int64_t counted_to = times->start;
    uint64_t held = 0;
    if (charges->period_count > 1)
        qsort(charges->periods, charges->period_count, sizeof *charges->periods, by_start);
    for (size_t i = 0; i < charges->period_count; i++) {
        int64_t from = charges->periods[i].from > counted_to ? charges->periods[i].from : counted_to;
        int64_t to = charges->periods[i].to < times->end ? charges->periods[i].to : times->end;
        if (from < to) {
            held += (uint64_t)(to - from);
            counted_to = to;
        }
    }
    return held * (uint64_t)charges->catalogue->attempts[attempt].instances;
}

/* Adds the kept and the refunded part of a time, each rounded half up to microseconds. */
static void add_run_parts(struct job_charges *charges, mpq_srcptr time, const struct resource_attempt *run,
                          uint64_t parts[2])
{
    const uint64_t of_run[2] = { run->kept, run->refunded };
    mpz_mul_ui(charges->weights[0], mpq_denref(time), run->kept + run->refunded);
    for (int i = 0; i < 2; i++) {
        mpz_mul_ui(charges->amount, mpq_numref(time), of_run[i]);
        mpz_mul_2exp(charges->amount, charges->amount, 1);
        mpz_add(charges->amount, charges->amount, charges->weights[0]);
        mpz_fdiv_q(charges->amount, charges->amount, charges->weights[0]);
        mpz_fdiv_q_2exp(charges->amount, charges->amount, 1);
        parts[i] += mpz_get_ui(charges->amount);
    }
}

static void add_period(struct job_charges *charges, int64_t from, int64_t to)
{
    charges->periods = array_room(charges->periods, charges->period_count, &charges->period_capacity,
                                  sizeof *charges->periods);
    charges->periods[charges->period_count++] = (struct machine_span){ .from = from, .to = to };
}

/* Adds the time that the lines report, and the charge periods that count. */
static void find_reported_time(struct job_charges *charges, const struct resource_attempt *run,
                               uint64_t parts[2])
{
    const struct resource resource = { .is_job = true,
                                       .lines = charges->timed,
                                       .line_count = charges->timed_count };
    resource_slots_find(&charges->slots, &resource);
    mpq_set_ui(charges->time, 0, 1);
    charges->period_count = 0;
    for (size_t i = 0; i < charges->slots.count; i++) {
        const struct resource_slot *slot = &charges->slots.slots[i];
        if (!slot->is_priced)
            continue;
        add_run_parts(charges, slot->billed, run, parts);
        mpq_add(charges->time, charges->time, slot->billed);
        add_period(charges, slot->start, slot->end);
    }
}

/* Whether the line bills machine time of the attempt's own resource. Otherwise a tag names the
 * attempt. */
static bool bills_own_resource(const struct job_charges *charges, const struct job_line *job_line)
{
    const struct bill_line *line = job_line->line;
    const struct named_candidate *named = charges->catalogue->named + line->class->first_named;
    for (size_t i = 0; bills_machine_time(&line->line) && i < line->class->named_count; i++)
        if (named[i].attempt == job_line->attempt && named[i].is_own)
            return true;
    return false;
}

/* Finds the kept and the refunded part of a job's time on its resource. A managed job has the time
 * of its instances if its lines report much more, or if they report none and are of its own
 * resource: a service may bill cores and accelerators. */
static void find_job_time(struct job_charges *charges, const struct job_line *lines, size_t count,
                          uint64_t parts[2])
{
    size_t attempt = lines[0].attempt;
    const struct resource_attempt *run = &charges->catalogue->refunds[attempt];
    find_reported_time(charges, run, parts);
    if (charges->catalogue->attempts[attempt].instances == 0)
        return;
    bool none_reported = mpq_sgn(charges->time) == 0;
    if (none_reported)
        charges->period_count = 0;
    for (size_t i = 0; none_reported && i < count; i++)
        if (bills_own_resource(charges, &lines[i]))
            add_period(charges, lines[i].line->line.start, lines[i].line->line.end);
    uint64_t had = instance_microseconds(charges, attempt);
    if (none_reported || mpq_cmp_ui(charges->time, 5 * had, 4) > 0) {
        mpq_set_ui(charges->time, had, 1);
        parts[0] = parts[1] = 0;
        add_run_parts(charges, charges->time, run, parts);
    }
}

/* Priced time of one job on its resource. It is recorded on the line `first`. */
static void price_job(struct job_charges *charges, const struct job_line *lines, size_t count,
                      const struct bill_line *first)
{
    uint64_t parts[2] = { 0 };
    find_job_time(charges, lines, count, parts);
    for (int i = 0; i < 2; i++) {
        struct charge_key key =
            line_charge_key(first, RULE_JOB, i == 0 ? CHARGE_JOB : CHARGE_REFUND, (uint32_t)lines[0].attempt);
        if (parts[i] > 0)
            charge_sums_find(charges->sink->sums, &key)->priced += parts[i];
    }
}

static int by_attempt(const void *one, const void *other)
{
    const struct job_line *a = one, *b = other;
    int difference = (a->attempt > b->attempt) - (a->attempt < b->attempt);
    if (difference == 0)
        difference =
            (a->line->class->group > b->line->class->group) - (a->line->class->group < b->line->class->group);
    return difference;
}

static void add_timed_line(struct job_charges *charges, const struct bill_line *line)
{
    charges->timed =
        array_room(charges->timed, charges->timed_count, &charges->timed_capacity, sizeof *charges->timed);
    struct resource_line *timed = &charges->timed[charges->timed_count++];
    *timed = line->line;
    timed->seconds = line->consumed_seconds;
    timed->is_usage = timed->states_time = true;
}

/* Finds the span of a job's machine time, and collects the lines that report how long it was.
 * Returns the line on which the time is recorded: the first of these; without one, the first of the
 * job's own resource; or NULL. */
static const struct bill_line *find_machine_time(struct job_charges *charges, const struct job_line *lines,
                                                 size_t count)
{
    const struct bill_line *timed = NULL, *own = NULL;
    charges->timed_count = 0;
    charges->span = NO_MACHINE_SPAN;
    for (size_t i = 0; i < count; i++) {
        const struct bill_line *line = lines[i].line;
        if (!bills_machine_time(&line->line))
            continue;
        machine_span_add(&charges->span, &line->line);
        if (line->has_consumed_time) {
            add_timed_line(charges, line);
            timed = timed != NULL ? timed : line;
        } else if (own == NULL && bills_own_resource(charges, &lines[i])) {
            own = line;
        }
    }
    return timed != NULL ? timed : own;
}

/* Charges the lines of one job. */
static void charge_job(struct job_charges *charges, const struct job_line *lines, size_t count)
{
    const struct bill_line *first = find_machine_time(charges, lines, count);
    for (size_t i = 0; i < count; i++)
        add_job_line(charges, &lines[i]);
    if (first != NULL)
        price_job(charges, lines, count, first);
}

void job_charges_take(struct job_charges *charges)
{
    if (charges->line_count > 1)
        qsort(charges->lines, charges->line_count, sizeof *charges->lines, by_attempt);
    for (size_t first = 0, end; first < charges->line_count; first = end) {
        end = first + 1;
        while (end < charges->line_count && charges->lines[end].attempt == charges->lines[first].attempt)
            end++;
        charge_job(charges, &charges->lines[first], end - first);
    }
    charges->line_count = 0;
}
