/* report/sheets/key_figures.c: the sheet "Key figures". Each figure is a part divided by a
 * whole. The sheet shows both in words and as a live formula, and the figure of the previous
 * month's statement. */
#include "report/sheets.h"

#include "base/postgres/database.h"
#include "report/workbook_name.h"

#include <stdlib.h>
#include <string.h>

#define COMMITTED(measure, more)                                                                             \
    "SUMIFS({discounts_usage." measure "},{discounts_usage.pricing},\"committed\"" more ")"
#define OF_A_COMMITMENT    ",{discounts_usage.commitment},\"<>\""
#define ON_DEMAND(measure) "SUMIFS({discounts_usage." measure "},{discounts_usage.pricing},\"on demand\")"
#define TIDY(measure)      "SUMIFS({tidy.amount},{tidy.measure},\"" measure "\")"
#define CHARGED(component)                                                                                   \
    "SUMIFS({tidy.amount},{tidy.measure},\"charged\",{tidy.component},\"" component "\")"
#define INTERNAL(component)                                                                                  \
    "SUMIFS({tidy.amount},{tidy.measure},\"charged, internal\",{tidy.component},\"" component "\")"
#define NO_VALUE "none"

enum quotient { SHARE, REST, EXCESS }; /* part ÷ whole, 1 − part ÷ whole, part ÷ whole − 1 */

static const struct key_figure {
    const char *name;  /* its name in the query */
    const char *label; /* NULL ends the array */
    const char *part;  /* formulas over anchors; */
    const char *whole; /* NULL: the query's value */
    enum quotient quotient;
    bool for_everybody; /* not in a cost centre's own workbook */
    const char *words;
} key_figures[] = {
    /* clang-format off: a row each */
    { "allocated", "Allocated share", TIDY("charged"), TIDY("charged") "+" TIDY("unallocated"), SHARE, true,
      "Charged to cost centres ÷ (charged + unallocated), effective cost (Tidy data)" },
    { "utilisation", "Commitment utilisation", COMMITTED("effective_minor", OF_A_COMMITMENT),
      COMMITTED("effective_minor", OF_A_COMMITMENT) "+{discounts_unused.effective_minor.total}", SHARE, true,
      "Effective cost of commitments that were used ÷ (used + unused) (Discounts)" },
    { "coverage", "Commitment coverage", COMMITTED("list_minor", ""),
      COMMITTED("list_minor", "") "+" ON_DEMAND("list_minor"), SHARE, false,
      "List cost of usage that commitments covered ÷ (covered + compute on demand); spot is not counted, no "
      "commitment applies to it (Discounts)" },
    { "savings", "Effective savings rate",
      "{discounts_usage.effective_minor.total}+{discounts_unused.effective_minor.total}",
      "{discounts_usage.list_minor.total}+{discounts_unused.list_minor.total}", REST, false,
      "1 − effective cost ÷ list cost of usage and of unused commitments; purchases, credits and tax "
      "excluded (Discounts)" },
    { "idle", "Idle share", CHARGED("Idle nodes"),
      CHARGED("Useful compute") "+" CHARGED("Coordination waste") "+" CHARGED(
          "Unmeasured hardware") "+" CHARGED("Failed runs") "+" CHARGED("Cancelled") "+" CHARGED("Idle nodes"),
      SHARE, false,
      "Idle nodes ÷ (useful compute + coordination waste + unmeasured hardware + failed + cancelled + idle "
      "nodes), on the bill (Tidy data)" },
    { "waste", "Coordination waste", CHARGED("Coordination waste") "+" INTERNAL("Coordination waste"),
      CHARGED("Useful compute") "+" CHARGED("Coordination waste") "+" INTERNAL("Useful compute") "+" INTERNAL(
          "Coordination waste"),
      SHARE, false,
      "Coordination waste ÷ measured hardware (useful compute + coordination waste), at internal rates as well "
      "(Tidy data)" },
    { "failed", "Failed-run factor", "SUM({failed_window.failed_minor})",
      "SUM({failed_window.productive_minor})", SHARE, false,
      "Failed ÷ productive cost over the trailing window; cancelled runs are no part of it (Failed runs)" },
    { "variance", "Forecast variance",
      TIDY("charged") "+" TIDY("charged, internal") "+" TIDY("unallocated") "+" TIDY("unallocated, internal"),
      NULL, EXCESS, false,
      "(True cost + unallocated, on the bill and off it) ÷ forecast − 1 (Tidy data). Whole is the forecast as "
      "it was kept before the month; kstar report variance has the reasons" },
    { 0 },
    /* clang-format on */
};

enum column { LABEL, THIS_MONTH, LAST_MONTH, CHANGE, PART, WHOLE, WORDS, LAST_OF_WORDS = WORDS + 3 };

static const struct sheet_column columns[] = {
    { "Figure", NULL, CELL_TEXT, .width = 26 },
    { "This month", NULL, CELL_PERCENT, .width = 14,
      .meaning = "Part ÷ whole, 1 less that, or that less 1, as the words say" },
    { "Last month", NULL, CELL_PERCENT, .width = 18,
      .meaning = "As the statement of the month before says; none: there is none" },
    { "Change", NULL, CELL_PERCENT, .width = 14, .meaning = "In percentage points" },
    { "Part", NULL, CELL_MONEY, .width = 17 },
    { "Whole", NULL, CELL_MONEY, .width = 17 },
    { "In words", NULL, CELL_TEXT, .width = 26, .span = 4 },
    { 0 },
};
static const struct sheet_table explained = { .name = "key_figures", .columns = columns };

/* Reads a figure of the query. False if there is none. */
static bool ratio(const PGresult *result, int row, const char *part, const char *whole,
                  enum quotient quotient, double *value)
{
    int part_field = PQfnumber(result, part), whole_field = PQfnumber(result, whole);
    if (row < 0 || PQgetisnull(result, row, part_field) || PQgetisnull(result, row, whole_field))
        return false;
    double below = strtod(PQgetvalue(result, row, whole_field), NULL);
    if (below == 0)
        return false;
    *value = strtod(PQgetvalue(result, row, part_field), NULL) / below;
    if (quotient == REST)
        *value = 1 - *value;
    if (quotient == EXCESS)
        *value = *value - 1;
    return true;
}

static int row_of(const PGresult *result, const char *name)
{
    for (int row = 0; row < PQntuples(result); row++)
        if (strcmp(PQgetvalue(result, row, PQfnumber(result, "figure")), name) == 0)
            return row;
    return -1;
}

static bool has_amount(const PGresult *result, int row, const char *field)
{
    return row >= 0 && !PQgetisnull(result, row, PQfnumber(result, field));
}

static int64_t minor_units(const PGresult *result, int row, const char *field)
{
    return has_amount(result, row, field)
               ? strtoll(PQgetvalue(result, row, PQfnumber(result, field)), NULL, 10)
               : 0;
}

/* Writes a part or a whole: a live sum over the sheet that the words name, or the query's value, if
 * there is one. */
static void write_term(struct sheet *sheet, enum column column, const char *terms, int64_t minor,
                       bool is_known)
{
    if (terms == NULL && !is_known) {
        sheet_text(sheet, sheet->row, (lxw_col_t)column, "", ROLE_BODY);
        return;
    }
    if (terms == NULL) {
        sheet_number(sheet, sheet->row, (lxw_col_t)column, book_money(sheet->book, minor), CELL_MONEY,
                     ROLE_BODY);
        return;
    }
    char *template = text_of("=ROUND(%s,{digits})", terms);
    char *formula = book_formula(sheet->book, template, NULL, NULL);
    sheet_formula(sheet, sheet->row, (lxw_col_t)column, formula, book_money(sheet->book, minor), CELL_MONEY,
                  ROLE_BODY);
    free(formula);
    free(template);
}

/* The cell of this row that a formula calls [part], [whole], [now] or [before]. */
static void write_cell(void *sheet, const char *field, size_t length, FILE *out)
{
    static const char letters[] = "ABCDEFG";
    enum column column = strncmp(field, "part", length) == 0    ? PART
                         : strncmp(field, "whole", length) == 0 ? WHOLE
                         : strncmp(field, "now", length) == 0   ? THIS_MONTH
                                                                : LAST_MONTH;
    fprintf(out, "%c%u", letters[column], ((struct sheet *)sheet)->row + 1);
}

static void write_share(struct sheet *sheet, enum column column, const char *template, bool has_value,
                        double value, enum cell_role role)
{
    char *formula = book_formula(sheet->book, template, write_cell, sheet);
    if (has_value)
        sheet_formula(sheet, sheet->row, (lxw_col_t)column, formula, value, CELL_PERCENT, role);
    else
        sheet_formula_text(sheet, sheet->row, (lxw_col_t)column, formula, NO_VALUE, CELL_PERCENT, role);
    free(formula);
}

static void write_figure(struct sheet *sheet, const struct key_figure *figure, const PGresult *result)
{
    static const char *const templates[] = {
        [SHARE] = "=IF([whole]=0,\"" NO_VALUE "\",[part]/[whole])",
        [REST] = "=IF([whole]=0,\"" NO_VALUE "\",1-[part]/[whole])",
        [EXCESS] = "=IF([whole]=0,\"" NO_VALUE "\",[part]/[whole]-1)",
    };
    int row = row_of(result, figure->name);
    double now = 0, before = 0;
    bool has_now = ratio(result, row, "part", "whole", figure->quotient, &now);
    bool has_before = ratio(result, row, "part_before", "whole_before", figure->quotient, &before);
    write_term(sheet, PART, figure->part, minor_units(result, row, "part"), true);
    write_term(sheet, WHOLE, figure->whole, minor_units(result, row, "whole"),
               has_amount(result, row, "whole"));
    write_share(sheet, THIS_MONTH, templates[figure->quotient], has_now, now, ROLE_FIGURE);
    if (has_before)
        sheet_number(sheet, sheet->row, LAST_MONTH, before, CELL_PERCENT, ROLE_BODY);
    else
        sheet_text(sheet, sheet->row, LAST_MONTH, NO_VALUE, ROLE_BODY);
    write_share(sheet, CHANGE, "=IF(COUNT([now]:[before])<2,\"" NO_VALUE "\",[now]-[before])",
                has_now && has_before, now - before, ROLE_BODY);
}

/* Writes the description of a figure and the query's addition to it. */
static void write_words(struct sheet *sheet, const struct key_figure *figure, const PGresult *result)
{
    int row = row_of(result, figure->name), column = PQfnumber(result, "detail");
    char *words = text_of("%s%s", figure->words, row < 0 ? "" : PQgetvalue(result, row, column));
    sheet_wrapped_text(sheet, sheet->row, WORDS, LAST_OF_WORDS, words);
    free(words);
}

bool fill_key_figures(struct sheet *sheet, struct error *error)
{
    PGresult *result =
        database_query_file(book_connection(sheet->book), "report/key_figures.sql", 0, NULL, error);
    if (result == NULL)
        return false;
    sheet_title(sheet, "Key figures");
    sheet_note(sheet, "Each figure is part ÷ whole: live sums over the sheet that the words name, and the "
                      "forecast as it was kept.");
    sheet_skip(sheet, 1);
    book_add_table(sheet->book, sheet, &explained);
    table_set_widths(sheet, &explained);
    for (lxw_col_t i = 0; i < WORDS; i++)
        sheet_header_cell(sheet, sheet->row, i, columns[i].heading, columns[i].type);
    sheet_column_width(sheet, LAST_OF_WORDS, 26);
    sheet_wide_header_cell(sheet, sheet->row, WORDS, LAST_OF_WORDS, columns[WORDS].heading);
    sheet->row++;
    for (const struct key_figure *figure = key_figures; figure->label != NULL; figure++) {
        if ((figure->for_everybody && for_one_centre(sheet)) || !book_knows(sheet->book, figure->part))
            continue;
        sheet_text(sheet, sheet->row, LABEL, figure->label, ROLE_BODY);
        write_figure(sheet, figure, result);
        write_words(sheet, figure, result);
        sheet->row++;
    }
    PQclear(result);
    return true;
}
