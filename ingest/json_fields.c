/* ingest/json_fields.c: see json_fields.h. */
#include "ingest/json_fields.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST_EXACT 9007199254740992.0 /* 2^53 */

const cJSON *json_path(const cJSON *value, const char *path)
{
    while (value != NULL && *path != '\0') {
        size_t length = strcspn(path, ".");
        const cJSON *member = cJSON_IsObject(value) ? value->child : NULL;
        while (member != NULL &&
               (strlen(member->string) != length || memcmp(member->string, path, length) != 0))
            member = member->next;
        value = member;
        path += length + (path[length] == '.');
    }
    return value;
}

const char *json_text(const cJSON *value, const char *path)
{
    const cJSON *member = json_path(value, path);
    return cJSON_IsString(member) && member->valuestring[0] != '\0' ? member->valuestring : NULL;
}

static bool integer_of_text(const char *text, int64_t *number)
{
    char *end;
    if (strspn(text, "-0123456789") != strlen(text) || *text == '\0')
        return false;
    errno = 0;
    *number = strtoll(text, &end, 10);
    return errno == 0 && *end == '\0';
}

bool json_integer(const cJSON *value, int64_t *number)
{
    if (cJSON_IsString(value))
        return integer_of_text(value->valuestring, number);
    if (cJSON_IsObject(value)) {
        const cJSON *set = json_path(value, "set"), *plain = json_path(value, "number");
        if (cJSON_IsFalse(set) || cJSON_IsTrue(json_path(value, "infinite")) || !cJSON_IsNumber(plain))
            return false;
        value = plain;
    }
    if (!cJSON_IsNumber(value) || value->valuedouble < -LARGEST_EXACT || value->valuedouble > LARGEST_EXACT)
        return false;
    *number = (int64_t)value->valuedouble;
    return (double)*number == value->valuedouble;
}

/* ---- keys ---- */

static int by_text(const void *one, const void *other)
{
    return strcmp(*(const char *const *)one, *(const char *const *)other);
}

const char *json_repeated_key(const cJSON *object)
{
    size_t count = 0;
    const cJSON *member;
    const char *repeated = NULL;
    if (!cJSON_IsObject(object) || object->child == NULL || object->child->next == NULL)
        return NULL;
    cJSON_ArrayForEach(member, object) count++;
    const char **keys = malloc(count * sizeof *keys);
    count = 0;
    cJSON_ArrayForEach(member, object) keys[count++] = member->string;
    qsort(keys, count, sizeof *keys, by_text);
    for (size_t i = 1; i < count && repeated == NULL; i++)
        if (strcmp(keys[i - 1], keys[i]) == 0)
            repeated = keys[i];
    free(keys);
    return repeated;
}
