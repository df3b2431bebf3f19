/* Lines of jobs to charges, by hand (rule 1). */
#include "charges_page.h"

static void a_jobs_own_line_is_the_jobs(void **state)
{
    struct page *page = *state;
    set_costs(add_line(page, add_job_class(page), 0, 60, 0, 30), 300, 240, 400, 360);
    page->lines[0].is_unlisted = true;
    take(page);
    const struct charge *charge = charge_of(page, CHARGE_JOB, 0);
    assert_int_equal(charge_count(page), 1);
    assert_int_equal(money(&charge->costs[COST_BILLED]), 300 * CENT);
    assert_int_equal(money(&charge->costs[COST_EFFECTIVE]), 240 * CENT);
    assert_int_equal(charge->costs[COST_BILLED].scale, 2); /* as it is written */
    assert_int_equal(charge->priced, 30 * MINUTE);
    assert_int_equal(charge->key.rule, 1);
    assert_int_equal(charge->line_count, 1);
    assert_int_equal(span_count(page), 0);
}

static void several_instances_of_a_job_have_more_than_the_charge_period(void **state)
{
    struct page *page = *state;
    struct line_class *class = add_job_class(page);
    add_line(page, class, 0, 60, 300, 180);
    add_line(page, class, 0, 60, 100, 20);
    add_line(page, class, 60, 120, 100, 60);
    take(page);
    assert_charge(charge_of(page, CHARGE_JOB, 0), 500 * CENT, 180 + 20 + 60);
}

static void of_several_skus_of_a_job_the_longest_counts(void **state)
{
    struct page *page = *state;
    struct line_class *class = add_job_class(page), *memory = add_job_class(page);
    memory->charge_group = memory->group = class->group;
    memory->sku_id = 2;
    add_line(page, class, 0, 60, 100, 70);
    add_line(page, memory, 0, 60, 100, 40);
    add_line(page, class, 0, 60, 100, 70);
    add_line(page, memory, 0, 60, 100, 60);
    take(page);
    assert_charge(charge_of(page, CHARGE_JOB, 0), 400 * CENT, 140);
}

static void nested_time_of_a_job_counts_once(void **state)
{
    struct page *page = *state;
    struct line_class *class = add_job_class(page);
    add_line(page, class, 0, 60, 100, 60);
    add_line(page, class, 60, 120, 100, 60);
    add_line(page, class, 0, 1440, 100, 100); /* a licence of less than the hours inside */
    take(page);
    assert_charge(charge_of(page, CHARGE_JOB, 0), 300 * CENT, 120);
}

/* The second line lies inside the first and the third; the first reports nothing. */
static void a_job_has_no_time_but_what_its_own_lines_report(void **state)
{
    struct page *page = *state;
    struct line_class *class = add_job_class(page);
    add_line(page, class, 0, 100, 100, 0);
    add_line(page, class, 60, 90, 100, 30);
    add_line(page, class, 50, 150, 100, 90);
    take(page);
    assert_charge(charge_of(page, CHARGE_JOB, 0), 300 * CENT, 90);
}

static void a_moment_at_the_end_of_an_hour_is_not_inside_it(void **state)
{
    struct page *page = *state;
    struct line_class *class = add_job_class(page);
    add_line(page, class, 0, 60, 100, 60);
    add_line(page, class, 60, 60, 100, 10);
    add_line(page, class, 30, 30, 100, 5); /* this one is */
    take(page);
    assert_charge(charge_of(page, CHARGE_JOB, 0), 300 * CENT, 70);
}

static void what_takes_time_back_or_is_no_machine_is_not_priced(void **state)
{
    struct page *page = *state;
    struct line_class *class = add_job_class(page), *fee = add_job_class(page),
                      *correction = add_job_class(page);
    fee->is_hardware = false;
    correction->is_correction = true;
    add_line(page, class, 0, 60, 300, 60);
    add_line(page, class, 0, 60, -100, 40);
    add_line(page, class, 60, 120, 100, NO_TIME);
    add_line(page, fee, 60, 120, 10, 60);
    add_line(page, correction, 30, 90, -20, 60);
    add_line(page, correction, 120, 180, -30, 60);
    take(page);
    struct charge_sums *sums = node_charges_sums(page->charges);
    assert_int_equal(charge_sums_count(sums), 4);
    for (size_t i = 0; i < 4; i++) {
        const struct charge *charge = charge_sums_at(sums, i);
        if (charge->key.group == class->group)
            assert_charge(charge, 300 * CENT, 60);
        else if (charge->key.group == fee->group)
            assert_charge(charge, 10 * CENT, 0);
        else
            assert_charge(charge, charge->key.is_of_another_statement ? -30 * CENT : -20 * CENT, 0);
    }
}

/* Usage that a commitment covers is billed at nothing; what was prepaid costs nothing later. */
static void free_lines_are_priced(void **state)
{
    struct page *page = *state;
    struct line_class *class = add_job_class(page);
    set_costs(add_line(page, class, 0, 60, 0, 60), 0, 100, 100, 100);
    set_costs(add_line(page, class, 60, 120, 0, 60), 100, 0, 100, 100);
    set_costs(add_line(page, class, 120, 180, 0, 60), 0, 0, 0, 0);
    take(page);
    assert_int_equal(charge_of(page, CHARGE_JOB, 0)->priced, 180 * MINUTE);
}

static void a_quantity_below_zero_counts_without_its_sign(void **state)
{
    struct page *page = *state;
    add_line(page, add_job_class(page), 0, 60, 300, -45);
    take(page);
    assert_charge(charge_of(page, CHARGE_JOB, 0), 300 * CENT, 45);
}

/* 0.4000001 minutes are 24000006 microseconds; 0.00000001 minutes are 0.6 microseconds. */
static void priced_time_of_a_job_is_rounded_half_up_to_microseconds(void **state)
{
    struct page *page = *state;
    struct line_class *class = add_job_class(page);
    consume(add_line(page, class, 0, 60, 1, 0), 4000001, 7);
    consume(add_line(page, class, 60, 120, 1, 0), 1, 8);
    take(page);
    assert_int_equal(charge_of(page, CHARGE_JOB, 0)->priced, 24000007);
    forget_lines(page);
    consume(add_line(page, class, 60, 120, 1, 0), 1, 8);
    take(page);
    assert_int_equal(charge_of(page, CHARGE_JOB, 0)->priced, 1);
}

static void a_part_of_a_jobs_line_is_refunded(void **state)
{
    struct page *page = *state;
    struct line_class *class = add_job_class(page);
    page->refunds[0] = (struct resource_attempt){ .kept = 2, .refunded = 1 };
    set_costs(add_line(page, class, 0, 60, 0, 60), 200, 200, -100, 40);
    page->lines[0].is_unlisted = true;
    take(page);
    const struct charge *kept = charge_of(page, CHARGE_JOB, 0), *refunded = charge_of(page, CHARGE_REFUND, 0);
    const struct charge *class_kept = class_charge_of(page, CHARGE_JOB, NO_NAME),
                        *class_refunded = class_charge_of(page, CHARGE_POOL, NO_NAME);
    assert_charge(kept, 133333333, 40);
    assert_charge(refunded, 66666667, 20);
    assert_int_equal(money(&class_kept->costs[COST_LIST]), -66666667);
    assert_int_equal(money(&class_refunded->costs[COST_LIST]), -33333333);
    assert_int_equal(money(&class_kept->costs[COST_CONTRACTED]), 26666667);
    assert_int_equal(money(&class_refunded->costs[COST_CONTRACTED]), 13333333);
    assert_int_equal(refunded->key.rule, 1);
    assert_int_equal(class_kept->unlisted_count + class_refunded->unlisted_count, 2);
    assert_int_equal(kept->line_count + refunded->line_count, 2);
    assert_int_equal(money(&refunded->charged_cost), 66666667);
}

static void a_jobs_line_of_which_all_is_refunded_is_the_pools(void **state)
{
    struct page *page = *state;
    struct line_class *class = add_job_class(page), *correction = add_job_class(page);
    correction->is_correction = true;
    page->refunds[0] = (struct resource_attempt){ .refunded = 7 };
    add_line(page, class, 0, 60, 200, 60);
    take(page);
    assert_int_equal(charge_count(page), 1);
    const struct charge *charge = assert_charge(charge_of(page, CHARGE_REFUND, 0), 200 * CENT, 60);
    assert_int_equal(charge->costs[COST_BILLED].scale, 2);
    forget_lines(page);
    add_line(page, correction, 0, 60, -10, NO_TIME);
    take(page);
    assert_false(charge_of(page, CHARGE_REFUND, 0)->key.is_of_another_statement); /* the pool has no price */
    forget_lines(page);
    page->refunds[0] = (struct resource_attempt){ .refunded = 1 }; /* a run without length */
    add_line(page, class, 0, 60, 200, 60);
    take(page);
    assert_int_equal(charge_count(page), 1);
    assert_charge(charge_of(page, CHARGE_REFUND, 0), 200 * CENT, 60);
}

/* Keeps the weights of the parts that it sees: of the job, of the pool, of the line. */
static void see_weights(const struct bill_line *line, const struct charge_key *key,
                        const struct line_part *part, void *context)
{
    unsigned long *seen = context;
    (void)line;
    seen[key->target == CHARGE_JOB ? 0 : 1] = mpz_get_ui(part->weight);
    seen[2] = mpz_get_ui(part->weights);
}

static void parts_of_a_jobs_line_show_their_weights(void **state)
{
    struct page *page = *state;
    unsigned long seen[3] = { 0 };
    page->refunds[0] = (struct resource_attempt){ .kept = 2, .refunded = 1 };
    add_line(page, add_job_class(page), 0, 60, 200, 60);
    page->charges = node_charges_open(&page->catalogue);
    node_charges_show_parts(page->charges, see_weights, seen);
    take(page);
    assert_int_equal(seen[0], 2);
    assert_int_equal(seen[1], 1);
    assert_int_equal(seen[2], 3);
}

static void a_corrections_kept_part_is_of_another_statement_its_refunded_part_is_not(void **state)
{
    struct page *page = *state;
    struct line_class *correction = add_job_class(page);
    correction->is_correction = true;
    page->refunds[0] = (struct resource_attempt){ .kept = 1, .refunded = 1 };
    add_line(page, correction, 0, 60, -10, NO_TIME);
    take(page);
    assert_true(assert_charge(charge_of(page, CHARGE_JOB, 0), -5 * CENT, 0)->key.is_of_another_statement);
    assert_false(assert_charge(charge_of(page, CHARGE_REFUND, 0), -5 * CENT, 0)->key.is_of_another_statement);
}

/* The statement bills cores from minute 0, without a time, and nodes from minute 120. */
static void a_correction_of_billed_hours_without_a_time_is_of_this_statement(void **state)
{
    struct page *page = *state;
    struct line_class *class = add_job_class(page), *correction = add_job_class(page);
    correction->is_correction = true;
    add_line(page, class, 0, 120, 100, NO_TIME);
    add_line(page, class, 120, 180, 100, 60);
    add_line(page, correction, 60, 120, -10, NO_TIME);
    take(page);
    struct charge_sums *sums = node_charges_sums(page->charges);
    assert_int_equal(charge_sums_count(sums), 2);
    for (size_t i = 0; i < 2; i++)
        assert_false(charge_sums_at(sums, i)->key.is_of_another_statement);
}

/* Half a microsecond each of one: rounded half up. */
static void kept_and_refunded_time_are_each_rounded_half_up(void **state)
{
    struct page *page = *state;
    page->refunds[0] = (struct resource_attempt){ .kept = 1, .refunded = 1 };
    struct bill_line *line = add_line(page, add_job_class(page), 0, 60, 1, 0);
    consume(line, 10000005, 6); /* 600000300 microseconds: 300000150 each */
    take(page);
    assert_int_equal(charge_of(page, CHARGE_JOB, 0)->priced, 300000150);
    assert_int_equal(charge_of(page, CHARGE_REFUND, 0)->priced, 300000150);
    forget_lines(page);
    line = add_line(page, &page->classes[0], 0, 60, 1, 0);
    page->classes[0].consumed_unit_seconds = 1;
    consume(line, 1000003, 6);
    take(page);
    assert_int_equal(charge_of(page, CHARGE_JOB, 0)->priced, 500002);
    assert_int_equal(charge_of(page, CHARGE_REFUND, 0)->priced, 500002);
}

/* What is priced of a managed job of two instances, minutes 0 to 60, whose charge period is so
 * long. */
static double priced_of_two_instances(struct page *page, int64_t from, int64_t to, long minutes)
{
    forget_lines(page);
    add_line(page, &page->classes[0], from, to, 300, minutes);
    take(page);
    return (double)charge_of(page, CHARGE_JOB, 0)->priced / 60e6;
}

static void a_managed_job_had_its_instances_where_its_lines_say_more_than_a_quarter_more(void **state)
{
    struct page *page = *state;
    add_job_class(page);
    page->attempts[0].instances = 2;
    assert_near(priced_of_two_instances(page, 0, 60, 90), 90, 0);
    assert_near(priced_of_two_instances(page, 0, 60, 150), 150, 0); /* 1.25 x 120 */
    assert_near(priced_of_two_instances(page, 0, 60, 151), 120, 0);
    assert_near(priced_of_two_instances(page, 0, 60, 180), 120, 0);
    assert_near(priced_of_two_instances(page, 0, 1440, 180), 120, 0);
    assert_near(priced_of_two_instances(page, 30, 60, 76), 60, 0); /* half of its time is in the period */
    assert_near(priced_of_two_instances(page, -30, 30, 76), 60, 0);
    assert_near(priced_of_two_instances(page, 60, 120, 500), 0, 0); /* none of its time is */
    page->attempts[0].instances = 0;
    assert_near(priced_of_two_instances(page, 0, 60, 500), 500, 0);
}

static void a_managed_job_had_its_instances_where_no_line_of_its_own_reports_a_time(void **state)
{
    struct page *page = *state;
    struct line_class *class = add_job_class(page), *other = add_class(page, OTHER_NODE);
    add_named(page, other, 0, false);
    page->attempts[0].instances = 2;
    assert_near(priced_of_two_instances(page, 0, 60, NO_TIME), 120, 0);
    assert_near(priced_of_two_instances(page, 30, 90, NO_TIME), 60, 0);
    forget_lines(page);
    add_line(page, class, 0, 60, -100, NO_TIME); /* takes back */
    take(page);
    assert_int_equal(charge_of(page, CHARGE_JOB, 0)->priced, 0);
    forget_lines(page);
    add_line(page, other, 0, 60, 100, NO_TIME); /* a tag names the job */
    take(page);
    assert_int_equal(charge_of(page, CHARGE_JOB, 0)->priced, 0);
}

/* Two sources bill minutes 0 to 20, and 10 to 30 and 40 to 60: of the job's hour 50 minutes are in
 * these charge periods. */
static void the_instances_of_a_managed_job_are_counted_within_all_charge_periods(void **state)
{
    struct page *page = *state;
    struct line_class *class = add_job_class(page);
    page->attempts[0].instances = 1;
    page->refunds[0] = (struct resource_attempt){ .kept = 1, .refunded = 4 };
    add_line(page, class, 40, 60, 100, 40);
    add_line(page, class, 0, 20, 100, 36)->line.source = 2;
    add_line(page, class, 10, 30, 0, 4);
    take(page);
    assert_charge(charge_of(page, CHARGE_JOB, 0), 40000000, 10); /* of 50 */
    assert_charge(charge_of(page, CHARGE_REFUND, 0), 160000000, 40);
}

/* The slots of one source come before those of another: here minutes 60 to 120 before 0 to 60. */
static void charge_periods_of_two_sources_are_put_in_order(void **state)
{
    struct page *page = *state;
    struct line_class *class = add_job_class(page), *other = add_job_class(page);
    page->attempts[0].instances = 1;
    page->named_attempts[0].end = 120 * MINUTE;
    other->source = 2;
    add_line(page, class, 60, 120, 100, 100);
    add_line(page, other, 0, 60, 100, 100);
    take(page);
    uint64_t priced = 0;
    for (size_t i = 0; i < charge_count(page); i++)
        priced += charge_sums_at(node_charges_sums(page->charges), i)->priced;
    assert_int_equal(priced, 120 * MINUTE); /* of 200 */
}

/* Both ran from minute 0 to 120; job 1 is billed for the first hour, job 2 for the second. */
static void charge_periods_are_of_one_job(void **state)
{
    struct page *page = *state;
    for (size_t i = 1; i <= 2; i++) {
        struct line_class *class = add_class(page, 0);
        add_named(page, class, i, false);
        page->attempts[i].instances = 1;
        page->named_attempts[i].end = 120 * MINUTE;
        add_line(page, class, 60 * ((int64_t)i - 1), 60 * (int64_t)i, 100, 120);
    }
    take(page);
    assert_charge(charge_of(page, CHARGE_JOB, 1), 100 * CENT, 60);
    assert_charge(charge_of(page, CHARGE_JOB, 2), 100 * CENT, 60);
}

static void lines_of_one_resource_go_to_several_jobs(void **state)
{
    struct page *page = *state;
    struct line_class *class = add_class(page, 0);
    add_named(page, class, 2, false);
    add_named(page, class, 1, false);
    page->named_attempts[2].end = 30 * MINUTE;
    page->named_attempts[1].start = 30 * MINUTE;
    add_line(page, class, 0, 30, 100, 30);
    add_line(page, class, 30, 60, 300, 20);
    add_line(page, class, 10, 30, 50, 10);
    take(page);
    assert_charge(charge_of(page, CHARGE_JOB, 2), 150 * CENT, 30);
    assert_charge(charge_of(page, CHARGE_JOB, 1), 300 * CENT, 20);
    assert_int_equal(charge_count(page), 2);
}

/* The last line lies inside the first. The jobs in between have an hour each. */
static void lines_of_a_job_need_not_follow_one_another(void **state)
{
    static const size_t attempts[] = { 1, 2, 3, 1 };
    struct page *page = *state;
    for (size_t i = 0; i < 4; i++) {
        struct line_class *class = add_class(page, 0);
        add_named(page, class, attempts[i], false);
        add_line(page, class, i < 3 ? 0 : 10, i < 3 ? 60 : 30, 100, i < 3 ? 60 : 10);
    }
    take(page);
    uint64_t priced[ATTEMPTS] = { 0 };
    for (size_t i = 0; i < charge_count(page); i++) {
        const struct charge *charge = charge_sums_at(node_charges_sums(page->charges), i);
        priced[charge->key.payer] += charge->priced;
    }
    for (size_t i = 1; i < ATTEMPTS; i++)
        assert_int_equal(priced[i], 60 * MINUTE);
}

/* Priced time stands on the charge of the first group, in whichever order the lines come. */
static void assert_priced_on_the_first_group(struct page *page, const size_t *groups, size_t count)
{
    forget_lines(page);
    for (size_t i = 0; i < count; i++)
        add_line(page, &page->classes[groups[i]], 0, 60, 100, 60);
    take(page);
    assert_int_equal(charge_count(page), count);
    for (size_t i = 0; i < count; i++) {
        const struct charge *charge = charge_sums_at(node_charges_sums(page->charges), i);
        assert_charge(charge, 100 * CENT, charge->key.group == 0 ? 60.0 * (double)count : 0);
    }
}

static void priced_time_stands_on_the_first_group(void **state)
{
    struct page *page = *state;
    for (int i = 0; i < 3; i++)
        add_job_class(page);
    assert_priced_on_the_first_group(page, (const size_t[]){ 1, 0 }, 2);
    assert_priced_on_the_first_group(page, (const size_t[]){ 2, 0, 1 }, 3);
    assert_priced_on_the_first_group(page, (const size_t[]){ 0, 1, 2 }, 3);
}

static void lines_of_the_resource_before_are_not_charged_again(void **state)
{
    struct page *page = *state;
    struct line_class *class = add_job_class(page), *other = add_class(page, NODE);
    add_named(page, other, 1, true);
    add_line(page, class, 0, 60, 100, 60);
    take(page);
    struct bill_line *line = add_line(page, other, 0, 60, 300, 60);
    node_charges_take(page->charges, &line, 1, NULL, 0);
    assert_charge(charge_of(page, CHARGE_JOB, 0), 100 * CENT, 60);
    assert_charge(charge_of(page, CHARGE_JOB, 1), 300 * CENT, 60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        PAGE(a_jobs_own_line_is_the_jobs),
        PAGE(several_instances_of_a_job_have_more_than_the_charge_period),
        PAGE(of_several_skus_of_a_job_the_longest_counts),
        PAGE(nested_time_of_a_job_counts_once),
        PAGE(a_job_has_no_time_but_what_its_own_lines_report),
        PAGE(a_moment_at_the_end_of_an_hour_is_not_inside_it),
        PAGE(what_takes_time_back_or_is_no_machine_is_not_priced),
        PAGE(free_lines_are_priced),
        PAGE(a_quantity_below_zero_counts_without_its_sign),
        PAGE(priced_time_of_a_job_is_rounded_half_up_to_microseconds),
        PAGE(a_part_of_a_jobs_line_is_refunded),
        PAGE(a_jobs_line_of_which_all_is_refunded_is_the_pools),
        PAGE(a_corrections_kept_part_is_of_another_statement_its_refunded_part_is_not),
        PAGE(a_correction_of_billed_hours_without_a_time_is_of_this_statement),
        PAGE(kept_and_refunded_time_are_each_rounded_half_up),
        PAGE(a_managed_job_had_its_instances_where_its_lines_say_more_than_a_quarter_more),
        PAGE(a_managed_job_had_its_instances_where_no_line_of_its_own_reports_a_time),
        PAGE(the_instances_of_a_managed_job_are_counted_within_all_charge_periods),
        PAGE(parts_of_a_jobs_line_show_their_weights),
        PAGE(charge_periods_of_two_sources_are_put_in_order),
        PAGE(charge_periods_are_of_one_job),
        PAGE(lines_of_one_resource_go_to_several_jobs),
        PAGE(lines_of_a_job_need_not_follow_one_another),
        PAGE(priced_time_stands_on_the_first_group),
        PAGE(lines_of_the_resource_before_are_not_charged_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
