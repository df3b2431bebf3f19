/* report/written.h: records the files that kstar has written into a folder, so that a nightly run
 * without new data need not write them again to compare them.
 *
 * The file .kstar.written in OUT has a line for each file: its month, its kind, the facts it was
 * written from, its size, its time of last change and its SHA-256. A file counts as written if all
 * but the last of these still match. A missing, edited or copied file is written again. The record
 * may be lost: then every file is written again, and files with the same bytes stay. kstar verify
 * compares the SHA-256. While a group is being written, it has one line without a file instead. So
 * after an interrupted run the record names no file that differs from it, and says what is missing.
 */
#ifndef KSTAR_REPORT_WRITTEN_H
#define KSTAR_REPORT_WRITTEN_H

#include "base/error.h"

#include <libpq-fe.h>
#include <stdbool.h>
#include <stdint.h>

enum { FACTS_BYTES = 65 }; /* a SHA-256 in hexadecimal digits */

/* A file: its group (month and kind, written together), size, time of last change and hash. */
struct written_file {
    char period[8], facts[FACTS_BYTES], sha256[FACTS_BYTES];
    unsigned kind;
    int64_t bytes, modified_ns;
    char *name; /* NULL: removed from the record */
};

struct written {
    const char *folder;
    int count;
    struct written_file *files;
};

/* The facts of the month in kstar.statement_month: a hash of all data that its files may show,
 * of this program and of the library that writes workbooks. */
bool written_facts(PGconn *connection, char facts[FACTS_BYTES], struct error *error);

/* Reads the record of a folder. `folder` must outlive it. A missing or damaged record counts as
 * empty. Free with written_free. */
void written_read(const char *folder, struct written *written);
void written_free(struct written *written);

/* Whether the record in the folder is still the one that was read. */
bool written_is_as_read(const struct written *written);

/* Whether this file of the folder is unchanged since it was written from these facts. */
bool written_has(const struct written *written, const char *period, unsigned kind, const char *facts,
                 const char *name);

/* The names of a group's files, with NULL after the last, if all of them are unchanged since
 * they were written from these facts; else NULL. A group is recorded as a whole, so the list is
 * complete. The caller frees the list, not the names. */
char **written_group(const struct written *written, const char *period, unsigned kind, const char *facts);

/* The state of a recorded file. Unfinished: the line is of a group that is being written. */
enum written_state { WRITTEN_AS_IT_WAS, WRITTEN_CHANGED, WRITTEN_MISSING, WRITTEN_UNFINISHED };
bool written_compare(const struct written *written, const struct written_file *file,
                     enum written_state *state, struct error *error);

/* Records that the month's groups of these kinds are being written. A group that was written from
 * the same facts stays. */
bool written_begin(struct written *written, const char *period, unsigned kinds, const char *facts,
                   struct error *error);

/* Records a group that was just written and replaces its former record. `names` ends with NULL. */
bool written_note(struct written *written, const char *period, unsigned kind, const char *facts,
                  char *const *names, struct error *error);

/* Records a single file of a group that was just written. The next night writes its group again. */
bool written_note_single(struct written *written, const char *period, unsigned kind, const char *name,
                         struct error *error);

#endif
