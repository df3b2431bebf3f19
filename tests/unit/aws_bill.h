/* tests/unit/aws_bill.h: a small invented bill of AWS's, read into rows that a test can look at. */
#ifndef KSTAR_TESTS_AWS_BILL_H
#define KSTAR_TESTS_AWS_BILL_H

#include "base/decimal_arithmetic.h"
#include "base/text/csv_reader.h"
#include "ingest/bill/billing_format.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { ROWS_MAXIMUM = 64, VALUE_BYTES = 400 };

/* A row whose texts outlive its record. */
struct kept_row {
    int line;
    char texts[TEXT_COUNT][VALUE_BYTES]; /* "" for null */
    char column[VALUE_BYTES];            /* of the problem */
    struct billing_row row;              /* its texts point nowhere */
};

struct bill {
    struct kept_row rows[ROWS_MAXIMUM];
    int count;
    char custom[2000]; /* names of the columns that are kept as JSON, each followed by a space */
    struct decimal cancelled;
};

static inline void write_file(char path[32], const char *csv)
{
    snprintf(path, 32, "/tmp/kstar-aws-XXXXXX");
    int handle = mkstemp(path);
    assert_true(handle >= 0);
    FILE *file = fdopen(handle, "w");
    assert_non_null(file);
    assert_true(fputs(csv, file) >= 0);
    assert_int_equal(0, fclose(file));
}

static inline void keep_row(struct bill *bill, const struct csv_record *record, const struct billing_row *row)
{
    assert_true(bill->count < ROWS_MAXIMUM);
    struct kept_row *kept = &bill->rows[bill->count++];
    kept->line = (int)record->line;
    kept->row = *row;
    snprintf(kept->column, sizeof kept->column, "%s", row->problem.column != NULL ? row->problem.column : "");
    for (int i = 0; i < TEXT_COUNT; i++)
        snprintf(kept->texts[i], VALUE_BYTES, "%.*s", (int)row->texts[i].length,
                 row->texts[i].text != NULL ? row->texts[i].text : "");
}

static inline bool open_bill(const char *path, struct csv_reader **reader, struct billing_file *file,
                             const char *currency, struct error *error)
{
    struct csv_record header;
    const struct billing_format *format = billing_format_find("aws-cur", error);
    *reader = csv_reader_open(path, ',', NULL, error);
    assert_non_null(*reader);
    assert_int_equal(CSV_RECORD, csv_reader_next(*reader, &header, error));
    return billing_file_open(file, format, path, currency, &header, error);
}

/* Reads a bill: all its rows. */
static inline struct bill *read_csv(const char *csv)
{
    struct bill *bill = calloc(1, sizeof *bill);
    struct csv_reader *reader;
    struct billing_file file;
    struct billing_row rows[BILLING_ROWS_MAXIMUM];
    struct csv_record record;
    struct error error = { 0 };
    char path[32];
    bool begun = false;
    assert_non_null(bill);
    write_file(path, csv);
    if (!open_bill(path, &reader, &file, NULL, &error))
        fail_msg("%s", error.message);
    while (csv_reader_next(reader, &record, &error) == CSV_RECORD) {
        assert_true(begun || billing_file_begin(&file, &record, &error));
        begun = true;
        int count = billing_read_rows(&file, &record, rows);
        for (int i = 0; i < count; i++)
            keep_row(bill, &record, &rows[i]);
    }
    for (int i = 0; i < file.custom_count; i++) {
        size_t used = strlen(bill->custom);
        snprintf(bill->custom + used, sizeof bill->custom - used, "%s ", file.names[file.custom[i]]);
    }
    bill->cancelled = file.cancelled;
    billing_file_free(&file);
    csv_reader_close(reader);
    unlink(path);
    return bill;
}

static inline const char *amount_text(const struct billing_row *row, enum billing_amount amount,
                                      char text[DECIMAL_TEXT_BYTES])
{
    if (!row->amount_known[amount])
        return "-";
    decimal_format(&row->amounts[amount], text);
    return text;
}

static inline const char *or_dash(const char *text)
{
    return text[0] != '\0' ? text : "-";
}

/* One row as text: line, category, class, frequency, price category, billed, effective, commitment,
 * status, and the first problem. */
static inline void describe(const struct kept_row *kept, char *text, size_t size)
{
    char billed[DECIMAL_TEXT_BYTES], effective[DECIMAL_TEXT_BYTES];
    const char(*texts)[VALUE_BYTES] = kept->texts;
    int length = snprintf(
        text, size, "%d %s %s %s %s %s %s %s %s%s%s\n", kept->line, or_dash(texts[TEXT_CHARGE_CATEGORY]),
        or_dash(texts[TEXT_CHARGE_CLASS]), or_dash(texts[TEXT_CHARGE_FREQUENCY]),
        or_dash(texts[TEXT_PRICING_CATEGORY]), amount_text(&kept->row, AMOUNT_BILLED_COST, billed),
        amount_text(&kept->row, AMOUNT_EFFECTIVE_COST, effective),
        or_dash(texts[TEXT_COMMITMENT_DISCOUNT_ID]), or_dash(texts[TEXT_COMMITMENT_DISCOUNT_STATUS]),
        kept->row.problem.reason[0] != '\0' ? " ! " : "", kept->row.problem.reason);
    assert_true(length > 0 && (size_t)length < size);
}

static inline void expect_rows(const struct bill *bill, const char *expected)
{
    char text[8000] = "";
    for (int i = 0; i < bill->count; i++)
        describe(&bill->rows[i], text + strlen(text), sizeof text - strlen(text));
    assert_string_equal(expected, text);
}

static inline void expect_decimal(const char *expected, const struct decimal *value)
{
    char text[DECIMAL_TEXT_BYTES];
    decimal_format(value, text);
    assert_string_equal(expected, text);
}

/* Σ over the bill; `commitment` NULL: of every row. */
static inline void expect_sum(const struct bill *bill, const char *commitment, enum billing_amount amount,
                              const char *expected)
{
    struct decimal sum = { 0 };
    for (int i = 0; i < bill->count; i++) {
        if (commitment != NULL && strcmp(bill->rows[i].texts[TEXT_COMMITMENT_DISCOUNT_ID], commitment) != 0)
            continue;
        assert_true(bill->rows[i].row.amount_known[amount]);
        assert_true(decimal_add(&sum, &bill->rows[i].row.amounts[amount], &sum));
    }
    expect_decimal(expected, &sum);
}

static inline int month_number(const char *digits)
{
    return (digits[0] - '0') * 10 + digits[1] - '0';
}

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* Reads a bill of those columns behind the ones that every line needs. A line begins with its
 * billing month and, where it is another one, the month of its charge: "09 Usage,1", "09/07
 * Refund,-1". */
static inline struct bill *read_bill(const char *columns, const char *const *lines, size_t count)
{
    char csv[8000];
    int length = snprintf(csv, sizeof csv,
                          "bill/BillingPeriodStartDate,lineItem/UsageStartDate,lineItem/UsageEndDate,"
                          "lineItem/CurrencyCode,lineItem/LineItemType,lineItem/UnblendedCost%s%s\n",
                          columns[0] != '\0' ? "," : "", columns);
    for (size_t i = 0; i < count; i++) {
        const char *rest = strchr(lines[i], ' ') + 1;
        int month = month_number(lines[i]), charged = lines[i][2] == '/' ? month_number(lines[i] + 3) : month;
        length += snprintf(csv + length, sizeof csv - (size_t)length,
                           "2026-%02d-01T00:00:00Z,2026-%02d-01T00:00:00Z,2026-%02d-01T00:00:00Z,USD,%s\n",
                           month, charged, charged + 1, rest);
        assert_true((size_t)length < sizeof csv);
    }
    return read_csv(csv);
}

#endif
