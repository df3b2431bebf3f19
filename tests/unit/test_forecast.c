/* Each lever of a scenario moves what it is about, by what the formula says; draws repeat and
 * surround the middle. */
#include "model/forecast/forecast.h"
#include "model/forecast/forecast_bridge.h"
#include "model/forecast/forecast_draws.h"
#include "model/forecast/node_policy.h"
#include "model_test.h"

/* Ten equal months: 800 ideal node-hours at E 0.8 and 2.50; fees 10 %; a fifth fails, a quarter of
 * that by preemption. */
enum { MONTHS = 10 };
static struct forecast_facts facts[MONTHS];
static struct forecast_cell cell;
static struct forecast_drivers drivers;
static struct scenario scenario;
static struct forecast forecast;
static const double hardware = 250000, fees = 25000, failed = 55000, fixed = 9000;

static int start(void **state)
{
    (void)state;
    for (int i = 0; i < MONTHS; i++) {
        facts[i] = (struct forecast_facts){ .ideal_node_hours = 800,
                                            .node_hours = 1000,
                                            .hardware = hardware,
                                            .fees = fees,
                                            .failed = failed,
                                            .failed_interrupted = failed / 4,
                                            .fixed = fixed,
                                            .failed_attempts = 10 };
    }
    cell = (struct forecast_cell){ .cost_centre = "lab",
                                   .family = "llm",
                                   .months = facts,
                                   .policy_hours = 1,
                                   .policy_wall = 1,
                                   .spot_stretch = 1 };
    scenario_start(&scenario);
    forecast = (struct forecast){ .cells = &cell,
                                  .drivers = &drivers,
                                  .cell_count = 1,
                                  .scenario = &scenario,
                                  .first = 2026 * 12,
                                  .minor_per_unit = 100 };
    forecast_fit_cell(&cell, MONTHS, &drivers);
    return 0;
}

static double total(unsigned ahead)
{
    double parts[8 * FORECAST_COMPONENTS], sum = 0;
    forecast_month(&forecast, ahead, NULL, parts);
    for (size_t i = 0; i < forecast_leaves(&forecast) * FORECAST_COMPONENTS; i++) {
        sum += parts[i];
    }
    return sum;
}

static void test_the_base_goes_on(void **state)
{
    (void)state;
    double parts[2 * FORECAST_COMPONENTS];
    forecast_month(&forecast, 12, NULL, parts);
    assert_near(parts[FORECAST_USEFUL], 200000, 1e-9);
    assert_near(parts[FORECAST_COORDINATION], 50000, 1e-9);
    assert_near(parts[FORECAST_FAILED], failed, 1e-9);
    assert_near(total(12), hardware + fees + failed + fixed, 1e-9);
}

/* Jobs that all failed go on failing; so does money beside which no ideal work stands. */
static void test_what_is_not_productive_goes_on(void **state)
{
    (void)state;
    for (int i = 0; i < MONTHS; i++) {
        facts[i] = (struct forecast_facts){ .failed = 700, .cancelled = 30 };
    }
    forecast_fit_cell(&cell, MONTHS, &drivers);
    assert_near(total(1), 730, 1e-12);
    for (int i = 0; i < MONTHS; i++) {
        facts[i] = (struct forecast_facts){ .node_hours = 10, .hardware = 500, .fees = 4, .failed = 60 };
    }
    forecast_fit_cell(&cell, MONTHS, &drivers);
    assert_near(total(1), 564, 1e-12);
    struct forecast_range ranges[2];
    forecast_draw(&forecast, 1, ranges);
    assert_true(isfinite(ranges[0].p90));
}

/* What was before them says nothing of E, fees and failures. */
static void test_factors_are_those_of_the_last_three_months(void **state)
{
    (void)state;
    for (int i = 0; i < MONTHS - 3; i++) {
        facts[i].node_hours = facts[i].hardware = facts[i].fees = facts[i].failed = 0;
    }
    forecast_fit_cell(&cell, MONTHS, &drivers);
    assert_near(drivers.efficiency, .8, 1e-12);
    assert_near(drivers.failed_factor, .2, 1e-12);
    assert_near(drivers.recent_work, 800, 1e-12);
    assert_near(total(1), hardware + fees + failed + fixed, 1e-9);
}

/* A cost centre that got another name two months ago: nothing under the old one, all of it under
 * the new one. */
static void test_what_ended_costs_nothing_and_what_began_goes_on(void **state)
{
    (void)state;
    const struct forecast_facts usual = facts[0], none = { 0 };
    for (int i = 0; i < MONTHS; i++)
        facts[i] = i < MONTHS - 2 ? usual : none;
    forecast_fit_cell(&cell, MONTHS, &drivers);
    assert_within(total(1), 0, 1e-6);
    assert_within(total(12), 0, 1e-6);
    for (int i = 0; i < MONTHS; i++)
        facts[i] = i < MONTHS - 2 ? none : usual;
    forecast_fit_cell(&cell, MONTHS, &drivers);
    assert_near(total(1), hardware + fees + failed + fixed, 1e-9);
    assert_near(total(12), hardware + fees + failed + fixed, 1e-9);
}

/* Refunds of fees beyond what the hardware cost: work at a price is still work, and counted
 * once. */
static void test_refunds_beyond_the_hardware_leave_it_counted_once(void **state)
{
    (void)state;
    for (int i = 0; i < MONTHS; i++)
        facts[i].fees = -hardware - 10000;
    forecast_fit_cell(&cell, MONTHS, &drivers);
    double parts[2 * FORECAST_COMPONENTS];
    forecast_month(&forecast, 1, NULL, parts);
    assert_near(parts[FORECAST_USEFUL] + parts[FORECAST_COORDINATION] + parts[FORECAST_UNMEASURED], hardware,
                1e-9);
    assert_near(parts[FORECAST_FEES], -hardware - 10000, 1e-9);
    assert_near(parts[FORECAST_FAILED], failed, 1e-9);
}

/* Hardware is twice as dear in every June; in one month nobody worked. No other month is as dear
 * then. */
static void test_a_month_without_work_does_not_move_the_months_of_the_year(void **state)
{
    (void)state;
    enum { THREE_YEARS = 36, JUNE = 5, WITHOUT = 34 };
    struct forecast_facts months[THREE_YEARS];
    for (int i = 0; i < THREE_YEARS; i++) {
        months[i] = (struct forecast_facts){ .ideal_node_hours = 800, .node_hours = 1000 };
        months[i].hardware = i % 12 == JUNE ? 2 * hardware : hardware;
    }
    cell.months = months;
    forecast_fit_cell(&cell, THREE_YEARS, &drivers);
    assert_near(total(JUNE), hardware, .02);
    assert_near(total(JUNE + 1), 2 * hardware, .02);
    months[WITHOUT] = (struct forecast_facts){ 0 };
    forecast_fit_cell(&cell, THREE_YEARS, &drivers);
    for (unsigned ahead = 1; ahead <= 12; ahead++) {
        if (ahead != JUNE + 1)
            assert_near(total(ahead), hardware, .1);
    }
}

/* Each is half as much again: of a cell all but its overheads follow; of a training all but its
 * fees. */
static void test_a_shock_moves_what_it_is_about(void **state)
{
    (void)state;
    const struct forecast_shock each[] = {
        { 1.5, 1, 1, 1 }, { 1, 1.5, 1, 1 }, { 1, 1, 1.5, 1 }, { 1, 1, 1, 1.5 }
    };
    const double of_cell[] = { (hardware + fees) * 1.2 * 1.5, (hardware * 1.5 + fees) * 1.2,
                               (hardware + fees) * 1.3, (hardware + fees) * 1.2 * 1.5 };
    const double of_training[] = { 700 + 300 + 40 + 100 + 10 + 200, 1050 + 450 + 60 + 150 + 10 + 200,
                                   700 + 300 + 40 + 150 + 10 + 200, 700 + 800 + 60 + 150 + 10 + 300 };
    struct forecast_training training = { .cost_centre = "lab", .family = "llm", .ahead = 2 };
    training.parts[FORECAST_USEFUL] = 700;
    training.parts[FORECAST_COORDINATION] = 300;
    training.parts[FORECAST_INTERRUPTION] = 40;
    training.parts[FORECAST_FAILED] = 100;
    training.parts[FORECAST_FEES] = 10;
    training.parts[FORECAST_FIXED] = 200;
    forecast.trainings = &training;
    forecast.training_count = 1;
    for (int i = 0; i < 4; i++) {
        double parts[3 * FORECAST_COMPONENTS], sums[3] = { 0 };
        forecast_month(&forecast, 2, (struct forecast_shock[]){ each[i], each[i] }, parts);
        for (int part = 0; part < 3 * FORECAST_COMPONENTS; part++) {
            sums[part / FORECAST_COMPONENTS] += parts[part];
        }
        assert_near(sums[0], of_cell[i] + fixed, 1e-9);
        assert_near(sums[2], of_training[i], 1e-9);
    }
    for (int i = 0; i < MONTHS; i++) {
        facts[i] = (struct forecast_facts){ .failed = 700 };
    }
    forecast_fit_cell(&cell, MONTHS, &drivers);
    double parts[3 * FORECAST_COMPONENTS];
    forecast_month(&forecast, 1, (struct forecast_shock[]){ each[2], each[2] }, parts);
    assert_near(parts[FORECAST_FAILED], 1050, 1e-9);
}

static void test_growth_replaces_the_trend(void **state)
{
    (void)state;
    struct scenario_growth growth[] = { { { NULL, NULL }, .5 },
                                        { { (char[]){ "lab" }, (char[]){ "llm" } }, .1 },
                                        { { (char[]){ "other" }, NULL }, .9 } };
    scenario.growth = growth;
    scenario.growth_count = 3;
    assert_near(total(2), (hardware + fees + failed) * 1.21 + fixed, 1e-9);
}

static void test_prices_change_for_what_was_bought_so(void **state)
{
    (void)state;
    struct forecast_purchase bought[] = {
        { .provider = "cloud", .sku = "big", .purchase = "on demand", .currency = "USD", .share = .6 },
        { .provider = "cloud", .sku = "big", .purchase = "spot", .currency = "USD", .share = .3 }
    };
    struct scenario_price changes[] = {
        { .purchase = (char[]){ "on demand" }, .change = .5, .from = 2026 * 12 + 1 }, { .change = -.1 }
    };
    cell.purchases = bought;
    cell.purchase_count = 2;
    scenario.prices = changes;
    scenario.price_count = 2;
    double before = .9, after = .9 * (.6 * 1.5 + .4);
    assert_near(total(1), (hardware * before + fees) * 1.2 + fixed, 1e-9);
    assert_near(total(2), (hardware * after + fees) * 1.2 + fixed, 1e-9);
}

static void test_spot_is_cheaper_and_longer(void **state)
{
    (void)state;
    scenario.spot = (struct scenario_spot){ .share = .4, .price_fraction = .3 };
    cell.spot_stretch = 1.25;
    double paid = hardware * (.6 + .4 * .3), interruption = hardware * .4 * .3 * .25;
    assert_near(total(1), (paid + interruption + fees) * (1 + .2 - .4 * .05) + fixed, 1e-9);
}

/* A quarter was bought on spot: the share is of the other three quarters. */
static void test_spot_takes_no_share_of_what_was_bought_on_spot(void **state)
{
    (void)state;
    scenario.spot = (struct scenario_spot){ .share = .4, .price_fraction = .3 };
    cell.spot_stretch = 1.25;
    cell.bought_on_spot = .25;
    double paid = hardware * (.7 + .3 * .3), interruption = hardware * .3 * .3 * .25;
    assert_near(total(1), (paid + interruption + fees) * (1 + .2 - .3 * .05) + fixed, 1e-9);
    cell.bought_on_spot = 1;
    assert_near(total(1), hardware + fees + failed + fixed, 1e-9);
}

static void test_a_commitment_is_paid_whether_used_or_not(void **state)
{
    (void)state;
    scenario.commitment = (struct scenario_commitment){ .coverage = .7, .discount = .4 };
    assert_near(total(1), (hardware * (1 - .7 * .4) + fees) * 1.2 + fixed, 1e-9);
    struct scenario_growth less = { { NULL, NULL }, -.5 };
    scenario.growth = &less;
    scenario.growth_count = 1;
    double parts[2 * FORECAST_COMPONENTS];
    forecast_month(&forecast, 1, NULL, parts); /* 500 of 700 committed node-hours are used */
    assert_near(parts[FORECAST_COMPONENTS + FORECAST_UNUSED], 200 * 250 * .6, 1e-9);
    assert_near(parts[FORECAST_USEFUL] + parts[FORECAST_COORDINATION], 500 * 250 * .6, 1e-9);
}

/* 700 committed node-hours at 250 less 40 %, and not one of them is used. */
static void test_a_commitment_is_paid_where_nothing_is_left_to_use_it(void **state)
{
    (void)state;
    double parts[2 * FORECAST_COMPONENTS];
    scenario.commitment = (struct scenario_commitment){ .coverage = .7, .discount = .4 };
    scenario.spot = (struct scenario_spot){ .share = 1, .price_fraction = .3 };
    forecast_month(&forecast, 1, NULL, parts);
    assert_near(parts[FORECAST_COMPONENTS + FORECAST_UNUSED], 700 * 250 * .6, 1e-9);
    scenario.spot.share = 0;
    struct scenario_growth gone = { { NULL, NULL }, -1 };
    scenario.growth = &gone;
    scenario.growth_count = 1;
    forecast_month(&forecast, 1, NULL, parts);
    assert_near(parts[FORECAST_COMPONENTS + FORECAST_UNUSED], 700 * 250 * .6, 1e-9);
}

/* 1000 node-hours at 250, of which three in ten are given back; the commitment is not. */
static void test_of_a_commitment_nothing_is_given_back(void **state)
{
    (void)state;
    double parts[2 * FORECAST_COMPONENTS];
    const struct {
        double coverage, elastic_saving, paid, unused;
    } each[] = { { 1, .3, 700 * 250 * .8, 300 * 250 * .8 },
                 { 1, 1, 0, 1000 * 250 * .8 },
                 { .5, .3, 500 * 250 * .8 + 200 * 250, 0 },
                 { 0, .3, 700 * 250, 0 } };
    for (size_t i = 0; i < sizeof each / sizeof each[0]; i++) {
        scenario.commitment = (struct scenario_commitment){ .coverage = each[i].coverage, .discount = .2 };
        scenario.elastic_saving = each[i].elastic_saving;
        forecast_month(&forecast, 1, NULL, parts);
        assert_near(parts[FORECAST_USEFUL] + parts[FORECAST_COORDINATION], each[i].paid, 1e-9);
        assert_near(parts[FORECAST_COMPONENTS + FORECAST_UNUSED], each[i].unused, 1e-9);
    }
}

/* Half on spot at 0.3: of both halves three in ten are given back, and what interruptions make be
 * done again is paid likewise. */
static void test_on_spot_nodes_are_given_back_too(void **state)
{
    (void)state;
    double parts[2 * FORECAST_COMPONENTS];
    scenario.commitment = (struct scenario_commitment){ .coverage = .4, .discount = .2 };
    scenario.spot = (struct scenario_spot){ .share = .5, .price_fraction = .3 };
    scenario.elastic_saving = .3;
    cell.spot_stretch = 1.25;
    forecast_month(&forecast, 1, NULL, parts); /* 350 of 400 committed node-hours are used */
    assert_near(parts[FORECAST_USEFUL] + parts[FORECAST_COORDINATION], 350 * 250 * .8 + 350 * 250 * .3, 1e-9);
    assert_near(parts[FORECAST_INTERRUPTION], 350 * 250 * .3 * .25, 1e-9);
    assert_near(parts[FORECAST_COMPONENTS + FORECAST_UNUSED], 50 * 250 * .8, 1e-9);
}

static void test_a_month_shows_how_its_parts_come_about(void **state)
{
    (void)state;
    struct forecast_commitment commitment;
    struct forecast_cell_month month;
    scenario.commitment = (struct scenario_commitment){ .coverage = .7, .discount = .4 };
    scenario.spot =
        (struct scenario_spot){ .share = .5, .price_fraction = .3, .preemptions_per_node_hour = .01 };
    cell.spot_stretch = 1.2;
    forecast_commitment(&forecast, 1, &commitment); /* 500 of 700 committed node-hours are used */
    assert_near(commitment.hours, 500, 1e-9);
    assert_near(commitment.price, 250, 1e-9);
    assert_near(commitment.committed, 700, 1e-9);
    assert_near(commitment.used, 500, 1e-9);
    assert_near(commitment.covered, 1, 1e-9);
    assert_near(commitment.unused_cost, 200 * 250 * .6, 1e-9);
    forecast_cell_month(&forecast, 0, 1, &commitment, &month);
    assert_near(month.hours, 1000, 1e-9);
    assert_near(month.price, 250, 1e-9);
    assert_near(month.paid, 250 * (.5 * .6 + .5 * .3), 1e-9);
    double interruptions = 1000 * .5 * 250 * .3 * .2;
    assert_near(month.productive, 1000 * month.paid + interruptions + fees, 1e-9);
    assert_near(month.failed_factor, .2 - .5 * .05, 1e-9); /* as in the test of spot */
    scenario.failed_run_factor = .4;
    forecast_cell_month(&forecast, 0, 1, &commitment, &month);
    assert_near(month.failed_factor, .4, 1e-9);
}

static void test_the_other_levers(void **state)
{
    (void)state;
    struct scenario_penalty penalties[] = { { { NULL, (char[]){ "llm" } }, .2 }, { { NULL, NULL }, .1 } };
    scenario.penalties = penalties;
    scenario.penalty_count = 1;
    assert_near(total(1), (hardware + fees) / .8 * 1.2 + fixed, 1e-9);
    scenario.penalty_count = 2; /* one on top of the other */
    assert_near(total(1), (hardware + fees) / (.8 * .9) * 1.2 + fixed, 1e-9);
    scenario.penalty_count = 0;
    scenario.failed_run_factor = 0;
    scenario.elastic_saving = .1;
    scenario.fixed = (struct scenario_overhead){ 2, 30 };
    struct scenario_people people[] = { { (char[]){ "lab" }, 2, 240000, .25, 0 },
                                        { (char[]){ "lab" }, 1, 240000, .25, 2026 * 12 + 5 } };
    scenario.people = people;
    scenario.people_count = 2;
    scenario.contingency = .05;
    assert_near(total(1), (hardware * .9 + fees + 2 * fixed + 3000 + 1000000) * 1.05, 1e-9);
    assert_near(total(5), (hardware * .9 + fees + 2 * fixed + 3000 + 1000000) * 1.05,
                1e-9); /* comes a month later */
    assert_near(total(6), (hardware * .9 + fees + 2 * fixed + 3000 + 1500000) * 1.05, 1e-9);
    cell.policy_hours = .9;
    cell.policy_wall = 1.5;
    assert_near(total(1), (hardware * .81 + fees * .9 + 3 * fixed + 3000 + 1000000) * 1.05, 1e-9);
    for (int i = 0; i < MONTHS; i++)
        facts[i].fixed_by_node_hours = fixed / 4; /* a quarter moves with node-hours */
    forecast_fit_cell(&cell, MONTHS, &drivers);
    double moved = 2 * fixed * (.25 * .9 + .75 * 1.5);
    assert_near(total(1), (hardware * .81 + fees * .9 + moved + 3000 + 1000000) * 1.05, 1e-9);
}

static void test_node_policies_follow_the_law(void **state)
{
    (void)state;
    static const struct scaling_law law = { .t1_hours = 1,
                                            .serial_fraction = .03,
                                            .communication_coefficient = .0015 };
    struct cost_curve curve = { .law = &law };
    struct node_policy_jobs jobs = { .k = 25, .k_star = 8, .node_hours = 250, .wall_hours = 10 };
    double node_hours, wall_hours;
    assert_int_equal(node_policy_k(POLICY_AS_IS, 0, &jobs), 25);
    assert_int_equal(node_policy_k(POLICY_K_STAR, 0, &jobs), 8);
    assert_int_equal(node_policy_k(POLICY_CAP, 12, &jobs), 12);
    assert_int_equal(node_policy_k(POLICY_CAP, 40, &jobs), 25);
    assert_int_equal(node_policy_k(POLICY_POWERS_OF_TWO, 0, &jobs), 16);
    assert_int_equal(node_policy_k(POLICY_POWERS_OF_TWO, 0, &(struct node_policy_jobs){ .k = 16 }), 16);
    assert_int_equal(node_policy_k(POLICY_POWERS_OF_TWO, 0, &(struct node_policy_jobs){ .k = 1 }), 1);
    node_policy_hours(&jobs, 8, &curve, &node_hours, &wall_hours);
    double inverse_25 = 1 + 24 * .03 + .0015 * 25 * 24, inverse_8 = 1 + 7 * .03 + .0015 * 8 * 7;
    assert_near(node_hours, 250 * inverse_8 / inverse_25, 1e-12);
    assert_near(wall_hours, 10 * (inverse_8 / 8) / (inverse_25 / 25), 1e-12);
    node_policy_hours(&jobs, 8, NULL, &node_hours, &wall_hours);
    assert_near(node_hours, 250, 0);
}

static void test_draws_repeat_and_surround_the_middle(void **state)
{
    (void)state;
    struct forecast_range first[4], again[4], other[4];
    scenario.uncertainty.growth = .05;
    scenario.uncertainty.price = .02;
    forecast_draw(&forecast, 3, first);
    forecast_draw(&forecast, 3, again);
    assert_memory_equal(first, again, sizeof first);
    scenario.uncertainty.seed = 2;
    forecast_draw(&forecast, 3, other);
    assert_memory_not_equal(first, other, sizeof first);
    for (int i = 0; i < 3; i++) {
        assert_true(first[i].p10 < first[i].p50 && first[i].p50 < first[i].p90);
        assert_near(first[i].p50, total(1), .02);
    }
    assert_true(first[2].p90 - first[2].p10 > first[0].p90 - first[0].p10);
}

/* Each lever on top of those before it; together they are the scenario. */
static void test_the_bridge_leads_from_the_base_to_the_scenario(void **state)
{
    (void)state;
    struct forecast_stage stages[FORECAST_LEVERS + 1];
    double base = hardware + fees + failed + fixed;
    forecast_bridge(&forecast, 2, stages);
    for (int i = 0; i <= FORECAST_LEVERS; i++) {
        assert_near(stages[i].total, 2 * base, 1e-9);
    }
    struct scenario_growth growth = { { NULL, NULL }, .1 };
    struct scenario_price change = { .change = .5 };
    scenario.growth = &growth;
    scenario.growth_count = 1;
    scenario.prices = &change;
    scenario.price_count = 1;
    scenario.failed_run_factor = 0;
    scenario.contingency = .1;
    forecast_bridge(&forecast, 1, stages);
    assert_near(stages[0].total, base, 1e-9);
    assert_near(stages[LEVER_GROWTH + 1].total, (base - fixed) * 1.1 + fixed, 1e-9);
    assert_near(stages[LEVER_PENALTIES + 1].total, stages[LEVER_GROWTH + 1].total, 1e-12);
    assert_near(stages[LEVER_PRICES + 1].total, (hardware * 1.5 + fees) * 1.2 * 1.1 + fixed, 1e-9);
    assert_near(stages[LEVER_FAILED_RUNS + 1].total, (hardware * 1.5 + fees) * 1.1 + fixed, 1e-9);
    assert_near(stages[FORECAST_LEVERS].total, total(1), 1e-12);
}

/* A lever that acts on the cells, as on the scenario, is on from its own stage, and not before. */
static void test_the_bridge_puts_on_spot_and_policy_with_what_they_do_to_the_cells(void **state)
{
    (void)state;
    struct forecast_stage stages[FORECAST_LEVERS + 1];
    scenario.spot = (struct scenario_spot){ .share = .4, .price_fraction = .3 };
    cell.spot_stretch = 1.25;
    cell.policy_hours = .9;
    cell.policy_wall = 1.5;
    forecast_bridge(&forecast, 1, stages);
    double with_policy = (hardware + fees) * .9 * 1.2 + 1.5 * fixed;
    double paid = hardware * (.6 + .4 * .3), interruption = hardware * .4 * .3 * .25;
    assert_near(stages[LEVER_GROWTH + 1].total, hardware + fees + failed + fixed, 1e-9);
    assert_near(stages[LEVER_NODE_POLICY + 1].total, with_policy, 1e-9);
    assert_near(stages[LEVER_ELASTIC + 1].total, with_policy, 1e-9);
    assert_near(stages[LEVER_SPOT + 1].total,
                (paid + interruption + fees) * .9 * (1 + .2 - .4 * .05) + 1.5 * fixed, 1e-9);
    assert_near(stages[FORECAST_LEVERS].total, stages[LEVER_SPOT + 1].total, 1e-12);
}

/* One lever alone: ln of the total is normal, so P90 is known. */
static void test_the_spread_is_the_stated_one(void **state)
{
    (void)state;
    struct forecast_range ranges[5];
    for (int i = 0; i < MONTHS; i++) {
        facts[i].fixed = 0;
    }
    forecast_fit_cell(&cell, MONTHS, &drivers);
    scenario.uncertainty = (struct scenario_uncertainty){
        .growth = .1, .price = 0, .failures = 0, .fit = 0, .seed = 7, .draws = 20000
    };
    forecast_draw(&forecast, 4, ranges);
    for (int i = 0; i < 4; i++) {
        double expected = .1 * sqrt(i + 1) * 1.2815515655446004,
               shift = -.005 * (i + 1); /* mean 1, not middle 1 */
        assert_near(log(ranges[i].p90 / total(1)) - shift, expected, .03);
        assert_near(log(ranges[i].p10 / total(1)) - shift, -expected, .03);
    }
    scenario.uncertainty.growth = 0;
    forecast_draw(&forecast, 4, ranges);
    assert_near(ranges[3].p10, ranges[3].p90, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_the_base_goes_on, start),
        cmocka_unit_test_setup(test_what_is_not_productive_goes_on, start),
        cmocka_unit_test_setup(test_factors_are_those_of_the_last_three_months, start),
        cmocka_unit_test_setup(test_what_ended_costs_nothing_and_what_began_goes_on, start),
        cmocka_unit_test_setup(test_refunds_beyond_the_hardware_leave_it_counted_once, start),
        cmocka_unit_test_setup(test_a_month_without_work_does_not_move_the_months_of_the_year, start),
        cmocka_unit_test_setup(test_a_shock_moves_what_it_is_about, start),
        cmocka_unit_test_setup(test_growth_replaces_the_trend, start),
        cmocka_unit_test_setup(test_prices_change_for_what_was_bought_so, start),
        cmocka_unit_test_setup(test_spot_is_cheaper_and_longer, start),
        cmocka_unit_test_setup(test_spot_takes_no_share_of_what_was_bought_on_spot, start),
        cmocka_unit_test_setup(test_a_commitment_is_paid_whether_used_or_not, start),
        cmocka_unit_test_setup(test_a_commitment_is_paid_where_nothing_is_left_to_use_it, start),
        cmocka_unit_test_setup(test_of_a_commitment_nothing_is_given_back, start),
        cmocka_unit_test_setup(test_on_spot_nodes_are_given_back_too, start),
        cmocka_unit_test_setup(test_a_month_shows_how_its_parts_come_about, start),
        cmocka_unit_test_setup(test_the_other_levers, start),
        cmocka_unit_test_setup(test_node_policies_follow_the_law, start),
        cmocka_unit_test_setup(test_draws_repeat_and_surround_the_middle, start),
        cmocka_unit_test_setup(test_the_bridge_leads_from_the_base_to_the_scenario, start),
        cmocka_unit_test_setup(test_the_bridge_puts_on_spot_and_policy_with_what_they_do_to_the_cells, start),
        cmocka_unit_test_setup(test_the_spread_is_the_stated_one, start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
