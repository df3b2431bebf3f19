/* report/sheets/serving.c: the sheet "Serving fleets": the cost of a million output tokens by
 * the measured number of replicas, and the cheapest number within the latency limit
 * (docs/unit-costs.md). The sheet exists if serving_fleets.csv has a fleet. */
#include "report/sheets.h"

#define OF_FLEET(field) "SUMIFS({serving_fleets." field "},{serving_fleets.fleet_no},[fleet_no])"
#define AT_COUNT(field, replicas)                                                                            \
    "SUMIFS({serving_sizes." field                                                                           \
    "},{serving_sizes.fleet_no},[fleet_no],{serving_sizes.replicas},[" replicas "])"

/* clang-format off: a row each */
static const struct sheet_column sentence_columns[] = {
    { "No.", "fleet_no", CELL_INTEGER, .width = 5 },
    { "In a sentence", "sentence", CELL_TEXT, .width = 22, .span = 9 },
    { 0 },
};
static const struct sheet_column fleet_columns[] = {
    { "No.", "fleet_no", CELL_INTEGER, .width = 5, .meaning = "The fleet as a number, for formulas" },
    { "Fleet", "fleet", CELL_TEXT, .width = 22 },
    { "Cost centre", "cost_centre", CELL_TEXT, .width = 14 },
    { "Price per replica-hour", "price_per_replica_hour", CELL_PRICE, .width = 14,
      .meaning =
          "p: as declared, or effective cost of the matching lines' hardware ÷ the hours that they bill" },
    { "Fixed per hour", "fixed_per_hour", CELL_PRICE, .width = 14,
      .meaning = "f: what an hour costs whatever the number of replicas" },
    { "Latency at", "percentile", CELL_TEXT, .width = 12,
      .meaning = "The percentile that the limit and the measurements are of" },
    { "Latency limit (ms)", "latency_limit_ms", CELL_HOURS, .width = 14, .meaning = "Empty: no limit" },
    { "Price from", "price_from", CELL_TEXT, .width = 16, .span = 3 },
    { 0 },
};
static const struct sheet_column size_columns[] = {
    { "No.", "fleet_no", CELL_INTEGER, .width = 5 },
    { "Fleet", "fleet", CELL_TEXT, .width = 22 },
    { "Replicas", "replicas", CELL_INTEGER, .width = 14,
      .meaning = "As measured; no other count is guessed" },
    { "Tokens per second", "tokens_per_second", CELL_HOURS, .width = 14,
      .meaning = "Output tokens of all replicas together" },
    { "Latency (ms)", "latency_ms", CELL_HOURS, .width = 14, .meaning = "At the fleet's percentile" },
    { "Within limit", "is_within", CELL_YES_NO, .width = 12 },
    { "Cost per hour", "hour_cost", CELL_PRICE, .width = 14,
      .formula =
          "=ROUND(" OF_FLEET("price_per_replica_hour") "*[replicas]+" OF_FLEET("fixed_per_hour") ",12)",
      .meaning = "p · replicas + f" },
    { "Cost per million tokens", "million_tokens", CELL_NUMBER, .width = 16,
      .formula = "=ROUND([hour_cost]*1000000/(3600*[tokens_per_second]),6)",
      .meaning = "Cost per hour ÷ (3600 · tokens per second) · 1,000,000, at the load of the measurement" },
    { "", "mark", CELL_TEXT, .width = 32 },
    { 0 },
};
static const struct sheet_column choice_columns[] = {
    { "No.", "fleet_no", CELL_INTEGER, .width = 5 },
    { "Fleet", "fleet", CELL_TEXT, .width = 22 },
    { "Cheapest: replicas", "cheapest", CELL_INTEGER, .width = 14,
      .meaning = "The measured count with the lowest cost per million tokens whose latency is at most the "
                 "limit; a tie goes to the smallest" },
    { "Its cost per million tokens", "cheapest_million", CELL_NUMBER, .width = 14,
      .formula = "=" AT_COUNT("million_tokens", "cheapest") },
    { "Its latency (ms)", "cheapest_latency_ms", CELL_HOURS, .width = 14,
      .formula = "=" AT_COUNT("latency_ms", "cheapest") },
    { "", NULL, CELL_TEXT, .width = 12 },
    { "Highest throughput: replicas", "highest_throughput", CELL_INTEGER, .width = 14,
      .meaning = "The measured count that serves the most tokens per second, whatever its latency" },
    { "Its cost per million tokens", "highest_million", CELL_NUMBER, .width = 16,
      .formula = "=" AT_COUNT("million_tokens", "highest_throughput") },
    { "Its latency (ms)", "highest_latency_ms", CELL_HOURS, .width = 32,
      .formula = "=" AT_COUNT("latency_ms", "highest_throughput") },
    { "Dearer by", "highest_dearer", CELL_PERCENT, .width = 12,
      .formula = "=IF([cheapest_million]=0,0,ROUND([highest_million]/[cheapest_million]-1,12))",
      .meaning = "Cost per million tokens at the highest throughput ÷ that of the cheapest count − 1" },
    { 0 },
};
static const struct sheet_table sentences = {
    .name = "serving_sentences",
    .query = "report/serving_fleets.sql",
    .columns = sentence_columns,
    .heading = "In short",
};
static const struct sheet_table fleets = {
    .name = "serving_fleets",
    .query = "report/serving_fleets.sql",
    .columns = fleet_columns,
    .heading = "Fleets",
};
static const struct sheet_table sizes = {
    .name = "serving_sizes",
    .query = "report/serving_sizes.sql",
    .columns = size_columns,
    .heading = "Measured replica counts",
    .none = "Nothing is measured at the fleets' percentiles",
};
static const struct sheet_table choices = {
    .name = "serving_choices",
    .query = "report/serving_fleets.sql",
    .columns = choice_columns,
    .heading = "The cheapest count and the one with the highest throughput",
};
/* clang-format on */

bool fill_serving(struct sheet *sheet, struct error *error)
{
    sheet_title(sheet, "Serving fleets");
    worksheet_set_paper(sheet->worksheet, PAPER_A3);
    sheet_note(sheet, "Only measured replica counts are compared. A fleet with less load than the "
                      "measurement's serves fewer tokens for "
                      "the same money.");
    sheet_skip(sheet, 1);
    return table_write(sheet, &sentences, NULL, error) && table_write(sheet, &fleets, NULL, error) &&
           table_write(sheet, &sizes, NULL, error) && table_write(sheet, &choices, NULL, error);
}
