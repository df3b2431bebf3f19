/* forecast/scenario_members.h: what a scenario's JSON may hold, as tables of members: one loop
 * reads an object by its table (scenario_object.h), one writes it. To add a lever: its field in
 * model/forecast/scenario.h, its row in scenario_members.c, its line in docs/scenarios.md.
 */
#ifndef KSTAR_FORECAST_SCENARIO_MEMBERS_H
#define KSTAR_FORECAST_SCENARIO_MEMBERS_H

#include "model/forecast/scenario.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

/* Numbers up to here are not bounded by their meaning. */
#define SCENARIO_ANY_AMOUNT 1e15

enum scenario_member_type {
    MEMBER_NUMBER, /* double */
    MEMBER_COUNT,  /* double, whole */
    MEMBER_K,      /* double, whole, or "K*" (0) */
    MEMBER_TEXT,   /* char *, not empty */
    MEMBER_WORD,   /* char *, one of `words` */
    MEMBER_POLICY, /* enum scenario_policy */
    MEMBER_MONTH,  /* scenario_month */
    MEMBER_FLAG,   /* bool */
    MEMBER_OBJECT, /* the members of `table`, from `offset` on */
    MEMBER_LIST,   /* of objects: a pointer at `offset`, their number at `count_offset` */
    MEMBER_EXTENDS /* read apart */
};

struct scenario_member {
    const char *key; /* NULL ends the table */
    enum scenario_member_type type;
    size_t offset;
    double least, most; /* of numbers, both included */
    bool required;
    const struct scenario_member *table; /* of OBJECT and LIST */
    size_t size;                         /* of a list's element */
    size_t count_offset;
    const char *const *words;
};

/* The members of a scenario itself. */
extern const struct scenario_member scenario_members[];

/* NULL: the table has no such member. */
const struct scenario_member *scenario_member_find(const struct scenario_member *table, const char *key);

/* Empties the list that a member is in the structure at `target`. */
void scenario_list_free(const struct scenario_member *member, char *target);

/* All that a scenario says, what it extends included, as it would be written in one file. The
 * caller deletes it. */
cJSON *scenario_json(const struct scenario *scenario);

#endif
