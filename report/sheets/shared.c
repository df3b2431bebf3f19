/* report/sheets/shared.c: the sheet "Shared costs": each pool, its method and weights, and the
 * part of each cost centre. */
#include "report/sheets.h"

/* clang-format off: a row each */
static const struct sheet_column pool_columns[] = {
    { "Pool no.", "pool_no", CELL_INTEGER, .width = 8 },
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
static const struct sheet_column part_columns[] = {
    { "Pool no.", "pool_no", CELL_INTEGER, .width = 8 },
    { "Pool", "pool", CELL_TEXT, .width = 26 },
    { "Component", "component", CELL_TEXT, .width = 26 },
    { "Part of", "taker", CELL_TEXT, .width = 36,
      .meaning = "Cost centre; or why no cost centre bears the part" },
    { "Split", "split", CELL_TEXT, .width = 13 },
    { "By", "basis", CELL_TEXT, .width = 13 },
    { "Weight", "weight", CELL_HOURS, .width = 16,
      .meaning = "Hours in the month, direct cost, or a share, as the basis says; empty: only a closed "
                 "month's cost, split "
                 "as it was split there" },
    { "Of all weights", "pool_weight", CELL_HOURS, .width = 16 },
    { "Share", "share", CELL_PERCENT, .width = 10, .formula = "=ROUND([weight]/[pool_weight],9)",
      .meaning = "Weight ÷ all weights of the pool" },
    { "Attempts", "on_jobs", CELL_COUNT, .width = 10,
      .meaning = "Where the part stands on jobs: over how many" },
    { "Charged", "minor_units", CELL_MONEY, .width = 16, .total = true, .meaning = "Empty: unallocated" },
    /* belongs to no cost centre */
    { "Unallocated", "unallocated_minor", CELL_MONEY, .width = 16, .total = true,
      .meaning =
          "What no cost centre bears, for the reason under Part of; it is part of the sheet Unallocated" },
    { 0 },
};
enum { UNALLOCATED_COLUMNS = 1, PART_COLUMNS = sizeof part_columns / sizeof part_columns[0] - 1 };

static const struct sheet_table parts = {
    .name = "shared_parts",
    .query = "report/shared_parts.sql",
    .columns = part_columns,
    .heading = "Parts: who takes what of each pool",
    .none = "No pool had cost",
};
static const struct sheet_table own_parts = {
    .name = "shared_parts",
    .query = "report/shared_parts.sql",
    .columns = part_columns,
    .column_count = PART_COLUMNS - UNALLOCATED_COLUMNS,
    .heading = "Parts of this cost centre",
    .none = "No pool had cost",
};
static const struct sheet_table pools = {
    .name = "shared_pools",
    .query = "report/shared_pools.sql",
    .columns = pool_columns,
    .heading = "Pools: cost that belongs to no single job",
    .none = "No pool had cost",
};
/* clang-format on */

bool fill_shared(struct sheet *sheet, struct error *error)
{
    bool everyone = !for_one_centre(sheet);
    sheet_title(sheet, "Shared costs");
    worksheet_set_paper(sheet->worksheet, PAPER_A3);
    return table_write(sheet, everyone ? &parts : &own_parts, NULL, error) &&
           (!everyone || table_write(sheet, &pools, NULL, error));
}
