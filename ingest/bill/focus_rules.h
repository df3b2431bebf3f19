/* ingest/bill/focus_rules.h: FOCUS's rules across columns, as a table.
 *
 * Rules of a single column (type, null, allowed values) are in focus_columns.h. A rule here is a
 * row with its columns, its first and last version, its text, and the condition that checks a row.
 * It is checked if all its columns are in the file.
 */
#ifndef KSTAR_INGEST_BILL_FOCUS_RULES_H
#define KSTAR_INGEST_BILL_FOCUS_RULES_H

#include "ingest/bill/focus_conditions.h"

enum focus_force {
    FOCUS_MUST,     /* the specification's word */
    FOCUS_EXPECTED, /* the specification's examples and intent; allocation goes by it */
};

struct focus_rule {
    const char *id; /* COLUMN.word */
    int first, last;
    enum focus_force force;
    /* the first is the one that is wrong; unused ones NULL */
    const char *columns[FOCUS_RULE_COLUMNS];
    const char *text; /* the rule for the first column: "is null where …" */
    focus_condition *holds;
};

extern const struct focus_rule focus_rules[];
extern const int focus_rule_count;

#endif
