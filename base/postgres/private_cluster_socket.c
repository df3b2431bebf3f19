/* base/postgres/private_cluster_socket.c: see private_cluster_socket.h. */
#include "base/postgres/private_cluster_socket.h"

#include "base/system/file.h"

#include <errno.h>
#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char record_name[] = "socket_directory";

static bool fits(const char *folder)
{
    return strlen(folder) + sizeof "/.s.PGSQL.5432" <= SOCKET_PATH_BYTES;
}

/* These settings override PG* variables, which are for other servers; this server listens only on
 * its socket. */
static const char own_settings[] = "hostaddr='' requirepeer='' gssencmode=disable sslmode=disable "
                                   "channel_binding=prefer target_session_attrs=any connect_timeout=30";

/* Settings that only newer versions of libpq know. */
static const char *newer_settings(void)
{
    if (PQlibVersion() >= 170000)
        return " require_auth='' sslcertmode=disable sslnegotiation=postgres";
    return PQlibVersion() >= 160000 ? " require_auth='' sslcertmode=disable" : "";
}

/* Uses `folder` (from malloc) as folder of the socket. */
static void adopt(struct private_cluster *cluster, char *folder)
{
    char dsn[PRIVATE_DSN_BYTES];
    snprintf(dsn, sizeof dsn,
             "host='%s' port=5432 user=kstar dbname=kstar fallback_application_name=kstar %s%s", folder,
             own_settings, newer_settings());
    free(cluster->socket);
    free(cluster->dsn);
    cluster->socket = folder;
    cluster->dsn = strdup(dsn);
}

/* Others can create names under /tmp. So a folder there counts only if it is a real one that
 * belongs to the user of the server alone. */
static bool is_private(const struct private_cluster *cluster, const char *folder)
{
    struct stat status;
    return lstat(folder, &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == cluster->user &&
           (status.st_mode & 0077) == 0;
}

/* The recorded folder; NULL without a valid record. The caller frees it. */
static char *recorded(const struct private_cluster *cluster)
{
    char line[SOCKET_PATH_BYTES] = "";
    char *path = path_join(cluster->home, record_name);
    FILE *file = fopen(path, "re");
    if (file != NULL && fgets(line, sizeof line, file) == NULL)
        line[0] = '\0';
    if (file != NULL)
        fclose(file);
    free(path);
    line[strcspn(line, "\n")] = '\0';
    return line[0] != '\0' && is_private(cluster, line) ? strdup(line) : NULL;
}

void private_cluster_find_socket(struct private_cluster *cluster)
{
    char *folder = path_join(cluster->home, "socket");
    if (!fits(folder)) {
        free(folder);
        folder = recorded(cluster);
    }
    if (folder != NULL)
        adopt(cluster, folder);
}

static bool make_short(struct private_cluster *cluster, struct error *error)
{
    char folder[] = "/tmp/kstar-XXXXXX";
    char line[sizeof folder + 1];
    if (mkdtemp(folder) == NULL)
        return error_set_errno(error, "%s: make folder", folder);
    if (chown(folder, cluster->user, cluster->group) != 0)
        return error_set_errno(error, "%s: change owner", folder);
    int length = snprintf(line, sizeof line, "%s\n", folder);
    char *path = path_join(cluster->home, record_name);
    bool ok = file_write(path, line, (size_t)length, 0644, error);
    if (ok)
        adopt(cluster, strdup(folder));
    free(path);
    return ok;
}

bool private_cluster_make_socket(struct private_cluster *cluster, struct error *error)
{
    private_cluster_find_socket(cluster);
    if (cluster->socket == NULL)
        return make_short(cluster, error);
    if (mkdir(cluster->socket, 0700) != 0 && errno != EEXIST)
        return error_set_errno(error, "%s: make folder", cluster->socket);
    if (!is_private(cluster, cluster->socket) &&
        (lchown(cluster->socket, cluster->user, cluster->group) != 0 || chmod(cluster->socket, 0700) != 0))
        return error_set_errno(error, "%s: make private", cluster->socket);
    return true;
}
