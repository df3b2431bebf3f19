/* ingest/delivery_manifest.c: see delivery_manifest.h. */
#define _GNU_SOURCE /* asprintf, strcasestr */
#include "ingest/delivery_manifest.h"

#include "base/log.h"
#include "base/memory.h"
#include "base/system/delivered_file.h"
#include "base/system/file.h"
#include "base/time_text.h"
#include "ingest/json_fields.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { DEPTH_MAXIMUM = 6, MANIFEST_BYTES_MAXIMUM = 16 << 20, MANIFESTS_MAXIMUM = 1024 };

/* Limits of a manifest: every end of the key of a part is tried in two folders. */
enum { PARTS_MAXIMUM = 20000, KEY_BYTES_MAXIMUM = 4096, KEY_FOLDERS_MAXIMUM = 32 };
#define DAY INT64_C(86400000000)

/* A manifest file that may be chosen. */
struct candidate {
    char *path;
    int depth;
    cJSON *json;
    char *scope;                  /* two of one scope contain the same cost of a day */
    bool has_days;                /* whether it states its days; otherwise its whole scope is one */
    time_us first, last;          /* the stated days */
    const struct candidate *best; /* the manifest that counts instead, or itself */
    char stated[128];             /* submission of its run, as stated; "" if not stated */
};

struct candidates {
    size_t count;
    struct candidate list[MANIFESTS_MAXIMUM];
};

/* ---- reading ---- */

static char *read_text(const char *path, size_t *length, struct error *error)
{
    if (!path_is_readable(path, error))
        return NULL;
    FILE *file = delivered_file_stream(path, error);
    if (file == NULL)
        return NULL;
    char *text = malloc(MANIFEST_BYTES_MAXIMUM + 1);
    *length = fread(text, 1, MANIFEST_BYTES_MAXIMUM + 1, file);
    bool ok = !ferror(file) || error_set_errno(error, "%s", path);
    if (*length > MANIFEST_BYTES_MAXIMUM)
        ok = error_set(error, ERROR_INPUT, "%s: a manifest of more than %d MiB", path,
                       MANIFEST_BYTES_MAXIMUM >> 20);
    if (!ok) {
        free(text);
        text = NULL;
    }
    fclose(file);
    return text;
}

static bool refuse_json(const char *path, const char *text, const char *at, struct error *error)
{
    int line = 1, column = 1;
    for (const char *c = text; c < at; c++) {
        column = *c == '\n' ? 1 : column + 1;
        line += *c == '\n';
    }
    return error_set(error, ERROR_INPUT, "%s, line %d, column %d: not JSON", path, line, column);
}

/* Finds a duplicate key in any object below; NULL: none. cJSON limits the depth. */
static const char *repeated_key(const cJSON *json)
{
    const char *repeated = json_repeated_key(json);
    for (const cJSON *item = json->child; item != NULL && repeated == NULL; item = item->next)
        repeated = repeated_key(item);
    return repeated;
}

static cJSON *read_json(const char *path, struct error *error)
{
    size_t length;
    const char *end = NULL, *key;
    char *text = read_text(path, &length, error);
    if (text == NULL)
        return NULL;
    cJSON *json = cJSON_ParseWithLengthOpts(text, length, &end, false);
    if (json == NULL) {
        refuse_json(path, text, end, error);
    } else if ((key = repeated_key(json)) != NULL) {
        error_set(error, ERROR_INPUT, "%s: the key %.80s stands twice", path, key);
        cJSON_Delete(json);
        json = NULL;
    }
    free(text);
    return json;
}

/* The text at json.first.second; "" if missing. */
static const char *text_at(const cJSON *json, const char *first, const char *second)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(json, first);
    const char *text =
        cJSON_GetStringValue(second != NULL ? cJSON_GetObjectItemCaseSensitive(item, second) : item);
    return text != NULL ? text : "";
}

/* ---- choosing ---- */

/* Reads the day at the beginning of a time; its rest may have any form. */
static bool read_day(const char *text, time_us *day)
{
    return strlen(text) >= 10 && time_parse(text, 10, day);
}

/* Reads the days of a run; without an end, to the end of the month. Days after its submission are
 * dropped, because an export of the month to date may name the whole month. */
static void read_days(struct candidate *candidate)
{
    enum { INTO_THE_NEXT_MONTH = 40 };
    const cJSON *json = candidate->json;
    time_us *first = &candidate->first, *last = &candidate->last, submitted;
    candidate->has_days = read_day(text_at(json, "runInfo", "startDate"), first);
    if (!candidate->has_days)
        return;
    if (!read_day(text_at(json, "runInfo", "endDate"), last))
        *last = time_month_start(time_month_start(*first) + INTO_THE_NEXT_MONTH * DAY) - DAY;
    if (read_day(text_at(json, "runInfo", "submittedTime"), &submitted) && submitted < *last)
        *last = submitted;
    if (*last < *first)
        *last = *first;
}

/* Finds the exporter of a manifest and the length of its name. AWS: the report or data export.
 * Azure: the scope of the export, because two exports of one scope contain the same cost. A
 * manifest without one is known by the name of its file. */
static const char *find_exporter(const struct candidate *candidate, int *length)
{
    static const char before_name[] = "/providers/Microsoft.CostManagement/exports/";
    const cJSON *json = candidate->json;
    const char *const names[] = { text_at(json, "exportConfig", "resourceId"),
                                  text_at(json, "exportConfig", "exportName"),
                                  text_at(json, "exportArn", NULL), text_at(json, "reportName", NULL),
                                  strrchr(candidate->path, '/') + 1 };
    const char *const *name = names, *end = strcasestr(names[0], before_name);
    while ((*name)[0] == '\0')
        name++;
    *length = name == names && end != NULL ? (int)(end - *name) : (int)strlen(*name);
    return *name;
}

/* Makes the scope: the exporter and, of AWS, account and billing period, which Data Exports have
 * only in the path; of Azure, the dataset. */
static void describe(struct candidate *candidate)
{
    const cJSON *json = candidate->json;
    const char *in_path = strstr(candidate->path, "BILLING_PERIOD=");
    int length, period = in_path != NULL ? (int)strcspn(in_path, "/") : 0;
    const char *exporter = find_exporter(candidate, &length);
    read_days(candidate);
    const char *start = candidate->has_days ? "" : text_at(json, "runInfo", "startDate");
    snprintf(candidate->stated, sizeof candidate->stated, "%s", text_at(json, "runInfo", "submittedTime"));
    int written = asprintf(&candidate->scope, "%.*s|%s|%s|%.*s|%s|%s", length, exporter,
                           text_at(json, "account", NULL), text_at(json, "billingPeriod", "start"), period,
                           in_path != NULL ? in_path : "", text_at(json, "exportConfig", "type"), start);
    if (written < 0)
        memory_is_out();
}

static bool is_manifest(const char *name)
{
    static const char ending[] = "manifest.json";
    size_t length = strlen(name);
    return length >= sizeof ending - 1 && strcasecmp(name + length - (sizeof ending - 1), ending) == 0;
}

/* The list of parts; NULL: this JSON is no manifest. */
static const cJSON *part_list(const cJSON *json)
{
    static const char *const lists[] = { "reportKeys", "dataFiles", "blobs" };
    const cJSON *list = NULL;
    for (size_t i = 0; list == NULL && i < sizeof lists / sizeof lists[0]; i++)
        list = cJSON_GetObjectItemCaseSensitive(json, lists[i]);
    return cJSON_IsArray(list) ? list : NULL;
}

static bool add_candidate(struct candidates *found, char *path, int depth, struct error *error)
{
    if (found->count == MANIFESTS_MAXIMUM) {
        free(path);
        return error_set(error, ERROR_INPUT, "more than %d manifests in one delivery", MANIFESTS_MAXIMUM);
    }
    struct candidate *candidate = &found->list[found->count++];
    *candidate = (struct candidate){ .path = path, .depth = depth, .json = read_json(path, error) };
    if (candidate->json == NULL)
        return false;
    if (part_list(candidate->json) != NULL) {
        describe(candidate);
        return true;
    }
    cJSON_Delete(candidate->json);
    free(path);
    found->count--;
    return true;
}

static bool search(struct candidates *found, const char *folder, int depth, struct error *error)
{
    struct directory_listing listing = { 0 };
    bool ok = path_is_readable(folder, error) && directory_list(folder, &listing, error);
    for (int i = 0; ok && i < listing.count; i++) {
        char *path = path_join(folder, listing.names[i]);
        if (path_is_directory(path)) {
            ok = depth == DEPTH_MAXIMUM || search(found, path, depth + 1, error);
            free(path);
        } else if (is_manifest(listing.names[i])) {
            ok = add_candidate(found, path, depth, error);
        } else {
            free(path);
        }
    }
    directory_listing_free(&listing);
    return ok;
}

/* Whether two manifests contain cost of the same days. */
static bool is_version(const struct candidate *one, const struct candidate *other)
{
    return one != other && one->has_days == other->has_days && strcasecmp(one->scope, other->scope) == 0 &&
           one->first <= other->last && other->first <= one->last;
}

/* Whether `other` is a version that counts instead of `candidate`: it has more days or, if they
 * have the same days, is nearer to the top or later. */
static bool is_superseded(const struct candidate *candidate, const struct candidate *other)
{
    if (!is_version(candidate, other) || other->first > candidate->first || other->last < candidate->last)
        return false;
    if (other->first < candidate->first || other->last > candidate->last)
        return true;
    if (candidate->depth != other->depth)
        return other->depth < candidate->depth;
    int order = strcmp(other->stated, candidate->stated);
    return order != 0 ? order > 0 : strcmp(other->path, candidate->path) > 0;
}

static void choose(struct candidates *found)
{
    for (size_t i = 0; i < found->count; i++) {
        const struct candidate *best = &found->list[i];
        for (size_t j = 0; j < found->count; j++) {
            if (is_superseded(best, &found->list[j]))
                best = &found->list[j];
        }
        found->list[i].best = best;
    }
}

/* Manifests that count may not share days: neither can replace the other. */
static bool check_days(const struct candidates *found, struct error *error)
{
    for (size_t i = 0; i < found->count; i++) {
        const struct candidate *one = &found->list[i];
        for (size_t j = 0; j < i; j++) {
            const struct candidate *other = &found->list[j];
            if (one->best != one || other->best != other || !is_version(one, other))
                continue;
            error_set(error, ERROR_INPUT,
                      "%s and %s have some of their days in common: they would be counted twice", other->path,
                      one->path);
            error_hint(error, "leave one of the two out of the delivery");
            return false;
        }
    }
    return true;
}

/* ---- parts ---- */

/* Returns `path` if it is a file; otherwise frees it and returns NULL. */
static char *if_file(char *path)
{
    if (path != NULL && path_is_file(path))
        return path;
    free(path);
    return NULL;
}

/* The longest end of `key` that is a file below one of the two folders; NULL: none. */
static char *find_part(const char *folder, const char *beside, const char *key)
{
    for (const char *rest = key; rest != NULL;
         rest = strchr(rest, '/') != NULL ? strchr(rest, '/') + 1 : NULL) {
        if (strncmp(rest, "../", 3) == 0 || strstr(rest, "/../") != NULL)
            continue; /* a key never leads out of the delivery */
        char *path = rest[0] != '\0' && rest[0] != '/' ? if_file(path_join(folder, rest)) : NULL;
        if (path == NULL && rest[0] != '\0' && rest[0] != '/')
            path = if_file(path_join(beside, rest));
        if (path != NULL)
            return path;
    }
    return NULL;
}

static bool may_be_key(const char *key)
{
    int folders = 0;
    for (const char *slash = strchr(key, '/'); slash != NULL; slash = strchr(slash + 1, '/'))
        folders++;
    return folders <= KEY_FOLDERS_MAXIMUM && strlen(key) <= KEY_BYTES_MAXIMUM;
}

/* Sorts by file, and parts of one file in the order in which they are named. */
static int by_path(const void *one, const void *other)
{
    const struct manifest_part *a = *(struct manifest_part *const *)one;
    const struct manifest_part *b = *(struct manifest_part *const *)other;
    int order = strcmp(a->path != NULL ? a->path : "", b->path != NULL ? b->path : "");
    return order != 0 ? order : (a > b) - (a < b);
}

/* If a file fits two keys, it belongs to the first one, and the part of the second is missing. */
static bool give_each_file_once(struct manifest_parts *parts, struct error *error)
{
    bool ok = true;
    struct manifest_part **sorted = calloc((size_t)parts->count + 1, sizeof *sorted);
    for (int i = 0; i < parts->count; i++)
        sorted[i] = &parts->parts[i];
    qsort(sorted, (size_t)parts->count, sizeof *sorted, by_path);
    for (int i = 1, first = 0; ok && i < parts->count; i++) {
        const struct manifest_part *taken = sorted[first];
        if (taken->path == NULL || strcmp(taken->path, sorted[i]->path) != 0) {
            first = i;
            continue;
        }
        if (strcmp(taken->key, sorted[i]->key) == 0)
            ok = error_set(error, ERROR_INPUT, "%s names %s twice: it would be charged twice",
                           sorted[i]->origin, taken->key);
        free(sorted[i]->path);
        sorted[i]->path = NULL;
    }
    free(sorted);
    return ok;
}

static int64_t count_at(const cJSON *item, const char *name)
{
    const cJSON *count = cJSON_GetObjectItemCaseSensitive(item, name);
    return cJSON_IsNumber(count) && count->valuedouble >= 0 && count->valuedouble < 1e15
               ? (int64_t)count->valuedouble
               : -1;
}

static bool add_part(struct manifest_parts *parts, const char *folder, const char *origin, const cJSON *item,
                     struct error *error)
{
    static const char *const names[] = { "blobName", "key", "path" };
    const char *key = cJSON_GetStringValue(item);
    for (size_t i = 0; key == NULL && i < sizeof names / sizeof names[0]; i++)
        key = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, names[i]));
    if (key == NULL || key[0] == '\0')
        return error_set(error, ERROR_INPUT, "%s: a part without a name", origin);
    if (!may_be_key(key))
        return error_set(error, ERROR_INPUT, "%s: a part's name has more than %d bytes or %d folders: %.80s…",
                         origin, KEY_BYTES_MAXIMUM, KEY_FOLDERS_MAXIMUM, key);
    if (parts->count == PARTS_MAXIMUM)
        return error_set(error, ERROR_INPUT, "%s: more than %d parts in one delivery", origin, PARTS_MAXIMUM);
    parts->parts = realloc(parts->parts, (size_t)(parts->count + 1) * sizeof *parts->parts);
    char *beside = strdup(origin);
    *strrchr(beside, '/') = '\0';
    char *path = find_part(folder, beside, key);
    free(beside);
    parts->parts[parts->count++] = (struct manifest_part){ .key = strdup(key),
                                                           .path = path,
                                                           .origin = origin,
                                                           .bytes = count_at(item, "byteCount"),
                                                           .rows = count_at(item, "dataRowCount") };
    return true;
}

static bool add_parts(struct manifest_parts *parts, const char *folder, const char *origin, const cJSON *json,
                      struct error *error)
{
    const cJSON *list = part_list(json), *item;
    cJSON_ArrayForEach(item, list)
    {
        if (!add_part(parts, folder, origin, item, error))
            return false;
    }
    int64_t blob_count = count_at(json, "blobCount");
    if (blob_count >= 0 && blob_count != cJSON_GetArraySize(list))
        return error_set(error, ERROR_INPUT, "%s: blobCount is %lld, but it names %d", origin,
                         (long long)blob_count, cJSON_GetArraySize(list));
    return true;
}

/* Adds the paths and parts of the candidates that count to `parts`. */
static bool take_candidates(struct manifest_parts *parts, struct candidates *found, const char *folder,
                            struct error *error)
{
    parts->manifests = calloc(found->count + 1, sizeof *parts->manifests);
    for (size_t i = 0; i < found->count; i++) {
        const struct candidate *candidate = &found->list[i];
        if (candidate->best != candidate) {
            log_event(LOG_INFO, "skipped", "file=\"%s\" reason=\"%s counts in its place\"", candidate->path,
                      candidate->best->path);
            continue;
        }
        char *origin = strdup(candidate->path);
        parts->manifests[parts->manifest_count++] = origin;
        if (!add_parts(parts, folder, origin, candidate->json, error))
            return false;
    }
    return give_each_file_once(parts, error);
}

bool manifest_parts_find(const char *folder, struct manifest_parts *parts, struct error *error)
{
    *parts = (struct manifest_parts){ 0 };
    struct candidates *found = calloc(1, sizeof *found);
    bool ok = search(found, folder, 0, error);
    if (ok)
        choose(found);
    ok =
        ok && check_days(found, error) && (found->count == 0 || take_candidates(parts, found, folder, error));
    for (size_t i = 0; i < found->count; i++) {
        free(found->list[i].path);
        free(found->list[i].scope);
        cJSON_Delete(found->list[i].json);
    }
    free(found);
    return ok;
}

void manifest_parts_free(struct manifest_parts *parts)
{
    for (int i = 0; i < parts->count; i++) {
        free(parts->parts[i].key);
        free(parts->parts[i].path);
    }
    for (int i = 0; i < parts->manifest_count; i++)
        free(parts->manifests[i]);
    free(parts->parts);
    free(parts->manifests);
    *parts = (struct manifest_parts){ 0 };
}
