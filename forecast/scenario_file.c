/* forecast/scenario_file.c: see scenario_file.h. A scenario is found by its name. The scenario that
 * it extends is read first. */
#include "forecast/scenario_file.h"

#include "base/system/file.h"
#include "base/utf8.h"
#include "forecast/json_position.h"
#include "forecast/scenario_catalogue.h"
#include "forecast/scenario_object.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { LARGEST_FILE = 1 << 20, LONGEST_CHAIN = 16 };

/* The chain of scenarios from the requested one to the current one. */
struct chain {
    const char *names[LONGEST_CHAIN];
    int count;
};

static bool read_named(struct chain *chain, const char *name, const char *beside, struct scenario *scenario,
                       struct error *error);

static bool read_extended(struct chain *chain, struct scenario_reader *reader, const cJSON *root,
                          struct scenario *scenario)
{
    const cJSON *extends = cJSON_GetObjectItemCaseSensitive(root, "extends");
    if (extends == NULL)
        return true;
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): `extends` is a member of root */
    for (const cJSON *value = root->child; value != extends; value = value->next)
        reader->way[0]++;
    reader->keys[0] = "extends";
    reader->depth = 1;
    if (!cJSON_IsString(extends) || extends->valuestring[0] == '\0')
        return scenario_refuse_value(reader, extends, "the name of a scenario, or of a file");
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

/* Name and description are not inherited. The default name is the file's name without folder and
 * ".json". */
static void name_scenario(const char *file, struct scenario *scenario)
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
}

/* The offset of a syntax error. cJSON reports one character too far if it expected a member's
 * name. */
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
    struct scenario_reader reader = { .file = file, .text = text, .error = error };
    const char *end = text;
    if (utf8_valid_prefix(text, length) < length)
        return scenario_refuse_at(&reader, utf8_valid_prefix(text, length), "", "is not UTF-8 text");
    cJSON *root = cJSON_ParseWithLengthOpts(text, length + 1, &end, true);
    bool ok = root != NULL || scenario_refuse_at(&reader, syntax_error_at(text, end), "", "is not JSON");
    if (!ok)
        error_hint(
            error,
            "JSON has names and texts in double quotes, numbers such as 0.05, and no comma behind the last member");
    if (ok && !cJSON_IsObject(root))
        ok = scenario_refuse_value(&reader, root, "an object");
    ok = ok && read_extended(chain, &reader, root, scenario);
    if (ok)
        name_scenario(file, scenario);
    ok = ok && scenario_object_read(&reader, root, scenario);
    cJSON_Delete(root);
    return ok;
}

static bool chain_holds(const struct chain *chain, const char *name, struct error *error)
{
    for (int i = 0; i < chain->count; i++) {
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
    FILE *file = stat(path, &status) == 0 && S_ISREG(status.st_mode) ? fopen(path, "rbe") : NULL;
    if (file == NULL)
        return error_set(error, ERROR_INPUT, "%s: no such scenario file, or it cannot be read", path);
    if (status.st_size > LARGEST_FILE) {
        error_set(error, ERROR_INPUT, "%s: larger than 1 MiB", path);
        goto done;
    }
    size_t size = (size_t)status.st_size;
    text = malloc(size + 1);
    if (fread(text, 1, size, file) != size) {
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

/* A path relative to the folder of the file `beside`. The caller frees it. */
static char *path_beside(const char *name, const char *beside)
{
    const char *slash = beside != NULL ? strrchr(beside, '/') : NULL;
    if (slash == NULL || name[0] == '/')
        return strdup(name);
    char *folder = strndup(beside, (size_t)(slash - beside));
    char *path = path_join(folder[0] != '\0' ? folder : "/", name);
    free(folder);
    return path;
}

/* The canonical path of a file, or the name of a built-in scenario. The caller frees it. */
static char *identity_of(const char *name, const char *beside)
{
    if (!is_file(name, beside))
        return strdup(name);
    char *path = path_beside(name, beside), *real = realpath(path, NULL);
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
    if (chain_holds(chain, identity, error))
        goto done;
    chain->names[chain->count++] = identity;
    const struct scenario_text *ready = find_ready(name);
    if (is_file(name, beside)) {
        char *path = path_beside(name, beside);
        ok = read_file(chain, path, scenario, error);
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
