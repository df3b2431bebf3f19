/* report/sheets/idle.c: the sheet "Idle and unused": capacity that was paid but not used: who
 * pays it, and which nodes and commitments it was. */
#include "report/sheets.h"

/* clang-format off: a row each */
static const struct sheet_column payer_columns[] = {
    { "Component", "component", CELL_TEXT, .width = 34 },
    { "Pool", "pool", CELL_TEXT, .width = 22 },
    { "Cost centre", "cost_centre", CELL_TEXT, .width = 90 },
    { "", NULL, CELL_TEXT, .width = 16 },
    { "Amount", "minor_units", CELL_MONEY, .width = 16, .total = true },
    { 0 },
};
static const struct sheet_column commitment_columns[] = {
    { "Commitment", "commitment", CELL_TEXT, .width = 34,
      .meaning = "Empty: unused capacity without a commitment's id" },
    { "Utilisation", "utilisation", CELL_PERCENT, .width = 12, .may_be_empty = true,
      .formula = "=IF([used_minor]+[unused_minor]=0,\"\",[used_minor]/([used_minor]+[unused_minor]))",
      .meaning = "Used ÷ (used + unused), effective cost" },
    { "", NULL, CELL_TEXT, .width = 90 },
    { "Used", "used_minor", CELL_MONEY, .width = 16, .total = true },
    { "Unused", "unused_minor", CELL_MONEY, .width = 16, .total = true,
      .meaning =
          "Rounded to cents per commitment: the total may be a cent off the amounts under 'Who pays it'" },
    { 0 },
};
static const struct sheet_column node_columns[] = {
    { "Pool", "pool", CELL_TEXT, .width = 34 },
    { "Node", "resource_name", CELL_TEXT, .width = 22, .meaning = "As the bill names it" },
    { "Resource", "resource_id", CELL_TEXT, .width = 90, .wraps = true },
    { "Node-hours", "node_hours", CELL_HOURS, .width = 16, .total = true,
      .meaning = "Billed and held by no job" },
    { "Cost", "minor_units", CELL_MONEY, .width = 16, .total = true,
      .meaning =
          "Effective cost of that time, before the pool is split. Rounded to cents per node: the total "
          "may be a cent off the amounts under 'Who pays it'" },
    { 0 },
};
static const struct sheet_table payers = {
    .name = "idle",
    .query = "report/idle.sql",
    .columns = payer_columns,
    .heading = "Who pays it",
    .none = "Nothing idle",
};
static const struct sheet_table commitments = {
    .name = "commitments",
    .query = "report/commitments.sql",
    .columns = commitment_columns,
    .heading = "Commitments: how far each was used",
    .none = "No commitments",
};
static const struct sheet_table nodes = {
    .name = "idle_nodes",
    .query = "report/idle_nodes.sql",
    .columns = node_columns,
    .heading = "Idle nodes, dearest first",
    .none = "No node was idle",
};
/* clang-format on */

bool fill_idle(struct sheet *sheet, struct error *error)
{
    sheet_title(sheet, "Idle and unused");
    return table_write(sheet, &payers, NULL, error) &&
           (for_one_centre(sheet) ||
            (table_write(sheet, &commitments, NULL, error) && table_write(sheet, &nodes, NULL, error)));
}
