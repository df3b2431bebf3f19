/* base/postgres/private_cluster_socket.h: the private cluster's socket folder, and the DSN for it.
 *
 * The folder is home/socket. If the path of the socket would then be too long for the system, it is
 * a folder under /tmp made by mkdtemp, and the file home/socket_directory names it.
 */
#ifndef KSTAR_BASE_POSTGRES_PRIVATE_CLUSTER_SOCKET_H
#define KSTAR_BASE_POSTGRES_PRIVATE_CLUSTER_SOCKET_H

#include "base/error.h"
#include "base/postgres/private_cluster_place.h"

#include <stdbool.h>

/* Fills cluster->socket and cluster->dsn if the folder is known; otherwise they stay NULL, and the
 * folder must be made. May be called again. */
void private_cluster_find_socket(struct private_cluster *cluster);

/* Makes the folder if missing, private to the server's user. The caller holds the home's lock. */
bool private_cluster_make_socket(struct private_cluster *cluster, struct error *error);

#endif
