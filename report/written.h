/* report/written.h: what kstar has written into a folder, so that a night without news need not
 * write it again in order to compare.
 *
 * The file .kstar.written in OUT has a line for each file: its month, its kind, the facts that it
 * was written from, its size and the time of its last change. A file is as written where all of
 * them are the same; one that is missing, was edited or only copied is not, and is written again.
 * Nothing is lost with the notes: without them everything is written again, and what has the same
 * bytes then stays.
 */
#ifndef KSTAR_REPORT_WRITTEN_H
#define KSTAR_REPORT_WRITTEN_H

#include "base/error.h"

#include <libpq-fe.h>
#include <stdbool.h>
#include <stdint.h>

enum { FACTS_BYTES = 65 }; /* a SHA-256 in hexadecimal digits */

/* A file: its group (month and kind, written together), and how it was left. */
struct written_file {
    char period[8], facts[FACTS_BYTES];
    unsigned kind;
    int64_t bytes, modified_ns;
    char *name; /* NULL: forgotten */
};

struct written {
    const char *folder;
    int count;
    struct written_file *files;
};

/* What the files of the month in kstar.statement_month are written from: all that they may show,
 * this program and the library that writes workbooks. */
bool written_facts(PGconn *connection, char facts[FACTS_BYTES], struct error *error);

/* Reads the notes of a folder, which must outlive them. Notes that are not there, or are damaged,
 * are none. Freed by written_free. */
void written_read(const char *folder, struct written *written);
void written_free(struct written *written);

/* Whether that file of the folder is still as it was written, from these facts. */
bool written_has(const struct written *written, const char *period, unsigned kind, const char *facts,
                 const char *name);

/* The names of the group where all of its files are as written from these facts, ended by NULL:
 * they are all that there are, since a group is noted as a whole. Else NULL. The caller frees the
 * list, not the names. */
char **written_group(const struct written *written, const char *period, unsigned kind, const char *facts);

/* Records a group just written, in place of its former record. `names` end with NULL. */
bool written_note(struct written *written, const char *period, unsigned kind, const char *facts,
                  char *const *names, struct error *error);

#endif
