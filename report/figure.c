/* report/figure.c: see figure.h. */
#include "report/figure.h"

#include "report/workbook_name.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The text of a share of a total of 0. */
#define NO_SHARE "none"

/* The sum of signed anchors in minor units. */
static int64_t sum_terms(const struct book *book, const char *terms)
{
    int64_t sum = 0;
    for (const char *c = terms; (c = strchr(c, '{')) != NULL;) {
        size_t length = strcspn(c + 1, "}");
        char name[128];
        snprintf(name, sizeof name, "%.*s", (int)length, c + 1);
        int64_t term = book_anchor(book, name)->minor_units;
        sum += c > terms && c[-1] == '-' ? -term : term;
        c += length + 2;
    }
    return sum;
}

static char *figure_formula(const struct book *book, const struct figure *figure)
{
    char *template;
    if (figure->over == NULL)
        template = text_of("=ROUND(%s,{digits})", figure->terms);
    else
        template = text_of("=IF(ROUND(%s,{digits})=0,\"" NO_SHARE "\",(%s)/(%s))", figure->over,
                           figure->terms, figure->over);
    char *formula = book_formula(book, template, NULL, NULL);
    free(template);
    return formula;
}

/* Links a cell to the first anchor of a formula. Text that is written to the cell later is shown
 * instead. */
static void link_to_anchor(struct sheet *sheet, lxw_row_t row, lxw_col_t column, const char *terms)
{
    char name[128], link[256] = "internal:";
    const char *open = strchr(terms, '{');
    snprintf(name, sizeof name, "%.*s", (int)strcspn(open + 1, "}"), open + 1);
    size_t length = strlen(link);
    for (const char *c = book_anchor(sheet->book, name)->references[0];
         *c != '\0' && length + 1 < sizeof link; c++)
        if (*c != '$')
            link[length++] = *c;
    link[length] = '\0';
    worksheet_write_url(sheet->worksheet, row, column, link, NULL);
}

void figures_write(struct sheet *sheet, const struct figure *figures)
{
    struct book *book = sheet->book;
    for (const struct figure *figure = figures; figure->label != NULL; figure++) {
        if (!book_knows(book, figure->terms))
            continue;
        int64_t sum = sum_terms(book, figure->terms);
        int64_t over = figure->over == NULL ? 0 : sum_terms(book, figure->over);
        double value = figure->over == NULL ? book_money(book, sum)
                       : over == 0          ? 0 /* not shown */
                                            : book_money(book, sum) / book_money(book, over);
        char *formula = figure_formula(book, figure);
        sheet_text(sheet, sheet->row, 0, figure->label, ROLE_BODY);
        link_to_anchor(sheet, sheet->row, 1, figure->terms);
        if (figure->over != NULL && over == 0)
            sheet_formula_text(sheet, sheet->row, 1, formula, NO_SHARE, figure->type, ROLE_FIGURE);
        else
            sheet_formula(sheet, sheet->row, 1, formula, value, figure->type, ROLE_FIGURE);
        if (figure->note != NULL)
            sheet_aside(sheet, sheet->row, 2, figure->note);
        free(formula);
        sheet->row++;
    }
}

void checks_write(struct sheet *sheet, const struct check *checks)
{
    for (const struct check *check = checks; check->label != NULL; check++) {
        char *template;
        bool holds;
        if (check->terms != NULL && !book_knows(sheet->book, check->terms))
            continue;
        if (check->terms != NULL) {
            holds = sum_terms(sheet->book, check->terms) == 0;
            template = text_of("=IF(ROUND(%s,{digits})=0,\"TRUE\",\"FALSE\")", check->terms);
        } else {
            holds = book_anchor(sheet->book, check->all_true)->minor_units == 0;
            template = text_of("=IF(SUMPRODUCT(--({%s}=\"FALSE\"))=0,\"TRUE\",\"FALSE\")", check->all_true);
        }
        char *formula = book_formula(sheet->book, template, NULL, NULL);
        sheet_text(sheet, sheet->row, 0, check->label, ROLE_BODY);
        if (check->terms != NULL)
            link_to_anchor(sheet, sheet->row, 1, check->terms);
        sheet_check(sheet, sheet->row, 1, formula, holds ? "TRUE" : "FALSE");
        if (check->note != NULL)
            sheet_aside(sheet, sheet->row, 2, check->note);
        free(formula);
        free(template);
        sheet->row++;
    }
    sheet->row++;
}
