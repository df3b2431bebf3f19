/* cli/db_backup.c: kstar db backup and db restore, of kstar's own PostgreSQL.
 *
 * A backup is a folder of three files: the database as pg_dump writes it, the server's roles, and a
 * manifest with the hashes of both. A backup is kept for ten years. Every later PostgreSQL can read
 * a dump, on any machine. A copy of the server's files would need the version that wrote them. The
 * folder has another name until it is complete.
 *
 * A restore is one transaction into an empty database, so a killed one leaves it empty.
 */
#include "base/postgres/database.h"
#include "base/postgres/database_roles.h"
#include "base/postgres/private_cluster.h"
#include "base/system/child_process.h"
#include "base/system/file.h"
#include "cli/command.h"
#include "cli/connect.h"
#include "print/print_line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FIRST_LINE "kstar backup 1\n"
#define LAST_LINE  "end\n"

enum { DUMP, ROLES, MANIFEST, FILES };
static const char *const file_names[FILES] = { "database.dump", "roles.sql", "manifest" };

/* Reads the one operand, a folder. */
static bool read_options(const struct command *command, int argc, char **argv, struct common_options *options,
                         const char **folder, struct error *error)
{
    int first_operand;
    if (!options_read(command, NULL, argc, argv, options, &first_operand, error))
        return false;
    if (argc - first_operand != 1 || argv[first_operand][0] == '\0')
        return error_set(error, ERROR_USAGE, "%s: takes one folder", command->name);
    if (!connect_is_private(options)) {
        error_set(error, ERROR_USAGE, "%s: is about kstar's own PostgreSQL", command->name);
        error_hint(error, "back up a server of yours with pg_dump: docs/operations.md");
        return false;
    }
    *folder = argv[first_operand];
    return true;
}

/* Runs a program of PostgreSQL as the caller. */
static bool run_program(const struct private_cluster *cluster, const char **arguments, struct error *error)
{
    const struct child_user as = { cluster->user_name, geteuid(), getegid() };
    char *program = path_join(cluster->binaries, arguments[0]);
    arguments[0] = program;
    bool ok = child_process_run(arguments, &as, NULL, error);
    free(program);
    return ok;
}

/* The contents of a database as lines of a manifest. The caller frees them. NULL on failure. */
static char *contents_of(PGconn *connection, struct error *error)
{
    PGresult *result = database_query_file(connection, "backup/contents.sql", 0, NULL, error);
    char *text = NULL;
    size_t length = 0;
    FILE *out = result != NULL ? open_memstream(&text, &length) : NULL;
    for (int i = 0; i < PQntuples(result); i++)
        fprintf(out, "%s\n", PQgetvalue(result, i, 0));
    if (out != NULL)
        fclose(out);
    PQclear(result);
    return text;
}

/* ---- backup ---- */

struct backup {
    const char *folder; /* its final place */
    char *pending;      /* its place until it is complete; absolute, because programs begin in / */
    char *paths[FILES]; /* below it */
};

static char *absolute(const char *path)
{
    char *here = path[0] == '/' ? NULL : realpath(".", NULL);
    char *whole = here == NULL ? strdup(path) : path_join(here, path);
    free(here);
    return whole;
}

static void name_files(struct backup *backup, const char *folder)
{
    for (int i = 0; i < FILES; i++)
        backup->paths[i] = path_join(folder, file_names[i]);
}

static void backup_free(struct backup *backup)
{
    for (int i = 0; i < FILES; i++)
        free(backup->paths[i]);
    free(backup->pending);
}

/* Removes the remains of a killed or failed backup: only files of these names. */
static void remove_pending(const struct backup *backup)
{
    for (int i = 0; i < FILES; i++)
        file_discard(backup->paths[i]);
    rmdir(backup->pending);
}

static bool make_pending(struct backup *backup, struct error *error)
{
    struct stat status;
    char *whole = absolute(backup->folder);
    size_t length = strlen(whole);
    while (length > 1 && whole[length - 1] == '/')
        whole[--length] = '\0';
    backup->pending = malloc(length + sizeof ".incomplete");
    stpcpy(stpcpy(backup->pending, whole), ".incomplete");
    bool is_there = lstat(whole, &status) == 0;
    free(whole);
    name_files(backup, backup->pending);
    if (is_there)
        return error_set(error, ERROR_INPUT, "%s is there already: a backup gets a new folder",
                         backup->folder);
    remove_pending(backup);
    return mkdir(backup->pending, 0700) == 0 || error_set_errno(error, "%s: make folder", backup->pending);
}

/* Writes the dump of the state that `connection` sees, and the roles. */
static bool dump(const struct private_cluster *cluster, PGconn *connection, const struct backup *backup,
                 struct error *error)
{
    char snapshot[128];
    PGresult *exported = database_query(connection, "SELECT pg_export_snapshot()", 0, NULL, error);
    if (exported == NULL)
        return false;
    snprintf(snapshot, sizeof snapshot, "--snapshot=%s", PQgetvalue(exported, 0, 0));
    PQclear(exported);
    const char *dumping[] = { "pg_dump",           "-B", "-Fc",        snapshot, "-f",
                              backup->paths[DUMP], "-d", cluster->dsn, NULL };
    const char *listing[] = { "pg_dumpall", "--roles-only", "-f", backup->paths[ROLES],
                              "-d",         cluster->dsn,   NULL };
    return run_program(cluster, dumping, error) && run_program(cluster, listing, error);
}

static bool write_manifest(PGconn *connection, const struct backup *backup, struct error *error)
{
    char hashes[MANIFEST][SHA256_HEX_BYTES];
    char *text = NULL, *contents = contents_of(connection, error);
    size_t length = 0;
    bool ok = contents != NULL;
    for (int i = 0; ok && i < MANIFEST; i++)
        ok = file_sha256(backup->paths[i], hashes[i], error);
    FILE *out = ok ? open_memstream(&text, &length) : NULL;
    if (out != NULL) {
        fprintf(out, FIRST_LINE "version %s\nserver %s\n", KSTAR_VERSION,
                PQparameterStatus(connection, "server_version"));
        for (int i = 0; i < MANIFEST; i++)
            fprintf(out, "sha256 %s %s\n", hashes[i], file_names[i]);
        fputs(contents, out);
        fputs(LAST_LINE, out);
        fclose(out);
        ok = file_write(backup->paths[MANIFEST], text, length, 0600, error);
    }
    free(contents);
    free(text);
    return ok;
}

static bool back_up(const struct common_options *options, struct backup *backup, struct error *error)
{
    struct private_cluster cluster = { 0 };
    PGconn *connection = connect_existing(options, error);
    bool ok = connection != NULL && private_cluster_find(options->data_dir, &cluster, error) &&
              database_run_file(connection, "report/begin.sql", error) && make_pending(backup, error);
    bool is_made = ok;
    ok = ok && dump(&cluster, connection, backup, error) && write_manifest(connection, backup, error) &&
         file_publish(backup->pending, backup->folder, error);
    if (is_made && !ok)
        remove_pending(backup);
    private_cluster_free(&cluster);
    connect_close(connection);
    return ok;
}

static bool backup(const struct command *command, int argc, char **argv, struct error *error)
{
    struct backup made = { 0 };
    struct common_options options;
    if (!read_options(command, argc, argv, &options, &made.folder, error))
        return false;
    bool ok = back_up(&options, &made, error);
    if (ok)
        print_line(stdout, "backed up into %s", made.folder);
    backup_free(&made);
    return ok;
}

/* ---- restore ---- */

static bool refuse_backup(const char *folder, const char *why, struct error *error)
{
    return error_set(error, ERROR_INPUT, "%s is not a complete backup: %s", folder, why);
}

/* Checks the files against the manifest, and returns its lines on contents. The caller frees
 * them. */
static char *check_backup(const struct backup *backup, struct error *error)
{
    char *line = NULL, *contents = NULL, hash[SHA256_HEX_BYTES], named[SHA256_HEX_BYTES];
    size_t room = 0, length = 0;
    int checked = 0;
    bool is_whole = false;
    FILE *out,
        *manifest = path_is_file(backup->paths[MANIFEST]) ? fopen(backup->paths[MANIFEST], "re") : NULL;
    if (manifest == NULL) {
        refuse_backup(backup->folder, "it has no manifest", error);
        return NULL;
    }
    bool ok = (getline(&line, &room, manifest) > 0 && strcmp(line, FIRST_LINE) == 0) ||
              refuse_backup(backup->folder, "its manifest is of another kind", error);
    out = open_memstream(&contents, &length);
    while (ok && getline(&line, &room, manifest) > 0) {
        if (strncmp(line, "schema ", 7) == 0 || strncmp(line, "statement ", 10) == 0)
            fputs(line, out);
        is_whole = strcmp(line, LAST_LINE) == 0;
        if (sscanf(line, "sha256 %64s", named) != 1 || checked == MANIFEST)
            continue;
        ok = file_sha256(backup->paths[checked], hash, error) &&
             (strcmp(hash, named) == 0 ||
              refuse_backup(backup->folder, "a file is not the one that its manifest names", error));
        checked++;
    }
    fclose(out);
    fclose(manifest);
    free(line);
    if (ok && (checked < MANIFEST || !is_whole))
        ok = refuse_backup(backup->folder, "its manifest is cut short", error);
    if (ok)
        return contents;
    free(contents);
    return NULL;
}

static bool check_empty(PGconn *connection, const struct private_cluster *cluster, struct error *error)
{
    PGresult *result = database_query_file(connection, "backup/is_empty.sql", 0, NULL, error);
    bool ok = result != NULL;
    if (ok && !result_flag(result, 0, 0)) {
        ok = error_set(error, ERROR_INPUT, "the database in %s is not empty", cluster->home);
        error_hint(error, "restore into a new folder: --data-dir DIR");
    }
    PQclear(result);
    return ok;
}

/* Loads roles and dump. The server's existing roles stay, among them the role that restores. */
static bool load(const struct private_cluster *cluster, const struct backup *backup, struct error *error)
{
    const char *making[] = { "psql", "-Xq", "-d", cluster->dsn, "-f", backup->paths[ROLES], NULL };
    const char *loading[] = { "pg_restore", "--single-transaction", "-d",
                              cluster->dsn, backup->paths[DUMP],    NULL };
    return run_program(cluster, making, error) && run_program(cluster, loading, error);
}

/* Checks that the database has the manifest's contents. The first line, the migrations, may
 * differ. */
static bool check_contents(PGconn *connection, const struct backup *backup, const char *contents,
                           struct error *error)
{
    char *found = contents_of(connection, error);
    bool ok = found != NULL;
    if (ok && strcmp(strchr(found, '\n'), strchr(contents, '\n')) != 0)
        ok = error_set(error, ERROR_FAILED, "%s: the restored statements are not those of its manifest",
                       backup->folder);
    free(found);
    return ok;
}

static bool restore_into(const struct common_options *options, struct private_cluster *cluster,
                         const struct backup *backup, const char *contents, struct error *error)
{
    PGconn *connection = NULL;
    bool ok = private_cluster_find(options->data_dir, cluster, error) &&
              (connection = private_cluster_connect(cluster, error)) != NULL &&
              check_empty(connection, cluster, error);
    PQfinish(connection);
    if (!ok || !load(cluster, backup, error))
        return false;
    connection = connect_database(options, error);
    PGresult *roles = connection == NULL
                          ? NULL
                          : database_query(connection, "SELECT prefix FROM kstar.role_set", 0, NULL, error);
    /* a dump does not have the rights on the database itself */
    ok = roles != NULL && (PQntuples(roles) == 0 || roles_set_up(connection, NULL, error)) &&
         check_contents(connection, backup, contents, error);
    PQclear(roles);
    connect_close(connection);
    return ok;
}

static bool restore(const struct command *command, int argc, char **argv, struct error *error)
{
    struct backup kept = { 0 };
    struct common_options options;
    struct private_cluster cluster = { 0 };
    if (!read_options(command, argc, argv, &options, &kept.folder, error))
        return false;
    char *whole = absolute(kept.folder);
    name_files(&kept, whole);
    char *contents = check_backup(&kept, error);
    bool ok = contents != NULL && restore_into(&options, &cluster, &kept, contents, error);
    if (ok)
        print_line(stdout, "restored into %s", cluster.home);
    private_cluster_free(&cluster);
    free(contents);
    free(whole);
    backup_free(&kept);
    return ok;
}

const struct command command_db_backup = {
    .name = "db backup",
    .summary = "back up kstar's own PostgreSQL into a new folder",
    .usage = "kstar db backup DIR [options]",
    .description = "Writes the database, its roles and a manifest with their hashes, also while kstar works. "
                   "DIR appears when all of\nit is on the disk. Every later PostgreSQL can restore it.",
    .examples = "kstar db backup /srv/backup/2026-11-20",
    .run = backup,
};

const struct command command_db_restore = {
    .name = "db restore",
    .summary = "restore a backup into a new data folder",
    .usage = "kstar db restore DIR [options]",
    .description =
        "Checks the backup in DIR and restores it in one transaction. Refuses a backup that is not "
        "whole, and a database\nthat is not empty (3).",
    .examples = "kstar db restore /srv/backup/2026-11-20 --data-dir /srv/restored",
    .run = restore,
};
