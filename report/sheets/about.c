/* report/sheets/about.c: the sheet "About": the sources of the figures, and the meaning of the
 * columns of the other sheets. A forecast has the columns on a sheet of their own. */
#include "report/sheets.h"

#include <string.h>

/* clang-format off: a row each */
static const struct sheet_column file_columns[] = {
    { "Kind", "kind", CELL_TEXT, .width = 18 },
    { "SHA-256", "sha256", CELL_TEXT, .width = 90 },
    { "Bytes", "bytes", CELL_COUNT, .width = 16 },
    { "File", "path", CELL_TEXT, .width = 18 },
    { 0 },
};
static const struct sheet_column rate_columns[] = {
    { "Kind", "kind", CELL_TEXT, .width = 18 },
    { "Name", "name", CELL_TEXT, .width = 90 },
    { "Rate", "value", CELL_NUMBER, .width = 16, .named = "rate", .named_by = "name",
      .meaning = "The cell has a name for formulas: rate_ and the name to its left" },
    { "Unit", "unit", CELL_TEXT, .width = 18 },
    { "From", "valid_from", CELL_DATE, .width = 11 },
    { "Until (exclusive)", "valid_to", CELL_DATE, .width = 11 },
    { 0 },
};
static const struct sheet_column setting_columns[] = {
    { "Parameter", "parameter", CELL_TEXT, .width = 30 },
    { "Value", "value", CELL_TEXT, .width = 90, .named = "setting", .named_by = "parameter",
      .meaning = "The cell has a name for formulas: setting_ and the parameter" },
    { 0 },
};
static const struct sheet_column fit_columns[] = {
    { "Family", "family", CELL_TEXT, .width = 18 },
    { "Why this law", "reason", CELL_TEXT, .width = 90 },
    { "Law", "law", CELL_TEXT, .width = 16 },
    { "Serial fraction s", "serial_fraction", CELL_NUMBER, .width = 18, .named = "serial_fraction",
      .named_by = "family" },
    { "Communication c", "communication_coefficient", CELL_NUMBER, .width = 11,
      .named = "communication_coefficient", .named_by = "family" },
    { "Step d", "step", CELL_NUMBER, .width = 11, .named = "step", .named_by = "family" },
    { "K*", "k_star", CELL_INTEGER, .width = 8, .named = "k_star", .named_by = "family" },
    { 0 },
};
static const struct sheet_table tables[] = {
    { .name = "files",
      .query = "report/about_files.sql",
      .columns = file_columns,
      .heading = "Source files" },
    { .name = "rates",
      .query = "report/about_rates.sql",
      .columns = rate_columns,
      .heading = "Rates",
      .none = "No rates" },
    { .name = "about_fits",
      .query = "report/fits.sql",
      .columns = fit_columns,
      .heading = "Scaling fits",
      .none = "No family was measured" },
    { .name = "settings",
      .query = "report/about_settings.sql",
      .columns = setting_columns,
      .heading = "Settings in force",
      .none = "Defaults" },
};
/* clang-format on */

static void write_fact(struct sheet *sheet, const char *label, const char *value, enum cell_type type)
{
    sheet_text(sheet, sheet->row, 0, label, ROLE_BODY);
    sheet_value(sheet, sheet->row, 1, value, type, ROLE_BODY);
    sheet->row++;
}

/* Whether a table before table `i` of the same sheet has the same column. */
static bool is_explained(const struct book *book, int i, const struct sheet_column *column)
{
    const struct sheet *of, *before;
    book_table(book, i, &of);
    for (int j = 0; j < i; j++) {
        const struct sheet_table *table = book_table(book, j, &before);
        const struct sheet_column *end = table->columns + table_column_count(table);
        for (const struct sheet_column *same = table->columns; before == of && same < end; same++)
            if (same->meaning != NULL && strcmp(same->heading, column->heading) == 0 &&
                strcmp(same->meaning, column->meaning) == 0)
                return true;
    }
    return false;
}

/* The other sheets must be filled before. */
static void write_columns(struct sheet *sheet)
{
    const struct sheet *of;
    const struct sheet_table *table;
    sheet_header_cell(sheet, sheet->row, 0, "Column", CELL_TEXT);
    sheet_header_cell(sheet, sheet->row, 1, "Meaning", CELL_TEXT);
    sheet_header_cell(sheet, sheet->row++, 2, "Sheet", CELL_TEXT);
    sheet_column_width(sheet, 0, 30);
    sheet_column_width(sheet, 1, 90);
    sheet_column_width(sheet, 2, 18);
    for (int i = 0; (table = book_table(sheet->book, i, &of)) != NULL; i++) {
        const struct sheet_column *end = table->columns + table_column_count(table);
        for (const struct sheet_column *column = table->columns; column < end; column++) {
            if (column->meaning == NULL || is_explained(sheet->book, i, column))
                continue;
            sheet_text(sheet, sheet->row, 0, column->heading, ROLE_BODY);
            sheet_long_text(sheet, sheet->row, 1, column->meaning, ROLE_BODY);
            sheet_text(sheet, sheet->row++, 2, of->name, ROLE_BODY);
        }
    }
}

bool fill_columns(struct sheet *sheet, struct error *error)
{
    (void)error;
    sheet_title(sheet, "What the columns mean");
    worksheet_repeat_rows(sheet->worksheet, sheet->row, sheet->row);
    write_columns(sheet);
    return true;
}

bool fill_about(struct sheet *sheet, struct error *error)
{
    const struct book_head *head = book_head(sheet->book);
    char as_of[32];
    time_format(head->as_of, as_of);
    sheet_title(sheet, "About this workbook");
    sheet_heading(sheet, "Statement");
    write_fact(sheet, "Period", head->period, CELL_TEXT);
    write_fact(sheet, "Status", head->status, CELL_TEXT);
    write_fact(sheet, "As of (UTC)", as_of, CELL_TIME);
    write_fact(sheet, "Currency", head->currency, CELL_TEXT);
    write_fact(sheet, "Run", head->run_id, CELL_TEXT);
    write_fact(sheet, "kstar version", head->kstar_version, CELL_TEXT);
    sheet_note(sheet, "As of is derived from the data, or given by --as-of; never from the clock. The run id "
                      "is a hash of as-of, inputs, configuration and version. The same inputs give this file "
                      "byte for byte.");
    sheet_note(sheet,
               "Money is in whole cents of the statement currency, fixed once from the invoice down; every "
               "total is a formula over them.");
    sheet_skip(sheet, 1);
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        if (!table_write(sheet, &tables[i], NULL, error))
            return false;
    sheet_heading(sheet, "What the columns mean");
    write_columns(sheet);
    return true;
}
