/* report/sheets/forecast_projection.c: the forecast as formulas over inputs and drivers: the
 * sheets "Work and price", "Other cost" and "Projection". model/forecast/forecast.h defines the
 * formula and computes the values beside the formulas. */
#include "report/forecast_sheets.h"

#define DRIVER(field) "INDEX({drivers." field "},[cell_no])"
#define WORK(field)   "INDEX({work." field "},[line_no])"
/* The share of the hours that the input moves to spot, out of the hours that were not bought on
 * spot. */
#define ON_SPOT "spot_share*(1-" DRIVER("bought_on_spot") ")"

/* Ideal node-hours that grow from their recent mean. */
#define GROWN(monthly) DRIVER("recent_work") "*(1+" monthly ")^[ahead]"
#define OWN_GROWTH     "INDEX({cells.growth},[cell_no])"
#define OWN_PENALTY    "INDEX({cells.penalty},[cell_no])"

/* clang-format off: a row each */
static const struct sheet_column work_columns[] = {
    { "Line", "line_no", CELL_INTEGER, .width = 7 },
    { "Month no.", "ahead", CELL_INTEGER, .width = 8 },
    { "Month", "month", CELL_MONTH, .width = 10 },
    { "Cost centre", "cost_centre", CELL_TEXT, .width = 22 },
    { "Family", "family", CELL_TEXT, .width = 20 },
    { "Ideal node-hours, trend", "trend_work", CELL_HOURS, .width = 15,
      .meaning = "By the level or damped trend of its history" },
    { "Ideal node-hours", "work", CELL_HOURS, .width = 15,
      .formula = "=MAX(IF(ISNUMBER(" OWN_GROWTH
                 ")," GROWN(OWN_GROWTH) ",IF(ISNUMBER(growth_all)," GROWN("growth_all") ",[trend_work])),0)",
      .meaning = "By its own growth on the sheet Inputs, else that of all jobs, else the trend" },
    { "Node-hours", "node_hours", CELL_HOURS, .width = 15,
      .formula = "=[work]/" DRIVER("efficiency") "*" DRIVER(
          "policy_hours") "/((1-efficiency_penalty_all)*(1-" OWN_PENALTY "))",
      .meaning = "÷ efficiency, × what the policy for node counts makes of them, ÷ what losses leave of "
                 "efficiency" },
    { "Price, trend", "trend_price", CELL_PRICE, .width = 13,
      .meaning = "Of a node-hour, by the level or damped trend of its history" },
    { "Prices change to", "price_factor", CELL_NUMBER, .width = 12,
      .formula = "=SUMIFS({purchases.weighted},{purchases.cell_no},[cell_no],{purchases.ahead},[ahead])",
      .meaning = "Sheet Purchases" },
    { "Price on demand", "price", CELL_PRICE, .width = 13,
      .formula = "=MAX([trend_price],0)*[price_factor]" },
    { "On-demand node-hours", "on_demand_hours", CELL_HOURS, .width = 15,
      .formula = "=[node_hours]*(1-" ON_SPOT ")*(1-elastic_saving)",
      .meaning = "That are paid: without what goes to spot and what is given back" },
    { "Cost on demand", "list_cost", CELL_HOURS, .width = 15, .formula = "=[node_hours]*[price]",
      .meaning = "Of all node-hours, before spot and the commitment" },
    { "Recent hours' cost", "recent_cost", CELL_HOURS, .width = 15,
      .formula = "=" DRIVER("recent_node_hours") "*[price]",
      .meaning = "Likewise of the node-hours that the commitment was made for (sheet Drivers)" },
    { "No.", "cell_no", CELL_INTEGER, .width = 6,
      .meaning = "Of the cost centre and family on the sheet Inputs" },
    { 0 },
};
static const struct sheet_table work = {
    .name = "work",
    .query = "report/forecast_work.sql",
    .columns = work_columns,
    .none = "No jobs",
    .alone = true,
    .frozen_columns = 5,
};

/* ---- costs without a job ---- */

#define UNUSED          "([committed]-[used])*[price]*(1-commitment_discount)"
#define OF_MONTH(field) "SUMIFS({work." field "},{work.ahead},[ahead])"
#define RECENT_HOURS    "SUM({drivers.recent_node_hours})"

static const struct sheet_column company_columns[] = {
    { "Month no.", "ahead", CELL_INTEGER, .width = 8 },
    { "Month", "month", CELL_MONTH, .width = 10 },
    { "Cost centre", "cost_centre", CELL_TEXT, .width = 22 },
    { "On-demand node-hours", "on_demand_hours", CELL_HOURS, .width = 15,
      .formula = "=" OF_MONTH("on_demand_hours") },
    { "Price on demand", "price", CELL_PRICE, .width = 13,
      .formula = "=IF(" OF_MONTH("node_hours") ">0," OF_MONTH("list_cost") "/" OF_MONTH(
          "node_hours") ",IF(" RECENT_HOURS ">0," OF_MONTH("recent_cost") "/" RECENT_HOURS ",0))",
      .meaning =
          "Of all node-hours, before spot; where there is no work left, of the recent ones: what hours "
          "of the commitment that nobody uses are paid at, less the discount" },
    { "Committed node-hours", "committed", CELL_HOURS, .width = 15,
      .formula = "=" RECENT_HOURS "*commitment_coverage" },
    { "Used", "used", CELL_HOURS, .width = 14, .formula = "=MIN([committed],[on_demand_hours])" },
    { "Share covered", "covered", CELL_NUMBER, .width = 12,
      .formula = "=IF([on_demand_hours]>0,[used]/[on_demand_hours],0)" },
    { "Before rounding", "whole", CELL_HOURS, .width = 15,
      .formula = "=" UNUSED "+fixed_overhead_plus+engineering_overhead_plus" },
    { "Unused commitments", "unused_commitments", CELL_MONEY, .width = 15, .total = true,
      .formula = ROUNDED(UNUSED) },
    { "Fixed overhead", "fixed_overhead", CELL_MONEY, .width = 15, .total = true,
      .formula = ROUNDED("fixed_overhead_plus") },
    { "Engineering overhead", "engineering_overhead", CELL_MONEY, .width = 15, .total = true,
      .formula = ROUNDED("engineering_overhead_plus") },
    { "Contingency", "contingency", CELL_MONEY, .width = 15, .total = true,
      .formula = ROUNDED("contingency*[whole]") },
    { "Total", "total", CELL_MONEY, .width = 16, .total = true,
      .formula = ROUNDED("SUM([unused_commitments]:[contingency])") },
    { "Centre no.", "centre_no", CELL_INTEGER, .width = 8 },
    { 0 },
};
#define TREND(title, name)                                                                                   \
    {                                                                                                        \
        title ", trend", "trend_" name, CELL_HOURS, .width = 13,                                             \
                                                    .meaning = "By the level or damped trend of its history" \
    }
#define CARRIED_ON(title, name)                                                                              \
    {                                                                                                        \
        title, name, CELL_MONEY, .width = 14, .total = true, .formula = ROUNDED("[trend_" name "]")          \
    }
static const struct sheet_column other_columns[] = {
    { "Month no.", "ahead", CELL_INTEGER, .width = 8 },
    { "Month", "month", CELL_MONTH, .width = 10 },
    { "Cost centre", "cost_centre", CELL_TEXT, .width = 22 },
    TREND("Idle and unused", "idle_and_unused"),
    TREND("Shared services", "shared_services"),
    TREND("Direct cost", "direct_cost"),
    TREND("Tax", "tax"),
    TREND("Credits", "credits"),
    TREND("Unallocated", "unallocated"),
    CARRIED_ON("Idle and unused", "idle_and_unused"),
    CARRIED_ON("Shared services", "shared_services"),
    CARRIED_ON("Direct cost", "direct_cost"),
    CARRIED_ON("Tax", "tax"),
    CARRIED_ON("Credits", "credits"),
    CARRIED_ON("Unallocated", "unallocated"),
    { "Contingency", "contingency", CELL_MONEY, .width = 15, .total = true,
      .formula = ROUNDED("contingency*SUM([trend_idle_and_unused]:[trend_unallocated])") },
    { "Total", "total", CELL_MONEY, .width = 14, .total = true,
      .formula = ROUNDED("SUM([idle_and_unused]:[contingency])") },
    { "Centre no.", "centre_no", CELL_INTEGER, .width = 12 },
    { 0 },
};
static const struct sheet_column people_columns[] = {
    { "Month no.", "ahead", CELL_INTEGER, .width = 8 },
    { "Month", "month", CELL_MONTH, .width = 10 },
    { "Cost centre", "cost_centre", CELL_TEXT, .width = 22 },
    { "Before rounding", "whole", CELL_HOURS, .width = 15,
      .formula =
          "=IF(INDEX({people.from_month},[people_no])<=EOMONTH([month],0),INDEX({people.people},[people_no])*"
          "INDEX({people.annual_cost},[people_no])"
          "/12*INDEX({people.share},[people_no]),0)" },
    { "Engineering overhead", "engineering_overhead", CELL_MONEY, .width = 15, .total = true,
      .formula = ROUNDED("[whole]") },
    { "Contingency", "contingency", CELL_MONEY, .width = 15, .total = true,
      .formula = ROUNDED("contingency*[whole]") },
    { "Total", "total", CELL_MONEY, .width = 14, .total = true,
      .formula = ROUNDED("[engineering_overhead]+[contingency]") },
    { "Centre no.", "centre_no", CELL_INTEGER, .width = 12 },
    { "People no.", "people_no", CELL_INTEGER, .width = 15 },
    { 0 },
};
static const struct sheet_table others[] = {
    { .name = "company",
      .query = "report/forecast_company.sql",
      .columns = company_columns,
      .heading = "The commitment, and what is the company's as a whole" },
    { .name = "others",
      .query = "report/forecast_others.sql",
      .columns = other_columns,
      .heading = "On no job",
      .none = "Nothing" },
    { .name = "people_months",
      .query = "report/forecast_people_months.sql",
      .columns = people_columns,
      .heading = "People",
      .none = "None in the scenario" },
};

/* ---- costs of jobs ---- */

#define IDEAL "[work]*[paid]"
#define INTERRUPTIONS                                                                                        \
    "[node_hours]*" ON_SPOT "*[price]*(1-elastic_saving)*spot_price_fraction*(" DRIVER("spot_stretch") "-1)"
#define FEES      "[node_hours]*" DRIVER("fees_per_node_hour")
#define FAILED    "[productive]*[failed_factor]+" DRIVER("failed_alone")
#define CANCELLED "[productive]*" DRIVER("cancelled_factor") "+" DRIVER("cancelled_alone")
#define FIXED                                                                                                \
    "[trend_fixed]*fixed_overhead_factor*(" DRIVER("fixed_by_node_hours") "*" DRIVER(                        \
        "policy_hours") "+(1-" DRIVER("fixed_by_node_hours") ")*" DRIVER("policy_wall") ")"
#define ENGINEERING "[trend_engineering]*engineering_overhead_factor"

static const struct sheet_column line_columns[] = {
    { "Line", "line_no", CELL_INTEGER, .width = 7 },
    { "Month no.", "ahead", CELL_INTEGER, .width = 8 },
    { "Month", "month", CELL_MONTH, .width = 10 },
    { "Cost centre", "cost_centre", CELL_TEXT, .width = 22 },
    { "Family", "family", CELL_TEXT, .width = 20 },
    { "Ideal node-hours", "work", CELL_HOURS, .width = 13, .formula = "=" WORK("work"),
      .meaning = "Sheet Work and price; likewise the next two" },
    { "Node-hours", "node_hours", CELL_HOURS, .width = 13, .formula = "=" WORK("node_hours") },
    { "Price on demand", "price", CELL_PRICE, .width = 11, .formula = "=" WORK("price") },
    { "Price paid", "paid", CELL_PRICE, .width = 11,
      .formula =
          "=[price]*(1-elastic_saving)*((1-" ON_SPOT
          ")*(1-INDEX({company.covered},[ahead])*commitment_discount)+" ON_SPOT "*spot_price_fraction)",
      .meaning = "Of a node-hour, with spot, the commitment and what is given back" },
    { "Productive", "productive", CELL_HOURS, .width = 14,
      .formula = "=[node_hours]*[paid]+" INTERRUPTIONS "+" FEES,
      .meaning = "Hardware, interruptions and fees: what the failed-run factor is of" },
    { "Failed-run factor", "failed_factor", CELL_NUMBER, .width = 10,
      .formula = "=IF(ISNUMBER(failed_run_factor),failed_run_factor," DRIVER("failed_factor") "-IF(" DRIVER(
          "spot_stretch") ">1," ON_SPOT "*" DRIVER("interrupted_factor") ",0))",
      .meaning = "In force: the input, else as measured, without what preemptions and failing nodes ended in "
                 "the share on spot, whose stretch has it" },
    { "Hardware carried on", "carried_on", CELL_HOURS, .width = 14,
      .formula = "=MAX(" WORK("trend_work") ",0)/" DRIVER("efficiency") "*MAX(" WORK(
          "trend_price") ",0)*(1+" DRIVER("failed_factor") "+" DRIVER("cancelled_factor") ")",
      .meaning = "As history goes on, without any lever; failed and cancelled runs included" },
    { "Hardware not on spot", "not_on_spot", CELL_HOURS, .width = 14,
      .formula = "=" WORK("on_demand_hours") "*MAX(" WORK(
          "trend_price") ",0)*(1-INDEX({company.covered},[ahead])*commitment_discount)*(1+[failed_factor]+" DRIVER("cancelled_factor") ")",
      .meaning = "What the levers leave of it besides what they move to spot, before changes of prices" },
    { "Fixed overhead, trend", "trend_fixed", CELL_HOURS, .width = 12 },
    { "Engineering, trend", "trend_engineering", CELL_HOURS, .width = 12 },
    { "Before rounding", "whole", CELL_HOURS, .width = 14,
      .formula = "=[productive]+" DRIVER("hardware_alone") "+" DRIVER("fees_alone") "+" FAILED "+" CANCELLED
                                                                                    "+" FIXED "+" ENGINEERING,
      .meaning = "All parts, which the contingency is a share of" },
    { "Useful compute", "useful_compute", CELL_MONEY, .width = 14, .total = true,
      .formula = ROUNDED(IDEAL "-" IDEAL "*" DRIVER("unmeasured_share")) },
    { "Coordination waste", "coordination_waste", CELL_MONEY, .width = 14, .total = true,
      .formula = ROUNDED("[node_hours]*[paid]-" IDEAL) },
    { "Unmeasured hardware", "unmeasured_hardware", CELL_MONEY, .width = 14, .total = true,
      .formula = ROUNDED(IDEAL "*" DRIVER("unmeasured_share") "+" DRIVER("hardware_alone")) },
    { "Interruptions", "interruptions", CELL_MONEY, .width = 13, .total = true,
      .formula = ROUNDED(INTERRUPTIONS) },
    { "Failed runs", "failed_runs", CELL_MONEY, .width = 13, .total = true, .formula = ROUNDED(FAILED) },
    { "Cancelled", "cancelled", CELL_MONEY, .width = 13, .total = true, .formula = ROUNDED(CANCELLED) },
    { "Cloud fees", "cloud_fees", CELL_MONEY, .width = 13, .total = true,
      .formula = ROUNDED(FEES "+" DRIVER("fees_alone")) },
    { "Fixed overhead", "fixed_overhead", CELL_MONEY, .width = 13, .total = true, .formula = ROUNDED(FIXED) },
    { "Engineering overhead", "engineering_overhead", CELL_MONEY, .width = 13, .total = true,
      .formula = ROUNDED(ENGINEERING) },
    { "Contingency", "contingency", CELL_MONEY, .width = 13, .total = true,
      .formula = ROUNDED("contingency*[whole]") },
    { "Total", "total", CELL_MONEY, .width = 15, .total = true,
      .formula = ROUNDED("SUM([useful_compute]:[contingency])") },
    { "No.", "cell_no", CELL_INTEGER, .width = 6 },
    { "Centre no.", "centre_no", CELL_INTEGER, .width = 8 },
    { 0 },
};
static const struct sheet_table lines = {
    .name = "lines",
    .query = "report/forecast_lines.sql",
    .columns = line_columns,
    .none = "No jobs",
    .alone = true,
    .frozen_columns = 5,
};
/* clang-format on */

bool fill_forecast_work(struct sheet *sheet, struct error *error)
{
    sheet_title(sheet, "Work and price");
    sheet_note(sheet, "Node-hours of each month, and what one costs on demand.");
    sheet_skip(sheet, 1);
    return table_write(sheet, &work, NULL, error);
}

bool fill_forecast_others(struct sheet *sheet, struct error *error)
{
    bool ok = true;
    sheet_title(sheet, "Other cost");
    for (size_t i = 0; ok && i < sizeof others / sizeof others[0]; i++)
        ok = table_write(sheet, &others[i], NULL, error);
    return ok;
}

bool fill_forecast_projection(struct sheet *sheet, struct error *error)
{
    sheet_title(sheet, "Projection");
    worksheet_set_paper(sheet->worksheet, PAPER_A3);
    worksheet_fit_to_pages(sheet->worksheet, 2, 0);
    sheet_note(
        sheet,
        "(ideal hardware (1 + CIF) + fees)(1 + failed-run factor) + cancelled runs + overheads, of each "
        "cost centre and family; each part is rounded once.");
    sheet_skip(sheet, 1);
    return table_write(sheet, &lines, NULL, error);
}
