/* forecast/scenario_members.c: see scenario_members.h. */
#include "forecast/scenario_members.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NUMBER(structure, field, low, high)                                                                  \
    .type = MEMBER_NUMBER, .offset = offsetof(struct structure, field), .least = (low), .most = (high)
#define COUNT(structure, field, low, high)                                                                   \
    .type = MEMBER_COUNT, .offset = offsetof(struct structure, field), .least = (low), .most = (high)
#define PLACE(kind, structure, field) .type = (kind), .offset = offsetof(struct structure, field)
#define LIST(field, number, element, of)                                                                     \
    .type = MEMBER_LIST, .offset = offsetof(struct scenario, field),                                         \
    .count_offset = offsetof(struct scenario, number), .size = sizeof(struct element), .table = (of)
#define OBJECT(field, of) .type = MEMBER_OBJECT, .offset = offsetof(struct scenario, field), .table = (of)

static const char *const purchases[] = { "on demand", "spot", "committed", NULL };

/* clang-format off */
static const struct scenario_member growth_members[] = {
    { "cost_centre", PLACE(MEMBER_TEXT, scenario_growth, jobs.cost_centre) },
    { "family", PLACE(MEMBER_TEXT, scenario_growth, jobs.family) },
    { "monthly", NUMBER(scenario_growth, monthly, -1, 10), .required = true },
    { 0 },
};
static const struct scenario_member price_members[] = {
    { "provider", PLACE(MEMBER_TEXT, scenario_price, provider) },
    { "sku", PLACE(MEMBER_TEXT, scenario_price, sku) },
    { "purchase", PLACE(MEMBER_WORD, scenario_price, purchase), .words = purchases },
    { "currency", PLACE(MEMBER_TEXT, scenario_price, currency) },
    { "change", NUMBER(scenario_price, change, -1, 100), .required = true },
    { "from", PLACE(MEMBER_MONTH, scenario_price, from) },
    { 0 },
};
static const struct scenario_member training_members[] = {
    { "name", PLACE(MEMBER_TEXT, scenario_training, name), .required = true },
    { "cost_centre", PLACE(MEMBER_TEXT, scenario_training, cost_centre), .required = true },
    { "family", PLACE(MEMBER_TEXT, scenario_training, family), .required = true },
    { "month", PLACE(MEMBER_MONTH, scenario_training, month), .required = true },
    { "ideal_node_hours", NUMBER(scenario_training, ideal_node_hours, 1e-9, 1e12) },
    { "tokens", NUMBER(scenario_training, tokens, 1, 1e20) },
    { "tokens_per_node_hour", NUMBER(scenario_training, tokens_per_node_hour, 1e-6, 1e18) },
    { "k", PLACE(MEMBER_K, scenario_training, k), .least = 1, .most = 1048576 },
    { "deadline_hours", NUMBER(scenario_training, deadline_hours, 1e-9, 1e9) },
    { "runs", COUNT(scenario_training, runs, 1, 1e6) },
    { "fees", NUMBER(scenario_training, fees, 0, 1e15) },
    { "spot", PLACE(MEMBER_FLAG, scenario_training, spot) },
    { 0 },
};
static const struct scenario_member people_members[] = {
    { "cost_centre", PLACE(MEMBER_TEXT, scenario_people, cost_centre), .required = true },
    { "count", NUMBER(scenario_people, count, -1e6, 1e6), .required = true },
    { "annual_cost", NUMBER(scenario_people, annual_cost, 0, 1e12), .required = true },
    { "share", NUMBER(scenario_people, share, 0, 1), .required = true },
    { "from", PLACE(MEMBER_MONTH, scenario_people, from) },
    { 0 },
};
static const struct scenario_member penalty_members[] = {
    { "cost_centre", PLACE(MEMBER_TEXT, scenario_penalty, jobs.cost_centre) },
    { "family", PLACE(MEMBER_TEXT, scenario_penalty, jobs.family) },
    { "penalty", NUMBER(scenario_penalty, penalty, 0, .99), .required = true },
    { 0 },
};
static const struct scenario_member base_members[] = {
    { "from", PLACE(MEMBER_MONTH, scenario, base_from) },
    { "to", PLACE(MEMBER_MONTH, scenario, base_to) },
    { 0 },
};
static const struct scenario_member spot_members[] = {
    { "share", NUMBER(scenario_spot, share, 0, 1) },
    { "price_fraction", NUMBER(scenario_spot, price_fraction, 1e-6, 10) },
    { "preemptions_per_node_hour", NUMBER(scenario_spot, preemptions_per_node_hour, 0, 100) },
    { "checkpoint_hours", NUMBER(scenario_spot, checkpoint_hours, 0, 1000) },
    { "restart_hours", NUMBER(scenario_spot, restart_hours, 0, 1000) },
    { 0 },
};
static const struct scenario_member commitment_members[] = {
    { "coverage", NUMBER(scenario_commitment, coverage, 0, 10) },
    { "discount", NUMBER(scenario_commitment, discount, 0, 1) },
    { 0 },
};
static const struct scenario_member overhead_members[] = {
    { "factor", NUMBER(scenario_overhead, factor, 0, 1000) },
    { "plus_per_month", NUMBER(scenario_overhead, plus_per_month, -1e15, 1e15) },
    { 0 },
};
static const struct scenario_member uncertainty_members[] = {
    { "growth", NUMBER(scenario_uncertainty, growth, 0, 1) },
    { "price", NUMBER(scenario_uncertainty, price, 0, 1) },
    { "failures", NUMBER(scenario_uncertainty, failures, 0, 1) },
    { "fit", NUMBER(scenario_uncertainty, fit, 0, 1) },
    { "seed", COUNT(scenario_uncertainty, seed, 0, 9007199254740992) },
    { "draws", COUNT(scenario_uncertainty, draws, 100, 100000) },
    { 0 },
};
const struct scenario_member scenario_members[] = {
    { "extends", .type = MEMBER_EXTENDS },
    { "name", PLACE(MEMBER_TEXT, scenario, name) },
    { "description", PLACE(MEMBER_TEXT, scenario, description) },
    { "base", .type = MEMBER_OBJECT, .table = base_members },
    { "growth", LIST(growth, growth_count, scenario_growth, growth_members) },
    { "trainings", LIST(trainings, training_count, scenario_training, training_members) },
    { "prices", LIST(prices, price_count, scenario_price, price_members) },
    { "spot", OBJECT(spot, spot_members) },
    { "commitment", OBJECT(commitment, commitment_members) },
    { "node_policy", PLACE(MEMBER_POLICY, scenario, policy) },
    { "node_cap", COUNT(scenario, policy_cap, 1, 1048576) },
    { "failed_run_factor", NUMBER(scenario, failed_run_factor, 0, 100) },
    { "fixed_overhead", OBJECT(fixed, overhead_members) },
    { "engineering_overhead", OBJECT(engineering, overhead_members) },
    { "people", LIST(people, people_count, scenario_people, people_members) },
    { "efficiency_penalties", LIST(penalties, penalty_count, scenario_penalty, penalty_members) },
    { "elastic_saving", NUMBER(scenario, elastic_saving, 0, 1) },
    { "contingency", NUMBER(scenario, contingency, 0, 10) },
    { "uncertainty", OBJECT(uncertainty, uncertainty_members) },
    { 0 },
};
/* clang-format on */

const struct scenario_member *scenario_member_find(const struct scenario_member *table, const char *key)
{
    while (table->key != NULL && strcmp(table->key, key) != 0)
        table++;
    return table->key != NULL ? table : NULL;
}

void scenario_list_free(const struct scenario_member *member, char *target)
{
    char *elements;
    size_t count = *(size_t *)(void *)(target + member->count_offset);
    memcpy(&elements, target + member->offset, sizeof elements);
    for (size_t i = 0; i < count; i++) {
        for (const struct scenario_member *part = member->table; part->key != NULL; part++) {
            if (part->type == MEMBER_TEXT || part->type == MEMBER_WORD)
                free(*(char **)(void *)(elements + i * member->size + part->offset));
        }
    }
    free(elements);
    elements = NULL;
    memcpy(target + member->offset, &elements, sizeof elements);
    *(size_t *)(void *)(target + member->count_offset) = 0;
}

/* ---- writing ---- */

static cJSON *object_json(const struct scenario_member *table, const char *source);

static cJSON *list_json(const struct scenario_member *member, const char *source)
{
    cJSON *list = cJSON_CreateArray();
    char *elements;
    size_t count = *(const size_t *)(const void *)(source + member->count_offset);
    memcpy(&elements, source + member->offset, sizeof elements);
    for (size_t i = 0; i < count; i++)
        cJSON_AddItemToArray(list, object_json(member->table, elements + i * member->size));
    return list;
}

static cJSON *value_json(const struct scenario_member *member, const char *source)
{
    const void *place = source + member->offset;
    char month[8];
    switch (member->type) {
    case MEMBER_K:
        return *(const double *)place > 0 ? cJSON_CreateNumber(*(const double *)place)
                                          : cJSON_CreateString("K*");
    case MEMBER_NUMBER:
    case MEMBER_COUNT:
        return isnan(*(const double *)place) ? NULL : cJSON_CreateNumber(*(const double *)place);
    case MEMBER_TEXT:
    case MEMBER_WORD:
        return *(char *const *)place != NULL ? cJSON_CreateString(*(char *const *)place) : NULL;
    case MEMBER_POLICY:
        return cJSON_CreateString(scenario_policy_name(*(const enum scenario_policy *)place));
    case MEMBER_MONTH:
        return *(const scenario_month *)place > 0
                   ? cJSON_CreateString(scenario_month_text(*(const scenario_month *)place, month))
                   : NULL;
    case MEMBER_FLAG:
        return cJSON_CreateBool(*(const bool *)place);
    case MEMBER_OBJECT:
        return object_json(member->table, place);
    case MEMBER_LIST:
        return list_json(member, source);
    case MEMBER_EXTENDS:
        break;
    }
    return NULL;
}

/* Whether a member is set. A number that may not be 0 is unset if it is 0. */
static bool is_set(const struct scenario_member *member, const char *source)
{
    bool number = member->type == MEMBER_NUMBER || member->type == MEMBER_COUNT;
    return !number || member->least <= 0 || *(const double *)(const void *)(source + member->offset) != 0;
}

static cJSON *object_json(const struct scenario_member *table, const char *source)
{
    cJSON *object = cJSON_CreateObject();
    for (; table->key != NULL; table++) {
        cJSON *value = is_set(table, source) ? value_json(table, source) : NULL;
        if (value != NULL)
            cJSON_AddItemToObject(object, table->key, value);
    }
    return object;
}

cJSON *scenario_json(const struct scenario *scenario)
{
    return object_json(scenario_members, (const char *)scenario);
}
