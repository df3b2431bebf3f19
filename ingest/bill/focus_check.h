/* ingest/bill/focus_check.h: checks a FOCUS file by the rules of the specification.
 *
 * Every row is checked by the rules of single columns (focus_columns.h: type, null, allowed values)
 * and by those across columns (focus_rules.h), in the version that the header shows. The check only
 * informs: focus.c, which loads rows, requires less. The file is read once, in constant memory.
 *
 *     struct focus_check check;
 *     if (!focus_check_file(path, &check, error)) …
 *     for (int i = 0; i < check.finding_count; i++) … check.findings[i] …
 *     focus_check_free(&check);
 */
#ifndef KSTAR_INGEST_BILL_FOCUS_CHECK_H
#define KSTAR_INGEST_BILL_FOCUS_CHECK_H

#include "base/error.h"
#include "ingest/bill/focus_rules.h"

#include <stdbool.h>
#include <stdint.h>

enum { FOCUS_LINES_SHOWN = 3, FOCUS_NAMES_MAXIMUM = 64 };

/* A rule, and the rows that break it. */
struct focus_finding {
    char id[96];    /* COLUMN.word; row.word of a row as a whole */
    char text[512]; /* the rule for the column: "is null where …" */
    enum focus_force force;
    const char *column; /* NULL: the row as a whole */
    int64_t rows;
    int line_count;
    int64_t lines[FOCUS_LINES_SHOWN]; /* the first ones */
    char value[80];                   /* the column's, in the first of them */
    bool value_is_null;
};

struct focus_check {
    const char *path;
    int version; /* 10 is 1.0 … 14 is 1.4 */
    int64_t rows;
    int column_count, focus_column_count; /* of the file; of those FOCUS's, in that version */
    int missing_count;                    /* mandatory columns that it lacks */
    const char *missing[FOCUS_NAMES_MAXIMUM];
    int unknown_count; /* columns that are not of the version and do not begin with x_ */
    char unknown[FOCUS_NAMES_MAXIMUM][96];
    int rules_judged, rules_left; /* left: a column of the rule is not in the file */
    /* of all rules judged, broken or not, in byte order of their columns */
    int finding_count;
    struct focus_finding *findings;
    struct focus_judge *judges; /* how each is judged */
};

/* Checks the file. False (ERROR_INPUT) if it cannot be read, or has no column of FOCUS. */
bool focus_check_file(const char *path, struct focus_check *check, struct error *error);
void focus_check_free(struct focus_check *check);

#endif
