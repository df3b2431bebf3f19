/* night/inbox_stages.h: the folders of an inbox, in the order in which a night reads them. */
#ifndef KSTAR_NIGHT_INBOX_STAGES_H
#define KSTAR_NIGHT_INBOX_STAGES_H

#include <stdbool.h>

enum inbox_stage {
    STAGE_REFERENCE,
    STAGE_BILLING,
    STAGE_JOBS,
    STAGE_NODES,
    STAGE_EFFICIENCY,
    INBOX_STAGES,
};

extern const char *const inbox_stage_names[INBOX_STAGES];

/* Whether a folder of that name is one of them. */
bool inbox_stage_is(const char *name);

#endif
