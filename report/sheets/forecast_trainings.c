/* report/sheets/forecast_trainings.c: planned trainings in a forecast's workbook: the sheets
 * "Training sizes", with every possible K, and "Trainings", with the cost on the chosen K.
 * model/forecast/planned_training.h defines the rule. */
#include "report/forecast_sheets.h"

#define PLAN(field)        "INDEX({plans." field "},[training_no])"
#define TERM(field)        "INDEX({terms." field "},[training_no])"
#define SIZES(field)       "INDEX({sizes." field "},[first_size]):INDEX({sizes." field "},[last_size])"
#define IN_MONTHS(formula) ROUNDED("[in_months]*(" formula ")")

/* The first month of the sheet's forecast is month 1. */
#define MONTHS_AHEAD(month)                                                                                  \
    "(YEAR(" month ")-YEAR(INDEX({company.month},1)))*12+MONTH(" month ")-MONTH(INDEX({company.month},1))+1"

/* clang-format off: a row each */
static const struct sheet_column term_columns[] = {
    { "No.", "training_no", CELL_INTEGER, .width = 6 },
    { "Training", "training", CELL_TEXT, .width = 26 },
    { "Month no.", "ahead", CELL_INTEGER, .width = 8, .formula = "=" MONTHS_AHEAD(PLAN("month")) },
    { "Efficiency left", "efficiency_left", CELL_NUMBER, .width = 12,
      .formula = "=(1-efficiency_penalty_all)*(1-IF([cell_no]>0,INDEX({cells.penalty},MAX([cell_no],1)),[own_"
                 "penalty]))" },
    { "Ideal hours of one K", "ideal_k_hours", CELL_HOURS, .width = 13,
      .formula = "=" PLAN("ideal_node_hours") "*[per_node]" },
    { "Measured hours of one K", "measured_k_hours", CELL_NUMBER, .width = 13,
      .meaning = "Of the measured work on the smallest K, where E is 1" },
    { "Work", "work", CELL_NUMBER, .width = 13,
      .formula = "=[ideal_k_hours]/([measured_k_hours]*[efficiency_left])",
      .meaning = "Against the measured work" },
    { "Price, latest", "list_price", CELL_PRICE, .width = 11,
      .meaning = "Of one K for an hour, of the family's jobs" },
    { "Prices change to", "price_factor", CELL_NUMBER, .width = 11,
      .formula = "=SUMIFS({purchases.weighted},{purchases.cell_no},[bought_no],{purchases.ahead},[ahead])" },
    { "Price", "node_price", CELL_PRICE, .width = 11,
      .formula =
          "=[list_price]*[price_factor]*(1-elastic_saving)*IF(AND([spot]=\"Yes\",[is_spot_price]=\"No\"),"
          "spot_price_fraction,1)" },
    { "Overhead of one K", "node_overhead", CELL_PRICE, .width = 11,
      .meaning = "For an hour, of pools split by node-hours: as it is, whatever the hardware costs" },
    { "Overhead of a wall-hour", "wall_price", CELL_PRICE, .width = 11 },
    { "Waiting for an hour", "waiting_price", CELL_PRICE, .width = 11,
      .meaning = "Takes part in choosing K and is no money" },
    { "Interruptions of one K", "rate", CELL_NUMBER, .width = 12,
      .formula = "=IF([spot_is_stated]=\"Yes\",spot_preemptions/[per_node],[own_rate])",
      .meaning = "In an hour: the family's own, else those of the sheet Inputs where it runs on spot; "
                 "likewise the next two" },
    { "Hours to write a checkpoint", "checkpoint_hours", CELL_NUMBER, .width = 12,
      .formula = "=IF([spot_is_stated]=\"Yes\",spot_checkpoint_hours,[own_checkpoint])" },
    { "Hours to restart", "restart_hours", CELL_NUMBER, .width = 12,
      .formula = "=IF([spot_is_stated]=\"Yes\",spot_restart_hours,[own_restart])" },
    { "On spot", "spot", CELL_YES_NO, .width = 8 },
    { "Price of spot", "is_spot_price", CELL_YES_NO, .width = 8,
      .meaning = "What the family's jobs paid last is one: no share is applied to it again" },
    { "By inputs", "spot_is_stated", CELL_YES_NO, .width = 8 },
    { "Own interruptions", "own_rate", CELL_NUMBER, .width = 12 },
    { "Own checkpoint", "own_checkpoint", CELL_NUMBER, .width = 12 },
    { "Own restart", "own_restart", CELL_NUMBER, .width = 12 },
    { "Own loss of efficiency", "own_penalty", CELL_NUMBER, .width = 12,
      .meaning = "Of a training whose cost centre and family have no jobs" },
    { "K of a node", "per_node", CELL_INTEGER, .width = 8 },
    { "Cell no.", "cell_no", CELL_INTEGER, .width = 8 },
    { "Purchases no.", "bought_no", CELL_INTEGER, .width = 9,
      .meaning = "Where the sheet Purchases says how its hardware is bought; below 0: as its family's, over "
                 "all cost centres" },
    { 0 },
};
static const struct sheet_column size_columns[] = {
    { "No.", "training_no", CELL_INTEGER, .width = 6 },
    { "Training", "training", CELL_TEXT, .width = 26 },
    { "K", "k", CELL_INTEGER, .width = 8 },
    { "May run on it", "feasible", CELL_YES_NO, .width = 12,
      .meaning = "By the family's limits, and not beyond what its measurements may be stretched to; never "
                 "under weak scaling, where K is given" },
    { "Measured hours T(K)", "measured_hours", CELL_NUMBER, .width = 13, .meaning = "Of the measured work" },
    { "Stretch", "stretch", CELL_NUMBER, .width = 13,
      .formula = "=1+SQRT(2*" TERM("checkpoint_hours") "*[k]*" TERM("rate") ")+[k]*" TERM("rate") "*" TERM(
          "restart_hours") },
    { "Hours of a run", "hours", CELL_NUMBER, .width = 13,
      .formula = "=" TERM("work") "*[measured_hours]*[stretch]" },
    { "Cost C(K)", "cost", CELL_HOURS, .width = 14,
      .formula = "=((" TERM("node_price") "+" TERM("node_overhead") ")*[k]+" TERM("wall_price") "+" TERM(
          "waiting_price") ")*[hours]",
      .meaning = "Hardware, overhead and waiting of one run: what K is chosen by" },
    { "Cost where it may be chosen", "choice", CELL_HOURS, .width = 14, .may_be_empty = true,
      .formula = "=IF(AND([feasible]=\"Yes\",OR(NOT(ISNUMBER(" PLAN("deadline_hours") ")),[hours]<=" PLAN(
          "deadline_hours") "*(1+1E-9))),[cost],\"\")",
      .meaning = "Feasible, and within the deadline" },
    { 0 },
};
static const struct sheet_table terms = {
    .name = "terms",
    .query = "report/forecast_training_terms.sql",
    .columns = term_columns,
    .heading = "What is planned",
    .none = "None in the scenario",
};
static const struct sheet_table sizes = {
    .name = "sizes",
    .query = "report/forecast_sizes.sql",
    .columns = size_columns,
    .heading = "Every K",
    .main = true,
    .none = "None in the scenario",
};

#define HOURS_AT_K "SUMIFS({sizes.hours},{sizes.training_no},[training_no],{sizes.k},[k])"
#define RUNS       PLAN("runs")
#define USEFUL     TERM("ideal_k_hours") "*" TERM("node_price") "*" RUNS
#define STRETCH    "[hardware]*([stretch_at_k]-1)"
#define FEES       PLAN("fees") "*" RUNS
#define FAILED                                                                                               \
    "([hardware]+" STRETCH "+" FEES ")*IF(ISNUMBER(failed_run_factor),failed_run_factor,[failed_factor]-IF(" \
    "[stretch_at_k]>1,MIN([interrupted_factor],[failed_factor]),0))"
#define FIXED "(" TERM("node_overhead") "*[k]+" TERM("wall_price") ")*[hours]*" RUNS

static const struct sheet_column columns[] = {
    { "No.", "training_no", CELL_INTEGER, .width = 6 },
    { "Training", "training", CELL_TEXT, .width = 26 },
    { "Cost centre", "cost_centre", CELL_TEXT, .width = 20 },
    { "Family", "family", CELL_TEXT, .width = 18 },
    { "Month", "month", CELL_MONTH, .width = 10, .formula = "=" PLAN("month") },
    { "Month no.", "ahead", CELL_INTEGER, .width = 8, .formula = "=" TERM("ahead") },
    { "Counts", "in_months", CELL_INTEGER, .width = 8,
      .formula = "=IF(AND([ahead]>=1,[ahead]<=ROWS({company.ahead})),1,0)",
      .meaning = "1: its month is among those of the forecast" },
    { "K", "k", CELL_INTEGER, .width = 8,
      .formula = "=IF(ISNUMBER(" PLAN("given_k") ")," PLAN("given_k") ",1048577-SUMPRODUCT(MAX((" SIZES(
          "choice") "<=MIN(" SIZES("choice") ")*(1+1E-9))*(1048577-" SIZES("k") "))))",
      .meaning = "As given, else the smallest of the cheapest (sheet Training sizes)" },
    { "Hours of a run", "hours", CELL_NUMBER, .width = 13,
      .formula = "=IF(" HOURS_AT_K ">0," HOURS_AT_K ",NA())",
      .meaning = "Not available: its family was not measured at that K, no K meets the deadline, or none is "
                 "given under weak scaling" },
    { "Stretch", "stretch_at_k", CELL_NUMBER, .width = 11,
      .formula = "=SUMIFS({sizes.stretch},{sizes.training_no},[training_no],{sizes.k},[k])" },
    { "Efficiency E(K)", "efficiency", CELL_NUMBER, .width = 11,
      .formula = "=" TERM("ideal_k_hours") "/([k]*[hours]/[stretch_at_k])" },
    { "Hardware", "hardware", CELL_HOURS, .width = 13, .formula = "=" USEFUL "/[efficiency]",
      .meaning = "Of all runs, undisturbed" },
    { "Failed-run factor", "failed_factor", CELL_NUMBER, .width = 11, .meaning = "Measured" },
    { "of it interrupted", "interrupted_factor", CELL_NUMBER, .width = 11 },
    { "Before rounding", "whole", CELL_HOURS, .width = 14,
      .formula = "=[in_months]*([hardware]+" STRETCH "+" FEES "+" FAILED "+" FIXED ")" },
    { "Useful compute", "useful_compute", CELL_MONEY, .width = 14, .total = true,
      .formula = IN_MONTHS(USEFUL) },
    { "Coordination waste", "coordination_waste", CELL_MONEY, .width = 14, .total = true,
      .formula = IN_MONTHS("[hardware]-" USEFUL) },
    { "Interruptions", "interruptions", CELL_MONEY, .width = 13, .total = true,
      .formula = IN_MONTHS(STRETCH) },
    { "Failed runs", "failed_runs", CELL_MONEY, .width = 13, .total = true, .formula = IN_MONTHS(FAILED) },
    { "Cloud fees", "cloud_fees", CELL_MONEY, .width = 13, .total = true, .formula = IN_MONTHS(FEES) },
    { "Fixed overhead", "fixed_overhead", CELL_MONEY, .width = 13, .total = true,
      .formula = IN_MONTHS(FIXED) },
    { "Contingency", "contingency", CELL_MONEY, .width = 13, .total = true,
      .formula = ROUNDED("contingency*[whole]") },
    { "Total", "total", CELL_MONEY, .width = 15, .total = true,
      .formula = "=ROUND(SUM([useful_compute]:[contingency]),{digits})" },
    { "Centre no.", "centre_no", CELL_INTEGER, .width = 8 },
    { "First size", "first_size", CELL_INTEGER, .width = 8,
      .meaning = "Its rows among those of the sheet Training sizes" },
    { "Last size", "last_size", CELL_INTEGER, .width = 8 },
    { 0 },
};
static const struct sheet_table trainings = {
    .name = "trainings",
    .query = "report/forecast_trainings.sql",
    .columns = columns,
    .none = "None in the scenario",
    .alone = true,
    .frozen_columns = 2,
};
/* clang-format on */

bool fill_forecast_sizes(struct sheet *sheet, struct error *error)
{
    sheet_title(sheet, "Training sizes");
    worksheet_set_paper(sheet->worksheet, PAPER_A3);
    sheet_note(
        sheet,
        "What each planned training would take and cost on every K, at the prices of the sheet Inputs.");
    return table_write(sheet, &terms, NULL, error) && table_write(sheet, &sizes, NULL, error);
}

bool fill_forecast_trainings(struct sheet *sheet, struct error *error)
{
    sheet_title(sheet, "Trainings");
    worksheet_set_paper(sheet->worksheet, PAPER_A3);
    sheet_note(sheet, "Planned trainings, on the K that is chosen.");
    sheet_skip(sheet, 1);
    return table_write(sheet, &trainings, NULL, error);
}
