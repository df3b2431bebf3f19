/* base/postgres/private_cluster_recovery.h: whether the private cluster recovers, or crashes again.
 *
 * A server that crashes makes good what the crash left, in a process of its own, and with gigabytes
 * of log that takes what it takes. Where that process crashes as well, the server begins anew with
 * another one, and again without end. So recoveries are counted by their processes.
 */
#ifndef KSTAR_BASE_POSTGRES_PRIVATE_CLUSTER_RECOVERY_H
#define KSTAR_BASE_POSTGRES_PRIVATE_CLUSTER_RECOVERY_H

#include <stdbool.h>

struct recovery_watch {
    long process; /* that recovers; 0: none was seen yet */
    int repeats;  /* how often another took its place */
};

/* Looks at the server of this process id; true: since the last look a recovery began anew, which
 * counts as a repeat. Without /proc none is seen. */
bool recovery_repeats(struct recovery_watch *watch, long server);

/* The last line of the server's logs in the folder `log` that says why it crashed; "" where there
 * is none, or it is not for us to read. */
const char *recovery_cause(const char *log, char line[512]);

#endif
