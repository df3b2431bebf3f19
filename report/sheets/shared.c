/* report/sheets/shared.c: the sheet "Shared and idle": each pool with its method, its weights and
 * the part of each cost centre; the use of commitments; idle nodes and their hours. A cost centre
 * sees the total of each pool that it pays, the sum of the weights, its own weight, and the idle
 * nodes by type. Of its own pools it sees the nodes by name. */
#include "report/sheets.h"

/* clang-format off: a row each */
static const struct sheet_column pool_columns[] = {
    { "No.", "pool_no", CELL_INTEGER, .width = 5 },
    { "Pool", "pool", CELL_TEXT, .width = 26 },
    { "Component", "component", CELL_TEXT, .width = 26, .meaning = "Where its parts stand on the statement" },
    { "Owner", "owner", CELL_TEXT, .width = 36,
      .meaning = "Pays what is kept, and what has no weight to be split by" },
    { "Split", "split", CELL_TEXT, .width = 13,
      .meaning =
          "keep: the owner pays; even; proportional to the basis; fixed: by weights of pool_weights.csv" },
    { "By", "basis", CELL_TEXT, .width = 13 },
    { "Cost centres", "payers", CELL_COUNT, .width = 16 },
    { "All weights", "pool_weight", CELL_HOURS, .width = 16,
      .formula = "=ROUND(SUMIFS({shared_parts.weight},{shared_parts.pool_no},[pool_no]),6)" },
    { "", NULL, CELL_TEXT, .width = 10 },
    { "", NULL, CELL_TEXT, .width = 10 },
    { "Charged", "minor_units", CELL_MONEY, .width = 16, .total = true,
      .formula = "=ROUND(SUMIFS({shared_parts.minor_units},{shared_parts.pool_no},[pool_no]),{digits})",
      .meaning = "What its cost centres pay of it, on jobs and beside them" },
    { "Unallocated", "unallocated_minor", CELL_MONEY, .width = 16, .total = true,
      .formula = "=ROUND(SUMIFS({shared_parts.unallocated_minor},{shared_parts.pool_no},[pool_no]),{digits})",
      .meaning = "What no cost centre bears" },
    { 0 },
};
#define PART_COLUMNS                                                                                         \
    { "No.", "pool_no", CELL_INTEGER, .width = 5 }, { "Pool", "pool", CELL_TEXT, .width = 26 },              \
        { "Component", "component", CELL_TEXT, .width = 26 },                                                \
        { "Part of", "taker", CELL_TEXT, .width = 36,                                                        \
          .meaning = "Cost centre; or why no cost centre bears the part" },                                  \
        { "Split", "split", CELL_TEXT, .width = 13 }, { "By", "basis", CELL_TEXT, .width = 13 },             \
        { "Weight", "weight", CELL_HOURS, .width = 16,                                                       \
          .meaning = "Hours in the month, direct cost, or a share, as the basis says; empty: only a closed " \
                     "month's cost, split as it was split there" },                                          \
        { "Of all weights", "pool_weight", CELL_HOURS, .width = 16 },                                        \
        { "Share",                                                                                           \
          "share",                                                                                           \
          CELL_PERCENT,                                                                                      \
          .width = 10,                                                                                       \
          .formula = "=ROUND([weight]/[pool_weight],9)",                                                     \
          .meaning = "Weight ÷ all weights of the pool" },                                                   \
        { "Attempts", "on_jobs", CELL_COUNT, .width = 10,                                                    \
          .meaning = "Where the part stands on jobs: over how many" },                                       \
    {                                                                                                        \
        "Charged", "minor_units", CELL_MONEY, .width = 16, .total = true, .meaning = "Empty: unallocated"    \
    }
static const struct sheet_column part_columns[] = {
    PART_COLUMNS,
    /* the part that no cost centre pays */
    { "Unallocated", "unallocated_minor", CELL_MONEY, .width = 16, .total = true,
      .meaning = "What no cost centre bears, for the reason under Part of; it is among the Open items" },
    { 0 },
};
static const struct sheet_column own_part_columns[] = {
    PART_COLUMNS,
    { "Pool in all", "pool_minor", CELL_MONEY, .width = 16,
      .meaning =
          "What all who pay it pay, and what nobody bears: its Share of it is Charged, but for cents" },
    { 0 },
};
static const struct sheet_column commitment_columns[] = {
    { "", NULL, CELL_INTEGER, .width = 5 },
    { "Commitment", "commitment", CELL_TEXT, .width = 26, .wraps = true,
      .meaning = "Empty: unused capacity without a commitment's id" },
    { "Utilisation", "utilisation", CELL_PERCENT, .width = 26, .may_be_empty = true,
      .formula = "=IF(OR(MIN([used_minor],[unused_minor])<0,[used_minor]+[unused_minor]=0),\"\","
                 "[used_minor]/([used_minor]+[unused_minor]))",
      .meaning = "Used ÷ (used + unused), effective cost; empty if either is below zero" },
    { "", NULL, CELL_TEXT, .width = 36 },
    { "", NULL, CELL_TEXT, .width = 13 },
    { "", NULL, CELL_TEXT, .width = 13 },
    { "Used", "used_minor", CELL_MONEY, .width = 16, .total = true },
    { "Unused", "unused_minor", CELL_MONEY, .width = 16, .total = true,
      .meaning = "Rounded to cents per commitment: the total may be a cent off what the pools charge" },
    { 0 },
};
static const struct sheet_column type_columns[] = {
    { "", NULL, CELL_INTEGER, .width = 5 },
    { "Pool", "pool", CELL_TEXT, .width = 26, .wraps = true },
    { "Node type", "node_type", CELL_TEXT, .width = 26, .meaning = "As nodes.csv says, else the bill's SKU" },
    { "", NULL, CELL_TEXT, .width = 36 },
    { "", NULL, CELL_TEXT, .width = 13 },
    { "Nodes", "nodes", CELL_COUNT, .width = 13, .total = true },
    { "Node-hours", "node_hours", CELL_HOURS, .width = 16, .total = true,
      .meaning = "Billed and held by no job" },
    { "Cost", "minor_units", CELL_MONEY, .width = 16, .total = true,
      .meaning = "Effective cost of that time, before the pool is split" },
    { 0 },
};
static const struct sheet_column node_columns[] = {
    { "", NULL, CELL_INTEGER, .width = 5 },
    { "Pool", "pool", CELL_TEXT, .width = 26, .wraps = true },
    { "Node", "resource_name", CELL_TEXT, .width = 26, .meaning = "As the bill names it" },
    { "Resource", "resource_id", CELL_TEXT, .width = 36, .wraps = true },
    { "Node type", "node_type", CELL_TEXT, .width = 13 },
    { "Held by a job", "is_held", CELL_YES_NO, .width = 13,
      .meaning = "No: the bill has hours of it in the month, and no job had it" },
    { "Node-hours", "node_hours", CELL_HOURS, .width = 16, .total = true },
    { "Cost", "minor_units", CELL_MONEY, .width = 16, .total = true,
      .meaning = "Rounded to cents per node: the total may be a cent off what the pools charge" },
    { 0 },
};

static const struct sheet_table everybodys[] = {
    { .name = "shared_parts",
      .query = "report/shared_parts.sql",
      .columns = part_columns,
      .heading = "Who pays what part of each pool",
      .none = "No pool had cost" },
    { .name = "shared_pools",
      .query = "report/shared_pools.sql",
      .columns = pool_columns,
      .heading = "Pools: cost that belongs to no single job",
      .none = "No pool had cost" },
    { .name = "commitments",
      .query = "report/commitments.sql",
      .columns = commitment_columns,
      .heading = "Commitments: how far each was used",
      .none = "No commitments" },
    { .name = "idle_types",
      .query = "report/idle_types.sql",
      .columns = type_columns,
      .heading = "Idle nodes by pool and type",
      .none = "No node was idle" },
    { .name = "idle_nodes",
      .query = "report/idle_nodes.sql",
      .columns = node_columns,
      .heading = "Idle nodes, dearest first",
      .none = "No node was idle" },
};
static const struct sheet_table of_a_centre[] = {
    { .name = "shared_parts",
      .query = "report/shared_parts.sql",
      .columns = own_part_columns,
      .heading = "What this cost centre pays of each pool",
      .none = "It pays no pool" },
    { .name = "idle_types",
      .query = "report/idle_types.sql",
      .columns = type_columns,
      .heading = "Idle nodes of the pools that it pays or owns",
      .none = "No node was idle" },
    { .name = "idle_nodes",
      .query = "report/idle_nodes.sql",
      .columns = node_columns,
      .heading = "Idle nodes of its own pools by name, dearest first",
      .none = "No node of a pool of its own was idle" },
};
/* clang-format on */

bool fill_shared(struct sheet *sheet, struct error *error)
{
    const struct sheet_table *tables = for_one_centre(sheet) ? of_a_centre : everybodys;
    size_t count = for_one_centre(sheet) ? sizeof of_a_centre / sizeof of_a_centre[0]
                                         : sizeof everybodys / sizeof everybodys[0];
    bool ok = true;
    sheet_title(sheet, "Shared and idle");
    worksheet_set_paper(sheet->worksheet, PAPER_A3);
    for (size_t i = 0; ok && i < count; i++)
        ok = table_write(sheet, &tables[i], NULL, error);
    return ok;
}
