/* base/exit_codes.c: see exit_codes.h. */
#include "base/exit_codes.h"

#include "base/error.h"

#include <signal.h>
#include <stddef.h>

/* clang-format off */
const struct exit_code exit_codes[] = {
    { ERROR_NONE,         "done",            "done" },
    { ERROR_FAILED,       "failed",          "kstar or the machine failed: no memory, no disk, a file that cannot be written" },
    { ERROR_USAGE,        "wrong command",   "the command line is wrong" },
    { ERROR_INPUT,        "refused",         "a bill, job or reference file, a month or a workbook was refused; what was there before stays" },
    { ERROR_ATTENTION,    "waits",           "done, but rows were quarantined or something waits for a person" },
    { ERROR_CONSERVATION, "does not add up", "a statement does not add up: it was not published, or kstar verify found it changed" },
    { ERROR_BUSY,         "busy",            "another kstar holds the lock" },
    { ERROR_DATABASE,     "database failed", "no database or connection, or the server refused or lost a statement" },
    { ERROR_BUDGET,       "budget crossed",  "done, and a threshold of a budget is crossed" },
    { ERROR_NIGHT,        "night failed",    "kstar status: the last night failed, was killed or is too long ago" },
    { ERROR_ABOVE,        "above K*",        "kstar advise: the node count costs more above K* than --fail-above allows" },
    { 128 + SIGINT,       "interrupted",     "ended by SIGINT (Ctrl-C); the open transaction is dropped" },
    { 128 + SIGTERM,      "interrupted",     "ended by SIGTERM; the open transaction is dropped" },
    { 0, NULL, NULL },
};
/* clang-format on */

const char *exit_code_outcome(int code)
{
    for (const struct exit_code *entry = exit_codes; entry->outcome != NULL; entry++) {
        if (entry->code == code)
            return entry->outcome;
    }
    return "failed";
}

/* A code that is not in this list ends the work at once, so it is the gravest. */
static int gravity(int code)
{
    static const int ascending[] = { ERROR_NONE, ERROR_BUDGET, ERROR_ATTENTION, ERROR_INPUT,
                                     ERROR_CONSERVATION };
    enum { COUNT = sizeof ascending / sizeof ascending[0] };
    for (int i = 0; i < COUNT; i++) {
        if (ascending[i] == code)
            return i;
    }
    return COUNT;
}

int exit_code_graver(int one, int other)
{
    return gravity(other) > gravity(one) ? other : one;
}
