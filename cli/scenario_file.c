/* cli/scenario_file.c: see scenario_file.h.
 *
 * What a scenario may hold is tables of members; one loop reads an object by its table, one writes it. To add
 * a lever: its field in model/scenario.h, its row here, its line in docs/scenarios.md.
 */
#include "cli/scenario_file.h"

#include "base/file.h"
#include "base/utf8.h"
#include "cli/json_position.h"
#include "cli/scenario_catalogue.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { LARGEST_FILE = 1 << 20, LONGEST_CHAIN = 16, DEEPEST = 4, LONGEST_LIST = 1000 };

/* ---- what a scenario may hold ---- */

enum member_type {
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

struct member {
    const char *key; /* NULL ends the table */
    enum member_type type;
    size_t offset;
    double least, most; /* of numbers, both included */
    bool required;
    const struct member *table; /* of OBJECT and LIST */
    size_t size;                /* of a list's element */
    size_t count_offset;
    const char *const *words;
};

#define NUMBER(structure, field, low, high)                                                                  \
    .type = MEMBER_NUMBER, .offset = offsetof(struct structure, field), .least = (low), .most = (high)
#define COUNT(structure, field, low, high)                                                                   \
    .type = MEMBER_COUNT, .offset = offsetof(struct structure, field), .least = (low), .most = (high)
#define PLACE(kind, structure, field) .type = (kind), .offset = offsetof(struct structure, field)
#define LIST(field, number, element, of)                                                                     \
    .type = MEMBER_LIST, .offset = offsetof(struct scenario, field),                                         \
    .count_offset = offsetof(struct scenario, number), .size = sizeof(struct element), .table = (of)
#define OBJECT(field, of) .type = MEMBER_OBJECT, .offset = offsetof(struct scenario, field), .table = (of)

static const double any_amount = 1e15;
static const char *const purchases[] = { "on demand", "spot", "committed", NULL };

/* clang-format off */
static const struct member growth_members[] = {
    { "cost_centre", PLACE(MEMBER_TEXT, scenario_growth, jobs.cost_centre) },
    { "family", PLACE(MEMBER_TEXT, scenario_growth, jobs.family) },
    { "monthly", NUMBER(scenario_growth, monthly, -1, 10), .required = true },
    { 0 },
};
static const struct member price_members[] = {
    { "provider", PLACE(MEMBER_TEXT, scenario_price, provider) },
    { "sku", PLACE(MEMBER_TEXT, scenario_price, sku) },
    { "purchase", PLACE(MEMBER_WORD, scenario_price, purchase), .words = purchases },
    { "currency", PLACE(MEMBER_TEXT, scenario_price, currency) },
    { "change", NUMBER(scenario_price, change, -1, 100), .required = true },
    { "from", PLACE(MEMBER_MONTH, scenario_price, from) },
    { 0 },
};
static const struct member training_members[] = {
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
static const struct member people_members[] = {
    { "cost_centre", PLACE(MEMBER_TEXT, scenario_people, cost_centre), .required = true },
    { "count", NUMBER(scenario_people, count, -1e6, 1e6), .required = true },
    { "annual_cost", NUMBER(scenario_people, annual_cost, 0, 1e12), .required = true },
    { "share", NUMBER(scenario_people, share, 0, 1), .required = true },
    { "from", PLACE(MEMBER_MONTH, scenario_people, from) },
    { 0 },
};
static const struct member penalty_members[] = {
    { "cost_centre", PLACE(MEMBER_TEXT, scenario_penalty, jobs.cost_centre) },
    { "family", PLACE(MEMBER_TEXT, scenario_penalty, jobs.family) },
    { "penalty", NUMBER(scenario_penalty, penalty, 0, .99), .required = true },
    { 0 },
};
static const struct member base_members[] = {
    { "from", PLACE(MEMBER_MONTH, scenario, base_from) },
    { "to", PLACE(MEMBER_MONTH, scenario, base_to) },
    { 0 },
};
static const struct member spot_members[] = {
    { "share", NUMBER(scenario_spot, share, 0, 1) },
    { "price_fraction", NUMBER(scenario_spot, price_fraction, 1e-6, 10) },
    { "preemptions_per_node_hour", NUMBER(scenario_spot, preemptions_per_node_hour, 0, 100) },
    { "checkpoint_hours", NUMBER(scenario_spot, checkpoint_hours, 0, 1000) },
    { "restart_hours", NUMBER(scenario_spot, restart_hours, 0, 1000) },
    { 0 },
};
static const struct member commitment_members[] = {
    { "coverage", NUMBER(scenario_commitment, coverage, 0, 10) },
    { "discount", NUMBER(scenario_commitment, discount, 0, 1) },
    { 0 },
};
static const struct member overhead_members[] = {
    { "factor", NUMBER(scenario_overhead, factor, 0, 1000) },
    { "plus_per_month", NUMBER(scenario_overhead, plus_per_month, -1e15, 1e15) },
    { 0 },
};
static const struct member uncertainty_members[] = {
    { "growth", NUMBER(scenario_uncertainty, growth, 0, 1) },
    { "price", NUMBER(scenario_uncertainty, price, 0, 1) },
    { "failures", NUMBER(scenario_uncertainty, failures, 0, 1) },
    { "fit", NUMBER(scenario_uncertainty, fit, 0, 1) },
    { "seed", COUNT(scenario_uncertainty, seed, 0, 9007199254740992) },
    { "draws", COUNT(scenario_uncertainty, draws, 100, 100000) },
    { 0 },
};
static const struct member scenario_members[] = {
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

/* ---- months ---- */

char *scenario_month_text(scenario_month month, char text[8])
{
    snprintf(text, 8, "%04u-%02u", (unsigned)month / 12 % 10000, (unsigned)month % 12 + 1);
    return text;
}

scenario_month scenario_month_of(const char *text)
{
    int year, month, end = 0;
    bool ok = strlen(text) == 7 && strspn(text, "0123456789-") == 7 &&
              sscanf(text, "%4d-%2d%n", &year, &month, &end) == 2 && end == 7;
    return ok && year >= 1900 && year <= 2200 && month >= 1 && month <= 12 ? year * 12 + month - 1 : 0;
}

/* ---- reading ---- */

struct reader {
    const char *file, *text;
    size_t way[DEEPEST + 1];       /* to the value at hand */
    const char *keys[DEEPEST + 1]; /* NULL: an element of a list */
    size_t depth;
    struct error *error;
};

/* "trainings[1].k" */
static const char *path_text(const struct reader *reader, char *text, size_t size)
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

static bool refuse_at(const struct reader *reader, size_t offset, const char *what, const char *reason)
{
    size_t line, column;
    json_line_and_column(reader->text, offset, &line, &column);
    return error_set(reader->error, ERROR_INPUT, "%s, line %zu, column %zu: %s%s%s", reader->file, line,
                     column, what, what[0] != '\0' ? " " : "", reason);
}

/* The value at hand, or its key, is wrong. */
static bool refuse(const struct reader *reader, bool key, const char *reason)
{
    char path[320];
    return refuse_at(reader, json_position(reader->text, reader->way, reader->depth, key),
                     path_text(reader, path, sizeof path), reason);
}

static bool refuse_value(const struct reader *reader, const cJSON *value, const char *wanted)
{
    char *text = cJSON_PrintUnformatted(value);
    char reason[400], excerpt[64] = "the value";
    if (text != NULL)
        utf8_excerpt(text, strlen(text), excerpt, sizeof excerpt);
    snprintf(reason, sizeof reason, "%s is not %s", excerpt, wanted);
    cJSON_free(text);
    return refuse(reader, false, reason);
}

static bool refuse_range(const struct reader *reader, const cJSON *value, const struct member *member)
{
    char wanted[160];
    const char *kind = member->type == MEMBER_NUMBER ? "a number" : "a whole number";
    if (member->most >= any_amount && member->least <= -any_amount)
        snprintf(wanted, sizeof wanted, "%s", kind);
    else
        snprintf(wanted, sizeof wanted, "%s from %.9g to %.16g%s", kind, member->least, member->most,
                 member->type == MEMBER_K ? ", or \"K*\"" : "");
    return refuse_value(reader, value, wanted);
}

static bool read_number(const struct reader *reader, const cJSON *value, const struct member *member,
                        double *number)
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

static bool read_text(const struct reader *reader, const cJSON *value, char **text)
{
    if (!cJSON_IsString(value) || value->valuestring[0] == '\0')
        return refuse_value(reader, value, "a text");
    free(*text);
    *text = strdup(value->valuestring);
    return *text != NULL || error_set(reader->error, ERROR_FAILED, "out of memory");
}

static bool read_word(const struct reader *reader, const cJSON *value, const char *const *words, char **text)
{
    char wanted[160] = "one of";
    for (size_t i = 0; words[i] != NULL; i++) {
        size_t used = strlen(wanted);
        if (cJSON_IsString(value) && strcmp(value->valuestring, words[i]) == 0)
            return read_text(reader, value, text);
        snprintf(wanted + used, sizeof wanted - used, "%s \"%s\"", i > 0 ? "," : "", words[i]);
    }
    return refuse_value(reader, value, wanted);
}

static bool read_policy(const struct reader *reader, const cJSON *value, enum scenario_policy *policy)
{
    for (int i = POLICY_AS_IS; i <= POLICY_POWERS_OF_TWO; i++) {
        if (cJSON_IsString(value) &&
            strcmp(value->valuestring, scenario_policy_name((enum scenario_policy)i)) == 0) {
            *policy = (enum scenario_policy)i;
            return true;
        }
    }
    return refuse_value(reader, value, "one of \"as is\", \"K*\", \"cap\", \"powers of two\"");
}

static bool read_month(const struct reader *reader, const cJSON *value, scenario_month *month)
{
    scenario_month read = cJSON_IsString(value) ? scenario_month_of(value->valuestring) : 0;
    if (read == 0)
        return refuse_value(reader, value, "a month (\"2027-01\")");
    *month = read;
    return true;
}

static bool read_object(struct reader *reader, const cJSON *object, const struct member *table, char *target);
static void free_list(const struct member *member, char *target);

/* A list replaces the one of what the scenario extends. */
static bool read_list(struct reader *reader, const cJSON *value, const struct member *member, char *target)
{
    int count = cJSON_IsArray(value) ? cJSON_GetArraySize(value) : 0;
    const cJSON *element;
    size_t i = 0;
    if (!cJSON_IsArray(value))
        return refuse_value(reader, value, "a list");
    if (count > LONGEST_LIST)
        return refuse(reader, false, "has more than 1000 elements");
    free_list(member, target);
    char *elements = calloc((size_t)count + 1, member->size);
    if (elements == NULL)
        return error_set(reader->error, ERROR_FAILED, "out of memory");
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

static bool read_value(struct reader *reader, const cJSON *value, const struct member *member, char *target)
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
        return cJSON_IsBool(value) || refuse_value(reader, value, "true or false");
    case MEMBER_OBJECT:
        return read_object(reader, value, member->table, place);
    case MEMBER_LIST:
        return read_list(reader, value, member, target);
    case MEMBER_EXTENDS:
        break;
    }
    return true;
}

static const struct member *find_member(const struct member *table, const char *key)
{
    while (table->key != NULL && strcmp(table->key, key) != 0)
        table++;
    return table->key != NULL ? table : NULL;
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

/* What one member alone does not show. */
static bool check_training(const struct reader *reader, const struct scenario_training *training)
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

static bool read_object(struct reader *reader, const cJSON *object, const struct member *table, char *target)
{
    const cJSON *value;
    size_t i = 0;
    if (!cJSON_IsObject(object))
        return refuse_value(reader, object, "an object");
    cJSON_ArrayForEach(value, object)
    {
        const struct member *member = find_member(table, value->string);
        reader->way[reader->depth] = i++;
        reader->keys[reader->depth++] = value->string;
        if (member == NULL)
            return refuse(reader, true, "is no member that is known here");
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

static bool check_scenario(const struct reader *reader, const struct scenario *scenario)
{
    if (scenario->base_from > 0 && scenario->base_to > 0 && scenario->base_from > scenario->base_to)
        return refuse(reader, false, "base.from is after base.to");
    if (scenario->policy == POLICY_CAP && scenario->policy_cap == 0)
        return refuse(reader, false, "node_policy \"cap\" needs node_cap");
    return true;
}

/* ---- chains ---- */

/* The scenarios from the one that was asked for to the one at hand. */
struct chain {
    const char *names[LONGEST_CHAIN];
    int count;
};

static bool read_named(struct chain *chain, const char *name, const char *beside, struct scenario *scenario,
                       struct error *error);

static bool read_extended(struct chain *chain, struct reader *reader, const cJSON *root,
                          struct scenario *scenario)
{
    const cJSON *extends = cJSON_GetObjectItemCaseSensitive(root, "extends");
    if (extends == NULL)
        return true;
    for (const cJSON *value = root->child; value != extends; value = value->next)
        reader->way[0]++;
    reader->keys[0] = "extends";
    reader->depth = 1;
    if (!cJSON_IsString(extends) || extends->valuestring[0] == '\0')
        return refuse_value(reader, extends, "the name of a scenario, or of a file");
    if (!read_named(chain, extends->valuestring, reader->file, scenario, reader->error)) {
        size_t line, column;
        json_line_and_column(reader->text, json_position(reader->text, reader->way, 1, false), &line,
                             &column);
        if (reader->error->detail[0] == '\0')
            error_detail(reader->error, "extended by %s, line %zu, column %zu", reader->file, line, column);
        return false;
    }
    reader->way[0] = 0;
    reader->depth = 0;
    return true;
}

/* Name and description are a scenario's own. The file's name, without folder and ".json", is its name
 * otherwise. */
static bool name_scenario(const char *file, struct scenario *scenario, struct error *error)
{
    const char *slash = strrchr(file, '/');
    const char *name = slash != NULL ? slash + 1 : file;
    size_t length = strlen(name);
    if (length > 5 && strcmp(name + length - 5, ".json") == 0)
        length -= 5;
    free(scenario->name);
    free(scenario->description);
    scenario->description = NULL;
    scenario->name = strndup(name, length);
    return scenario->name != NULL || error_set(error, ERROR_FAILED, "out of memory");
}

/* Where cJSON stopped: one too far where it wanted a member's name. */
static size_t syntax_error_at(const char *text, const char *end)
{
    const char *at = end > text ? end - 1 : end, *before = at;
    if (*at == '"' || strchr(" \t\r\n", *at) != NULL)
        return (size_t)(end - text);
    while (before > text && strchr(" \t\r\n", before[-1]) != NULL)
        before--;
    bool wants_name = before > text && (before[-1] == '{' || before[-1] == ',');
    return (size_t)((wants_name ? at : end) - text);
}

static bool read_text_in(struct chain *chain, const char *file, const char *text, size_t length,
                         struct scenario *scenario, struct error *error)
{
    struct reader reader = { .file = file, .text = text, .error = error };
    const char *end = text;
    if (utf8_valid_prefix(text, length) < length)
        return refuse_at(&reader, utf8_valid_prefix(text, length), "", "is not UTF-8 text");
    cJSON *root = cJSON_ParseWithLengthOpts(text, length + 1, &end, true);
    bool ok = root != NULL || refuse_at(&reader, syntax_error_at(text, end), "", "is not JSON");
    if (ok && !cJSON_IsObject(root))
        ok = refuse_value(&reader, root, "an object");
    ok = ok && read_extended(chain, &reader, root, scenario) && name_scenario(file, scenario, error) &&
         read_object(&reader, root, scenario_members, (char *)scenario) && check_scenario(&reader, scenario);
    cJSON_Delete(root);
    return ok;
}

static bool chain_holds(const struct chain *chain, const char *name, struct error *error)
{
    char way[512] = "";
    for (int i = 0; i < chain->count; i++) {
        size_t used = strlen(way);
        snprintf(way + used, sizeof way - used, "%s extends ", chain->names[i]);
        if (strcmp(chain->names[i], name) == 0)
            return error_set(error, ERROR_INPUT, "%s: extends itself", name), true;
    }
    if (chain->count == LONGEST_CHAIN)
        return error_set(error, ERROR_INPUT, "%s: more than %d scenarios extend one another", name,
                         LONGEST_CHAIN),
               true;
    return false;
}

static bool read_file(struct chain *chain, const char *path, struct scenario *scenario, struct error *error)
{
    struct stat status;
    char *text = NULL;
    bool ok = false;
    FILE *file = stat(path, &status) == 0 && S_ISREG(status.st_mode) ? fopen(path, "rb") : NULL;
    if (file == NULL)
        return error_set(error, ERROR_INPUT, "%s: no such scenario file, or it cannot be read", path);
    if (status.st_size > LARGEST_FILE) {
        error_set(error, ERROR_INPUT, "%s: larger than 1 MiB", path);
        goto done;
    }
    size_t size = (size_t)status.st_size;
    text = malloc(size + 1);
    if (text == NULL || fread(text, 1, size, file) != size) {
        error_set_errno(error, "%s", path);
        goto done;
    }
    text[size] = '\0';
    ok = read_text_in(chain, path, text, size, scenario, error);
done:
    free(text);
    fclose(file);
    return ok;
}

static bool unknown_scenario(const char *name, struct error *error)
{
    char known[400] = "";
    for (const struct scenario_text *ready = scenario_catalogue; ready->name != NULL; ready++) {
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%.*s", used > 0 ? ", " : "",
                 (int)strcspn(ready->name, "."), ready->name);
    }
    error_set(error, ERROR_INPUT, "%s: neither a file nor a ready-made scenario", name);
    error_hint(error, "ready-made: %s", known);
    return false;
}

static const struct scenario_text *find_ready(const char *name)
{
    for (const struct scenario_text *ready = scenario_catalogue; ready->name != NULL; ready++) {
        size_t length = strcspn(ready->name, ".");
        if (strlen(name) == length && strncmp(ready->name, name, length) == 0)
            return ready;
    }
    return NULL;
}

static bool is_file(const char *name, const char *beside)
{
    size_t length = strlen(name);
    return strchr(name, '/') != NULL || (length > 5 && strcmp(name + length - 5, ".json") == 0) ||
           (beside == NULL && find_ready(name) == NULL && path_is_file(name));
}

/* What a name in `beside` is a path of: that file's folder is where it is looked for. Caller frees. */
static char *path_beside(const char *name, const char *beside)
{
    const char *slash = beside != NULL ? strrchr(beside, '/') : NULL;
    if (slash == NULL || name[0] == '/')
        return strdup(name);
    char *folder = strndup(beside, (size_t)(slash - beside));
    char *path = folder != NULL ? path_join(folder[0] != '\0' ? folder : "/", name) : NULL;
    free(folder);
    return path;
}

/* The path of a file, however it was reached; the name of what is built in. Caller frees. */
static char *identity_of(const char *name, const char *beside)
{
    if (!is_file(name, beside))
        return strdup(name);
    char *path = path_beside(name, beside), *real = path != NULL ? realpath(path, NULL) : NULL;
    if (real == NULL)
        return path;
    free(path);
    return real;
}

static bool read_named(struct chain *chain, const char *name, const char *beside, struct scenario *scenario,
                       struct error *error)
{
    bool ok = false;
    char *identity = identity_of(name, beside);
    if (identity == NULL)
        return error_set(error, ERROR_FAILED, "out of memory");
    if (chain_holds(chain, identity, error))
        goto done;
    chain->names[chain->count++] = identity;
    const struct scenario_text *ready = find_ready(name);
    if (is_file(name, beside)) {
        char *path = path_beside(name, beside);
        ok = path != NULL && read_file(chain, path, scenario, error);
        free(path);
    } else if (ready != NULL) {
        ok = read_text_in(chain, ready->name, ready->text, ready->length, scenario, error);
    } else {
        unknown_scenario(name, error);
    }
    chain->count--;
done:
    free(identity);
    return ok;
}

bool scenario_read(const char *name, struct scenario *scenario, struct error *error)
{
    struct chain chain = { .count = 0 };
    scenario_start(scenario);
    return read_named(&chain, name, NULL, scenario, error);
}

bool scenario_read_text(const char *file, const char *text, size_t length, struct scenario *scenario,
                        struct error *error)
{
    struct chain chain = { .names = { file }, .count = 1 };
    scenario_start(scenario);
    return read_text_in(&chain, file, text, length, scenario, error);
}

/* ---- what a list owns ---- */

static void free_list(const struct member *member, char *target)
{
    char *elements;
    size_t count = *(size_t *)(void *)(target + member->count_offset);
    memcpy(&elements, target + member->offset, sizeof elements);
    for (size_t i = 0; i < count; i++) {
        for (const struct member *part = member->table; part->key != NULL; part++) {
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

static cJSON *object_json(const struct member *table, const char *source);

static cJSON *list_json(const struct member *member, const char *source)
{
    cJSON *list = cJSON_CreateArray();
    char *elements;
    size_t count = *(const size_t *)(const void *)(source + member->count_offset);
    memcpy(&elements, source + member->offset, sizeof elements);
    for (size_t i = 0; i < count; i++)
        cJSON_AddItemToArray(list, object_json(member->table, elements + i * member->size));
    return list;
}

static cJSON *value_json(const struct member *member, const char *source)
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

/* A number that may not be 0 stands for nothing where it is 0. */
static bool is_said(const struct member *member, const char *source)
{
    bool number = member->type == MEMBER_NUMBER || member->type == MEMBER_COUNT;
    return !number || member->least <= 0 || *(const double *)(const void *)(source + member->offset) != 0;
}

static cJSON *object_json(const struct member *table, const char *source)
{
    cJSON *object = cJSON_CreateObject();
    for (; table->key != NULL; table++) {
        cJSON *value = is_said(table, source) ? value_json(table, source) : NULL;
        if (value != NULL)
            cJSON_AddItemToObject(object, table->key, value);
    }
    return object;
}

cJSON *scenario_json(const struct scenario *scenario)
{
    return object_json(scenario_members, (const char *)scenario);
}
