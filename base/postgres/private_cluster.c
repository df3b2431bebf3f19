/* base/postgres/private_cluster.c: making, starting and stopping the private cluster. See
 * private_cluster.h.
 *
 * All three hold the file lock of the home, so each sees the work of the others finished or not
 * begun. A data directory is made under another name and renamed when it is complete. PQping, never
 * a pid file, shows whether a server runs.
 */
#include "base/postgres/private_cluster.h"

#include "base/log.h"
#include "base/postgres/database.h"
#include "base/postgres/private_cluster_recovery.h"
#include "base/postgres/private_cluster_settings.h"
#include "base/postgres/private_cluster_socket.h"
#include "base/system/child_process.h"
#include "base/system/file.h"

#include <errno.h>
#include <inttypes.h>
#include <libpq-fe.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char half_made_prefix[] = "postgresql.new-";

enum { START_SECONDS = 60, POLLS_PER_SECOND = 10, WAITING_LOG_SECONDS = 10 };
enum { REPEATS_MAXIMUM = 3, REPEAT_SECONDS = 5 };

/* Runs a PostgreSQL program (arguments[0]) as the user of the server. Output goes to
 * home/control.log. */
static bool run_program(const struct private_cluster *cluster, const char **arguments, struct error *error)
{
    struct child_user as = { cluster->user_name, cluster->user, cluster->group };
    char *program = path_join(cluster->binaries, arguments[0]);
    char *output = path_join(cluster->home, "control.log");
    arguments[0] = program;
    bool ok = child_process_run(arguments, &as, output, error);
    free(output);
    free(program);
    return ok;
}

/* Makes missing folders above the home. The server of root runs as another user, who must be able
 * to pass through them. */
static bool make_parents(const struct private_cluster *cluster, struct error *error)
{
    bool ok = true;
    char *path = strdup(cluster->home);
    for (char *slash = strchr(path + 1, '/'); ok && slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (!path_is_directory(path))
            ok = directory_make(path, error) && (geteuid() != 0 || chmod(path, 0711) == 0 ||
                                                 error_set_errno(error, "%s: change mode", path));
        *slash = '/';
    }
    free(path);
    return ok;
}

/* Refuses a place that everybody may write: whoever can write local.conf can make the server run
 * any program. */
static bool is_ours_alone(const char *path, struct error *error)
{
    struct stat status;
    if (stat(path, &status) != 0 || (status.st_mode & S_IWOTH) == 0)
        return true;
    error_set(error, ERROR_DATABASE, "%s: everybody may write there, and so change the server's settings",
              path);
    error_hint(error, "chmod o-w %s", path);
    return false;
}

/* Makes the home, which the user of the server must be able to pass through. */
static bool make_home(const struct private_cluster *cluster, struct error *error)
{
    struct stat status;
    char *settings = path_join(cluster->home, "local.conf");
    bool ok = make_parents(cluster, error) && directory_make(cluster->home, error) &&
              is_ours_alone(cluster->home, error) && is_ours_alone(settings, error);
    free(settings);
    if (!ok)
        return false;
    if (stat(cluster->home, &status) != 0)
        return error_set_errno(error, "%s", cluster->home);
    return geteuid() != 0 || (status.st_mode & 0001) != 0 || chmod(cluster->home, 0711) == 0 ||
           error_set_errno(error, "%s: change mode", cluster->home);
}

/* Refuses a limit of file size that only root may lift, and that the server would inherit. */
static bool may_write_files(struct error *error)
{
    enum { SEGMENT_BYTES = 1 << 30 };
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_max == RLIM_INFINITY ||
        limit.rlim_max >= SEGMENT_BYTES ||
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){ limit.rlim_cur, RLIM_INFINITY }) == 0)
        return true;
    error_set(error, ERROR_DATABASE,
              "files may have %lld bytes here (ulimit -f), and the server's have up to 1 GiB",
              (long long)limit.rlim_max);
    error_hint(error, "ulimit -f unlimited, or LimitFSIZE=infinity for the service");
    return false;
}

static bool own_folder(const struct private_cluster *cluster, const char *path, struct error *error)
{
    return lchown(path, cluster->user, cluster->group) == 0 ||
           error_set_errno(error, "%s: change owner", path);
}

/* Makes a folder in the home for the user of the server, unless it exists. */
static bool make_folder(const struct private_cluster *cluster, const char *path, struct error *error)
{
    if (mkdir(path, 0700) != 0 && errno != EEXIST)
        return error_set_errno(error, "%s: make folder", path);
    return own_folder(cluster, path, error);
}

/* Deletes a data directory that a crash left half-made. Its files belong to the user of the server,
 * who also deletes them: root must not walk through a tree that somebody else can change. If the
 * last child of a killed initdb still writes files, the next start deletes the rest. */
static void remove_half_made(const struct private_cluster *cluster, const char *path)
{
    const char *arguments[] = { "/usr/bin/find", path, "-xdev", "-mindepth", "1", "-delete", NULL };
    struct child_user as = { cluster->user_name, cluster->user, cluster->group };
    struct error ignored;
    log_event(LOG_WARNING, "private_cluster", "removing=half-made path=\"%s\"", path);
    if (child_process_run(arguments, &as, NULL, &ignored))
        rmdir(path);
}

static bool remove_all_half_made(const struct private_cluster *cluster, struct error *error)
{
    struct directory_listing listing;
    if (!directory_list(cluster->home, &listing, error))
        return false;
    for (int i = 0; i < listing.count; i++) {
        if (strncmp(listing.names[i], half_made_prefix, strlen(half_made_prefix)) != 0)
            continue;
        char *path = path_join(cluster->home, listing.names[i]);
        remove_half_made(cluster, path);
        free(path);
    }
    directory_listing_free(&listing);
    return true;
}

/* Makes the data directory under a name that no other process ever had, so that an initdb which
 * outlived its kstar cannot disturb it. */
static bool make_data_directory(const struct private_cluster *cluster, struct error *error)
{
    char name[32];
    snprintf(name, sizeof name, "%sXXXXXX", half_made_prefix);
    char *path = path_join(cluster->home, name);
    const char *arguments[] = { "initdb",
                                "-D",
                                path,
                                "-U",
                                "kstar",
                                "-E",
                                "UTF8",
                                "--locale=C.UTF-8",
                                "--lc-collate=C", /* the same order; sorts compare bytes */
                                "--data-checksums",
                                "--auth=peer",
                                "--no-instructions",
                                NULL };
    log_event(LOG_INFO, "private_cluster", "making=\"%s\"", cluster->data);
    bool ok = mkdtemp(path) != NULL || error_set_errno(error, "%s: make folder", path);
    ok = ok && own_folder(cluster, path, error) && run_program(cluster, arguments, error);
    /* An empty folder may be at this place; one with content is not ours to replace. */
    if (ok && !file_publish(path, cluster->data, error)) {
        ok = false;
        error_hint(error, "%s is not a data directory of PostgreSQL: move it away", cluster->data);
    }
    if (!ok)
        remove_half_made(cluster, path);
    free(path);
    return ok;
}

static bool have_data_directory(const struct private_cluster *cluster, struct error *error)
{
    char *version = path_join(cluster->data, "PG_VERSION");
    bool there = access(version, F_OK) == 0;
    free(version);
    return remove_all_half_made(cluster, error) && (there || make_data_directory(cluster, error));
}

/* Whether process `pid` may be the server of this data directory. When a machine goes down, the pid
 * file remains, and any other process may get its number. */
static bool may_be_server(const struct private_cluster *cluster, long pid)
{
    char path[64], name[32] = "", folder[4096];
    struct stat status;
    snprintf(path, sizeof path, "/proc/%ld/comm", pid);
    FILE *file = fopen(path, "re");
    if (file == NULL)
        /* without /proc, the pid file is believed */
        return kill((pid_t)pid, 0) == 0 && access("/proc/self", F_OK) != 0;
    bool is_server = fgets(name, sizeof name, file) != NULL && strcmp(name, "postgres\n") == 0 &&
                     fstat(fileno(file), &status) == 0 && status.st_uid == cluster->user;
    fclose(file);
    snprintf(path, sizeof path, "/proc/%ld/cwd", pid);
    ssize_t length = readlink(path, folder, sizeof folder);
    bool elsewhere = length >= 0 && (strlen(cluster->data) != (size_t)length ||
                                     strncmp(folder, cluster->data, (size_t)length) != 0);
    return is_server && !elsewhere;
}

/* The process in the pid file; 0: none. */
static long recorded_process(const char *pid_file)
{
    long pid = 0;
    FILE *file = fopen(pid_file, "re");
    if (file != NULL && fscanf(file, "%ld", &pid) != 1)
        pid = 0;
    if (file != NULL)
        fclose(file);
    return pid;
}

/* The server process by its pid file; 0: none. Removes a pid file of another process, because
 * PostgreSQL would believe it. */
static long server_process(const struct private_cluster *cluster)
{
    char *pid_file = path_join(cluster->data, "postmaster.pid");
    long pid = recorded_process(pid_file);
    if (pid > 0 && !may_be_server(cluster, pid)) {
        char *socket_lock = cluster->socket ? path_join(cluster->socket, ".s.PGSQL.5432.lock") : NULL;
        log_event(LOG_WARNING, "private_cluster", "stale_pid=%ld path=\"%s\"", pid, pid_file);
        unlink(pid_file);
        if (socket_lock != NULL)
            unlink(socket_lock);
        free(socket_lock);
        pid = 0;
    }
    free(pid_file);
    return pid;
}

/* Whether a server answers at the socket now. */
static bool is_running(const struct private_cluster *cluster)
{
    return cluster->dsn != NULL && PQping(cluster->dsn) == PQPING_OK;
}

/* A data directory gets its name only when it is complete. */
bool private_cluster_exists(const struct private_cluster *cluster)
{
    struct stat status;
    return stat(cluster->data, &status) == 0 ? S_ISDIR(status.st_mode) : errno == EACCES;
}

/* Needs no lock, because it changes nothing. */
enum private_cluster_state private_cluster_look(const struct private_cluster *cluster)
{
    if (!private_cluster_exists(cluster))
        return PRIVATE_CLUSTER_MISSING;
    PGPing ping = cluster->dsn != NULL ? PQping(cluster->dsn) : PQPING_NO_ATTEMPT;
    if (ping == PQPING_OK)
        return PRIVATE_CLUSTER_RUNNING;
    if (ping == PQPING_REJECT)
        return PRIVATE_CLUSTER_STARTING;
    char *pid_file = path_join(cluster->data, "postmaster.pid");
    bool hidden = access(pid_file, R_OK) != 0 && errno == EACCES;
    long pid = recorded_process(pid_file);
    free(pid_file);
    if (hidden)
        return PRIVATE_CLUSTER_HIDDEN;
    return pid > 0 && may_be_server(cluster, pid) ? PRIVATE_CLUSTER_SILENT : PRIVATE_CLUSTER_STOPPED;
}

static void pause_briefly(void)
{
    const struct timespec pause = { .tv_nsec = 1000000000 / POLLS_PER_SECOND };
    nanosleep(&pause, NULL);
}

/* Children of a killed server live on for a moment and use the shared memory. */
static bool memory_still_in_use(const struct private_cluster *cluster)
{
    char line[1024];
    bool found = false;
    char *path = path_join(cluster->home, "control.log");
    FILE *file = fopen(path, "re");
    while (file != NULL && !found && fgets(line, sizeof line, file) != NULL)
        found = strstr(line, "shared memory block") != NULL;
    if (file != NULL)
        fclose(file);
    free(path);
    return found;
}

/* Whether a running server accepts no connection: it starts, stops or recovers from a crash.
 * Recovery of gigabytes of log takes long, and begins anew if interrupted. */
static bool is_recovering(const struct private_cluster *cluster)
{
    return cluster->dsn != NULL && PQping(cluster->dsn) == PQPING_REJECT && server_process(cluster) != 0;
}

static bool refuse_repeats(const struct private_cluster *cluster, const struct recovery_watch *watch,
                           struct error *error)
{
    char line[512], *log = path_join(cluster->home, "log");
    error_set(error, ERROR_DATABASE, "the server of %s crashes in each recovery: %d more times in this wait",
              cluster->data, watch->repeats);
    error_detail(error, "%s", recovery_cause(log, line));
    error_hint(error, "mend the cause that %s names; then kstar db stop --force, and run again", log);
    free(log);
    return false;
}

/* Watches the recovery for a second without asking the server, which would log each question. */
static bool watch_recovery(const struct private_cluster *cluster, struct recovery_watch *watch)
{
    bool repeats = false;
    for (int polls = 0; polls < POLLS_PER_SECOND; polls++, pause_briefly())
        repeats = recovery_repeats(watch, server_process(cluster)) || repeats;
    return repeats;
}

/* Waits while the recovery makes progress. */
static bool wait_for_recovery(const struct private_cluster *cluster, struct recovery_watch *watch,
                              struct error *error)
{
    const int64_t began_ns = log_clock_ns();
    for (int polls = 0; is_recovering(cluster); polls++) {
        if (polls % WAITING_LOG_SECONDS == 0)
            log_event(LOG_INFO, "private_cluster",
                      "waits_for=\"the server, which lets nobody in yet\" data=\"%s\" seconds=%" PRId64,
                      cluster->data, (log_clock_ns() - began_ns) / 1000000000);
        if (!watch_recovery(cluster, watch))
            continue;
        log_event(
            LOG_WARNING, "private_cluster",
            "waits_for=\"the server, which crashed in its recovery and began anew\" data=\"%s\" repeats=%d",
            cluster->data, watch->repeats);
        if (watch->repeats >= REPEATS_MAXIMUM)
            return refuse_repeats(cluster, watch, error);
    }
    return true;
}

/* Starts the server unless it runs; waits for a server that is starting or stopping. */
static bool run_server(const struct private_cluster *cluster, struct error *error)
{
    struct recovery_watch watch = { 0 };
    for (int polls = START_SECONDS * POLLS_PER_SECOND; polls > 0; polls--, pause_briefly()) {
        const char *arguments[] = { "pg_ctl", "start", "-D", cluster->home, "-w", "-t", "10", "-s", NULL };
        if (!wait_for_recovery(cluster, &watch, error))
            return false;
        if (is_running(cluster))
            return true;
        if (server_process(cluster) != 0)
            continue;
        if (run_program(cluster, arguments, error))
            return true;
        if (server_process(cluster) == 0 && !memory_still_in_use(cluster))
            return false;
        *error = (struct error){ 0 };
    }
    error_set(error, ERROR_DATABASE, "the server of %s does not answer at %s", cluster->data,
              cluster->socket);
    error_hint(error, "kstar db stop --force, then again; %s/log says more", cluster->home);
    return false;
}

/* A connection to database postgres, which always exists. */
static PGconn *connect_postgres(const struct private_cluster *cluster, struct error *error)
{
    char dsn[PRIVATE_DSN_BYTES + 32];
    snprintf(dsn, sizeof dsn, "%s dbname=postgres", cluster->dsn);
    return database_connect(dsn, error);
}

static bool make_database(const struct private_cluster *cluster, struct error *error)
{
    PGconn *connection = connect_postgres(cluster, error);
    if (connection == NULL)
        return false;
    bool exists;
    bool ok = database_query_flag(connection, "cluster/database_exists.sql", 0, NULL, &exists, error) &&
              (exists || database_run_file(connection, "cluster/create_database.sql", error));
    PQfinish(connection);
    return ok;
}

static bool lock_home(const struct private_cluster *cluster, int *lock, struct error *error)
{
    char *path = path_join(cluster->home, "lock");
    bool ok = file_lock(path, true, lock, error);
    if (!ok && access(path, F_OK) == 0 && access(path, W_OK) != 0)
        error_hint(
            error,
            "kstar's own PostgreSQL belongs to another user: run kstar as the user who owns %s, or name "
            "your own database (--dsn) or folder (--data-dir)",
            cluster->home);
    free(path);
    return ok;
}

/* Deletes old logs. A server that runs past midnight overwrites the file of that weekday, but with
 * a server that is started each night the file would grow without end. */
static void remove_old_logs(const struct private_cluster *cluster, const char *log)
{
    const char *arguments[] = { "/usr/bin/find", log,  "-xdev",   "-name", "postgresql-*.log",
                                "-mtime",        "+5", "-delete", NULL };
    struct child_user as = { cluster->user_name, cluster->user, cluster->group };
    struct error ignored;
    child_process_run(arguments, &as, NULL, &ignored);
}

static bool prepare_and_run(struct private_cluster *cluster, struct error *error)
{
    char *log = path_join(cluster->home, "log");
    bool have_data = may_write_files(error) && have_data_directory(cluster, error);
    bool ok = have_data && private_cluster_make_socket(cluster, error) && make_folder(cluster, log, error) &&
              private_cluster_write_settings(cluster, error);
    if (ok)
        remove_old_logs(cluster, log);
    ok = ok && run_server(cluster, error);
    if (have_data && !ok)
        /* for any cause, there is no server to connect to */
        error->kind = ERROR_DATABASE;
    free(log);
    return ok;
}

/* Starts the server unless it runs, and makes its database. */
static bool make_ready(struct private_cluster *cluster, struct error *error)
{
    if (!is_running(cluster) && !prepare_and_run(cluster, error))
        return error_in(error, "private PostgreSQL");
    return make_database(cluster, error);
}

PGconn *private_cluster_connect(struct private_cluster *cluster, struct error *error)
{
    int lock;
    struct error ignored;
    if (!make_home(cluster, error) || !lock_home(cluster, &lock, error))
        return NULL;
    private_cluster_find_socket(cluster);
    PGconn *connection = cluster->dsn != NULL ? database_connect(cluster->dsn, &ignored) : NULL;
    if (connection == NULL && make_ready(cluster, error))
        connection = database_connect(cluster->dsn, error);
    close(lock);
    return connection;
}

bool private_cluster_start(struct private_cluster *cluster, struct error *error)
{
    PGconn *connection = private_cluster_connect(cluster, error);
    PQfinish(connection);
    return connection != NULL;
}

/* Finds out whether others are connected; names them in an error. */
static bool anybody_connected(PGconn *connection, bool *anybody, struct error *error)
{
    PGresult *result = database_query_file(connection, "cluster/sessions.sql", 0, NULL, error);
    *anybody = result != NULL && strcmp(PQgetvalue(result, 0, 0), "0") != 0;
    if (*anybody) {
        error_set(error, ERROR_BUSY, "sessions are connected: %s (%s)", PQgetvalue(result, 0, 0),
                  PQgetvalue(result, 0, 1));
        error_hint(error, "wait, or kstar db stop --force drops their transactions");
    }
    PQclear(result);
    return result != NULL;
}

static bool refuse_silent(const struct private_cluster *cluster, struct error *error)
{
    error_set(error, ERROR_BUSY,
              "the server of %s runs, but does not answer: nobody can say who is connected", cluster->data);
    error_hint(error, "wait, or kstar db stop --force drops their transactions; %s/log says more",
               cluster->home);
    return false;
}

/* Refuses while others are connected, or if the server cannot be asked. The server still lists a
 * client for a moment after it ended, so it gets two seconds. */
static bool nobody_connected(const struct private_cluster *cluster, struct error *error)
{
    enum { LOOKS = 2 * POLLS_PER_SECOND };
    struct error ignored;
    bool ok = true, anybody = true;
    PGconn *connection = connect_postgres(cluster, &ignored);
    if (connection == NULL)
        return refuse_silent(cluster, error);
    for (int look = 0; ok && anybody && look < LOOKS; look++) {
        if (look > 0)
            pause_briefly();
        ok = anybody_connected(connection, &anybody, error);
    }
    PQfinish(connection);
    if (ok && !anybody)
        *error = (struct error){ 0 };
    return ok && !anybody;
}

/* Whether the server crashes again and again: stopping it then loses nothing, because its recovery
 * begins anew in any case. */
static bool crashes_again(const struct private_cluster *cluster)
{
    struct recovery_watch watch = { 0 };
    for (int seconds = 0; seconds < REPEAT_SECONDS; seconds++)
        if (watch_recovery(cluster, &watch))
            return true;
    return false;
}

/* Whether the server crashes in each recovery and accepts no connection, so that stopping it loses
 * nothing. Between two recoveries it does not answer. */
static bool lets_nobody_in(const struct private_cluster *cluster, enum private_cluster_state *state)
{
    if ((*state != PRIVATE_CLUSTER_STARTING && *state != PRIVATE_CLUSTER_SILENT) || !crashes_again(cluster))
        return false;
    *state = private_cluster_look(cluster);
    return *state != PRIVATE_CLUSTER_RUNNING;
}

/* Whether stopping a server in this state loses nothing; if not, why. */
static bool may_be_stopped(const struct private_cluster *cluster, enum private_cluster_state state,
                           struct error *error)
{
    switch (state) {
    case PRIVATE_CLUSTER_RUNNING:
        return nobody_connected(cluster, error);
    case PRIVATE_CLUSTER_STARTING:
        error_set(error, ERROR_BUSY, "the server of %s is starting, and makes good what a crash left",
                  cluster->data);
        error_hint(error, "wait: broken off (--force), it begins anew at the next start");
        return false;
    case PRIVATE_CLUSTER_SILENT:
        return refuse_silent(cluster, error);
    case PRIVATE_CLUSTER_HIDDEN:
    case PRIVATE_CLUSTER_STOPPED:
    case PRIVATE_CLUSTER_MISSING:
        break;
    }
    return true;
}

bool private_cluster_stop(struct private_cluster *cluster, bool force, bool *stopped, struct error *error)
{
    int lock;
    *stopped = false;
    if (!private_cluster_exists(cluster))
        return true;
    if (!lock_home(cluster, &lock, error))
        return false;
    private_cluster_find_socket(cluster);
    enum private_cluster_state state = private_cluster_look(cluster);
    bool is_crashing = !force && lets_nobody_in(cluster, &state);
    bool ok = force || is_crashing || may_be_stopped(cluster, state, error);
    if (ok && state != PRIVATE_CLUSTER_STOPPED) {
        /* a server that crashes in each recovery takes a minute to notice a fast stop */
        const char *mode = is_crashing ? "immediate" : "fast";
        const char *arguments[] = { "pg_ctl", "stop", "-D",  cluster->data, "-m", mode,
                                    "-w",     "-t",   "300", "-s",          NULL };
        ok = run_program(cluster, arguments, error) || error_in(error, "private PostgreSQL");
        *stopped = ok;
    }
    close(lock);
    return ok;
}
