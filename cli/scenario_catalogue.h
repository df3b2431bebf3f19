/* cli/scenario_catalogue.h: the ready-made scenarios of cli/scenarios/, built into the program as sql/ is. */
#ifndef KSTAR_CLI_SCENARIO_CATALOGUE_H
#define KSTAR_CLI_SCENARIO_CATALOGUE_H

#include <stddef.h>

struct scenario_text {
    const char *name; /* "base.json"; NULL ends the table */
    const char *text;
    size_t length;
};

extern const struct scenario_text scenario_catalogue[];

#endif
