/* base/postgres/private_cluster_settings.h: the three configuration files of the private cluster.
 *
 * postgresql.conf is for a batch: few sessions, large sorts, bulk loads that must survive a crash.
 * Sizes follow the memory that this machine or this container has. The files lie in the home,
 * outside the data directory, so that they belong to whoever runs kstar and not to the server's
 * user.
 */
#ifndef KSTAR_BASE_POSTGRES_PRIVATE_CLUSTER_SETTINGS_H
#define KSTAR_BASE_POSTGRES_PRIVATE_CLUSTER_SETTINGS_H

#include "base/error.h"
#include "base/postgres/private_cluster_place.h"

#include <stdbool.h>

/* Replaces the files in cluster->home; cluster->socket is known. */
bool private_cluster_write_settings(const struct private_cluster *cluster, struct error *error);

#endif
