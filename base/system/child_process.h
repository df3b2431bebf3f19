/* base/system/child_process.h: runs a program and waits for it, without a shell, as another user if
 * need be; or a hook.
 *
 * The child starts clean: in folder /, with umask 077, default signals, no limit of file size or
 * processor time that may be lifted, no descriptor but the three standard ones, and an environment
 * of PATH, HOME, USER, LOGNAME, LC_ALL, TZ and GLIBC_TUNABLES (large pages) only. What it prints
 * goes to a file or is dropped. It does not outlive the caller; what it starts in turn may.
 */
#ifndef KSTAR_BASE_SYSTEM_CHILD_PROCESS_H
#define KSTAR_BASE_SYSTEM_CHILD_PROCESS_H

#include "base/error.h"

#include <stdbool.h>
#include <sys/types.h>

/* Whom the child runs as. Other groups than `group` are given up. */
struct child_user {
    const char *name;
    uid_t user;
    gid_t group;
};

/* Runs arguments[0] (a path) and waits. True when it exits 0. Otherwise ERROR_FAILED names the
 * program and how it ended; its detail is the line of `output` that speaks of an error, else the
 * last one. Only root can run a child as somebody else. `output` NULL drops what it prints;
 * otherwise the file is replaced, and belongs to the caller's user. */
bool child_process_run(const char *const *arguments, const struct child_user *as, const char *output,
                       struct error *error);

/* Runs a command line of the site's own, `sh -c command`, as the caller: its user, folder and
 * environment. `input` stands on its standard input and nowhere in the command line; what it prints
 * goes to standard error. Of the environment it gets all but PGPASSWORD, the one variable of libpq
 * that is a secret itself: a hook that asks the database has a password file. True when it exits 0.
 * After `seconds` it is killed with what it has started, and *late is set where it is not NULL.
 * ERROR_FAILED names the command and how it ended. */
bool child_process_hook(const char *command, const char *input, int seconds, bool *late, struct error *error);

/* The same for a program and its arguments, without a shell: arguments[0] is its path, and `input`,
 * a file that is open, its standard input, read from where it stands. */
bool child_process_feed(const char *const *arguments, int input, int seconds, bool *late,
                        struct error *error);

#endif
