/* ingest/reference/review_decisions.c: see review_decisions.h. */
#include "ingest/reference/review_decisions.h"

#include "base/system/file.h"
#include "base/text/workbook_reader.h"
#include "base/time_text.h"
#include "base/utf8.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char sheet[] = "Flagged jobs";
static const char prefix[] = "review-";

enum { DECLARED_IN, REVIEW_MONTH, ATTEMPT, RESIZE_TO, ACCEPT_UNTIL, REASON, DECIDED_BY, COLUMN_COUNT };

const struct declared_column review_decision_columns[] = {
    [DECLARED_IN] = { "declared_in", DECLARED_TEXT, DECLARED_REQUIRED, NULL, NULL },
    [REVIEW_MONTH] = { "review_month", DECLARED_DATE, DECLARED_REQUIRED, NULL, NULL },
    [ATTEMPT] = { "attempt_id", DECLARED_TEXT, DECLARED_REQUIRED | DECLARED_KEY, NULL, NULL },
    [RESIZE_TO] = { "resize_to", DECLARED_COUNT, DECLARED_OPTIONAL, NULL, NULL },
    [ACCEPT_UNTIL] = { "accept_until", DECLARED_DATE, DECLARED_OPTIONAL, NULL, NULL },
    [REASON] = { "reason", DECLARED_PROSE, DECLARED_OPTIONAL, NULL, NULL },
    [DECIDED_BY] = { "decided_by", DECLARED_TEXT, DECLARED_OPTIONAL, NULL, NULL },
    [COLUMN_COUNT] = { 0 },
};

/* The headings on the sheet; NULL: the value is in the name of the file. */
static const char *const headings[COLUMN_COUNT] = { [ATTEMPT] = "Attempt",
                                                    [RESIZE_TO] = "Resize to",
                                                    [ACCEPT_UNTIL] = "Accept until",
                                                    [REASON] = "Reason",
                                                    [DECIDED_BY] = "Decided by" };

struct reading {
    const char *path, *name;
    char month[11];            /* "2026-09-01" */
    int columns[COLUMN_COUNT]; /* on the sheet */
    int job_column;
    bool has_headings;
    char values[COLUMN_COUNT][DECLARED_FIELD_BYTES];
    review_decision_visitor visit;
    void *context;
};

static bool refuse(const struct reading *reading, int64_t row, int column, const char *value,
                   const char *problem, struct error *error)
{
    char name[4], excerpt[96];
    workbook_column_name(reading->columns[column], name);
    utf8_excerpt(value, strlen(value), excerpt, sizeof excerpt);
    return error_set(error, ERROR_INPUT, "%s, sheet %s, cell %s%lld, %s: \"%s\" %s", reading->path, sheet,
                     name, (long long)row, headings[column], excerpt, problem);
}

/* Finds the row of headings, the first row with all of them. */
static bool find_headings(struct reading *reading, const char *const *cells)
{
    for (int i = 0; i < COLUMN_COUNT; i++) {
        reading->columns[i] = -1;
        for (int at = 0; headings[i] != NULL && at < WORKBOOK_COLUMNS; at++)
            if (cells[at] != NULL && strcmp(cells[at], headings[i]) == 0)
                reading->columns[i] = at;
        if (headings[i] != NULL && reading->columns[i] < 0)
            return false;
    }
    reading->job_column = -1;
    for (int at = 0; at < WORKBOOK_COLUMNS; at++)
        if (cells[at] != NULL && strcmp(cells[at], "Job") == 0)
            reading->job_column = at;
    return reading->job_column >= 0;
}

/* Reads a cell in the form of its column: trimmed, a date as a date, 16.0 as 16; NULL: empty. */
static bool read_value(struct reading *reading, struct declared_row *row, int column, const char *cell,
                       struct error *error)
{
    char *value = reading->values[column], date[11];
    if (cell == NULL)
        return true;
    cell += strspn(cell, " \t\r\n");
    size_t length = strlen(cell);
    while (length > 0 && strchr(" \t\r\n", cell[length - 1]) != NULL)
        length--;
    if (length >= DECLARED_FIELD_BYTES) /* as in a reference file; half a reason is no reason */
        return refuse(reading, row->line, column, cell, "is longer than 4,095 bytes", error);
    snprintf(value, DECLARED_FIELD_BYTES, "%.*s", (int)length, cell);
    if (column == ACCEPT_UNTIL && workbook_date(value, date))
        snprintf(value, DECLARED_FIELD_BYTES, "%s", date);
    char *point = column == RESIZE_TO ? strchr(value, '.') : NULL;
    if (point != NULL && strspn(point + 1, "0") == strlen(point + 1))
        *point = '\0';
    row->values[column] = value[0] != '\0' ? value : NULL;
    return true;
}

enum { KEY_MARK = 8 };

/* Cuts the key to the number of the attempt, if kstar wrote this key beside this job: "123
 * 9f86d081". The second part is the beginning of the SHA-256 of number and job
 * (sql/report/flagged.sql). */
static bool read_key(char *key, const char *job)
{
    char attempt[32], text[DECLARED_FIELD_BYTES + sizeof attempt], hash[SHA256_HEX_BYTES];
    const char *space = strchr(key, ' ');
    const char *digits = key[0] == '-' ? key + 1 : key;
    if (space == NULL || space == digits || digits + strspn(digits, "0123456789") != space ||
        space - key >= (ptrdiff_t)sizeof attempt || strlen(space + 1) != KEY_MARK)
        return false;
    snprintf(attempt, sizeof attempt, "%.*s", (int)(space - key), key);
    int length = snprintf(text, sizeof text, "%s %s", attempt, job);
    text_sha256(text, strlen(text), hash);
    bool ok = length < (int)sizeof text && strncmp(hash, space + 1, KEY_MARK) == 0;
    if (ok)
        key[space - key] = '\0';
    return ok;
}

/* Checks that a decision is complete. */
static bool check(const struct reading *reading, const struct declared_row *row, struct error *error)
{
    char problem[DECLARED_PROBLEM_BYTES];
    for (int i = ATTEMPT; i < COLUMN_COUNT; i++) {
        const char *value = row->values[i];
        if (value != NULL && !declared_value_check(review_decision_columns[i].type,
                                                   review_decision_columns[i].choices, value, problem))
            return refuse(reading, row->line, i, value, problem, error);
    }
    const char *until = row->values[ACCEPT_UNTIL];
    if (until != NULL && strcmp(until, reading->month) <= 0)
        return refuse(reading, row->line, ACCEPT_UNTIL, until, "is not after the month that was reviewed",
                      error);
    if (row->values[RESIZE_TO] == NULL && until == NULL)
        return refuse(reading, row->line, RESIZE_TO, "",
                      "is not a decision: give a node count, or the date until which to accept", error);
    for (int i = REASON; i <= DECIDED_BY; i++)
        if (until != NULL && row->values[i] == NULL)
            return refuse(reading, row->line, i, "", "is missing: a waiver says why, and who gave it", error);
    return true;
}

static bool read_row(void *opaque, int64_t number, const char *const *cells, struct error *error)
{
    struct reading *reading = opaque;
    struct declared_row row = { .line = number };
    bool any = false;
    if (!reading->has_headings) {
        reading->has_headings = find_headings(reading, cells);
        return true;
    }
    row.values[DECLARED_IN] = reading->name;
    row.values[REVIEW_MONTH] = reading->month;
    for (int i = ATTEMPT; i < COLUMN_COUNT; i++) {
        if (!read_value(reading, &row, i, cells[reading->columns[i]], error))
            return false;
        any = any || (i > ATTEMPT && row.values[i] != NULL);
    }
    if (!any)
        return true;
    const char *job = cells[reading->job_column];
    if (row.values[ATTEMPT] == NULL || !read_key(reading->values[ATTEMPT], job != NULL ? job : ""))
        return refuse(
            reading, number, ATTEMPT, row.values[ATTEMPT] != NULL ? row.values[ATTEMPT] : "",
            "is not the key of this row's job: leave the columns Job and Attempt as kstar wrote them", error);
    if (!check(reading, &row, error))
        return false;
    reading->visit(reading->context, &row);
    return true;
}

bool review_decisions_read(const char *path, review_decision_visitor visit, void *context,
                           struct error *error)
{
    const char *slash = strrchr(path, '/');
    struct reading reading = {
        .path = path, .name = slash != NULL ? slash + 1 : path, .visit = visit, .context = context
    };
    time_us month;
    bool is_review = strncmp(reading.name, prefix, strlen(prefix)) == 0;
    char period[8] = "";
    if (is_review)
        period_of_day(reading.name + strlen(prefix), period);
    if (!is_review || !period_parse(period, &month))
        return error_set(error, ERROR_INPUT, "%s: the name of a review begins with review-YYYY-MM", path);
    period_first_day(period, reading.month);
    if (!workbook_read(path, sheet, read_row, &reading, error))
        return false;
    return reading.has_headings ||
           error_set(error, ERROR_INPUT,
                     "%s, sheet %s: has no row with the headings Job, Attempt, Resize to, Accept until, "
                     "Reason and Decided by",
                     path, sheet);
}
