/* report/sheets/failed.c: the sheet "Failed runs": the cost of failed runs in a trailing window,
 * by cost centre (team), family and final state, with the numbers of runs. Cancelled runs have
 * their own rows. */
#include "report/sheets.h"

#define FACTOR "=IF([productive_minor]=0,0,ROUND([failed_minor]/[productive_minor],6))"
#define SUM_BY(column, number)                                                                               \
    "=ROUND(SUMIFS({failed_factor." column "},{failed_factor." number "},[number]),{digits})"

#define COUNT_COLUMNS                                                                                        \
    { "Failed attempts", "failed_attempts", CELL_COUNT, .width = 11 },                                       \
        { "Productive attempts", "productive_attempts", CELL_COUNT, .width = 11 },                           \
    {                                                                                                        \
        "Cancelled attempts", "cancelled_attempts", CELL_COUNT, .width = 11                                  \
    }
#define FACTOR_COLUMNS                                                                                       \
    { "Failed ÷ productive",                                                                                 \
      "measured",                                                                                            \
      CELL_NUMBER,                                                                                           \
      .width = 13,                                                                                           \
      .formula = FACTOR,                                                                                     \
      .meaning = "The failed-run factor as measured; cancelled runs are no part of it. Empty: nothing "      \
                 "productive to compare with" },                                                             \
        { "Factor", "factor", CELL_NUMBER, .width = 11,                                                      \
          .meaning =                                                                                         \
              "What a forecast takes: the measured one, or the configured prior where attempts are too "     \
              "few" },                                                                                       \
    {                                                                                                        \
        "From", "factor_from", CELL_TEXT, .width = 24                                                        \
    }

/* clang-format off: a row each */
static const struct sheet_column window_columns[] = {
    { "", NULL, CELL_INTEGER, .width = 6 },
    { "Statements of the window", "statements", CELL_TEXT, .width = 24 },
    { "", NULL, CELL_INTEGER, .width = 6 },
    { "", NULL, CELL_TEXT, .width = 22 },
    { "Failed attempts", "failed_attempts", CELL_COUNT, .width = 11 },
    { "Productive attempts", "productive_attempts", CELL_COUNT, .width = 11 },
    { "", NULL, CELL_TEXT, .width = 11 },
    { "Failed cost", "failed_minor", CELL_MONEY, .width = 16 },
    { "Productive cost", "productive_minor", CELL_MONEY, .width = 16 },
    { "", NULL, CELL_TEXT, .width = 16 },
    FACTOR_COLUMNS,
    { 0 },
};
static const struct sheet_column factor_columns[] = {
    { "No.", "centre_no", CELL_INTEGER, .width = 6, .meaning = "The cost centre as a number, for formulas" },
    { "Cost centre", "cost_centre", CELL_TEXT, .width = 24 },
    { "No.", "family_no", CELL_INTEGER, .width = 6, .meaning = "The family as a number, for formulas" },
    { "Family", "family", CELL_TEXT, .width = 22 },
    COUNT_COLUMNS,
    { "Failed cost", "failed_minor", CELL_MONEY, .width = 16, .total = true,
      .meaning = "Hardware and fees, on the bill or at an internal rate; no overhead. Attempts still running "
                 "are not counted" },
    { "Productive cost", "productive_minor", CELL_MONEY, .width = 16, .total = true },
    { "Cancelled cost", "cancelled_minor", CELL_MONEY, .width = 16, .total = true },
    FACTOR_COLUMNS,
    { 0 },
};
static const struct sheet_column centre_columns[] = {
    { "No.", "number", CELL_INTEGER, .width = 6 },
    { "Cost centre", "name", CELL_TEXT, .width = 24 },
    { "", NULL, CELL_INTEGER, .width = 6 },
    { "", NULL, CELL_TEXT, .width = 22 },
    COUNT_COLUMNS,
    { "Failed cost", "failed_minor", CELL_MONEY, .width = 16, .total = true,
      .formula = SUM_BY("failed_minor", "centre_no") },
    { "Productive cost", "productive_minor", CELL_MONEY, .width = 16, .total = true,
      .formula = SUM_BY("productive_minor", "centre_no") },
    { "Cancelled cost", "cancelled_minor", CELL_MONEY, .width = 16, .total = true,
      .formula = SUM_BY("cancelled_minor", "centre_no") },
    FACTOR_COLUMNS,
    { 0 },
};
static const struct sheet_column family_columns[] = {
    { "", NULL, CELL_INTEGER, .width = 6 },
    { "", NULL, CELL_TEXT, .width = 24 },
    { "No.", "number", CELL_INTEGER, .width = 6 },
    { "Family", "name", CELL_TEXT, .width = 22 },
    COUNT_COLUMNS,
    { "Failed cost", "failed_minor", CELL_MONEY, .width = 16, .total = true,
      .formula = SUM_BY("failed_minor", "family_no") },
    { "Productive cost", "productive_minor", CELL_MONEY, .width = 16, .total = true,
      .formula = SUM_BY("productive_minor", "family_no") },
    { "Cancelled cost", "cancelled_minor", CELL_MONEY, .width = 16, .total = true,
      .formula = SUM_BY("cancelled_minor", "family_no") },
    FACTOR_COLUMNS,
    { 0 },
};
static const struct sheet_column state_columns[] = {
    { "", NULL, CELL_INTEGER, .width = 6 },
    { "Final state", "state", CELL_TEXT, .width = 24 },
    { "", NULL, CELL_INTEGER, .width = 6 },
    { "", NULL, CELL_TEXT, .width = 22 },
    { "Attempts", "attempts", CELL_COUNT, .width = 11, .total = true },
    { "", NULL, CELL_TEXT, .width = 11 },
    { "Node-hours", "node_hours", CELL_HOURS, .width = 11, .total = true },
    { "Cost", "cost_minor", CELL_MONEY, .width = 16, .total = true },
    { 0 },
};
static const struct sheet_table window = {
    .name = "failed_window",
    .query = "report/failed_window.sql",
    .columns = window_columns,
    .heading = "All, over the window",
    .none = "No attempt has ended",
};
static const struct sheet_table factor = {
    .name = "failed_factor",
    .query = "report/failed_factor.sql",
    .columns = factor_columns,
    .heading = "By cost centre and family",
    .none = "No attempt has ended",
};
static const struct sheet_table by_centre = {
    .name = "failed_centres",
    .query = "report/failed_alone.sql",
    .part = "cost_centre",
    .columns = centre_columns,
    .heading = "By cost centre",
    .none = "No attempt has ended",
};
static const struct sheet_table by_family = {
    .name = "failed_families",
    .query = "report/failed_alone.sql",
    .part = "family",
    .columns = family_columns,
    .heading = "By family",
    .none = "No attempt has ended",
};
static const struct sheet_table failed_states = {
    .name = "failed_states",
    .query = "report/failed_states.sql",
    .part = "failed",
    .columns = state_columns,
    .heading = "Failed, by final state",
    .none = "Nothing failed",
};
static const struct sheet_table cancelled_states = {
    .name = "cancelled_states",
    .query = "report/failed_states.sql",
    .part = "cancelled",
    .columns = state_columns,
    .heading = "Cancelled: not part of the factor",
    .none = "Nothing was cancelled",
};
/* clang-format on */

bool fill_failed(struct sheet *sheet, struct error *error)
{
    sheet_title(sheet, "Failed runs");
    worksheet_set_paper(sheet->worksheet, PAPER_A3);
    sheet_note(
        sheet,
        "Over the statements of the window (setting failed_run_window_months), not this month alone: the "
        "month's own failed runs are on the chargeback's sheets Waterfall and Jobs.");
    sheet_skip(sheet, 1);
    return table_write(sheet, &window, NULL, error) && table_write(sheet, &failed_states, NULL, error) &&
           table_write(sheet, &cancelled_states, NULL, error) && table_write(sheet, &factor, NULL, error) &&
           (for_one_centre(sheet) ||
            (table_write(sheet, &by_centre, NULL, error) && table_write(sheet, &by_family, NULL, error)));
}
