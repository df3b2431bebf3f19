/* report/sheets/attempts.c: the sheet "Attempts": results that took several attempts or failed
 * in all of them, with their true cost over all statements. The amounts are a memo and are never
 * added to those of jobs. */
#include "report/sheets.h"

/* clang-format off: a row each */
static const struct sheet_column columns[] = {
    { "Group no.", "group_no", CELL_INTEGER, .width = 8 },
    { "Run group", "run_group", CELL_TEXT, .width = 18,
      .meaning = "Attempts at the same result (run_groups.csv, or one job id)" },
    { "Result", "result", CELL_TEXT, .width = 16,
      .meaning = "Of the group: succeeded, running, cancelled, or failed without a result" },
    { "Attempt", "attempt_no", CELL_INTEGER, .width = 8, .meaning = "In the order of their starts" },
    { "Row", "row_no", CELL_INTEGER, .width = 6,
      .meaning = "Of the group; an attempt over two months has two rows" },
    { "Statement", "period", CELL_TEXT, .width = 10 },
    { "Cost centre", "cost_centre", CELL_TEXT, .width = 14 },
    { "Cluster", "cluster", CELL_TEXT, .width = 11 },
    { "Job", "job_id", CELL_TEXT, .width = 12 },
    { "Submitted", "attempt_mark", CELL_TEXT, .width = 18,
      .meaning = "Distinguishes the attempts of one job" },
    { "Name", "job_name", CELL_TEXT, .width = 22 },
    { "User", "user_name", CELL_TEXT, .width = 11 },
    { "Family", "family", CELL_TEXT, .width = 14 },
    { "K", "k", CELL_INTEGER, .width = 6 },
    { "State", "state_text", CELL_TEXT, .width = 19 },
    { "Outcome", "outcome", CELL_TEXT, .width = 11 },
    { "Start (UTC)", "start_time", CELL_TIME, .width = 15.5 },
    { "End (UTC)", "end_time", CELL_TIME, .width = 15.5 },
    { "Node-hours", "node_hours", CELL_HOURS, .width = 12, .total = true },
    { "True cost", "true_cost_minor", CELL_MONEY, .width = 14, .total = true,
      .meaning = "Of the attempt in that statement; those of this month are on the sheet Jobs as well" },
    { "Of the result so far", "so_far_minor", CELL_MONEY, .width = 14,
      .formula = "=ROUND(IF([row_no]=1,0,N([so_far_minor^]))+[true_cost_minor],{digits})",
      .meaning = "True cost of the group's rows up to this one; in its last row what the result truly cost" },
    { "Last", "is_last", CELL_YES_NO, .width = 7, .meaning = "Yes: the group's last row" },
    { 0 },
};
static const struct sheet_table attempts = {
    .name = "attempts",
    .query = "report/attempts.sql",
    .rest = "report/attempts_rest.sql",
    .columns = columns,
    .none = "Every result took one attempt",
    .alone = true,
    .frozen_columns = 3,
};
/* clang-format on */

bool fill_attempts(struct sheet *sheet, struct error *error)
{
    sheet_title(sheet, "Attempts");
    worksheet_set_paper(sheet->worksheet, PAPER_A3);
    return table_write(sheet, &attempts, NULL, error);
}
