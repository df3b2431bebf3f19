/* report/sheets/planned.c: the sheet "Planned trainings" of the review: trainings for approval,
 * with their cost on the requested K and on K* (docs/budgets.md). */
#include "report/sheets.h"

/* clang-format off: a row each */
static const struct sheet_column columns[] = {
    { "Training", "training", CELL_TEXT, .width = 28 },
    { "Family", "family", CELL_TEXT, .width = 18 },
    { "Month", "month", CELL_TEXT, .width = 9, .meaning = "In which it is planned" },
    { "Cost centre", "cost_centre", CELL_TEXT, .width = 14 },
    { "Requested by", "requested_by", CELL_TEXT, .width = 18 },
    { "K", "k", CELL_INTEGER, .width = 7, .meaning = "As requested" },
    { "Hours at K", "hours", CELL_HOURS, .width = 12,
      .meaning = "One-node hours ÷ (K · E(K)), longer by what interrupts such jobs" },
    { "Cost at K", "cost_minor", CELL_MONEY, .width = 16, .total = true,
      .meaning =
          "(p K + f) · hours at the family's latest prices; failed runs and engineering are not in it" },
    { "K*", "k_star", CELL_INTEGER, .width = 7, .meaning = "The cheapest with waiting counted" },
    { "Waiting per hour", "waiting_per_hour", CELL_PRICE, .width = 10,
      .meaning =
          "What K* counts an hour of waiting at, as the family's last statement does; no money of the columns Cost" },
    { "Hours at K*", "hours_at_k_star", CELL_HOURS, .width = 12 },
    { "Cost at K*", "cost_at_k_star_minor", CELL_MONEY, .width = 16, .total = true },
    { "Saved at K*", "saving_minor", CELL_MONEY, .width = 15, .total = true,
      .formula = "=ROUND(MAX([cost_minor]-[cost_at_k_star_minor],0),{digits})" },
    { "State", "state", CELL_TEXT, .width = 24 },
    { "Remark", "remark", CELL_TEXT, .width = 44,
      .meaning = "What is missing, or stands against believing the figures" },
    { 0 },
};
static const struct sheet_table planned = {
    .name = "planned",
    .query = "report/planned.sql",
    .columns = columns,
    .alone = true,
    .frozen_columns = 1,
};
/* clang-format on */

bool fill_planned(struct sheet *sheet, struct error *error)
{
    sheet_title(sheet, "Planned trainings");
    sheet_note(sheet,
               "Those above the limit (setting planned_training_limit), and those whose cost is unknown.");
    sheet_skip(sheet, 1);
    return table_write(sheet, &planned, NULL, error);
}
