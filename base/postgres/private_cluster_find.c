/* base/postgres/private_cluster_find.c: finds the private cluster: home, user, binaries, socket.
 * See private_cluster.h.
 *
 * Starting and stopping are in private_cluster.c.
 */
#include "base/postgres/database.h"
#include "base/postgres/private_cluster.h"

#include "base/postgres/private_cluster_socket.h"
#include "base/system/file.h"

#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char debian_binaries[] = "/usr/lib/postgresql";
static const char system_home[] = "/var/lib/kstar";

/* Whether the home of the system belongs to the caller: to root, or the user of the package. */
static bool has_system_home(void)
{
    struct stat status;
    return geteuid() == 0 || (stat(system_home, &status) == 0 && status.st_uid == geteuid());
}

/* The requested home, which may not exist yet; NULL if none is given. Caller frees. */
static char *choose_home(const char *data_dir)
{
    const char *from_environment = getenv("KSTAR_DATA_DIR");
    const char *xdg = getenv("XDG_DATA_HOME");
    if (data_dir != NULL)
        return strdup(data_dir);
    if (from_environment != NULL && from_environment[0] != '\0')
        return strdup(from_environment);
    if (has_system_home())
        return strdup(system_home);
    if (xdg != NULL && xdg[0] == '/')
        return path_join(xdg, "kstar");
    const struct passwd *entry = getpwuid(geteuid());
    return entry ? path_join(entry->pw_dir, ".local/share/kstar") : NULL;
}

/* Refuses root in the home of another user: root would leave files that the owner cannot use, and
 * the owner could set traps for root. */
static bool not_roots(const char *home, uid_t owner, struct error *error)
{
    const struct passwd *entry = getpwuid(owner);
    error_set(error, ERROR_FAILED, "%s belongs to user %s, not to root", home,
              entry ? entry->pw_name : "unknown");
    error_hint(error, "sudo -u %s kstar …, or another --data-dir", entry ? entry->pw_name : "USER");
    return false;
}

/* The absolute path of a folder that may not exist yet; NULL, with errno, on failure. Caller
 * frees. */
static char *absolute_path(const char *path)
{
    char *whole = realpath(path, NULL);
    if (whole != NULL || errno != ENOENT)
        return whole;
    if (path[0] == '/')
        return strdup(path);
    char *here = realpath(".", NULL);
    whole = here != NULL ? path_join(here, path) : NULL;
    free(here);
    return whole;
}

static bool find_home(const char *data_dir, struct private_cluster *cluster, struct error *error)
{
    struct stat status;
    char *asked = choose_home(data_dir);
    bool ok = asked != NULL || error_set(error, ERROR_FAILED, "no place for the database: give --data-dir");
    if (ok && (cluster->home = absolute_path(asked)) == NULL)
        ok = error_set_errno(error, "%s", asked);
    if (ok && geteuid() == 0 && stat(cluster->home, &status) == 0 && status.st_uid != 0)
        ok = not_roots(cluster->home, status.st_uid, error);
    if (ok && strpbrk(cluster->home, "'\"\\$`\n") != NULL)
        ok = error_set(error, ERROR_USAGE,
                       "%s: the database's folder may not have a quote, $ or backslash in its name",
                       cluster->home);
    if (ok)
        cluster->data = path_join(cluster->home, "postgresql");
    free(asked);
    return ok;
}

/* The user for a server of root: the owner of the data directory, else postgres, else kstar. */
static const struct passwd *user_for_root(const struct private_cluster *cluster)
{
    struct stat status;
    const struct passwd *entry = NULL;
    if (lstat(cluster->data, &status) == 0 && status.st_uid != 0)
        entry = getpwuid(status.st_uid);
    if (entry == NULL)
        entry = getpwnam("postgres");
    if (entry == NULL)
        entry = getpwnam("kstar");
    return entry;
}

/* The user of the server: the caller, or for root an unprivileged user. */
static bool find_user(struct private_cluster *cluster, struct error *error)
{
    const struct passwd *entry = geteuid() == 0 ? user_for_root(cluster) : getpwuid(geteuid());
    if (entry == NULL && geteuid() != 0)
        return error_set(error, ERROR_FAILED,
                         "user %ld has no name on this machine, and PostgreSQL needs one", (long)geteuid());
    if (entry == NULL || entry->pw_uid == 0) {
        error_set(error, ERROR_FAILED,
                  "PostgreSQL does not run as root, and there is no user postgres or kstar");
        error_hint(error, "useradd --system --create-home --home-dir /var/lib/kstar kstar");
        return false;
    }
    cluster->user = entry->pw_uid;
    cluster->group = entry->pw_gid;
    cluster->user_name = strdup(entry->pw_name);
    return true;
}

/* Major version of the data directory; 0: there is none. */
static int data_version(const struct private_cluster *cluster)
{
    int major = 0;
    char *path = path_join(cluster->data, "PG_VERSION");
    FILE *file = fopen(path, "re");
    if (file != NULL && fscanf(file, "%d", &major) != 1)
        major = 0;
    if (file != NULL)
        fclose(file);
    free(path);
    return major;
}

/* The highest version below /usr/lib/postgresql whose server is new enough; 0: none. */
static int newest_version(void)
{
    struct directory_listing versions;
    struct error ignored;
    int newest = 0;
    if (!directory_list(debian_binaries, &versions, &ignored))
        return 0;
    for (int i = 0; i < versions.count; i++) {
        char path[256];
        int major = (int)strtol(versions.names[i], NULL, 10);
        snprintf(path, sizeof path, "%s/%s/bin/postgres", debian_binaries, versions.names[i]);
        if (major > newest && major >= DATABASE_OLDEST_SERVER && access(path, X_OK) == 0)
            newest = major;
    }
    directory_listing_free(&versions);
    return newest;
}

static bool find_binaries(struct private_cluster *cluster, struct error *error)
{
    char path[256];
    const char *given = getenv("KSTAR_PG_BINDIR");
    int made_with = data_version(cluster);
    int version = made_with ? made_with : newest_version();
    snprintf(path, sizeof path, "%s/%d/bin", debian_binaries, version);
    cluster->binaries = strdup(given && given[0] ? given : path);
    char *server = path_join(cluster->binaries, "postgres");
    bool found = access(server, X_OK) == 0;
    if (!found && made_with && !given)
        error_set(error, ERROR_DATABASE, "%s was made by PostgreSQL %d, which is not installed",
                  cluster->data, made_with);
    else if (!found)
        error_set(error, ERROR_DATABASE, "no PostgreSQL server in %s", given ? given : debian_binaries);
    if (!found)
        error_hint(error, "install the package postgresql-%d, set KSTAR_PG_BINDIR, or give --dsn",
                   version ? version : DATABASE_OLDEST_SERVER);
    free(server);
    return found;
}

bool private_cluster_find(const char *data_dir, struct private_cluster *cluster, struct error *error)
{
    *cluster = (struct private_cluster){ 0 };
    bool ok =
        find_home(data_dir, cluster, error) && find_user(cluster, error) && find_binaries(cluster, error);
    if (ok)
        private_cluster_find_socket(cluster);
    return ok;
}

void private_cluster_free(struct private_cluster *cluster)
{
    free(cluster->user_name);
    free(cluster->dsn);
    free(cluster->socket);
    free(cluster->binaries);
    free(cluster->data);
    free(cluster->home);
    *cluster = (struct private_cluster){ 0 };
}
