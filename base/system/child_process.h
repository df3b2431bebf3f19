/* base/system/child_process.h: runs a program without a shell and waits for it, also as another
 * user; or runs a hook.
 *
 * The child starts in folder /, with umask 077, default signals, limits of file size and processor
 * time lifted if allowed, only the three standard descriptors, and an environment of only PATH,
 * HOME, USER, LOGNAME, LC_ALL, TZ and GLIBC_TUNABLES (large pages). Its output goes to a file or
 * into memory. The child does not outlive the caller, but processes that it starts may.
 */
#ifndef KSTAR_BASE_SYSTEM_CHILD_PROCESS_H
#define KSTAR_BASE_SYSTEM_CHILD_PROCESS_H

#include "base/error.h"

#include <stdbool.h>
#include <sys/types.h>

/* The user of the child. It gives up all groups but `group`. */
struct child_user {
    const char *name;
    uid_t user;
    gid_t group;
};

/* Runs arguments[0] (a path) and waits. True if it exits 0. Otherwise ERROR_FAILED names the
 * program and how it ended; its detail is the line of the output with an error, or the last line.
 * Only root can run a child as another user. The file `output` is replaced, and belongs to the user
 * of the caller. NULL: the output goes into memory, where a full disk does not cut it off; not for
 * a program that leaves a server at work. */
bool child_process_run(const char *const *arguments, const struct child_user *as, const char *output,
                       struct error *error);

/* Runs a command line of the site, `sh -c command`, with the user, folder and environment of the
 * caller. `input` is its standard input and is nowhere in the command line; its output goes to
 * standard error. Its environment lacks PGPASSWORD, the only variable of libpq that is a secret
 * itself: a hook that uses the database needs a password file. True if it exits 0. After `seconds`
 * it is killed with all processes that it started, and *late is set, unless NULL. ERROR_FAILED
 * names the command and how it ended. */
bool child_process_hook(const char *command, const char *input, int seconds, bool *late, struct error *error);

/* The same for a program and its arguments, without a shell: arguments[0] is its path. `input`, an
 * open file, is its standard input, from its current position. */
bool child_process_feed(const char *const *arguments, int input, int seconds, bool *late,
                        struct error *error);

#endif
