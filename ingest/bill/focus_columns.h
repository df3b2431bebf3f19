/* ingest/bill/focus_columns.h: the columns of FOCUS's Cost and Usage data, version by version.
 *
 * The specification of each column: its first and last version, its type, whether it may be null,
 * and its allowed values. The check of a bill and the guess of its version use this table. Loading
 * does not: focus.c reads the columns of the header. Source:
 * https://github.com/FinOps-Open-Cost-and-Usage-Spec/FOCUS_Spec, versions 1.0 to 1.4.
 */
#ifndef KSTAR_INGEST_BILL_FOCUS_COLUMNS_H
#define KSTAR_INGEST_BILL_FOCUS_COLUMNS_H

/* 1.0 is 10 … 1.4 is 14. */
enum { FOCUS_1_0 = 10, FOCUS_1_1, FOCUS_1_2, FOCUS_1_3, FOCUS_1_4, FOCUS_LATEST = FOCUS_1_4 };

enum focus_type { FOCUS_STRING, FOCUS_DECIMAL, FOCUS_TIME, FOCUS_KEY_VALUES, FOCUS_JSON };

enum focus_level { FOCUS_MANDATORY, FOCUS_CONDITIONAL, FOCUS_RECOMMENDED };

struct focus_column_rule {
    const char *name;
    int first, last; /* versions that have it */
    enum focus_type type;
    enum focus_level level;
    int not_null_from;   /* from this version on it must not be null; 0: it may */
    const char *allowed; /* its values, separated by '|'; NULL: any */
};

extern const struct focus_column_rule focus_column_rules[];
extern const int focus_column_rule_count;

/* The rules of a column by its exact name; NULL if no version of FOCUS has it. */
const struct focus_column_rule *focus_column_rule(const char *name);

/* The version of a header: the earliest that has all its FOCUS columns, if there is one. A file
 * without the columns that 1.4 removed is of version 1.4. 0: no name is a FOCUS column. */
int focus_version_guess(char *const *names, int count);

#endif
