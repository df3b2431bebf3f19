/* forecast/scenario_members.h: the members of a scenario's JSON, as tables. One loop reads an
 * object by its table (scenario_object.h), and one writes it. To add a lever, add its field in
 * model/forecast/scenario.h, its row in scenario_members.c and its line in docs/scenarios.md. */
#ifndef KSTAR_FORECAST_SCENARIO_MEMBERS_H
#define KSTAR_FORECAST_SCENARIO_MEMBERS_H

#include "model/forecast/scenario.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

/* The largest number of members without a natural upper limit. */
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
    MEMBER_LIST,   /* a list of objects: a pointer at `offset`, their number at `count_offset` */
    MEMBER_EXTENDS /* read separately */
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

/* The member with this key; NULL if the table has none. */
const struct scenario_member *scenario_member_find(const struct scenario_member *table, const char *key);

/* Empties the list of a member in the structure at `target`. */
void scenario_list_free(const struct scenario_member *member, char *target);

/* A scenario as one JSON object, the scenarios that it extends included. The caller deletes it. */
cJSON *scenario_json(const struct scenario *scenario);

#endif
