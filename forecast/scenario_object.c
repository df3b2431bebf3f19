/* forecast/scenario_object.c: see scenario_object.h. */
#include "forecast/scenario_object.h"

#include "base/text/near_name.h"
#include "base/utf8.h"
#include "forecast/json_position.h"
#include "forecast/scenario_members.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_LIST = 1000 };

/* "trainings[1].k" */
static const char *path_text(const struct scenario_reader *reader, char *text, size_t size)
{
    size_t used = 0;
    char key[64];
    text[0] = '\0';
    for (size_t i = 0; i < reader->depth && used < size; i++) {
        if (reader->keys[i] != NULL)
            used += (size_t)snprintf(text + used, size - used, "%s%s", i > 0 ? "." : "",
                                     utf8_excerpt(reader->keys[i], strlen(reader->keys[i]), key, sizeof key));
        else
            used += (size_t)snprintf(text + used, size - used, "[%zu]", reader->way[i]);
    }
    return text;
}

bool scenario_refuse_at(const struct scenario_reader *reader, size_t offset, const char *what,
                        const char *reason)
{
    size_t line, column;
    json_line_and_column(reader->text, offset, &line, &column);
    return error_set(reader->error, ERROR_INPUT, "%s, line %zu, column %zu: %s%s%s", reader->file, line,
                     column, what, what[0] != '\0' ? " " : "", reason);
}

/* Refuses the current value, or its key. */
static bool refuse(const struct scenario_reader *reader, bool key, const char *reason)
{
    char path[320];
    return scenario_refuse_at(reader, json_position(reader->text, reader->way, reader->depth, key),
                              path_text(reader, path, sizeof path), reason);
}

bool scenario_refuse_value(const struct scenario_reader *reader, const cJSON *value, const char *wanted)
{
    char *text = cJSON_PrintUnformatted(value);
    char reason[400], excerpt[64] = "the value";
    size_t at = json_position(reader->text, reader->way, reader->depth, false);
    if (cJSON_IsNumber(value)) /* the file's text, because cJSON prints 1e400 as null */
        utf8_excerpt(reader->text + at, json_value_length(reader->text, at), excerpt, sizeof excerpt);
    else if (text != NULL)
        utf8_excerpt(text, strlen(text), excerpt, sizeof excerpt);
    snprintf(reason, sizeof reason, "%s is not %s", excerpt, wanted);
    cJSON_free(text);
    return refuse(reader, false, reason);
}

static bool refuse_range(const struct scenario_reader *reader, const cJSON *value,
                         const struct scenario_member *member)
{
    char wanted[160];
    const char *kind = member->type == MEMBER_NUMBER ? "a number" : "a whole number";
    if (member->most >= SCENARIO_ANY_AMOUNT && member->least <= -SCENARIO_ANY_AMOUNT)
        snprintf(wanted, sizeof wanted, "%s", kind);
    else
        snprintf(wanted, sizeof wanted, "%s from %.9g to %.16g%s", kind, member->least, member->most,
                 member->type == MEMBER_K ? ", or \"K*\"" : "");
    return scenario_refuse_value(reader, value, wanted);
}

static bool read_number(const struct scenario_reader *reader, const cJSON *value,
                        const struct scenario_member *member, double *number)
{
    if (member->type == MEMBER_K && cJSON_IsString(value) && strcmp(value->valuestring, "K*") == 0) {
        *number = 0;
        return true;
    }
    bool ok = cJSON_IsNumber(value) && isfinite(value->valuedouble) && value->valuedouble >= member->least &&
              value->valuedouble <= member->most &&
              (member->type == MEMBER_NUMBER || value->valuedouble == floor(value->valuedouble));
    if (!ok)
        return refuse_range(reader, value, member);
    *number = value->valuedouble;
    return true;
}

static bool read_text(const struct scenario_reader *reader, const cJSON *value, char **text)
{
    if (!cJSON_IsString(value) || value->valuestring[0] == '\0')
        return scenario_refuse_value(reader, value, "a text");
    free(*text);
    *text = strdup(value->valuestring);
    return true;
}

static bool read_word(const struct scenario_reader *reader, const cJSON *value, const char *const *words,
                      char **text)
{
    char wanted[160] = "one of";
    for (size_t i = 0; words[i] != NULL; i++) {
        size_t used = strlen(wanted);
        if (cJSON_IsString(value) && strcmp(value->valuestring, words[i]) == 0)
            return read_text(reader, value, text);
        snprintf(wanted + used, sizeof wanted - used, "%s \"%s\"", i > 0 ? "," : "", words[i]);
    }
    return scenario_refuse_value(reader, value, wanted);
}

static bool read_policy(const struct scenario_reader *reader, const cJSON *value,
                        enum scenario_policy *policy)
{
    for (int i = POLICY_AS_IS; i <= POLICY_POWERS_OF_TWO; i++) {
        if (cJSON_IsString(value) &&
            strcmp(value->valuestring, scenario_policy_name((enum scenario_policy)i)) == 0) {
            *policy = (enum scenario_policy)i;
            return true;
        }
    }
    return scenario_refuse_value(reader, value, "one of \"as is\", \"K*\", \"cap\", \"powers of two\"");
}

static bool read_month(const struct scenario_reader *reader, const cJSON *value, scenario_month *month)
{
    scenario_month read = cJSON_IsString(value) ? scenario_month_of(value->valuestring) : 0;
    if (read == 0)
        return scenario_refuse_value(reader, value, "a month (\"2027-01\")");
    *month = read;
    return true;
}

static bool refuse_unknown(const struct scenario_reader *reader, const char *typed,
                           const struct scenario_member *table)
{
    const char *meant = NULL;
    refuse(reader, true, "is not a known member");
    for (; table->key != NULL; table++)
        near_name_keep(typed, table->key, &meant);
    if (meant != NULL)
        error_hint(reader->error, "did you mean %s?", meant);
    else
        error_hint(reader->error, "docs/scenarios.md lists the members");
    return false;
}

static bool read_object(struct scenario_reader *reader, const cJSON *object,
                        const struct scenario_member *table, char *target);

/* A list replaces the list of the extended scenario. */
static bool read_list(struct scenario_reader *reader, const cJSON *value,
                      const struct scenario_member *member, char *target)
{
    int count = cJSON_IsArray(value) ? cJSON_GetArraySize(value) : 0;
    const cJSON *element;
    size_t i = 0;
    if (!cJSON_IsArray(value))
        return scenario_refuse_value(reader, value, "a list");
    if (count > LONGEST_LIST)
        return refuse(reader, false, "has more than 1000 elements");
    scenario_list_free(member, target);
    char *elements = calloc((size_t)count + 1, member->size);
    memcpy(target + member->offset, &elements, sizeof elements);
    *(size_t *)(void *)(target + member->count_offset) = (size_t)count;
    cJSON_ArrayForEach(element, value)
    {
        reader->way[reader->depth] = i;
        reader->keys[reader->depth++] = NULL;
        if (!read_object(reader, element, member->table, elements + i++ * member->size))
            return false;
        reader->depth--;
    }
    return true;
}

static bool read_value(struct scenario_reader *reader, const cJSON *value,
                       const struct scenario_member *member, char *target)
{
    void *place = target + member->offset;
    switch (member->type) {
    case MEMBER_NUMBER:
    case MEMBER_COUNT:
    case MEMBER_K:
        return read_number(reader, value, member, place);
    case MEMBER_TEXT:
        return read_text(reader, value, place);
    case MEMBER_WORD:
        return read_word(reader, value, member->words, place);
    case MEMBER_POLICY:
        return read_policy(reader, value, place);
    case MEMBER_MONTH:
        return read_month(reader, value, place);
    case MEMBER_FLAG:
        *(bool *)place = cJSON_IsTrue(value);
        return cJSON_IsBool(value) || scenario_refuse_value(reader, value, "true or false");
    case MEMBER_OBJECT:
        return read_object(reader, value, member->table, place);
    case MEMBER_LIST:
        return read_list(reader, value, member, target);
    case MEMBER_EXTENDS:
        break;
    }
    return true;
}

static bool stands_before(const cJSON *value)
{
    const cJSON *first = value;
    while (first->prev != NULL && first->prev->next == first) /* the first one's prev is the last */
        first = first->prev;
    for (; first != value; first = first->next) {
        if (strcmp(first->string, value->string) == 0)
            return true;
    }
    return false;
}

/* Checks that need several members of a training. */
static bool check_training(const struct scenario_reader *reader, const struct scenario_training *training)
{
    bool tokens = training->tokens > 0 || training->tokens_per_node_hour > 0;
    if (tokens && training->ideal_node_hours > 0)
        return refuse(reader, false, "has both ideal_node_hours and tokens");
    if (training->ideal_node_hours == 0 && (training->tokens == 0 || training->tokens_per_node_hour == 0))
        return refuse(reader, false, "needs ideal_node_hours, or tokens with tokens_per_node_hour");
    if (training->k > 0 && training->deadline_hours > 0)
        return refuse(reader, false, "has both k and deadline_hours");
    return true;
}

static bool read_object(struct scenario_reader *reader, const cJSON *object,
                        const struct scenario_member *table, char *target)
{
    const cJSON *value;
    size_t i = 0;
    if (!cJSON_IsObject(object))
        return scenario_refuse_value(reader, object, "an object");
    cJSON_ArrayForEach(value, object)
    {
        const struct scenario_member *member = scenario_member_find(table, value->string);
        reader->way[reader->depth] = i++;
        reader->keys[reader->depth++] = value->string;
        if (member == NULL)
            return refuse_unknown(reader, value->string, table);
        if (stands_before(value))
            return refuse(reader, true, "stands twice");
        if (!read_value(reader, value, member, target))
            return false;
        reader->depth--;
    }
    for (; table->key != NULL; table++) {
        char lacks[80];
        snprintf(lacks, sizeof lacks, "lacks %s", table->key);
        if (table->required && cJSON_GetObjectItemCaseSensitive(object, table->key) == NULL)
            return refuse(reader, false, lacks);
    }
    bool training = reader->depth == 2 && strcmp(reader->keys[0], "trainings") == 0;
    return !training || check_training(reader, (const void *)target);
}

static bool check_scenario(const struct scenario_reader *reader, const struct scenario *scenario)
{
    if (scenario->base_from > 0 && scenario->base_to > 0 && scenario->base_from > scenario->base_to)
        return refuse(reader, false, "base.from is after base.to");
    if (scenario->policy == POLICY_CAP && scenario->policy_cap == 0)
        return refuse(reader, false, "node_policy \"cap\" needs node_cap");
    return true;
}

bool scenario_object_read(struct scenario_reader *reader, const cJSON *root, struct scenario *scenario)
{
    return read_object(reader, root, scenario_members, (char *)scenario) && check_scenario(reader, scenario);
}
