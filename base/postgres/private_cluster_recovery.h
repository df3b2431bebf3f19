/* base/postgres/private_cluster_recovery.h: recovery and repeated crashes of the private cluster.
 *
 * After a crash, a process of the server runs the recovery, which takes long with gigabytes of log.
 * If that process crashes, too, the server starts another one, without end. So recoveries are
 * counted by their processes.
 */
#ifndef KSTAR_BASE_POSTGRES_PRIVATE_CLUSTER_RECOVERY_H
#define KSTAR_BASE_POSTGRES_PRIVATE_CLUSTER_RECOVERY_H

#include <stdbool.h>

struct recovery_watch {
    long process; /* process of the recovery; 0: none seen yet */
    int repeats;  /* how often another process replaced it */
};

/* Checks the server of this process id. True if a recovery began anew since the last check, which
 * counts as a repeat. Without /proc no recovery is seen. */
bool recovery_repeats(struct recovery_watch *watch, long server);

/* The last line with the cause of a crash in the server's logs in the folder `log`; "" if there is
 * none, or the logs are not readable. */
const char *recovery_cause(const char *log, char line[512]);

#endif
