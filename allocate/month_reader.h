/* allocate/month_reader.h: reads the lines of a month together with the time that jobs held, by
 * resource. */
#ifndef KSTAR_ALLOCATE_MONTH_READER_H
#define KSTAR_ALLOCATE_MONTH_READER_H

#include "allocate/node_charges.h"

/* Called between two resources. The callback may write the sums and empty them. */
typedef bool charges_grown(void *context, struct error *error);

/* What readers must know of the month. Known after sql/allocate/05_lines.sql. */
struct month_lines {
    char month[16];             /* the statement's, YYYY-MM-01 */
    char from[40], to[40];      /* range of the lines' charge periods, as PostgreSQL writes it */
    bool is_replay;             /* a closed month with the facts of today */
    bool is_distributed;        /* the lines are on several servers */
    bool rules_ask_description; /* a rule looks at descriptions */
};

/* Reads the month's data in the transaction of the statement. */
bool month_lines_read(struct month_lines *lines, PGconn *connection, struct error *error);

/* Reader `number` of `count`. A hash of a resource's name decides which reader reads the
 * resource. */
struct month_share {
    int number, count;
    bool shows_places;  /* also read the position of each line */
    const char *places; /* NULL: all; otherwise only these hashes: "{1,2}" */
};

struct month_reader;

/* Opens the cursors and fetches their first rows. By then the server has sorted all rows.
 * `connection`, which must be in a transaction, and `lines` must outlive the reader. NULL on
 * failure. */
struct month_reader *month_reader_open(PGconn *connection, const struct month_lines *lines,
                                       struct month_share share, struct error *error);

/* Charges the lines of the share. Call it once. */
bool month_reader_charge(struct month_reader *reader, const struct catalogue *catalogue,
                         struct node_charges *charges, charges_grown *grown, void *context,
                         struct error *error);

/* NULL is allowed. */
void month_reader_close(struct month_reader *reader);

#endif
