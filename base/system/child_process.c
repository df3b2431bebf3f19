/* base/system/child_process.c: see child_process.h. */
#define _GNU_SOURCE /* setresuid, close_range */
#include "base/system/child_process.h"

#include "base/system/file.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { EXIT_NO_PRIVILEGE = 126, EXIT_NO_PROGRAM = 127 };

/* Gives up root permanently: first groups, while that is still allowed; at the end a check that it
 * worked. */
static bool become(const struct child_user *as)
{
    if (geteuid() == as->user && getuid() == as->user)
        return true;
    return setgroups(0, NULL) == 0 && setresgid(as->group, as->group, as->group) == 0 &&
           setresuid(as->user, as->user, as->user) == 0 && (as->user == 0 || setuid(0) != 0);
}

static void reset_signals(void)
{
    struct sigaction standard = { 0 };
    standard.sa_handler = SIG_DFL;
    for (int number = 1; number < NSIG; number++)
        sigaction(number, &standard, NULL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

/* A server outlives the shell or service that started it, and would keep its limits of file size
 * and processor time: it could not write what a recovery needs. Only root may raise hard limits. */
static void lift_limits(void)
{
    static const int resources[] = { RLIMIT_FSIZE, RLIMIT_CPU };
    for (size_t i = 0; i < sizeof resources / sizeof resources[0]; i++) {
        struct rlimit limit = { RLIM_INFINITY, RLIM_INFINITY };
        if (setrlimit(resources[i], &limit) == 0 || getrlimit(resources[i], &limit) != 0)
            continue;
        limit.rlim_cur = limit.rlim_max;
        setrlimit(resources[i], &limit);
    }
}

/* In the child; returns only by _exit. `output` is open. */
static void run_child(const char *const *arguments, const struct child_user *as, int output, pid_t parent)
{
    char user[128], logname[128];
    /* Large pages: a server process requests memory in steps of 2 MB, not 4 kB. */
    char *environment[] = { "PATH=/usr/sbin:/usr/bin:/sbin:/bin",    "HOME=/", "LC_ALL=C.UTF-8", "TZ=UTC",
                            "GLIBC_TUNABLES=glibc.malloc.hugetlb=1", user,     logname,          NULL };
    snprintf(user, sizeof user, "USER=%s", as->name);
    snprintf(logname, sizeof logname, "LOGNAME=%s", as->name);
    reset_signals();
    lift_limits();
    umask(077);
    int input = open("/dev/null", O_RDONLY);
    if (input < 0 || dup2(input, 0) < 0 || dup2(output, 1) < 0 || dup2(output, 2) < 0 || chdir("/") != 0)
        _exit(EXIT_NO_PRIVILEGE);
    close_range(3, ~0U, 0);
    /* in this order, because a change of user resets it */
    if (!become(as) || prctl(PR_SET_PDEATHSIG, SIGKILL) != 0)
        _exit(EXIT_NO_PRIVILEGE);
    if (getppid() != parent) /* the parent died before prctl */
        _exit(EXIT_NO_PRIVILEGE);
    execve(arguments[0], (char *const *)arguments, environment);
    _exit(EXIT_NO_PROGRAM);
}

/* Whether a line names a cause. PostgreSQL's programs print further lines after it. */
static bool names_cause(const char *line)
{
    return strstr(line, "FATAL:") != NULL || strstr(line, "PANIC:") != NULL || strstr(line, "error:") != NULL;
}

/* Adds the line of `path` that names the cause, or its last line, as detail of an error. */
static void explain(const char *path, struct error *error)
{
    char line[1024];
    bool has_cause = false;
    FILE *file = fopen(path, "re");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        bool is_cause = names_cause(line);
        if (line[0] != '\0' && (is_cause || !has_cause))
            error_detail(error, "%s", line);
        has_cause = has_cause || is_cause;
    }
    if (file != NULL)
        fclose(file);
}

static bool judge(int status, const char *const *arguments, const char *output, struct error *error)
{
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return true;
    if (WIFSIGNALED(status))
        error_set(error, ERROR_FAILED, "%s: killed by signal %d", arguments[0], WTERMSIG(status));
    else if (WEXITSTATUS(status) == EXIT_NO_PROGRAM)
        error_set(error, ERROR_FAILED, "%s: cannot be run", arguments[0]);
    else if (WEXITSTATUS(status) == EXIT_NO_PRIVILEGE)
        error_set(error, ERROR_FAILED, "%s: cannot change to the server's user", arguments[0]);
    else
        error_set(error, ERROR_FAILED, "%s: exit code %d", arguments[0], WEXITSTATUS(status));
    explain(output, error);
    return false;
}

bool child_process_run(const char *const *arguments, const struct child_user *as, const char *output,
                       struct error *error)
{
    char path[64];
    if (output != NULL)
        unlink(output);
    int descriptor = output != NULL ? open(output, O_WRONLY | O_CLOEXEC | O_CREAT | O_EXCL, 0644)
                                    : memfd_create("kstar-output", MFD_CLOEXEC);
    if (descriptor < 0)
        return error_set_errno(error, "%s", output != NULL ? output : "output of a program");
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    fflush(NULL);
    pid_t parent = getpid();
    pid_t child = fork();
    if (child == 0)
        run_child(arguments, as, descriptor, parent);
    int status = 0;
    bool ok = child >= 0 || error_set_errno(error, "%s: fork", arguments[0]);
    while (ok && waitpid(child, &status, 0) < 0)
        ok = errno == EINTR || error_set_errno(error, "%s: wait", arguments[0]);
    ok = ok && judge(status, arguments, path, error);
    close(descriptor);
    return ok;
}

/* ---- hooks ---- */

/* A file without a name that contains the text. It is no pipe, so a hook may leave it unread. */
static int file_of(const char *text, struct error *error)
{
    size_t length = strlen(text);
    int descriptor = memfd_create("kstar-hook", MFD_CLOEXEC);
    if (descriptor >= 0 && write(descriptor, text, length) == (ssize_t)length &&
        lseek(descriptor, 0, SEEK_SET) == 0)
        return descriptor;
    error_set_errno(error, "standard input of a hook");
    if (descriptor >= 0)
        close(descriptor);
    return -1;
}

/* The environment of a hook: all but the password of the database. The strings are those of the
 * environment; the caller frees the array. */
static char **environment_without_secrets(void)
{
    static const char secret[] = "PGPASSWORD=";
    size_t count = 0, kept = 0;
    while (environ[count] != NULL)
        count++;
    char **environment = calloc(count + 1, sizeof *environment);
    for (size_t i = 0; i < count; i++)
        if (strncmp(environ[i], secret, sizeof secret - 1) != 0)
            environment[kept++] = environ[i];
    return environment;
}

/* In the child; returns only by _exit. It gets its own process group, to be killed as one. */
static void run_fed(const char *const *arguments, char **environment, int input, pid_t parent)
{
    setpgid(0, 0);
    reset_signals();
    if (dup2(input, 0) < 0 || dup2(2, 1) < 0 || prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent)
        _exit(EXIT_NO_PRIVILEGE);
    close_range(3, ~0U, 0);
    execve(arguments[0], (char *const *)arguments, environment);
    _exit(EXIT_NO_PROGRAM);
}

/* Waits until the child has ended. If that takes longer than `seconds`, kills it and returns
 * false. */
static bool wait_for(pid_t child, int seconds, int *status)
{
    int descriptor = pidfd_open(child, 0), ready = 1;
    struct pollfd ended = { .fd = descriptor, .events = POLLIN };
    if (descriptor >= 0) {
        do
            ready = poll(&ended, 1, 1000 * seconds);
        while (ready < 0 && errno == EINTR);
        close(descriptor);
    }
    if (ready == 0)
        kill(-child, SIGKILL);
    while (waitpid(child, status, 0) < 0 && errno == EINTR) {
    }
    return ready != 0;
}

/* `what` is the name in messages. */
static bool feed(const char *what, const char *const *arguments, int input, int seconds, bool *late,
                 struct error *error)
{
    int status = 0;
    char **environment = environment_without_secrets();
    fflush(NULL);
    pid_t parent = getpid();
    pid_t child = fork();
    if (child == 0)
        run_fed(arguments, environment, input, parent);
    free(environment);
    if (child < 0)
        return error_set_errno(error, "%s: fork", what);
    setpgid(child, child); /* in both processes: a group must exist to be killed as one */
    bool ended = wait_for(child, seconds, &status);
    if (late != NULL)
        *late = !ended;
    if (!ended)
        return error_set(error, ERROR_FAILED, "%s: not done after %d seconds, and killed", what, seconds);
    if (WIFSIGNALED(status))
        return error_set(error, ERROR_FAILED, "%s: killed by signal %d", what, WTERMSIG(status));
    return WEXITSTATUS(status) == 0 ||
           error_set(error, ERROR_FAILED, "%s: exit code %d", what, WEXITSTATUS(status));
}

bool child_process_feed(const char *const *arguments, int input, int seconds, bool *late, struct error *error)
{
    if (access(arguments[0], X_OK) != 0)
        return error_set_errno(error, "%s: cannot be run", arguments[0]);
    return feed(arguments[0], arguments, input, seconds, late, error);
}

bool child_process_hook(const char *command, const char *input, int seconds, bool *late, struct error *error)
{
    const char *const arguments[] = { "/bin/sh", "-c", command, NULL };
    char what[512];
    int descriptor = file_of(input, error);
    if (descriptor < 0)
        return false;
    snprintf(what, sizeof what, "hook %s", command);
    bool ok = feed(what, arguments, descriptor, seconds, late, error);
    close(descriptor);
    return ok;
}
