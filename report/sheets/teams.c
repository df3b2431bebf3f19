/* report/sheets/teams.c: sheets "By team" and "Repeat offenders" of the review. */
#include "report/headline.h"
#include "report/sheets.h"

/* clang-format off: a row each */
static const struct sheet_column team_columns[] = {
    { "Cost centre", "cost_centre", CELL_TEXT, .width = 14 },
    { "Name", "name", CELL_TEXT, .width = 26 },
    { "Jobs", "jobs", CELL_COUNT, .width = 9, .total = true },
    { "Above K*", "above", CELL_COUNT, .width = 9, .total = true },
    { "Below K*", "below", CELL_COUNT, .width = 9, .total = true },
    { "With a waiver", "waived", CELL_COUNT, .width = 9, .total = true },
    { "Not judged", "not_judged", CELL_COUNT, .width = 9, .total = true,
      .meaning = "Not measured or extrapolated: unknown whether they should be resized" },
    { "Cost", "cost_minor", CELL_MONEY, .width = 15, .total = true,
      .meaning = "Hardware and fixed overhead of its jobs" },
    { "Excess", "excess_minor", CELL_MONEY, .width = 15, .total = true },
    { "Cash saving", "cash_saving_minor", CELL_MONEY, .width = 15, .total = true },
    { "Freed capacity", "freed_capacity_minor", CELL_MONEY, .width = 15, .total = true },
    { "Attainable cash, sure", "sure_cash_minor", CELL_MONEY, .width = 15, .total = true,
      .meaning = "Without waived jobs, and those that would be late on K*" },
    { "Attainable cash, low confidence", "unsure_cash_minor", CELL_MONEY, .width = 15, .total = true },
    { "Attainable capacity", "attainable_capacity_minor", CELL_MONEY, .width = 15, .total = true },
    { "Excess of cost", "excess_share", CELL_PERCENT, .width = 9, .may_be_empty = true,
      .formula = "=IF([cost_minor]=0,\"\",[excess_minor]/[cost_minor])" },
    { 0 },
};
static const struct sheet_table teams = {
    .name = "teams",
    .query = "report/by_team.sql",
    .columns = team_columns,
    .none = "No jobs",
};
/* clang-format on */

bool fill_teams(struct sheet *sheet, struct error *error)
{
    sheet_title(sheet, "By team");
    sheet_note(sheet, "Each cost centre's jobs, dearest excess first. A waiver does not remove the money.");
    return headline_write_waiting(sheet, "0", error) && table_write(sheet, &teams, NULL, error);
}

/* clang-format off: a row each */
static const struct sheet_column repeat_columns[] = {
    { "Name", "job_name", CELL_TEXT, .width = 24 },
    { "User", "user_name", CELL_TEXT, .width = 12 },
    { "Cost centre", "cost_centre", CELL_TEXT, .width = 13 },
    { "Family", "family", CELL_TEXT, .width = 16 },
    { "Months", "months", CELL_COUNT, .width = 8,
      .meaning =
          "In how many of the last twelve it was flagged; a job over a month's end counts in its last" },
    { "Since", "first_month", CELL_TEXT, .width = 9 },
    { "Jobs", "jobs", CELL_COUNT, .width = 8, .meaning = "Flagged in all those months" },
    { "K", "k", CELL_INTEGER, .width = 7, .meaning = "This month's largest" },
    { "K*", "k_star", CELL_INTEGER, .width = 7 },
    { "Excess", "excess_minor", CELL_MONEY, .width = 14, .total = true, .meaning = "This month" },
    { "Excess of all months", "excess_of_all_months_minor", CELL_MONEY, .width = 14, .total = true },
    { "Cash saving of all months", "cash_saving_minor", CELL_MONEY, .width = 14, .total = true },
    { "Waiver", "waiver", CELL_TEXT, .width = 30 },
    { "Last decision", "decision", CELL_TEXT, .width = 50,
      .meaning = "From the review workbooks that came back" },
    { 0 },
};
static const struct sheet_table repeats = {
    .name = "repeats",
    .query = "report/repeat_offenders.sql",
    .columns = repeat_columns,
    .none = "No job of the same name and user was flagged in more than one month",
    .alone = true,
    .frozen_columns = 2,
};
/* clang-format on */

bool fill_repeats(struct sheet *sheet, struct error *error)
{
    sheet_title(sheet, "Repeat offenders");
    sheet_note(
        sheet,
        "Jobs of one name and user that were flagged this month and in other months of the last twelve.");
    return headline_write_waiting(sheet, "11", error) && table_write(sheet, &repeats, NULL, error);
}
