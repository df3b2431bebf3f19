/* base/postgres/private_cluster_socket.h: the private cluster's socket folder, and the DSN for it.
 *
 * It is home/socket, unless the socket's path would then be longer than the system takes: then it
 * is a folder made by mkdtemp under /tmp, and the file home/socket_directory says which.
 */
#ifndef KSTAR_BASE_POSTGRES_PRIVATE_CLUSTER_SOCKET_H
#define KSTAR_BASE_POSTGRES_PRIVATE_CLUSTER_SOCKET_H

#include "base/error.h"
#include "base/postgres/private_cluster_place.h"

#include <stdbool.h>

/* Fills cluster->socket and cluster->dsn where the folder is known; leaves them NULL where it has
 * yet to be made. May be called again. */
void private_cluster_find_socket(struct private_cluster *cluster);

/* Makes the folder if missing, private to the server's user. The caller holds the home's lock. */
bool private_cluster_make_socket(struct private_cluster *cluster, struct error *error);

#endif
