/* base/postgres/private_cluster.h: a PostgreSQL of kstar's own, made and started on demand with
 * Debian's server binaries.
 *
 * The server listens on a Unix socket only. Everything lies in one folder, the home:
 *
 *     lock              file lock that guards making, starting and stopping
 *     postgresql.conf   with pg_hba.conf and pg_ident.conf; written at every start, sized to the
 *                       machine
 *     local.conf        yours: included last, never written
 *     socket/           the socket
 *     socket_directory  its place if a home with a long path makes it longer than 107 bytes: a
 *                       short keeps it in a short folder under /tmp, which this file names
 *     log/              the server's log, a file per weekday
 * control.log       the last output of initdb or pg_ctl
 *
 * The home is `data_dir` if given, else $KSTAR_DATA_DIR, else /var/lib/kstar for root and for the
 * user whose folder it is, else $XDG_DATA_HOME/kstar (~/.local/share/kstar). PostgreSQL does not
 * run as root: started by root, server and data directory belong to the user postgres (else kstar),
 * and pg_ident lets root in as the superuser role kstar. Binaries: $KSTAR_PG_BINDIR, else the
 * newest in /usr/lib/postgresql; a data directory keeps to the major version that made it.
 */
#ifndef KSTAR_BASE_POSTGRES_PRIVATE_CLUSTER_H
#define KSTAR_BASE_POSTGRES_PRIVATE_CLUSTER_H

#include "base/error.h"
#include "base/postgres/private_cluster_place.h"

#include <libpq-fe.h>
#include <stdbool.h>

/* Finds out where things are, or would be; makes nothing. Fails where the binaries are missing or
 * the user has no name. The caller frees with private_cluster_free, after failure too. */
bool private_cluster_find(const char *data_dir, struct private_cluster *cluster, struct error *error);
void private_cluster_free(struct private_cluster *cluster);

/* Whether somebody has made it before; true where the caller may not look. */
bool private_cluster_exists(const struct private_cluster *cluster);

/* Makes home and data directory if they are not there, starts the server if it does not run, makes
 * the database kstar if it is missing. Waits while a server recovers from a crash, however long
 * that takes. Survives a stale postmaster.pid, a half-made data directory, and two at once. */
bool private_cluster_start(struct private_cluster *cluster, struct error *error);

/* The same, and a connection to that database. A server that runs is only connected to, once. NULL
 * on failure. The caller closes it with PQfinish. */
PGconn *private_cluster_connect(struct private_cluster *cluster, struct error *error);

/* Stops a running server; *stopped says whether one ran, and is false where none was ever made.
 * ERROR_BUSY if sessions are still connected, which it names, if the server recovers from a crash,
 * or if it does not answer. With `force` transactions are dropped, and a recovery begins anew at
 * the next start. */
bool private_cluster_stop(struct private_cluster *cluster, bool force, bool *stopped, struct error *error);

enum private_cluster_state {
    PRIVATE_CLUSTER_MISSING, /* nobody has made it yet */
    PRIVATE_CLUSTER_STOPPED,
    PRIVATE_CLUSTER_RUNNING,
    PRIVATE_CLUSTER_STARTING, /* or ending: it lets nobody in */
    PRIVATE_CLUSTER_SILENT,   /* there is a server process, and it does not answer at the socket */
    PRIVATE_CLUSTER_HIDDEN,   /* the caller may not look into the data directory */
};

/* What is seen of the server now. */
enum private_cluster_state private_cluster_look(const struct private_cluster *cluster);

#endif
