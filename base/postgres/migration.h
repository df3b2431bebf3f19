/* base/postgres/migration.h: brings a database's schema up to the one that this program knows.
 *
 * A migration is a file sql/migrations/NNNN_name.sql, numbered from 0001 without gaps and never
 * changed once released. Each is applied once, in order, in a transaction of its own that also
 * writes its row of kstar.schema_migration (number, name, SHA-256 of the file, when). What a
 * database has had must be the beginning of what the program knows, text for text; anything else is
 * refused by name and nothing is touched:
 *
 *     changed   a recorded migration's checksum is not that of the file
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
    int known;    /* migrations that this program has */
    int recorded; /* those that the database has had; when less than `known`, `kstar init` is due */
};

/* Compares database and program; writes nothing. False where the database is refused. */
bool migration_check(PGconn *connection, struct migration_status *status, struct error *error);

/* Applies what is missing, as the role that the schema belongs to (base/postgres/database_roles.h),
 * and gives what is new to the database's roles. status->recorded is what was there before, so the
 * migrations from that number + 1 to `known` are the ones applied. A failing migration leaves those
 * before it applied and itself undone. ERROR_BUSY while a run is at work: its SQL knows the schema
 * that it began with; and where a table that a migration changes is somebody else's for longer than
 * 15 seconds. */
bool migration_apply(PGconn *connection, struct migration_status *status, struct error *error);

/* File name of migration `number` (from 1): "0001_reference.sql". */
const char *migration_file_name(int number);

#endif
