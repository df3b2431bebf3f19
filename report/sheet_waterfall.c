/* report/sheet_waterfall.c: the sheet "Waterfall": each cost centre from useful compute to true cost. */
#include "report/sheets.h"

#define COMPONENT(number)                                                                                    \
    "=ROUND(SUMIFS({lines.minor_units},{lines.centre_no},[centre_no],{lines.component_no}," number           \
    "),{digits})"

/* clang-format off: a row each */
static const struct sheet_column columns[] = {
    { "No.", "centre_no", CELL_INTEGER, .width = 5,
      .meaning = "The cost centre's number on the sheet Statement lines" },
    { "Cost centre", "cost_centre", CELL_TEXT, .width = 15 },
    { "Name", "cost_centre_name", CELL_TEXT, .width = 24 },
    { "Useful compute", "component_1", CELL_MONEY, .width = 12, .total = true, .formula = COMPONENT("1") },
    { "Coordination waste", "component_2", CELL_MONEY, .width = 12, .total = true,
      .formula = COMPONENT("2") },
    { "Unmeasured hardware", "component_3", CELL_MONEY, .width = 12, .total = true,
      .formula = COMPONENT("3") },
    { "Failed runs", "component_4", CELL_MONEY, .width = 12, .total = true, .formula = COMPONENT("4") },
    { "Cancelled", "component_5", CELL_MONEY, .width = 12, .total = true, .formula = COMPONENT("5") },
    { "Cloud fees", "component_6", CELL_MONEY, .width = 12, .total = true, .formula = COMPONENT("6") },
    { "Fixed overhead, on the bill", "component_7", CELL_MONEY, .width = 12, .total = true,
      .formula = COMPONENT("7") },
    { "Idle nodes", "component_8", CELL_MONEY, .width = 12, .total = true, .formula = COMPONENT("8") },
    { "Unused commitments", "component_9", CELL_MONEY, .width = 12, .total = true,
      .formula = COMPONENT("9") },
    { "Shared services", "component_10", CELL_MONEY, .width = 12, .total = true, .formula = COMPONENT("10") },
    { "Direct cost without job", "component_11", CELL_MONEY, .width = 12, .total = true,
      .formula = COMPONENT("11") },
    { "Tax", "component_12", CELL_MONEY, .width = 12, .total = true, .formula = COMPONENT("12") },
    { "Credits", "component_13", CELL_MONEY, .width = 12, .total = true, .formula = COMPONENT("13") },
    { "Charge adjustments", "component_14", CELL_MONEY, .width = 12, .total = true,
      .formula = COMPONENT("14") },
    { "On the bill", "on_the_bill", CELL_MONEY, .width = 14, .total = true,
      .formula = "=ROUND(SUM([component_1]:[component_14]),{digits})",
      .meaning = "The sum of the columns before it" },
    { "Hardware, off the bill", "component_17", CELL_MONEY, .width = 12, .total = true,
      .formula = COMPONENT("17"), .meaning = "Node-hours without a bill, at internal rates" },
    { "Fixed overhead, off the bill", "component_15", CELL_MONEY, .width = 12, .total = true,
      .formula = COMPONENT("15") },
    { "Engineering overhead", "component_16", CELL_MONEY, .width = 12, .total = true,
      .formula = COMPONENT("16") },
    { "Off the bill", "off_the_bill", CELL_MONEY, .width = 14, .total = true,
      .formula = "=ROUND([component_17]+[component_15]+[component_16],{digits})" },
    { "True cost", "true_cost", CELL_MONEY, .width = 14, .total = true,
      .formula = "=ROUND([on_the_bill]+[off_the_bill],{digits})",
      .meaning = "On the bill and off it; the carriers' credits are no part of it" },
    { 0 },
};
static const struct sheet_table waterfall = {
    .name = "waterfall",
    .query = "report/waterfall.sql",
    .columns = columns,
    .none = "No cost centres",
    .alone = true,
    .frozen_columns = 3,
};
/* clang-format on */

bool fill_waterfall(struct sheet *sheet, struct error *error)
{
    sheet_title(sheet, "Waterfall");
    worksheet_set_paper(sheet->worksheet, PAPER_A3);
    sheet_note(sheet, "Components of true cost; each dollar stands in one column. Every cell adds up the "
                      "sheet Statement lines.");
    sheet_skip(sheet, 1);
    return table_write(sheet, &waterfall, NULL, error);
}
