/* report/sheets/forecast_drivers.c: the drivers of the projection in a forecast's workbook: the
 * sheets "Drivers", "Node counts", "Efficiency" and "Purchases". Figures from history are
 * values; figures that depend on inputs are formulas. */
#include "report/forecast_sheets.h"

/* ---- purchases ---- */

/* Whether each price change on the sheet Inputs applies to the row's purchase: 0 or 1 for each
 * row of the list. */
#define MEANT_AT_ALL MEANT("provider") "*" MEANT("sku") "*" MEANT("purchase") "*" MEANT("currency")
#define MEANT(field) "((({prices." field "}=\"\")+EXACT({prices." field "},[" field "]))>0)"

/* clang-format off: a row each */
static const struct sheet_column purchase_columns[] = {
    { "Purchase no.", "purchase_no", CELL_INTEGER, .width = 9 },
    { "No.", "cell_no", CELL_INTEGER, .width = 6,
      .meaning = "Of the cost centre and family on the sheet Inputs; below 0: of a planned training whose "
                 "cost centre had no such jobs" },
    { "Month no.", "ahead", CELL_INTEGER, .width = 8 },
    { "Month", "month", CELL_MONTH, .width = 10 },
    { "Provider", "provider", CELL_TEXT, .width = 20,
      .meaning = "Empty, with SKU and currency: on no bill, or how it was bought is unknown" },
    { "SKU", "sku", CELL_TEXT, .width = 26 },
    { "Purchase", "purchase", CELL_TEXT, .width = 12, .meaning = "owned: one's own nodes" },
    { "Currency", "currency", CELL_TEXT, .width = 9 },
    { "Share", "share", CELL_NUMBER, .width = 11,
      .meaning = "Of the hardware's cost in its last month with work, of the last three" },
    { "Price changes to", "change", CELL_NUMBER, .width = 12,
      .formula =
          "=SUMPRODUCT(PRODUCT(1+{prices.change}*({prices.from_month}<=EOMONTH([month],0))*" MEANT_AT_ALL
          "))",
      .meaning = "Times 1 + change of every change of prices on the sheet Inputs that is meant" },
    { "Share × change", "weighted", CELL_NUMBER, .width = 12, .formula = "=[share]*[change]" },
    { "Agreed prices change to", "agreed_change", CELL_NUMBER, .width = 12,
      .formula =
          "=SUMPRODUCT(PRODUCT(1+{prices.change}*({prices.from_month}<=EOMONTH([month],0))*((({prices.purchase}<>\"\")+({prices."
          "currency}<>\"\"))>0)*" MEANT_AT_ALL "))",
      .meaning =
          "Of those changes the ones that name a currency or a purchase: a commitment's price follows no others" },
    { 0 },
};
static const struct sheet_table purchases = {
    .name = "purchases",
    .query = "report/forecast_purchases.sql",
    .columns = purchase_columns,
    .none = "No jobs",
    .alone = true,
    .frozen_columns = 3,
};

/* ---- node counts ---- */

static const struct sheet_column curve_columns[] = {
    { "No.", "curve_no", CELL_INTEGER, .width = 6 },
    { "Family", "family", CELL_TEXT, .width = 26 },
    { "K", "k", CELL_INTEGER, .width = 8 },
    { "Hours T(K)", "hours", CELL_NUMBER, .width = 16,
      .meaning = "Of the measured work, by the family's law or measurements" },
    { "Efficiency E(K)", "efficiency", CELL_PERCENT, .width = 12 },
    { 0 },
};
static const struct sheet_table curves = {
    .name = "curves",
    .query = "report/forecast_curves.sql",
    .columns = curve_columns,
    .none = "No family of these jobs was measured",
    .alone = true,
    .frozen_columns = 3,
};

#define STRETCHED_K "IF(AND([hours_at_k]>0,[hours_at_new_k]>0),[new_k],[k])/[per_node]*spot_preemptions"

static const struct sheet_column job_columns[] = {
    { "No.", "cell_no", CELL_INTEGER, .width = 6 },
    { "Cost centre", "cost_centre", CELL_TEXT, .width = 22 },
    { "Family", "family", CELL_TEXT, .width = 20 },
    { "K", "k", CELL_INTEGER, .width = 7 },
    { "K*", "k_star", CELL_INTEGER, .width = 7,
      .meaning =
          "The nearer end of the jobs' band, as their statements have it; their own K where they stay; 0: none" },
    { "Node-hours", "node_hours", CELL_HOURS, .width = 13,
      .meaning = "Of productive jobs in the last three months" },
    { "Wall-hours", "wall_hours", CELL_HOURS, .width = 13 },
    { "K by policy", "new_k", CELL_INTEGER, .width = 8,
      .formula = "=IF(AND(EXACT(node_policy,\"K*\"),[k_star]>0),[k_star],IF(AND(EXACT(node_policy,\"cap\"),"
                 "ISNUMBER(node_cap)),"
                 "IF([k]>node_cap,INT(node_cap),[k]),IF(EXACT(node_policy,\"powers of "
                 "two\"),2^INT(LOG([k],2)+1E-9),[k])))" },
    { "Hours at K", "hours_at_k", CELL_NUMBER, .width = 14,
      .meaning = "Of the measured work (sheet Efficiency); 0: not known, and the jobs stay as they are" },
    { "Hours by policy", "hours_at_new_k", CELL_NUMBER, .width = 14,
      .formula = "=SUMIFS({curves.hours},{curves.curve_no},[curve_no],{curves.k},[new_k])" },
    { "Node-hours by policy", "new_node_hours", CELL_HOURS, .width = 13,
      .formula = "=IF(AND([hours_at_k]>0,[hours_at_new_k]>0),[node_hours]*([hours_at_new_k]/"
                 "[hours_at_k]*[new_k]/[k]),[node_hours])" },
    { "Wall-hours by policy", "new_wall_hours", CELL_HOURS, .width = 13,
      .formula = "=IF(AND([hours_at_k]>0,[hours_at_new_k]>0),[wall_hours]*([hours_at_new_k]/"
                 "[hours_at_k]),[wall_hours])" },
    { "Stretch on spot", "stretch", CELL_NUMBER, .width = 10,
      .formula = "=1+SQRT(2*spot_checkpoint_hours*" STRETCHED_K ")+" STRETCHED_K "*spot_restart_hours" },
    { "Stretched node-hours", "stretched", CELL_HOURS, .width = 13,
      .formula = "=[new_node_hours]*[stretch]" },
    { "Curve no.", "curve_no", CELL_INTEGER, .width = 7,
      .meaning = "Of the sheet Efficiency; 0: not measured" },
    { "K of a node", "per_node", CELL_INTEGER, .width = 7,
      .meaning = "Its accelerators where K counts them" },
    { 0 },
};
static const struct sheet_table jobs = {
    .name = "jobs",
    .query = "report/forecast_jobs.sql",
    .columns = job_columns,
    .none = "No productive jobs",
    .alone = true,
    .frozen_columns = 3,
};

/* ---- drivers ---- */

#define OF_CELL(column) "SUMIFS({jobs." column "},{jobs.cell_no},[cell_no])"

static const struct sheet_column driver_columns[] = {
    { "No.", "cell_no", CELL_INTEGER, .width = 6 },
    { "Cost centre", "cost_centre", CELL_TEXT, .width = 22 },
    { "Family", "family", CELL_TEXT, .width = 20 },
    { "Recent ideal node-hours", "recent_work", CELL_HOURS, .width = 13,
      .meaning =
          "A month of the last three: node-hours × E of productive jobs, those without a measured E whole" },
    { "Efficiency", "efficiency", CELL_NUMBER, .width = 11,
      .meaning = "Ideal node-hours ÷ node-hours of those months" },
    { "Recent node-hours", "recent_node_hours", CELL_HOURS, .width = 13 },
    { "Share unmeasured", "unmeasured_share", CELL_NUMBER, .width = 12,
      .meaning = "Of the ideal node-hours" },
    { "Fees per node-hour", "fees_per_node_hour", CELL_NUMBER, .width = 12 },
    { "Failed-run factor", "failed_factor", CELL_NUMBER, .width = 11,
      .meaning = "Failed ÷ productive hardware and fees" },
    { "of it interrupted", "interrupted_factor", CELL_NUMBER, .width = 11,
      .meaning = "What preemptions and failing nodes ended" },
    { "Cancelled factor", "cancelled_factor", CELL_NUMBER, .width = 11 },
    { "Hardware alone", "hardware_alone", CELL_HOURS, .width = 11,
      .meaning = "A month, where there was no work to go by; likewise the next three, and the last two also "
                 "where work cost nothing" },
    { "Fees alone", "fees_alone", CELL_HOURS, .width = 11 },
    { "Failed alone", "failed_alone", CELL_HOURS, .width = 11 },
    { "Cancelled alone", "cancelled_alone", CELL_HOURS, .width = 11 },
    { "Bought on spot", "bought_on_spot", CELL_NUMBER, .width = 11,
      .meaning = "Share of its hardware (sheet Purchases): its price is one of spot, and no share is applied "
                 "to it again" },
    { "Overhead by node-hours", "fixed_by_node_hours", CELL_NUMBER, .width = 11,
      .meaning =
          "Share of its fixed overhead that is split by node-hours, and moves with them; the rest does with wall-hours" },
    { "Node-hours by policy", "policy_hours", CELL_NUMBER, .width = 11,
      .formula = "=IF(" OF_CELL("node_hours") ">0," OF_CELL("new_node_hours") "/" OF_CELL("node_hours") ",1)",
      .meaning = "Against as they were (sheet Node counts)" },
    { "Wall-hours by policy", "policy_wall", CELL_NUMBER, .width = 11,
      .formula =
          "=IF(" OF_CELL("wall_hours") ">0," OF_CELL("new_wall_hours") "/" OF_CELL("wall_hours") ",1)" },
    { "Stretch on spot", "spot_stretch", CELL_NUMBER, .width = 11,
      .formula = "=IF(AND(spot_share>0," OF_CELL("new_node_hours") ">0)," OF_CELL("stretched") "/" OF_CELL(
          "new_node_hours") ",1)" },
    { 0 },
};
static const struct sheet_table drivers = {
    .name = "drivers",
    .query = "report/forecast_drivers.sql",
    .columns = driver_columns,
    .none = "No jobs",
    .alone = true,
    .frozen_columns = 3,
};
/* clang-format on */

bool fill_forecast_purchases(struct sheet *sheet, struct error *error)
{
    sheet_title(sheet, "Purchases");
    sheet_note(
        sheet,
        "How the hardware of each cost centre and family was bought, and what the changes of prices on "
        "the sheet Inputs make of it.");
    sheet_skip(sheet, 1);
    return table_write(sheet, &purchases, NULL, error);
}

bool fill_forecast_curves(struct sheet *sheet, struct error *error)
{
    sheet_title(sheet, "Efficiency");
    sheet_note(sheet, "What the measured work of each family takes on each K: the policy for node counts "
                      "looks up its hours here.");
    sheet_skip(sheet, 1);
    return table_write(sheet, &curves, NULL, error);
}

bool fill_forecast_jobs(struct sheet *sheet, struct error *error)
{
    sheet_title(sheet, "Node counts");
    sheet_note(sheet,
               "The productive work of the last three months by node count, and what the policy on the sheet "
               "Inputs makes of it.");
    sheet_skip(sheet, 1);
    return table_write(sheet, &jobs, NULL, error);
}

bool fill_forecast_drivers(struct sheet *sheet, struct error *error)
{
    sheet_title(sheet, "Drivers");
    worksheet_set_paper(sheet->worksheet, PAPER_A3);
    sheet_note(
        sheet,
        "What the last three months say of each cost centre and family, and what the inputs make of its "
        "node counts.");
    sheet_skip(sheet, 1);
    return table_write(sheet, &drivers, NULL, error);
}
