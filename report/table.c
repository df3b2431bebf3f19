/* report/table.c: see table.h. */
#include "report/table.h"

#include "base/postgres/database.h"
#include "base/postgres/kept_plans.h"
#include "base/postgres/sql_catalogue.h"
#include "report/workbook_name.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Rows below the rows of a part: an empty row, and a total or a note that the table continues. */
enum { ROWS_BELOW = 2 };

/* The rows of the table in one part of the sheet. */
struct segment {
    int part;
    lxw_row_t header, first, end;
};

/* The state of a column while its rows are written. */
struct column_state {
    int field;          /* position in the result; -1: none */
    int64_t minor_sum;  /* sum of money; number of failed checks */
    long double sum;    /* sum of other numbers */
    bool is_below_zero; /* an amount of the column is below zero */
};

struct writer {
    struct sheet *sheet;
    const struct sheet_table *table;
    int column_count;
    struct column_state *columns;
    int64_t rows;
    int segment_count;
    struct segment *segments;
    lxw_row_t row; /* the row whose formula is being written */
};

static bool is_money(enum cell_type type)
{
    return type == CELL_MONEY || type == CELL_DIFFERENCE;
}

static bool is_date(enum cell_type type)
{
    return type == CELL_DATE || type == CELL_MONTH || type == CELL_TIME;
}

/* ---- position ---- */

/* The width of a column: at least that of the longest word of its heading. */
static double column_width(const struct sheet_column *column)
{
    double width = column->width;
    for (const char *word = column->heading; *word != '\0';) {
        size_t length = strcspn(word, " ");
        width = (double)length + 2 > width ? (double)length + 2 : width;
        word += length + (word[length] == ' ');
    }
    return width;
}

static int heading_lines(const struct sheet_column *column)
{
    int lines = 1;
    double used = 0;
    for (const char *word = column->heading; *word != '\0';) {
        size_t length = strcspn(word, " ");
        if (used > 0 && used + 1 + (double)length > column_width(column)) {
            lines++;
            used = 0;
        }
        used += (used > 0) + (double)length;
        word += length + (word[length] == ' ');
    }
    return lines;
}

int table_column_count(const struct sheet_table *table)
{
    int count = 0;
    while (table->columns[count].heading != NULL && (table->column_count == 0 || count < table->column_count))
        count++;
    return count;
}

void table_set_widths(struct sheet *sheet, const struct sheet_table *table)
{
    for (int i = 0; i < table_column_count(table); i++)
        sheet_column_width(sheet, (lxw_col_t)i, column_width(&table->columns[i]));
}

/* Begins the table on a part of the sheet: headings, widths. */
static void begin_segment(struct writer *writer)
{
    struct sheet *sheet = writer->sheet;
    size_t bytes = (size_t)(writer->segment_count + 1) * sizeof *writer->segments;
    writer->segments = realloc(writer->segments, bytes);
    writer->segments[writer->segment_count++] = (struct segment){
        .part = sheet->part, .header = sheet->row, .first = sheet->row + 1, .end = sheet->row + 1
    };

    int lines = 1;
    for (int i = 0; i < writer->column_count; i++) {
        const struct sheet_column *column = &writer->table->columns[i];
        int needed = column->span > 1 ? 1 : heading_lines(column);
        lines = needed > lines ? needed : lines;
    }
    sheet_header_height(sheet, sheet->row, lines);
    table_set_widths(sheet, writer->table);
    for (int i = 0; i < writer->column_count; i++) {
        const struct sheet_column *column = &writer->table->columns[i];
        if (column->span > 1)
            sheet_wide_header_cell(sheet, sheet->row, (lxw_col_t)i, (lxw_col_t)(i + column->span - 1),
                                   column->heading);
        else
            sheet_header_cell(sheet, sheet->row, (lxw_col_t)i, column->heading, column->type);
    }
    sheet->row++;
}

static const double LARGEST_INPUT = 1e15;

/* Sets the allowed values of an input column: a count, a date, a number, a choice, or any text. */
static void validate_input(const struct sheet *sheet, const struct segment *segment, lxw_row_t last,
                           lxw_col_t column, const struct sheet_column *what)
{
    lxw_data_validation rule = { .criteria = LXW_VALIDATION_CRITERIA_GREATER_THAN_OR_EQUAL_TO,
                                 .input_title = (char *)what->heading };
    if (what->type == CELL_DATE || what->type == CELL_MONTH) {
        rule.validate = LXW_VALIDATION_TYPE_DATE;
        rule.value_datetime = (lxw_datetime){ .year = 2000, .month = 1, .day = 1 };
        rule.error_message = "A date is needed, such as 2026-12-31.";
    } else if (what->type == CELL_INTEGER) {
        rule.validate = LXW_VALIDATION_TYPE_INTEGER;
        rule.value_number = 1;
        rule.error_message = "A whole number is needed, 1 or more.";
    } else if (what->choices != NULL) {
        rule.validate = LXW_VALIDATION_TYPE_LIST;
        rule.value_list = (char **)what->choices;
    } else if (what->type != CELL_TEXT) {
        rule.validate = LXW_VALIDATION_TYPE_DECIMAL;
        rule.value_number = -LARGEST_INPUT;
        rule.error_message = "A number is needed.";
    } else {
        return;
    }
    worksheet_data_validation_range(sheet->worksheet, segment->first, column, last, column, &rule);
}

/* Highlights cells with the column's flag. They are bold, so colour is not the only sign. */
static void mark_flags(const struct sheet *sheet, const struct segment *segment, lxw_row_t last,
                       lxw_col_t column, const struct sheet_column *what)
{
    char text[64];
    snprintf(text, sizeof text, "\"%s\"", what->flag);
    lxw_conditional_format rule = {
        .type = LXW_CONDITIONAL_TYPE_CELL,
        .criteria = LXW_CONDITIONAL_CRITERIA_EQUAL_TO,
        .value_string = text,
        .format = book_formats(sheet->book)->parts[PART_FLAG],
    };
    worksheet_conditional_format_range(sheet->worksheet, segment->first, column, last, column, &rule);
}

/* Ends the rows of a part. If the table is alone on its sheet, its headings are frozen, repeated
 * on paper, and have a filter. */
static void end_segment(struct writer *writer)
{
    struct segment *segment = &writer->segments[writer->segment_count - 1];
    segment->end = writer->sheet->row;
    lxw_row_t last = segment->end > segment->first ? segment->end - 1 : segment->first;
    for (int i = 0; i < writer->column_count; i++)
        if (writer->table->columns[i].input)
            validate_input(writer->sheet, segment, last, (lxw_col_t)i, &writer->table->columns[i]);
    for (int i = 0; i < writer->column_count; i++)
        if (writer->table->columns[i].flag != NULL)
            mark_flags(writer->sheet, segment, last, (lxw_col_t)i, &writer->table->columns[i]);
    if (!writer->table->alone && !writer->table->main)
        return;
    lxw_worksheet *worksheet = writer->sheet->worksheet;
    worksheet_autofilter(worksheet, segment->header, 0, last, (lxw_col_t)(writer->column_count - 1));
    worksheet_repeat_rows(worksheet, segment->header, segment->header);
    if ((writer->sheet->flags & SHEET_STREAMED) != 0 && last > segment->header + TABLE_ROWS_ON_PAPER)
        worksheet_print_area(worksheet, 0, 0, segment->header + TABLE_ROWS_ON_PAPER,
                             (lxw_col_t)(writer->column_count - 1));
    if (!writer->table->alone)
        return;
    worksheet_freeze_panes(worksheet, segment->first, (lxw_col_t)writer->table->frozen_columns);
    if (writer->table->frozen_columns > 0)
        worksheet_repeat_columns(worksheet, 0, (lxw_col_t)(writer->table->frozen_columns - 1));
    worksheet_ignore_errors(worksheet, LXW_IGNORE_NUMBER_STORED_AS_TEXT, "A1:XFD1048576");
}

/* Continues in the sheet's next part if this part has room only for the rows below the table. */
static bool make_room(struct writer *writer, struct error *error)
{
    if (writer->sheet->row + ROWS_BELOW < book_rows_per_sheet(writer->sheet->book))
        return true;
    end_segment(writer);
    if (!sheet_go_on(writer->sheet, error))
        return false;
    begin_segment(writer);
    return true;
}

/* ---- rows ---- */

static int column_of_field(const struct writer *writer, const char *field, size_t length)
{
    for (int i = 0; i < writer->column_count; i++) {
        const char *name = writer->table->columns[i].field;
        if (name != NULL && strncmp(name, field, length) == 0 && name[length] == '\0')
            return i;
    }
    fprintf(stderr, "BUG: table %s has no column %.*s\n", writer->table->name, (int)length, field);
    abort();
}

static void write_field_reference(void *context, const char *field, size_t length, FILE *out)
{
    const struct writer *writer = context;
    const struct segment *segment = &writer->segments[writer->segment_count - 1];
    char cell[LXW_MAX_CELL_NAME_LENGTH];
    lxw_row_t row = writer->row;
    bool above = length > 0 && field[length - 1] == '^';
    int column = column_of_field(writer, field, length - above);
    /* the last row of the part before */
    if (above && row == segment->first && writer->segment_count > 1) {
        segment--;
        char *sheet = lxw_quote_sheetname(writer->sheet->parts[segment->part].name);
        fprintf(out, "%s!", sheet);
        free(sheet);
        row = segment->end;
    }
    lxw_rowcol_to_cell_abs(cell, row - above, (lxw_col_t)column, 0, 1);
    fputs(cell, out);
}

static void write_formula(struct writer *writer, int i, const char *text)
{
    const struct sheet_column *column = &writer->table->columns[i];
    struct sheet *sheet = writer->sheet;
    char *formula = book_formula(sheet->book, column->formula, write_field_reference, writer);
    if (column->type == CELL_CHECK) {
        const char *shown = text == NULL ? CHECK_NOT_KNOWN : text[0] == 't' ? "TRUE" : "FALSE";
        sheet_check(sheet, sheet->row, (lxw_col_t)i, formula, shown);
        writer->columns[i].minor_sum += text != NULL && text[0] == 'f';
    } else if (text == NULL && column->may_be_empty)
        sheet_formula_text(sheet, sheet->row, (lxw_col_t)i, formula, "", column->type, ROLE_BODY);
    else if (text == NULL)
        sheet_value(sheet, sheet->row, (lxw_col_t)i, NULL, column->type, ROLE_BODY);
    else if (is_money(column->type))
        sheet_formula(sheet, sheet->row, (lxw_col_t)i, formula,
                      book_money(sheet->book, strtoll(text, NULL, 10)), column->type, ROLE_BODY);
    else
        sheet_formula(sheet, sheet->row, (lxw_col_t)i, formula,
                      is_date(column->type) ? sheet_date(text) : strtod(text, NULL), column->type, ROLE_BODY);
    free(formula);
}

static void name_cell(struct writer *writer, int i, const PGresult *result, int row)
{
    const struct sheet_column *column = &writer->table->columns[i];
    int field = PQfnumber(result, column->named_by);
    char *name = text_of("%s_%s", column->named, PQgetvalue(result, row, field));
    sheet_define_name(writer->sheet, name, writer->sheet->row, (lxw_col_t)i);
    free(name);
}

static void add_minor(struct writer *writer, int i, int64_t minor)
{
    int64_t *sum = &writer->columns[i].minor_sum;
    if (__builtin_add_overflow(*sum, minor, sum))
        /* no cell can hold the amount, so the book will not be written */
        book_money(writer->sheet->book, INT64_MAX);
}

static void write_row(struct writer *writer, const PGresult *result, int row)
{
    struct sheet *sheet = writer->sheet;
    writer->row = sheet->row;
    for (int i = 0; i < writer->column_count; i++) {
        const struct sheet_column *column = &writer->table->columns[i];
        int field = writer->columns[i].field;
        const char *text =
            field < 0 || PQgetisnull(result, row, field) ? NULL : PQgetvalue(result, row, field);
        if (column->named != NULL && (text != NULL || column->input))
            name_cell(writer, i, result, row);
        if (column->formula != NULL)
            write_formula(writer, i, text);
        else if (column->span > 1 && text != NULL)
            sheet_wrapped_text(sheet, sheet->row, (lxw_col_t)i, (lxw_col_t)(i + column->span - 1), text);
        else if (column->wraps && text != NULL)
            sheet_long_text(sheet, sheet->row, (lxw_col_t)i, text, ROLE_BODY);
        else if (text != NULL || !writer->table->is_sparse)
            sheet_value(sheet, sheet->row, (lxw_col_t)i, text, column->type,
                        column->input ? ROLE_INPUT : ROLE_BODY);
        if (text != NULL && text[0] == '-' && is_money(column->type))
            writer->columns[i].is_below_zero = true;
        if (column->total && text != NULL && is_money(column->type))
            add_minor(writer, i, strtoll(text, NULL, 10));
        else if (column->total && text != NULL)
            writer->columns[i].sum += strtold(text, NULL);
    }
    sheet->row++;
    writer->rows++;
}

static void find_fields(struct writer *writer, const char *query, const PGresult *result)
{
    for (int i = 0; i < writer->column_count; i++) {
        const char *field = writer->table->columns[i].field;
        writer->columns[i].field = field == NULL ? -1 : PQfnumber(result, field);
        if (field != NULL && writer->columns[i].field < 0 && query != writer->table->rest) {
            fprintf(stderr, "BUG: %s has no column %s\n", query, field);
            abort();
        }
    }
}

static void add_field(FILE *out, const char *field, int *count)
{
    if (field != NULL)
        fprintf(out, "%s \"%s\"", (*count)++ == 0 ? "SELECT" : ",", field);
}

/* The query for only those columns that the table shows, so that PostgreSQL does not compute
 * others. A query for further rows is not changed, because it lacks some columns. The caller frees
 * it. */
static char *query_of_columns(const struct writer *writer, const char *query)
{
    const char *text = sql_text(query);
    if (query == writer->table->rest)
        return text_of("%s", text);
    char *wanted;
    size_t size, length = strlen(text);
    FILE *out = open_memstream(&wanted, &size);
    int count = 0;
    for (int i = 0; i < writer->column_count; i++) {
        add_field(out, writer->table->columns[i].field, &count);
        add_field(out, writer->table->columns[i].named_by, &count);
    }
    while (length > 0 && strchr("; \n", text[length - 1]) != NULL)
        length--;
    fprintf(out, " FROM (%.*s\n) AS rows", (int)length, text);
    fclose(out);
    return wanted;
}

/* Sends the query. The plan is kept for the next cost centre, except on a streamed sheet: a plan
 * for ten rows is bad for a million. */
static bool send_query(const struct writer *writer, const char *file)
{
    PGconn *connection = book_connection(writer->sheet->book);
    const char *const *part = &writer->table->part;
    int count = *part != NULL;
    char *query = query_of_columns(writer, file);
    bool sent = (writer->sheet->flags & SHEET_STREAMED) != 0
                    ? PQsendQueryParams(connection, query, count, NULL, part, NULL, NULL, 0) == 1
                    : kept_plans_send(connection, file, query, count, part);
    free(query);
    return sent && PQsetSingleRowMode(connection) == 1;
}

static bool write_rows(struct writer *writer, const char *query, struct error *error)
{
    PGconn *connection = book_connection(writer->sheet->book);
    bool ok = send_query(writer, query);
    if (!ok)
        database_error(connection, NULL, query, error);
    bool first = true;
    for (PGresult *result; (result = PQgetResult(connection)) != NULL; PQclear(result)) {
        ExecStatusType status = PQresultStatus(result);
        if (ok && status != PGRES_SINGLE_TUPLE && status != PGRES_TUPLES_OK)
            ok = database_error(connection, result, query, error);
        if (ok && first)
            find_fields(writer, query, result);
        first = false;
        for (int row = 0; ok && row < PQntuples(result); row++) {
            ok = make_room(writer, error);
            if (ok)
                write_row(writer, result, row);
        }
    }
    return ok;
}

/* A table without rows still gets one row, because formulas elsewhere add up its range. */
static void write_none(struct writer *writer)
{
    const char *none = writer->table->none != NULL ? writer->table->none : "None this month";
    bool written = false;
    for (int i = 0; i < writer->column_count; i++) {
        bool here = !written && writer->table->columns[i].type == CELL_TEXT;
        if (here)
            sheet_text(writer->sheet, writer->sheet->row, (lxw_col_t)i, none, ROLE_BODY);
        else
            sheet_value(writer->sheet, writer->sheet->row, (lxw_col_t)i, NULL, CELL_TEXT, ROLE_BODY);
        written = written || here;
    }
    writer->sheet->row++;
}

/* ---- totals and names ---- */

/* SUM over every part of the sheet that has the column. */
static char *total_formula(const struct writer *writer, int i)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    int digits =
        is_money(writer->table->columns[i].type) ? book_head(writer->sheet->book)->minor_unit_digits : 9;
    fputs("=ROUND(", out);
    for (int s = 0; s < writer->segment_count; s++) {
        const struct segment *segment = &writer->segments[s];
        char range[LXW_MAX_CELL_RANGE_LENGTH];
        lxw_rowcol_to_range(range, segment->first, (lxw_col_t)i, segment->end - 1, (lxw_col_t)i);
        char *sheet = segment->part == writer->sheet->part
                          ? NULL
                          : lxw_quote_sheetname(writer->sheet->parts[segment->part].name);
        fprintf(out, "%sSUM(%s%s%s)", s > 0 ? "+" : "", sheet ? sheet : "", sheet ? "!" : "", range);
        free(sheet);
    }
    fprintf(out, ",%d)", digits);
    fclose(out);
    return text;
}

static void write_totals(struct writer *writer)
{
    struct sheet *sheet = writer->sheet;
    bool any = false, labelled = false;
    for (int i = 0; i < writer->column_count; i++)
        any = any || writer->table->columns[i].total;
    for (int i = 0; i < writer->column_count && any; i++) {
        const struct sheet_column *column = &writer->table->columns[i];
        if (!column->total) {
            bool label = !labelled && (column->type == CELL_TEXT || column->type == CELL_MONTH);
            sheet_value(sheet, sheet->row, (lxw_col_t)i, label ? "Total" : NULL, CELL_TEXT, ROLE_TOTAL);
            labelled = labelled || label;
            continue;
        }
        double value = is_money(column->type) ? book_money(sheet->book, writer->columns[i].minor_sum)
                                              : (double)(roundl(writer->columns[i].sum * 1e9L) / 1e9L);
        char *formula = total_formula(writer, i);
        sheet_formula(sheet, sheet->row, (lxw_col_t)i, formula, value, column->type, ROLE_TOTAL);
        free(formula);
        char name[128];
        snprintf(name, sizeof name, "%s.%s.total", writer->table->name, column->field);
        sheet_anchor(sheet, name, sheet->row, (lxw_col_t)i, value, writer->columns[i].minor_sum);
    }
    sheet->row += any;
}

/* Names the columns, for formulas of other sheets. */
static void name_columns(const struct writer *writer)
{
    for (int i = 0; i < writer->column_count; i++) {
        const struct sheet_column *column = &writer->table->columns[i];
        if (column->field == NULL)
            continue;
        char name[128];
        snprintf(name, sizeof name, "%s.%s", writer->table->name, column->field);
        for (int s = 0; s < writer->segment_count; s++) {
            const struct segment *segment = &writer->segments[s];
            sheet_anchor_part(writer->sheet, segment->part, s > 0, name, segment->first, segment->end - 1,
                              (lxw_col_t)i, column->type == CELL_CHECK ? writer->columns[i].minor_sum : 0);
        }
    }
}

static void mark_below_zero(const struct writer *writer)
{
    for (int i = 0; i < writer->column_count; i++) {
        if (!writer->columns[i].is_below_zero)
            continue;
        char *name = text_of("%s.%s", writer->table->name, writer->table->columns[i].field);
        book_mark_below_zero(writer->sheet->book, name);
        free(name);
    }
}

lxw_row_t table_room(const struct sheet *sheet)
{
    lxw_row_t first = sheet_row_below_title(sheet) + 1;
    return book_rows_per_sheet(sheet->book) - ROWS_BELOW - first;
}

bool table_write(struct sheet *sheet, const struct sheet_table *table, int64_t *rows, struct error *error)
{
    enum { ROWS_WITH_ONE = 4 + ROWS_BELOW }; /* heading, note, headings of the columns, a row */
    struct writer writer = { .sheet = sheet, .table = table, .column_count = table_column_count(table) };
    if (!sheet_make_room(sheet, ROWS_WITH_ONE, error))
        return false;
    writer.columns = calloc((size_t)writer.column_count + 1, sizeof *writer.columns);
    if (table->heading != NULL)
        sheet_heading(sheet, table->heading);
    if (table->note != NULL)
        sheet_note(sheet, table->note);
    book_add_table(sheet->book, sheet, table);
    begin_segment(&writer);
    bool ok = write_rows(&writer, table->query, error) &&
              (table->rest == NULL || write_rows(&writer, table->rest, error));
    if (ok) {
        if (writer.rows == 0)
            write_none(&writer);
        end_segment(&writer);
        write_totals(&writer);
        name_columns(&writer);
        mark_below_zero(&writer);
        writer.sheet->row++;
    }
    if (ok && rows != NULL)
        *rows = writer.rows;
    free(writer.columns);
    free(writer.segments);
    return ok;
}
