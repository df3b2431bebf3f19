/* report/sheets/rate_card.c: the sheet "Rate card" of the review: internal prices by family and K
 * that follow the measured law, for finance to publish. */
#include "report/sheets.h"

#define NODE_HOUR        "=ROUND([price_per_node_hour]+[overhead_per_node_hour]+[fixed_per_wall_hour]/[k],6)"
#define USEFUL           "=ROUND([node_hour_price]/[efficiency]*[stretch],6)"
#define AT_K_STAR(field) "SUMIFS({rate_families." field "},{rate_families.family_no},[family_no])"

/* clang-format off: a row each */
static const struct sheet_column family_columns[] = {
    { "No.", "family_no", CELL_INTEGER, .width = 5, .meaning = "The family as a number, for formulas" },
    { "Family", "family", CELL_TEXT, .width = 20 },
    { "K counts", "unit", CELL_TEXT, .width = 13 },
    { "K*", "k", CELL_INTEGER, .width = 7,
      .meaning = "The cheapest K of the month: the base that tiers are compared with" },
    { "Hours known by", "basis", CELL_TEXT, .width = 13 },
    { "K measured", "measured", CELL_TEXT, .width = 13 },
    { "Price per node-hour", "price_per_node_hour", CELL_PRICE, .width = 12,
      .meaning = "p: hardware ÷ node-hours of the family's jobs this month; per accelerator-hour where K "
                 "counts those" },
    { "Overhead per node-hour", "overhead_per_node_hour", CELL_PRICE, .width = 12,
      .meaning = "o: fixed overhead of pools split by node-hours ÷ node-hours, likewise" },
    { "Overhead per wall hour", "fixed_per_wall_hour", CELL_PRICE, .width = 12,
      .meaning =
          "f: other fixed overhead ÷ wall-clock hours of the family's jobs. Without a configured cost of "
          "waiting: that is nobody's bill, but K* is found with it" },
    { "Node-hour with overhead", "node_hour_price", CELL_PRICE, .width = 12, .formula = NODE_HOUR,
      .meaning = "p + o + f ÷ K" },
    { "Efficiency E(K)", "efficiency", CELL_PERCENT, .width = 11 },
    { "Interruptions", "stretch", CELL_NUMBER, .width = 12,
      .meaning = "How much longer interruptions make a run on K nodes; 1 where nothing is declared" },
    { "Hours of the measured work", "hours", CELL_NUMBER, .width = 12,
      .meaning = "Interruptions included. Of measured throughput 1 ÷ throughput, of step time a step, of "
                 "efficiency 1 on one node" },
    { "Useful node-hour", "useful_price", CELL_PRICE, .width = 12, .formula = USEFUL,
      .meaning = "What a node-hour of useful work costs on K nodes: (p + o + f ÷ K) ÷ E(K) × interruptions" },
    { 0 },
};
static const struct sheet_column tier_columns[] = {
    { "No.", "family_no", CELL_INTEGER, .width = 5 },
    { "Family", "family", CELL_TEXT, .width = 20 },
    { "", "mark", CELL_TEXT, .width = 13 },
    { "K", "k", CELL_INTEGER, .width = 7 },
    { "Hours known by", "basis", CELL_TEXT, .width = 13,
      .meaning = "measured at this K; fitted: by the family's law or the growth rule; with low confidence "
                 "above the largest measured K, up to twice it: no price to publish before it is measured" },
    { "", NULL, CELL_TEXT, .width = 13 },
    { "Price per node-hour", "price_per_node_hour", CELL_PRICE, .width = 12 },
    { "Overhead per node-hour", "overhead_per_node_hour", CELL_PRICE, .width = 12 },
    { "Overhead per wall hour", "fixed_per_wall_hour", CELL_PRICE, .width = 12 },
    { "Node-hour with overhead", "node_hour_price", CELL_PRICE, .width = 12, .formula = NODE_HOUR },
    { "Efficiency E(K)", "efficiency", CELL_PERCENT, .width = 11 },
    { "Interruptions", "stretch", CELL_NUMBER, .width = 12 },
    { "Hours of the measured work", "hours", CELL_NUMBER, .width = 12 },
    { "Useful node-hour", "useful_price", CELL_PRICE, .width = 12, .formula = USEFUL },
    { "Cost of the same work", "relative_cost", CELL_NUMBER, .width = 12,
      .formula =
          "=IF(" AT_K_STAR("useful_price") "=0,0,ROUND([useful_price]/" AT_K_STAR("useful_price") ",6))",
      .meaning = "C(K) ÷ C(K*): the tier's multiplier" },
    { "Hours of the same work", "relative_hours", CELL_NUMBER, .width = 12,
      .formula = "=ROUND([hours]/" AT_K_STAR("hours") ",6)", .meaning = "T(K) ÷ T(K*)" },
    { 0 },
};
static const struct sheet_column sentence_columns[] = {
    { "No.", "family_no", CELL_INTEGER, .width = 5 },
    { "In a sentence", "sentence", CELL_TEXT, .width = 20, .span = 14,
      .meaning = "To be published as it stands; without tiers beyond what was measured" },
    { 0 },
};
static const struct sheet_column without_columns[] = {
    { "", NULL, CELL_TEXT, .width = 5 },
    { "Family", "family", CELL_TEXT, .width = 20 },
    { "Why", "why", CELL_TEXT, .width = 13, .span = 13 },
    { 0 },
};
static const struct sheet_table sentences = {
    .name = "rate_sentences",
    .query = "report/rate_families.sql",
    .columns = sentence_columns,
    .heading = "To publish",
    .none = "No family has a K* this month",
};
static const struct sheet_table families = {
    .name = "rate_families",
    .query = "report/rate_families.sql",
    .columns = family_columns,
    .heading = "At K*",
    .none = "No family has a K* this month",
};
static const struct sheet_table tiers = {
    .name = "rate_tiers",
    .query = "report/rate_tiers.sql",
    .columns = tier_columns,
    .heading = "Tiers",
    .none = "No family has a K* this month",
};
static const struct sheet_table without = {
    .name = "rate_without",
    .query = "report/rate_without.sql",
    .columns = without_columns,
    .heading = "Measured, but without tiers",
    .none = "Every measured family has tiers",
};
/* clang-format on */

bool fill_rate_card(struct sheet *sheet, struct error *error)
{
    sheet_title(sheet, "Rate card");
    worksheet_set_paper(sheet->worksheet, PAPER_A3);
    sheet_note(sheet, "What the same work costs on other node counts, by each family's measured law at the "
                      "month's prices: feasible K that are powers of two, listed, measured, or K*.");
    sheet_note(sheet,
               "A price list for planning: what is charged is the bill's own cost (chargeback workbook).");
    sheet_skip(sheet, 1);
    return table_write(sheet, &sentences, NULL, error) && table_write(sheet, &families, NULL, error) &&
           table_write(sheet, &tiers, NULL, error) && table_write(sheet, &without, NULL, error);
}
