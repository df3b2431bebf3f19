/* report/sheets/waste.c: the sheet "Coordination waste" of the review: the parts of the waste, if
 * profiler traces or samples show them. */
#include "report/sheets.h"

/* clang-format off: a row each */
static const struct sheet_column columns[] = {
    { "Family", "family", CELL_TEXT, .width = 20 },
    { "K", "k", CELL_INTEGER, .width = 7 },
    { "K counts", "unit", CELL_TEXT, .width = 13 },
    { "Coordination waste", "waste_minor", CELL_MONEY, .width = 16, .total = true,
      .formula = "=ROUND([exposed_communication_minor]+[idle_minor]+[other_minor],{digits})",
      .meaning = "Of the month's jobs of the family on K" },
    { "Exposed communication", "exposed_communication_minor", CELL_MONEY, .width = 16, .total = true,
      .meaning = "Not hidden behind compute" },
    { "Idle", "idle_minor", CELL_MONEY, .width = 16, .total = true, .meaning = "Nothing ran on the device" },
    { "Other", "other_minor", CELL_MONEY, .width = 16, .total = true,
      .meaning = "The rest of the step without compute, as memory copies" },
    { "Shares from", "shares_from", CELL_TEXT, .width = 12,
      .meaning = "trace: a profiled step; samples: declared beside the compute share" },
    { 0 },
};
static const struct sheet_table waste = {
    .name = "waste",
    .query = "report/waste.sql",
    .columns = columns,
    .alone = true,
    .frozen_columns = 1,
};
/* clang-format on */

bool fill_waste(struct sheet *sheet, struct error *error)
{
    sheet_title(sheet, "Coordination waste");
    sheet_note(sheet, "The waste of families and K with a profiler trace or samples, split in proportion to "
                      "what these measured.");
    sheet_skip(sheet, 1);
    return table_write(sheet, &waste, NULL, error);
}
