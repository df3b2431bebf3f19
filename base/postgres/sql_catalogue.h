/* base/postgres/sql_catalogue.h: the .sql files of sql/, built into the program.
 *
 * A query is a file with a name. C contains only statements of one short line, such as settings of
 * the session, cursors, COPY and the next number of a sequence. sql/CMakeLists.txt turns every file
 * below sql/ into an entry of this table, sorted by name.
 */
#ifndef KSTAR_BASE_POSTGRES_SQL_CATALOGUE_H
#define KSTAR_BASE_POSTGRES_SQL_CATALOGUE_H

#include <stddef.h>

struct sql_text {
    const char *name; /* path below sql/, for example "report/statement.sql"; NULL ends the table */
    const char *text; /* the file's bytes, NUL-terminated */
    size_t length;    /* without the NUL */
};

extern const struct sql_text sql_catalogue[];

/* The text of a file. An unknown name is a mistake of a programmer: prints BUG and aborts. */
const char *sql_text(const char *name);

#endif
