/* tests/unit/charges_page.h: what the tests of charges share: a catalogue made by hand, lines and
 * holds, and the charges that come out. No database.
 *
 * Times are minutes of a month, money is written in cents. */
#ifndef KSTAR_TESTS_UNIT_CHARGES_PAGE_H
#define KSTAR_TESTS_UNIT_CHARGES_PAGE_H

#include "allocate/node_charges.h"
#include "tests/unit/model_test.h"

#define MINUTE INT64_C(60000000)
#define CENT   1000000L /* what charges are compared in: 10^-8 */

enum { CLASSES = 8, ATTEMPTS = 4, PRESENCES = 4, LINES = 24, HOLDS = 8, NO_TIME = -1 };
enum { NODE = 100, OTHER_NODE = 200 };                                    /* resources */
enum { NO_NAME, CLUSTER, OTHER_CLUSTER, NAME, OTHER_NAME, POOL, CENTRE }; /* names */

struct page {
    struct catalogue catalogue;
    struct line_class classes[CLASSES];
    struct named_candidate named[CLASSES * ATTEMPTS];
    struct catalogue_attempt attempts[ATTEMPTS];
    struct named_attempt named_attempts[ATTEMPTS];
    struct resource_attempt refunds[ATTEMPTS];
    struct catalogue_presence presences[PRESENCES];
    struct resource_presence presence_times[PRESENCES];
    struct resource_line earlier_lines[LINES];
    int64_t earlier_nodes[LINES];
    struct bill_line lines[LINES];
    size_t line_count;
    struct node_hold holds[HOLDS];
    size_t hold_count;
    struct node_charges *charges;
};

static inline int set_up(void **state)
{
    struct page *page = calloc(1, sizeof *page);
    page->catalogue.classes = page->classes;
    page->catalogue.named = page->named;
    page->catalogue.attempts = page->attempts;
    page->catalogue.named_attempts = page->named_attempts;
    page->catalogue.refunds = page->refunds;
    page->catalogue.attempt_count = ATTEMPTS;
    page->catalogue.presences = page->presences;
    page->catalogue.presence_times = page->presence_times;
    page->catalogue.earlier_lines = page->earlier_lines;
    page->catalogue.earlier_nodes = page->earlier_nodes;
    for (size_t i = 0; i < ATTEMPTS; i++) {
        page->attempts[i].bare_cpus = -1;
        page->named_attempts[i] =
            (struct named_attempt){ .id = 10 * (int64_t)i, .end = 60 * MINUTE, .cluster = CLUSTER };
        page->refunds[i] = (struct resource_attempt){ .kept = 1 };
    }
    *state = page;
    return 0;
}

/* The lines go, the catalogue stays. */
static inline void forget_lines(struct page *page)
{
    for (size_t i = 0; i < page->line_count; i++)
        bill_line_close(&page->lines[i]);
    page->line_count = page->hold_count = 0;
    node_charges_close(page->charges);
    page->charges = NULL;
}

static inline void forget_earlier_lines(struct page *page)
{
    for (size_t i = 0; i < page->catalogue.earlier_count; i++)
        mpz_clear(page->earlier_lines[i].seconds.units);
    page->catalogue.earlier_count = 0;
}

static inline int tear_down(void **state)
{
    struct page *page = *state;
    forget_lines(page);
    forget_earlier_lines(page);
    free(page);
    return 0;
}

/* ---- What is known before the lines ---- */

/* Hardware of a resource, by the minute, of a line group of its own. */
static inline struct line_class *add_class(struct page *page, int64_t node)
{
    uint32_t place = page->catalogue.class_count++;
    page->classes[place] = (struct line_class){ .node = node,
                                                .charge_group = place,
                                                .group = place,
                                                .source = 1,
                                                .sku_id = 1,
                                                .consumed_unit_seconds = 60,
                                                .is_usage = true,
                                                .is_hardware = true };
    return &page->classes[place];
}

/* The lines of the class name the attempt; the last class to name one names the next, too. */
static inline void add_named(struct page *page, struct line_class *class, size_t attempt, bool is_own)
{
    if (class->named_count++ == 0)
        class->first_named = page->catalogue.named_count;
    page->named[page->catalogue.named_count++] =
        (struct named_candidate){ .attempt = attempt, .is_own = is_own };
}

/* A class whose lines bill a resource of attempt 0 alone. */
static inline struct line_class *add_job_class(struct page *page)
{
    struct line_class *class = add_class(page, OTHER_NODE);
    add_named(page, class, 0, true);
    return class;
}

/* ---- Lines and holds ---- */

static inline void set_cost(struct exact_decimal *cost, long units, unsigned scale)
{
    mpz_set_si(cost->units, units);
    cost->scale = scale;
}

static inline void set_costs(struct bill_line *line, long billed, long effective, long listed,
                             long contracted)
{
    set_cost(&line->line.billed_cost, billed, 2);
    set_cost(&line->line.effective_cost, effective, 2);
    set_cost(&line->line.list_cost, listed, 2);
    set_cost(&line->line.contracted_cost, contracted, 2);
}

/* units / 10^scale minutes */
static inline void consume(struct bill_line *line, long units, unsigned scale)
{
    struct exact_decimal minutes;
    mpz_init_set_si(minutes.units, units);
    minutes.scale = scale;
    bill_line_set_time(line, &minutes, NULL);
    mpz_clear(minutes.units);
}

/* A line of all costs alike that consumed so many minutes. */
static inline struct bill_line *add_line(struct page *page, const struct line_class *class, int64_t from,
                                         int64_t to, long cents, long minutes)
{
    struct bill_line *line = &page->lines[page->line_count++];
    bill_line_open(line);
    line->class = class;
    line->line.start = from * MINUTE;
    line->line.end = to * MINUTE;
    line->line.source = class->source;
    line->line.sku = class->sku_id;
    line->line.is_usage = class->is_usage;
    line->line.is_correction = class->is_correction;
    line->line.is_hardware = class->is_hardware;
    set_costs(line, cents, cents, cents, cents);
    if (minutes != NO_TIME)
        consume(line, minutes, 0);
    return line;
}

/* ---- Charges ---- */

/* All lines so far are those of one resource. */
static inline void take(struct page *page)
{
    struct bill_line *lines[LINES];
    for (size_t i = 0; i < page->line_count; i++)
        lines[i] = &page->lines[i];
    if (page->charges == NULL)
        page->charges = node_charges_open(&page->catalogue);
    node_charges_take(page->charges, lines, page->line_count, page->holds, page->hold_count);
}

/* The only one of a payer among these, or NULL. */
static inline const struct charge *only_charge(struct charge_sums *sums, enum charge_target target,
                                               uint32_t payer)
{
    const struct charge *found = NULL;
    for (size_t i = 0; i < charge_sums_count(sums); i++) {
        const struct charge *charge = charge_sums_at(sums, i);
        if (charge->key.target == target && charge->key.payer == payer) {
            assert_null(found);
            found = charge;
        }
    }
    return found;
}

static inline const struct charge *charge_of(const struct page *page, enum charge_target target,
                                             uint32_t payer)
{
    return only_charge(node_charges_sums(page->charges), target, payer);
}

static inline const struct charge *class_charge_of(const struct page *page, enum charge_target target,
                                                   uint32_t payer)
{
    return only_charge(node_charges_class_sums(page->charges), target, payer);
}

static inline size_t charge_count(const struct page *page)
{
    return charge_sums_count(node_charges_sums(page->charges));
}

/* In 10^-8, which is as far as cents with several payers are divided. */
static inline long money(const struct exact_decimal *amount)
{
    mpz_t units;
    assert_true(amount->scale <= 8);
    mpz_init(units);
    mpz_ui_pow_ui(units, 10, 8 - amount->scale);
    mpz_mul(units, units, amount->units);
    long value = mpz_get_si(units);
    mpz_clear(units);
    return value;
}

/* What a payer pays, and its priced time. */
static inline const struct charge *assert_charge_at(const struct charge *charge, long units,
                                                    double priced_minutes, const char *file, int line)
{
    if (charge == NULL) {
        print_error("there is no such charge\n");
        _fail(file, line);
        return NULL;
    }
    _assert_int_equal((uintmax_t)money(&charge->costs[COST_BILLED]), (uintmax_t)units, file, line);
    _assert_int_equal((uintmax_t)money(&charge->costs[COST_EFFECTIVE]), (uintmax_t)units, file, line);
    assert_within_at((double)charge->priced, priced_minutes * 60e6, 1e-9, "priced time", file, line);
    return charge;
}
#define assert_charge(charge, units, priced_minutes)                                                         \
    assert_charge_at((charge), (units), (priced_minutes), __FILE__, __LINE__)

/* Spans of billed time, of all nodes. */
static inline size_t span_count(const struct page *page)
{
    size_t count;
    node_charges_spans(page->charges, &count);
    return count;
}

#define PAGE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

#endif
