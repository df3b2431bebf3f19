/* base/postgres/private_cluster_place.h: the places of the private cluster: its folders, its socket
 * and its user (private_cluster.h). */
#ifndef KSTAR_BASE_POSTGRES_PRIVATE_CLUSTER_PLACE_H
#define KSTAR_BASE_POSTGRES_PRIVATE_CLUSTER_PLACE_H

#include <sys/types.h>

enum {
    SOCKET_PATH_BYTES = 108, /* sockaddr_un.sun_path, the NUL included */
    PRIVATE_DSN_BYTES = SOCKET_PATH_BYTES + 384,
};

struct private_cluster {
    char *home;     /* owned */
    char *data;     /* home/postgresql, owned */
    char *binaries; /* folder of pg_ctl, owned */
    char *socket;   /* folder of the socket, owned; NULL until there is one */
    /* for libpq: database kstar, role kstar; owned; NULL until there is a socket */
    char *dsn;
    char *user_name; /* user of the server, owned */
    uid_t user;
    gid_t group;
};

#endif
