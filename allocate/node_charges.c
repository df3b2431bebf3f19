/* allocate/node_charges.c: see node_charges.h. */
#define _GNU_SOURCE /* qsort_r */
#include "allocate/node_charges.h"

#include "allocate/array_room.h"
#include "allocate/job_charges.h"
#include "allocate/line_charge.h"
#include "allocate/machine_span.h"
#include "model/allocation/number_array.h"

#include <stdlib.h>
#include <string.h>

/* When an attempt had machine time on the node. */
struct attempt_span {
    size_t attempt;
    struct machine_span span;
};

struct node_charges {
    const struct catalogue *catalogue;
    struct charge_sink sink;
    struct resource_merge *merge;
    struct resource_slots slots;
    struct job_charges *jobs;

    /* lines of rule 2 copied into one array, and the lines that they are copies of */
    struct resource_line *node_lines;
    const struct bill_line **origins;
    size_t node_line_count, node_line_capacity;
    mpz_t *corrected; /* for each Correction, the time that it corrects */
    size_t corrected_capacity;
    struct resource_hold *holds;
    size_t hold_count, hold_capacity;
    struct attempt_span *attempt_spans;
    size_t attempt_span_count, attempt_span_capacity;
    uint32_t *span_places; /* for each attempt, its index in attempt_spans + 1; 0: none */

    bool *centre_classes;  /* for each class, whether a whole line of it went to a cost centre */
    size_t first_presence; /* of the current resource */
    /* the slot whose excess was counted last; each slot counts once */
    const struct resource_slot *counted;

    struct billed_span *spans;
    size_t span_count, span_capacity;
    struct node_excess *excess;
    size_t excess_count, excess_capacity;
};

struct node_charges *node_charges_open(const struct catalogue *catalogue)
{
    struct node_charges *charges = calloc(1, sizeof *charges);
    charges->catalogue = catalogue;
    charges->centre_classes = calloc(catalogue->class_count + 1, sizeof *charges->centre_classes);
    charges->span_places = calloc(catalogue->attempt_count + 1, sizeof *charges->span_places);
    charges->sink.catalogue = catalogue;
    charges->sink.sums = charge_sums_open();
    charges->sink.class_sums = charge_sums_open();
    charges->jobs = job_charges_open(catalogue, &charges->sink);
    charges->merge = resource_merge_open();
    resource_slots_open(&charges->slots);
    return charges;
}

void node_charges_close(struct node_charges *charges)
{
    if (charges == NULL)
        return;
    job_charges_close(charges->jobs);
    charge_sums_close(charges->sink.sums);
    charge_sums_close(charges->sink.class_sums);
    resource_merge_close(charges->merge);
    resource_slots_close(&charges->slots);
    for (size_t i = 0; i < charges->excess_count; i++)
        mpq_clear(charges->excess[i].microseconds);
    number_array_free(charges->corrected, charges->corrected_capacity);
    free(charges->centre_classes);
    free(charges->node_lines);
    free(charges->origins);
    free(charges->holds);
    free(charges->attempt_spans);
    free(charges->span_places);
    free(charges->spans);
    free(charges->excess);
    free(charges);
}

void node_charges_show_parts(struct node_charges *charges, line_part_seer *see, void *context)
{
    charges->sink.see = see;
    charges->sink.context = context;
}

struct charge_sums *node_charges_sums(const struct node_charges *charges)
{
    return charges->sink.sums;
}

struct charge_sums *node_charges_class_sums(const struct node_charges *charges)
{
    return charges->sink.class_sums;
}

const struct billed_span *node_charges_spans(const struct node_charges *charges, size_t *count)
{
    *count = charges->span_count;
    return charges->spans;
}

const struct node_excess *node_charges_excess(const struct node_charges *charges, size_t *count)
{
    *count = charges->excess_count;
    return charges->excess;
}

bool node_charges_centre_class(const struct node_charges *charges, size_t class)
{
    return charges->centre_classes[class];
}

/* ---- Rules 0 and 3 to 5 ---- */

static bool is_separate(const struct bill_line *line)
{
    return line->class->is_tax ||
           (line->class->is_purchase_of_commitment && mpz_sgn(line->line.effective_cost.units) == 0);
}

static void add_by_class(struct node_charges *charges, const struct bill_line *line, bool names_several)
{
    const struct line_class *class = line->class;
    struct charge_key key;
    if (class->pool != 0)
        key = line_charge_key(line, RULE_POOL, CHARGE_POOL, class->pool);
    else if (class->cost_centre != 0)
        key = line_charge_key(line, RULE_COST_CENTRE, CHARGE_COST_CENTRE, class->cost_centre);
    else
        key = line_charge_key(line, RULE_NONE, CHARGE_UNALLOCATED, names_several);
    if (key.rule == RULE_COST_CENTRE)
        charges->centre_classes[class - charges->catalogue->classes] = true;
    line_charge_add(&charges->sink, line, &key);
}

bool node_charges_wants(const struct catalogue *catalogue, const struct line_class *class)
{
    size_t first;
    return class->named_count > 0 ||
           (class->node != 0 && catalogue_presences(catalogue, class->node, &first) > 0);
}

void node_charges_take_line(struct node_charges *charges, const struct bill_line *line)
{
    if (is_separate(line)) {
        struct charge_key key =
            line_charge_key(line, RULE_SEPARATE, line->class->is_tax ? CHARGE_TAX : CHARGE_PREPAID, 0);
        line_charge_add(&charges->sink, line, &key);
    } else {
        add_by_class(charges, line, false);
    }
}

/* ---- Machine time of attempts on the node ---- */

static struct machine_span span_of(const struct node_charges *charges, size_t attempt)
{
    uint32_t place = charges->span_places[attempt];
    return place == 0 ? NO_MACHINE_SPAN : charges->attempt_spans[place - 1].span;
}

static void forget_spans(struct node_charges *charges)
{
    for (size_t i = 0; i < charges->attempt_span_count; i++)
        charges->span_places[charges->attempt_spans[i].attempt] = 0;
    charges->attempt_span_count = 0;
}

static void add_to_span(struct node_charges *charges, size_t attempt, const struct resource_line *line)
{
    uint32_t *place = &charges->span_places[attempt];
    if (*place == 0) {
        charges->attempt_spans = array_room(charges->attempt_spans, charges->attempt_span_count,
                                            &charges->attempt_span_capacity, sizeof *charges->attempt_spans);
        charges->attempt_spans[charges->attempt_span_count++] =
            (struct attempt_span){ .attempt = attempt, .span = NO_MACHINE_SPAN };
        *place = (uint32_t)charges->attempt_span_count;
    }
    machine_span_add(&charges->attempt_spans[*place - 1].span, line);
}

/* ---- Rule 2 ---- */

/* The excess of a node. The slots of a node are consecutive, so the last entry is tried first. */
static struct node_excess *excess_of(struct node_charges *charges, uint32_t node)
{
    for (size_t i = charges->excess_count; i-- > 0;) {
        if (charges->excess[i].node == node)
            return &charges->excess[i];
    }
    charges->excess = array_room(charges->excess, charges->excess_count, &charges->excess_capacity,
                                 sizeof *charges->excess);
    struct node_excess *added = &charges->excess[charges->excess_count++];
    added->node = node;
    mpq_init(added->microseconds);
    return added;
}

static void count_excess(struct node_charges *charges, const struct resource_part *part)
{
    uint32_t node =
        charges->catalogue->presences[charges->first_presence + part->slot->present.presence].name;
    if (part->slot == charges->counted || mpq_sgn(part->excess) == 0)
        return;
    charges->counted = part->slot;
    struct node_excess *excess = excess_of(charges, node);
    mpq_add(excess->microseconds, excess->microseconds, part->excess);
}

static struct charge_key key_of_part(struct node_charges *charges, const struct resource_part *part,
                                     const struct bill_line *line)
{
    struct charge_key key = line_charge_key(line, RULE_NODE, CHARGE_JOB, (uint32_t)part->attempt);
    if (part->target == PART_ATTEMPT) {
        struct machine_span span = span_of(charges, part->attempt);
        key.is_of_another_statement = corrects_another_statement(&line->line, &span);
    } else if (part->target == PART_REFUND) {
        key.target = CHARGE_REFUND;
    } else {
        size_t presence = charges->first_presence + part->slot->present.presence;
        uint32_t pool = part->target == PART_IDLE
                            ? catalogue_idle_pool(charges->catalogue, presence, line->line.start)
                            : 0;
        key.node = (uint64_t)line->class->node;
        key.target = pool != 0 ? CHARGE_POOL : CHARGE_UNALLOCATED;
        key.payer = pool != 0
                        ? pool
                        : (part->target == PART_IDLE ? REASON_IDLE_WITHOUT_POOL : REASON_WITHOUT_JOB_RECORDS);
    }
    return key;
}

static void take_node_part(const struct resource_part *part, void *context)
{
    struct node_charges *charges = context;
    const struct bill_line *line = charges->origins[part->line];
    struct charge_key key = key_of_part(charges, part, line);
    struct line_part of_line = {
        .extra_digits = part->extra_digits, .weight = part->weight, .weights = part->weights, .timed = part
    };
    memcpy(of_line.units, part->units, sizeof of_line.units);
    struct charge *charge = line_charge_add_part(&charges->sink, line, &key, &of_line);
    if (part->is_priced)
        charge->priced += part->microseconds;
    count_excess(charges, part);
}

/* Records the span of each attempt's machine time on the node. */
static void take_span(const struct resource_part *part, void *context)
{
    struct node_charges *charges = context;
    const struct resource_line *line = &charges->node_lines[part->line];
    if (part->target == PART_ATTEMPT && bills_machine_time(line))
        add_to_span(charges, part->attempt, line);
}

static uint64_t greatest_common_divisor(uint64_t one, uint64_t other)
{
    while (other != 0) {
        uint64_t rest = one % other;
        one = other;
        other = rest;
    }
    return one;
}

/* The attempt's share of the node: its share of the accelerators, or else of the CPUs, or else
 * the whole node. */
static void find_share(const struct catalogue *catalogue, const struct catalogue_presence *presence,
                       const struct node_hold *hold, struct resource_hold *held)
{
    const struct catalogue_attempt *attempt = &catalogue->attempts[hold->attempt];
    int64_t part = 1, whole = 1;
    if (presence->accelerators > 0 && hold->accelerators >= 0) {
        part = hold->accelerators;
        whole = presence->accelerators;
    } else if (presence->accelerators > 0 && attempt->bare_cpus >= 0 &&
               (presence->cpus == 0 || attempt->bare_cpus < presence->cpus)) {
        part = 0;
    } else if (presence->cpus > 0 && hold->cpus >= 0) {
        part = hold->cpus;
        whole = presence->cpus;
    }
    if (part > whole)
        part = whole;
    uint64_t divisor = greatest_common_divisor((uint64_t)whole, (uint64_t)part);
    held->share_numerator = (uint64_t)part / divisor;
    held->share_divisor = (uint64_t)whole / divisor;
}

static int by_start(const void *one, const void *other)
{
    const struct resource_hold *a = one, *b = other;
    return (a->start > b->start) - (a->start < b->start);
}

/* Finds the holds of the resource within each row of its inventory. */
static void find_holds(struct node_charges *charges, size_t presence_count, const struct node_hold *holds,
                       size_t count)
{
    const struct catalogue *catalogue = charges->catalogue;
    charges->hold_count = 0;
    for (size_t i = charges->first_presence; i < charges->first_presence + presence_count; i++) {
        const struct catalogue_presence *presence = &catalogue->presences[i];
        const struct resource_presence *times = &catalogue->presence_times[i];
        for (size_t j = 0; j < count; j++) {
            const struct node_hold *hold = &holds[j];
            if (hold->cluster != presence->cluster || hold->node_name != presence->node_name ||
                hold->start >= times->to || hold->end <= times->from)
                continue;
            charges->holds = array_room(charges->holds, charges->hold_count, &charges->hold_capacity,
                                        sizeof *charges->holds);
            struct resource_hold *held = &charges->holds[charges->hold_count++];
            held->start = hold->start > times->from ? hold->start : times->from;
            held->end = hold->end < times->to ? hold->end : times->to;
            held->attempt = hold->attempt;
            find_share(catalogue, presence, hold, held);
        }
    }
    if (presence_count > 1 && charges->hold_count > 0)
        qsort(charges->holds, charges->hold_count, sizeof *charges->holds, by_start);
}

/* Sets `seconds` to `time` microseconds. */
static void set_seconds(struct exact_decimal *seconds, mpq_srcptr time)
{
    mpz_t rest, divisor;
    mpz_inits(rest, divisor, NULL);
    mpz_mul_ui(divisor, mpq_denref(time), 1000000);
    mpz_set(seconds->units, mpq_numref(time));
    seconds->scale = 0;
    for (mpz_fdiv_r(rest, seconds->units, divisor); mpz_sgn(rest) != 0; seconds->scale++) {
        mpz_mul_ui(seconds->units, seconds->units, 10);
        mpz_fdiv_r(rest, seconds->units, divisor);
    }
    mpz_divexact(seconds->units, seconds->units, divisor);
    mpz_clears(rest, divisor, NULL);
}

static void add_node_line(struct node_charges *charges, const struct resource_line *line,
                          const struct bill_line *origin)
{
    size_t capacity = charges->node_line_capacity;
    charges->node_lines =
        array_room(charges->node_lines, charges->node_line_count, &capacity, sizeof *charges->node_lines);
    charges->origins = array_room((void *)charges->origins, charges->node_line_count,
                                  &charges->node_line_capacity, sizeof(struct bill_line *));
    charges->node_lines[charges->node_line_count] = *line;
    charges->origins[charges->node_line_count++] = origin;
}

static void set_corrected_times(struct node_charges *charges, const struct resource_slot *slot)
{
    if (charges->corrected_capacity < charges->node_line_capacity) {
        charges->corrected =
            number_array_grow(charges->corrected, charges->corrected_capacity, charges->node_line_capacity);
        charges->corrected_capacity = charges->node_line_capacity;
    }
    for (size_t i = slot->first; i < slot->first + slot->count; i++) {
        size_t place = charges->slots.order[i];
        struct resource_line *line = &charges->node_lines[place];
        if (!line->is_correction)
            continue;
        struct exact_decimal seconds;
        seconds.units[0] = charges->corrected[place][0];
        set_seconds(&seconds, slot->billed);
        charges->corrected[place][0] = seconds.units[0];
        line->corrected_seconds = seconds;
        line->has_corrected_seconds = true;
    }
}

/* A Correction uses the time that was billed for the lines that it corrects. That time follows
 * from these lines and the lines of earlier statements together. */
static void find_corrected_times(struct node_charges *charges, struct resource *resource, int64_t node)
{
    size_t first, earlier = catalogue_earlier(charges->catalogue, node, &first),
                  own = charges->node_line_count;
    if (earlier == 0)
        return;
    for (size_t i = first; i < first + earlier; i++)
        add_node_line(charges, &charges->catalogue->earlier_lines[i], NULL);
    resource->lines = charges->node_lines;
    resource->line_count = charges->node_line_count;
    resource_slots_find(&charges->slots, resource);
    for (size_t i = 0; i < charges->slots.count; i++)
        set_corrected_times(charges, &charges->slots.slots[i]);
    charges->node_line_count = own;
}

static bool has_hardware_corrections(const struct node_charges *charges)
{
    for (size_t i = 0; i < charges->node_line_count; i++) {
        if (charges->node_lines[i].is_correction && charges->node_lines[i].is_hardware)
            return true;
    }
    return false;
}

/* Adds the time for which hardware lines name the node. */
static void add_billed_spans(struct node_charges *charges, size_t presence_count,
                             const struct resource_line *line)
{
    for (size_t i = charges->first_presence; i < charges->first_presence + presence_count; i++) {
        const struct resource_presence *row = &charges->catalogue->presence_times[i];
        int64_t from = line->start > row->from ? line->start : row->from;
        int64_t to = line->end < row->to ? line->end : row->to;
        if (from >= to)
            continue;
        struct billed_span *last = charges->span_count > 0 ? &charges->spans[charges->span_count - 1] : NULL;
        if (last != NULL && last->presence == i && last->from <= from && from <= last->to) {
            last->to = to > last->to ? to : last->to;
            continue;
        }
        charges->spans =
            array_room(charges->spans, charges->span_count, &charges->span_capacity, sizeof *charges->spans);
        charges->spans[charges->span_count++] =
            (struct billed_span){ .presence = (uint32_t)i, .from = from, .to = to };
    }
}

static int line_by_start(const void *one, const void *other, void *context)
{
    const struct resource_line *lines = context;
    int64_t a = lines[*(const size_t *)one].start, b = lines[*(const size_t *)other].start;
    return (a > b) - (a < b);
}

static void find_billed_spans(struct node_charges *charges, size_t presence_count)
{
    size_t *order = malloc((charges->node_line_count + 1) * sizeof *order), count = 0;
    for (size_t i = 0; i < charges->node_line_count; i++) {
        if (charges->node_lines[i].is_hardware && !charges->node_lines[i].is_correction)
            order[count++] = i;
    }
    if (count > 1)
        qsort_r(order, count, sizeof *order, line_by_start, charges->node_lines);
    for (size_t i = 0; i < count; i++)
        add_billed_spans(charges, presence_count, &charges->node_lines[order[i]]);
    free(order);
}

static void charge_node(struct node_charges *charges, int64_t node, size_t presence_count,
                        const struct node_hold *holds, size_t hold_count)
{
    struct resource resource = { .presences = &charges->catalogue->presence_times[charges->first_presence],
                                 .presence_count = presence_count,
                                 .attempts = charges->catalogue->refunds,
                                 .attempt_count = charges->catalogue->attempt_count };
    if (charges->node_line_count == 0)
        return;
    find_holds(charges, presence_count, holds, hold_count);
    find_corrected_times(charges, &resource, node);
    resource.lines = charges->node_lines;
    resource.line_count = charges->node_line_count;
    resource.holds = charges->holds;
    resource.hold_count = charges->hold_count;
    forget_spans(charges);
    charges->counted = NULL;
    if (has_hardware_corrections(charges))
        resource_merge(charges->merge, &resource, take_span, charges);
    resource_merge(charges->merge, &resource, take_node_part, charges);
    find_billed_spans(charges, presence_count);
}

/* ---- A resource ---- */

/* Charges the line by the first rule that matches. */
static void place_line(struct node_charges *charges, const struct bill_line *line, size_t presence_count)
{
    const struct catalogue *catalogue = charges->catalogue;
    const struct line_class *class = line->class;
    struct resource inventory = { .presences = &catalogue->presence_times[charges->first_presence],
                                  .presence_count = presence_count };
    if (is_separate(line)) {
        node_charges_take_line(charges, line);
        return;
    }
    size_t attempt = named_job(catalogue->named_attempts, catalogue->named + class->first_named,
                               class->named_count, line->line.start, line->line.end, class->is_hardware);
    if (attempt < SEVERAL_JOBS) {
        job_charges_add(charges->jobs, attempt, line);
    } else if (presence_count > 0 &&
               resource_present(&inventory, line->line.start, line->line.end).is_known) {
        add_node_line(charges, &line->line, line);
    } else {
        add_by_class(charges, line, attempt == SEVERAL_JOBS);
    }
}

void node_charges_take(struct node_charges *charges, struct bill_line *const *lines, size_t count,
                       const struct node_hold *holds, size_t hold_count)
{
    int64_t node = lines[0]->class->node;
    size_t presence_count =
        node == 0 ? 0 : catalogue_presences(charges->catalogue, node, &charges->first_presence);
    if (presence_count == 0)
        charges->first_presence = 0;
    charges->node_line_count = 0;
    for (size_t i = 0; i < count; i++)
        place_line(charges, lines[i], presence_count);
    charge_node(charges, node, presence_count, holds, hold_count);
    job_charges_take(charges->jobs);
}
