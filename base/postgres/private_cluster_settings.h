/* base/postgres/private_cluster_settings.h: the three configuration files of the private cluster.
 *
 * postgresql.conf is for a batch: few sessions, large sorts, bulk loads that must survive a crash.
 * Sizes depend on the memory of the machine or container. The files are in the home, outside the
 * data directory, so that they belong to the user who runs kstar, not to the user of the server.
 */
#ifndef KSTAR_BASE_POSTGRES_PRIVATE_CLUSTER_SETTINGS_H
#define KSTAR_BASE_POSTGRES_PRIVATE_CLUSTER_SETTINGS_H

#include "base/error.h"
#include "base/postgres/private_cluster_place.h"

#include <stdbool.h>

/* Replaces the files in cluster->home; cluster->socket is known. */
bool private_cluster_write_settings(const struct private_cluster *cluster, struct error *error);

#endif
