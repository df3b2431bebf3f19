/* base/postgres/migration.h: updates the schema of a database to that of this program.
 *
 * The schema is applied in numbered steps. Step 1 is the schema of release 0.1.0: the files of
 * sql/schema, in the order of their names. Each later step is a file sql/migrations/NNNN_name.sql,
 * numbered from 0002 without gaps. Released steps are never changed. Each step is applied once and
 * recorded in kstar.schema_migration (number, name, SHA-256 of its text, time). The recorded steps
 * must be the first steps of the program, with equal texts. Otherwise the database is refused, and
 * nothing is changed:
 *
 *     changed   a recorded step's checksum is not that of its text
 *     unknown   a number that this program does not have: a newer kstar was here
 *
 * Every refusal is ERROR_DATABASE. If several programs apply steps at once, an advisory lock lets
 * one of them work, and the others then find nothing to do.
 */
#ifndef KSTAR_BASE_POSTGRES_MIGRATION_H
#define KSTAR_BASE_POSTGRES_MIGRATION_H

#include "base/error.h"

#include <libpq-fe.h>
#include <stdbool.h>

struct migration_status {
    int known;    /* steps that this program has */
    int recorded; /* steps of the database; if less than `known`, `kstar init` is due */
};

/* Compares database and program; writes nothing. False if the database is refused. */
bool migration_check(PGconn *connection, struct migration_status *status, struct error *error);

/* Applies missing steps in one transaction, as the role that owns the schema
 * (base/postgres/database_roles.h), and gives new objects to the roles of the database.
 * status->recorded is the number of earlier steps: those from that number + 1 to `known` were
 * applied. A step that fails leaves the database unchanged. ERROR_BUSY while a run is at work,
 * because its SQL needs the schema that it began with; also if somebody else uses a table that a
 * step changes for longer than 15 seconds. */
bool migration_apply(PGconn *connection, struct migration_status *status, struct error *error);

/* The name of step `number` (from 1): "0001_schema", "0002_added.sql". */
const char *migration_file_name(int number);

#endif
