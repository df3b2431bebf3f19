/* base/postgres/private_cluster.c: making, starting and stopping the private cluster. See
 * private_cluster.h.
 *
 * All three hold the home's file lock, so each sees the work of the others finished or not begun. A
 * data directory is made under another name and renamed when it is whole. Whether a server runs is
 * asked of the server (PQping), never of a pid file.
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

/* Runs a PostgreSQL program (arguments[0]) as the server's user; output goes to home/control.log.
 */
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

/* Makes the folders above the home that are missing, as the home itself: root's server is another
 * user, who has to pass through them. */
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

/* Whoever can write local.conf can have the server run any program. */
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

/* The server's user must be able to pass through it. */
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

/* A limit that only root may lift, and the server would keep. */
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

/* A folder of the server's user in the home, made unless it is there. */
static bool make_folder(const struct private_cluster *cluster, const char *path, struct error *error)
{
    if (mkdir(path, 0700) != 0 && errno != EEXIST)
        return error_set_errno(error, "%s: make folder", path);
    return own_folder(cluster, path, error);
}

/* Throws away a data directory that a crash left half-made. Its content belongs to the server's
 * user, who also removes it: root does not walk through a tree that somebody else can change. What
 * cannot be removed yet, because the killed initdb's last child is still writing, is left to the
 * next start. */
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

/* Makes the data directory under a name that no other process has ever had, so that one which
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
    /* An empty folder may stand in its place; one with content is not ours to replace. */
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

/* Whether process `pid` may be the server of this data directory. A pid file outlives its process
 * when the machine goes down, and the number may be anybody's by now. */
static bool may_be_server(const struct private_cluster *cluster, long pid)
{
    char path[64], name[32] = "", folder[4096];
    struct stat status;
    snprintf(path, sizeof path, "/proc/%ld/comm", pid);
    FILE *file = fopen(path, "re");
    if (file == NULL)
        /* without /proc: believe it */
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

/* The process that the pid file names; 0 where there is none. */
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

/* The server process by its pid file; 0 where there is none. Pid files that name a process which is
 * not the server are removed: PostgreSQL itself would believe them. */
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

/* A data directory has its name only once it is whole. */
bool private_cluster_exists(const struct private_cluster *cluster)
{
    struct stat status;
    return stat(cluster->data, &status) == 0 ? S_ISDIR(status.st_mode) : errno == EACCES;
}

/* Without a lock: it changes nothing. */
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

/* After a server was killed its children live on for a moment and hold the shared memory. */
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

/* A server that runs but accepts no connection is starting, stopping, or recovering from a crash.
 * With gigabytes of log recovery takes long, and it begins anew if it is interrupted. */
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

/* Looks at the recovery for a second, without asking the server, which logs each question. */
static bool watch_recovery(const struct private_cluster *cluster, struct recovery_watch *watch)
{
    bool repeats = false;
    for (int polls = 0; polls < POLLS_PER_SECOND; polls++, pause_briefly())
        repeats = recovery_repeats(watch, server_process(cluster)) || repeats;
    return repeats;
}

/* As long as the recovery gets on. */
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

/* Starts the server unless it runs; waits for one that is just starting or ending. */
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
    PGresult *result = database_query_file(connection, "cluster/database_exists.sql", 0, NULL, error);
    bool ok = result != NULL;
    if (ok && !result_flag(result, 0, 0))
        ok = database_run_file(connection, "cluster/create_database.sql", error);
    PQclear(result);
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

/* A weekday's file is overwritten by a server that runs past its midnight; of one that is started
 * for each night it would grow for ever. */
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
        /* whatever keeps it from starting, there is none to connect to */
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

/* Whether somebody else is connected, and then who, as an error. */
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

/* Refuses while others are connected, or cannot be asked for. The server process of a client that
 * has just ended is still listed for a moment: two seconds are given to it. */
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

/* A server that crashes again and again loses nothing: its recovery begins anew in any case. */
static bool crashes_again(const struct private_cluster *cluster)
{
    struct recovery_watch watch = { 0 };
    for (int seconds = 0; seconds < REPEAT_SECONDS; seconds++)
        if (watch_recovery(cluster, &watch))
            return true;
    return false;
}

/* Whether the server crashes in each recovery and lets nobody in: nothing is lost where it is
 * stopped. Between two recoveries it does not answer. */
static bool lets_nobody_in(const struct private_cluster *cluster, enum private_cluster_state *state)
{
    if ((*state != PRIVATE_CLUSTER_STARTING && *state != PRIVATE_CLUSTER_SILENT) || !crashes_again(cluster))
        return false;
    *state = private_cluster_look(cluster);
    return *state != PRIVATE_CLUSTER_RUNNING;
}

/* Whether nothing is lost where a server in this state is stopped; if not, why. */
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
        /* asked to finish, a server that crashes in each recovery takes a minute to notice it */
        const char *mode = is_crashing ? "immediate" : "fast";
        const char *arguments[] = { "pg_ctl", "stop", "-D",  cluster->data, "-m", mode,
                                    "-w",     "-t",   "300", "-s",          NULL };
        ok = run_program(cluster, arguments, error) || error_in(error, "private PostgreSQL");
        *stopped = ok;
    }
    close(lock);
    return ok;
}
