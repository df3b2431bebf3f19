/* base/postgres/private_cluster.h: kstar's own PostgreSQL server, made and started on demand
 * with Debian's server binaries.
 *
 * The server listens only on a Unix socket. Everything is in one folder, the home:
 *
 *     lock              file lock that guards making, starting and stopping
 *     postgresql.conf   with pg_hba.conf and pg_ident.conf; written at every start, sized to the
 *                       machine
 *     local.conf        settings of the user: included last, never written
 *     socket/           the socket
 *     socket_directory  names the socket's folder under /tmp, if the path of the home would make
 *                       the path of the socket longer than 107 bytes
 *     log/              the server's log, a file per weekday
 *     control.log       the last output of initdb or pg_ctl
 *
 * The home is `data_dir` if given, else $KSTAR_DATA_DIR, else /var/lib/kstar for root and for the
 * user whose folder it is, else $XDG_DATA_HOME/kstar (~/.local/share/kstar). PostgreSQL does not
 * run as root: if root starts it, server and data directory belong to the user postgres (else
 * kstar), and pg_ident lets root in as the superuser role kstar. Binaries: $KSTAR_PG_BINDIR, else
 * the newest in /usr/lib/postgresql; a data directory keeps the major version that made it.
 */
#ifndef KSTAR_BASE_POSTGRES_PRIVATE_CLUSTER_H
#define KSTAR_BASE_POSTGRES_PRIVATE_CLUSTER_H

#include "base/error.h"
#include "base/postgres/private_cluster_place.h"

#include <libpq-fe.h>
#include <stdbool.h>

/* Finds the places of the cluster, existing or not; makes nothing. Fails if the binaries are
 * missing or the user has no name. Call private_cluster_free after failure, too. */
bool private_cluster_find(const char *data_dir, struct private_cluster *cluster, struct error *error);
void private_cluster_free(struct private_cluster *cluster);

/* Whether the cluster was made before; true if the caller may not look. */
bool private_cluster_exists(const struct private_cluster *cluster);

/* Makes home and data directory if missing, starts the server if it does not run, and makes the
 * database kstar if missing. Waits for a recovery after a crash, however long it takes. Works also
 * with a stale postmaster.pid, a half-made data directory, or two calls at once. */
bool private_cluster_start(struct private_cluster *cluster, struct error *error);

/* The same, and returns a connection to the database kstar. If the server runs, it only connects,
 * once. NULL on failure. The caller closes it with PQfinish. */
PGconn *private_cluster_connect(struct private_cluster *cluster, struct error *error);

/* Stops a running server; *stopped: one ran. ERROR_BUSY if sessions are still connected (the error
 * names them), if the server recovers from a crash, or if it does not answer. With `force`,
 * transactions are rolled back, and a recovery begins anew at the next start. */
bool private_cluster_stop(struct private_cluster *cluster, bool force, bool *stopped, struct error *error);

enum private_cluster_state {
    PRIVATE_CLUSTER_MISSING, /* not made yet */
    PRIVATE_CLUSTER_STOPPED,
    PRIVATE_CLUSTER_RUNNING,
    PRIVATE_CLUSTER_STARTING, /* or stopping: it accepts no connection */
    PRIVATE_CLUSTER_SILENT,   /* a server process that does not answer at the socket */
    PRIVATE_CLUSTER_HIDDEN,   /* the caller may not look into the data directory */
};

/* The state of the server now, as far as the caller sees it. */
enum private_cluster_state private_cluster_look(const struct private_cluster *cluster);

#endif
