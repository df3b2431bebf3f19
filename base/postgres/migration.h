/* base/postgres/migration.h: brings a database's schema up to the one that this program knows.
 *
 * The schema is applied in numbered steps. Step 1 is the schema of release 0.1.0: the files of
 * sql/schema, in the order of their names. Each later step is a file sql/migrations/NNNN_name.sql,
 * numbered from 0002 without gaps. No step is changed once it is released. Each is applied once and
 * has its row of kstar.schema_migration (number, name, SHA-256 of its text, when). What a database
 * has had must be the beginning of what the program knows, text for text; anything else is refused
 * by name and nothing is touched:
 *
 *     changed   a recorded step's checksum is not that of its text
 *     unknown   a number that this program does not have: a newer kstar was here
 *
 * Every refusal is ERROR_DATABASE. Several programs may apply at once: an advisory lock lets one go
 * first, and the others find nothing to do.
 */
#ifndef KSTAR_BASE_POSTGRES_MIGRATION_H
#define KSTAR_BASE_POSTGRES_MIGRATION_H

#include "base/error.h"

#include <libpq-fe.h>
#include <stdbool.h>

struct migration_status {
    int known;    /* steps that this program has */
    int recorded; /* those that the database has had; when less than `known`, `kstar init` is due */
};

/* Compares database and program; writes nothing. False where the database is refused. */
bool migration_check(PGconn *connection, struct migration_status *status, struct error *error);

/* Applies what is missing in one transaction, as the role that the schema belongs to
 * (base/postgres/database_roles.h), and gives what is new to the database's roles. status->recorded
 * is what was there before, so the steps from that number + 1 to `known` are the ones applied. A
 * step that fails leaves the database as it was. ERROR_BUSY while a run is at work: its SQL knows
 * the schema that it began with; and where a table that a step changes is somebody else's for
 * longer than 15 seconds. */
bool migration_apply(PGconn *connection, struct migration_status *status, struct error *error);

/* The name of step `number` (from 1): "0001_schema", "0002_added.sql". */
const char *migration_file_name(int number);

#endif
