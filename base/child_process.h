/* base/child_process.h: runs a program and waits for it, without a shell, as another user if need be.
 *
 * The child starts clean: in folder /, with umask 077, default signals, no descriptor but the three standard
 * ones, and an environment of PATH, HOME, USER, LOGNAME, LC_ALL and TZ only. What it prints goes to a file or
 * is dropped. It does not outlive the caller; what it starts in turn may.
 */
#ifndef KSTAR_BASE_CHILD_PROCESS_H
#define KSTAR_BASE_CHILD_PROCESS_H

#include "base/error.h"

#include <stdbool.h>
#include <sys/types.h>

/* Whom the child runs as. Other groups than `group` are given up. */
struct child_user {
    const char *name;
    uid_t user;
    gid_t group;
};

/* Runs arguments[0] (a path) and waits. True when it exits 0. Otherwise ERROR_FAILED names the program and
 * how it ended; its detail is the line of `output` that speaks of an error, else the last one. Only root can
 * run a child as somebody else. `output` NULL drops what it prints; otherwise the file is replaced, and
 * belongs to the caller's user. */
bool child_process_run(const char *const *arguments, const struct child_user *as, const char *output,
                       struct error *error);

#endif
