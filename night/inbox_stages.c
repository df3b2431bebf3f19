/* night/inbox_stages.c: see inbox_stages.h. */
#include "night/inbox_stages.h"

#include <string.h>

const char *const inbox_stage_names[INBOX_STAGES] = { "reference", "billing", "jobs", "nodes", "efficiency" };

bool inbox_stage_is(const char *name)
{
    for (int i = 0; i < INBOX_STAGES; i++)
        if (strcmp(name, inbox_stage_names[i]) == 0)
            return true;
    return false;
}
