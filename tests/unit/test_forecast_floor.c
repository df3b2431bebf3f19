/* Committed and owned hardware is paid until its end: what levers would take of it beyond is freed,
 * and saves nothing. */
#include "model/forecast/forecast_bridge.h"
#include "model/forecast/forecast_draws.h"
#include "model/forecast/forecast_floor.h"
#include "model/statistics/seeded_random.h"
#include "model_test.h"

/* Ten equal months of three cells; no overheads, so that all of the cost is hardware, fees and
 * failed runs. */
enum { MONTHS = 10, CELLS = 3, PURCHASES = 4, FLOORS = 2, FIRST = 2026 * 12 };
static struct forecast_facts facts[CELLS][MONTHS];
static struct forecast_cell cells[CELLS];
static struct forecast_drivers drivers[CELLS];
static struct forecast_purchase purchases[CELLS][PURCHASES];
static struct scenario scenario;
static struct forecast forecast;
static const struct forecast_floor floors[FLOORS] = { { "cloud", "big" }, { NULL, NULL } };

static void start_forecast(size_t cell_count, size_t purchase_count)
{
    scenario_start(&scenario);
    for (size_t i = 0; i < cell_count; i++) {
        for (int month = 1; month < MONTHS; month++)
            facts[i][month] = facts[i][0];
        cells[i] = (struct forecast_cell){ .cost_centre = "lab",
                                           .family = "llm",
                                           .months = facts[i],
                                           .purchases = purchases[i],
                                           .purchase_count = purchase_count,
                                           .policy_hours = 1,
                                           .policy_wall = 1,
                                           .spot_stretch = 1 };
        forecast_fit_cell(&cells[i], MONTHS, &drivers[i]);
    }
    forecast = (struct forecast){ .cells = cells,
                                  .drivers = drivers,
                                  .cell_count = cell_count,
                                  .floors = floors,
                                  .floor_count = FLOORS,
                                  .scenario = &scenario,
                                  .first = FIRST,
                                  .minor_per_unit = 100 };
}

/* 800 ideal node-hours of 1000 at 2.50, a fifth of that again in failed runs: 3000.00, of which
 * 2400.00 are committed. */
static int start(void **state)
{
    (void)state;
    facts[0][0] = (struct forecast_facts){
        .ideal_node_hours = 800, .node_hours = 1000, .hardware = 250000, .failed = 50000
    };
    purchases[0][0] = (struct forecast_purchase){ .provider = "cloud",
                                                  .sku = "big",
                                                  .purchase = "committed",
                                                  .currency = "EUR",
                                                  .share = .8,
                                                  .commitment = "ri",
                                                  .committed = 240000,
                                                  .floor = 1 };
    purchases[0][1] = (struct forecast_purchase){
        .provider = "cloud", .sku = "big", .purchase = "on demand", .currency = "EUR", .share = .2, .floor = 1
    };
    start_forecast(1, 2);
    return 0;
}

static double freed(unsigned ahead)
{
    struct forecast_floor_month months[FLOORS];
    forecast_floors(&forecast, ahead, months);
    return months[0].freed;
}

static double total(unsigned ahead)
{
    double parts[16 * FORECAST_COMPONENTS], sum = 0;
    forecast_month(&forecast, ahead, NULL, parts);
    for (size_t i = 0; i < forecast_leaves(&forecast) * FORECAST_COMPONENTS; i++)
        sum += parts[i];
    return sum;
}

static void test_on_demand_goes_first_and_what_is_committed_stays_paid(void **state)
{
    (void)state;
    assert_near(total(1), 300000, 1e-9);
    scenario.elastic_saving = .2; /* all that is on demand */
    assert_within(freed(1), 0, 1e-6);
    assert_near(total(1), 240000, 1e-9);
    scenario.elastic_saving = .5;
    assert_near(freed(1), 90000, 1e-9);
    assert_near(total(1), 240000, 1e-9);
    scenario.elastic_saving = 1;
    assert_near(total(1), 240000, 1e-9);
}

static void test_spot_is_bought_beside_it(void **state)
{
    (void)state;
    scenario.spot = (struct scenario_spot){ .share = .5, .price_fraction = .3 };
    assert_near(freed(1), 90000, 1e-9);
    assert_near(total(1), 240000 + 150000 * .3, 1e-9);
}

/* To the middle of the second month. */
static void test_a_commitment_is_paid_until_its_end(void **state)
{
    (void)state;
    purchases[0][0].ends = FIRST + 1.5;
    scenario.elastic_saving = .9;
    assert_near(total(1), 240000, 1e-9);
    assert_near(total(2), 120000, 1e-9);
    assert_near(total(3), 30000, 1e-9);
}

/* Where history itself needs less than is committed, its own unused commitments have the rest. */
static void test_history_carried_on_frees_nothing(void **state)
{
    (void)state;
    purchases[0][0].committed = 500000;
    assert_within(freed(1), 0, 1e-6);
    assert_near(total(1), 300000, 1e-9);
    scenario.elastic_saving = .1;
    assert_near(freed(1), 30000, 1e-9);
    purchases[0][0].committed = -5; /* refunds of more than it cost */
    assert_within(freed(1), 0, 1e-9);
}

/* Half price from the second month on; then nine tenths of the hardware are given back besides. */
static void test_a_floor_follows_prices_that_were_agreed(void **state)
{
    (void)state;
    static char big[] = "big", euro[] = "EUR", dollar[] = "USD", committed[] = "committed";
    const struct {
        struct scenario_price price;
        double committed, freed, total, freed_of_little;
    } each[] = {
        { { 0 }, 240000, 90000, 240000, 225000 },
        { { .sku = big }, 240000, 90000, 240000, 225000 },
        { { .currency = euro }, 240000, 0, 150000, 105000 },
        { { .currency = euro }, 400000, 0, 150000, 135000 }, /* more than 300000, which was carried on */
        { { .currency = dollar }, 240000, 0, 300000, 210000 },
        { { .purchase = committed }, 240000, 0, 180000, 102000 },
    };
    for (size_t i = 0; i < sizeof each / sizeof each[0]; i++) {
        struct scenario_price price = each[i].price;
        price.change = -.5;
        price.from = FIRST + 1;
        purchases[0][0].committed = each[i].committed;
        scenario.prices = &price;
        scenario.price_count = 1;
        scenario.elastic_saving = 0;
        assert_near(total(1), 300000, 1e-9); /* not yet */
        assert_within(freed(2), each[i].freed, 1e-6);
        assert_near(total(2), each[i].total, 1e-9);
        scenario.elastic_saving = .9;
        assert_near(freed(1), fmin(each[i].committed, 300000) - 30000, 1e-9);
        assert_near(freed(2), each[i].freed_of_little, 1e-9);
        scenario.prices = NULL;
        scenario.price_count = 0;
    }
}

/* All of it at 0.6 of the price: 1800.00, and 2400.00 are agreed. */
static void test_a_new_commitment_gives_no_discount_on_what_is_committed(void **state)
{
    (void)state;
    scenario.commitment = (struct scenario_commitment){ .coverage = 1, .discount = .4 };
    assert_near(freed(1), 60000, 1e-9);
    assert_near(total(1), 240000, 1e-9);
}

/* ---- whatever the levers ---- */

static double between(struct seeded_random *random, double least, double most)
{
    return least + (most - least) * seeded_random_uniform(random);
}

/* Each cell has two purchases of each floor, one of them committed; what is left to 1 nobody knows
 * of. */
static void make_history(struct seeded_random *random)
{
    for (size_t i = 0; i < CELLS; i++) {
        double hours = between(random, 10, 1000), hardware = hours * between(random, 50, 500);
        facts[i][0] = (struct forecast_facts){ .ideal_node_hours = hours * between(random, .3, 1),
                                               .node_hours = hours,
                                               .hardware = hardware,
                                               .fees = hardware * between(random, 0, .1),
                                               .failed = hardware * between(random, 0, .4),
                                               .cancelled = hardware * between(random, 0, .1),
                                               .failed_attempts = 3 };
        for (size_t j = 0; j < PURCHASES; j++) {
            bool is_committed = j % 2 == 0;
            purchases[i][j] =
                (struct forecast_purchase){ .purchase = is_committed ? "committed" : "on demand",
                                            .share = between(random, 0, .25),
                                            .floor = j / 2 + 1,
                                            .ends = j == 0 ? FIRST + between(random, 0, 3) : 0 };
            purchases[i][j].committed =
                is_committed ? hardware * purchases[i][j].share * between(random, .5, 4) : 0;
        }
    }
}

static void make_levers(struct seeded_random *random, struct scenario_growth *growth,
                        struct scenario_price *price)
{
    scenario.elastic_saving = between(random, 0, 1);
    scenario.spot =
        (struct scenario_spot){ .share = between(random, 0, 1), .price_fraction = between(random, 0, 1) };
    scenario.commitment =
        (struct scenario_commitment){ .coverage = between(random, 0, 1), .discount = between(random, 0, 1) };
    scenario.failed_run_factor = between(random, 0, .5);
    scenario.contingency = between(random, 0, .2);
    *growth = (struct scenario_growth){ .monthly = between(random, -1, .3) };
    *price = (struct scenario_price){ .change = between(random, -1, .5) };
    scenario.growth = growth;
    scenario.prices = price;
    scenario.growth_count = scenario.price_count = 1;
    for (size_t i = 0; i < CELLS; i++) {
        cells[i].policy_hours = between(random, .1, 1.2);
        cells[i].spot_stretch = between(random, 1, 1.5);
    }
}

/* What the history says is committed of a floor in a month, and what it cost in all: worked out
 * from the facts. */
static double floor_of_facts(size_t floor, unsigned ahead)
{
    double committed = 0, in_all = 0;
    for (size_t i = 0; i < CELLS; i++) {
        const struct forecast_facts *month = &facts[i][0];
        double lost = (month->failed + month->cancelled) / (month->hardware + month->fees);
        for (size_t j = 0; j < PURCHASES; j++) {
            double ends = purchases[i][j].ends == 0 ? 1 : purchases[i][j].ends - (FIRST + (double)ahead - 1);
            if (purchases[i][j].floor != floor + 1)
                continue;
            committed += purchases[i][j].committed * (ends < 0 ? 0 : ends > 1 ? 1 : ends);
            in_all += purchases[i][j].share * month->hardware * (1 + lost);
        }
    }
    return committed < in_all ? committed : in_all;
}

static void check_months(void)
{
    for (unsigned ahead = 1; ahead <= 3; ahead++) {
        struct forecast_floor_month months[FLOORS];
        double all_freed = 0;
        forecast_floors(&forecast, ahead, months);
        for (size_t i = 0; i < FLOORS; i++) {
            double floor = floor_of_facts(i, ahead);
            assert_true(months[i].freed >= 0);
            assert_true(months[i].left + months[i].freed >= floor * (1 - 1e-9));
            assert_true(months[i].freed == 0 || months[i].left + months[i].freed <= floor * (1 + 1e-9));
            all_freed += months[i].freed;
        }
        double with = total(ahead);
        forecast.floor_count = 0;
        double without = total(ahead);
        forecast.floor_count = FLOORS;
        assert_near(with, without + all_freed * (1 + scenario.contingency), 1e-9);
    }
}

static void test_whatever_the_levers_nothing_is_below_its_floor(void **state)
{
    (void)state;
    struct seeded_random random;
    struct scenario_growth growth;
    struct scenario_price price;
    struct forecast_training training = { .cost_centre = "lab", .family = "llm", .ahead = 1 };
    training.parts[FORECAST_USEFUL] = 700;
    seeded_random_start(&random, 23);
    for (int history = 0; history < 300; history++) {
        struct forecast_stage with[FORECAST_LEVERS + 1], without[FORECAST_LEVERS + 1];
        make_history(&random);
        start_forecast(CELLS, PURCHASES);
        forecast.trainings = &training;
        forecast.training_count = 1;
        make_levers(&random, &growth, &price);
        check_months();
        forecast_bridge(&forecast, 3, with);
        forecast.floor_count = 0;
        forecast_bridge(&forecast, 3, without);
        assert_within(with[0].freed, 0, 1e-6);
        for (int lever = 0; lever < FORECAST_LEVERS; lever++) { /* saved + freed = claimed without floors */
            double claimed = without[lever].total - without[lever + 1].total;
            double saved = with[lever].total - with[lever + 1].total;
            assert_within(saved + with[lever + 1].freed - with[lever].freed, claimed,
                          1e-6 * without[0].total);
        }
    }
}

/* Draws of the base are those without floors; of a lever that takes everything none is below what
 * is committed. */
static void test_draws_have_the_floor_too(void **state)
{
    (void)state;
    struct forecast_range with[2], without[2];
    scenario.uncertainty.growth = .3;
    forecast_draw(&forecast, 1, with);
    forecast.floor_count = 0;
    forecast_draw(&forecast, 1, without);
    assert_near(with[0].p10, without[0].p10, 1e-9);
    assert_near(with[0].p90, without[0].p90, 1e-9);
    forecast.floor_count = FLOORS;
    scenario.elastic_saving = 1;
    forecast_draw(&forecast, 1, with);
    assert_near(with[0].p90, 240000, 1e-9);
    assert_true(with[0].p10 > 0 && with[0].p10 <= 240000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_on_demand_goes_first_and_what_is_committed_stays_paid, start),
        cmocka_unit_test_setup(test_spot_is_bought_beside_it, start),
        cmocka_unit_test_setup(test_a_commitment_is_paid_until_its_end, start),
        cmocka_unit_test_setup(test_history_carried_on_frees_nothing, start),
        cmocka_unit_test_setup(test_a_floor_follows_prices_that_were_agreed, start),
        cmocka_unit_test_setup(test_a_new_commitment_gives_no_discount_on_what_is_committed, start),
        cmocka_unit_test(test_whatever_the_levers_nothing_is_below_its_floor),
        cmocka_unit_test_setup(test_draws_have_the_floor_too, start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
