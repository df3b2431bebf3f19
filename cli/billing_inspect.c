/* cli/billing_inspect.c: kstar ingest billing --detect. See billing_inspect.h. */
#include "cli/billing_inspect.h"

#include "base/system/file.h"
#include "ingest/bill/billing_detect.h"
#include "ingest/delivery_manifest.h"
#include "night/deliver/delivery_place.h"
#include "print/json_print.h"
#include "print/print_line.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- files of the operands ---- */

/* Visits the parts that the folder's manifests name, and lists the parts that are missing. */
static bool visit_parts(const struct manifest_parts *parts,
                        bool (*visit)(void *context, const char *path, struct error *error), void *context,
                        struct error *error)
{
    bool ok = true;
    for (int i = 0; ok && i < parts->count; i++) {
        const struct manifest_part *part = &parts->parts[i];
        if (part->path != NULL)
            ok = visit(context, part->path, error);
        else
            print_line(stderr, "%s names %s, which is not there", part->origin, part->key);
    }
    return ok;
}

static bool visit_files(const char *folder,
                        bool (*visit)(void *context, const char *path, struct error *error), void *context,
                        struct error *error)
{
    struct directory_listing listing;
    if (!directory_list(folder, &listing, error))
        return false;
    bool ok = true;
    int visited = 0;
    for (int i = 0; ok && i < listing.count; i++) {
        char *path = path_join(folder, listing.names[i]);
        bool is_file = !path_is_directory(path);
        ok = !is_file || visit(context, path, error);
        visited += is_file;
        free(path);
    }
    directory_listing_free(&listing);
    if (ok && visited == 0) {
        ok = error_set(error, ERROR_INPUT, "%s: no file to look at", folder);
        error_hint(error, "a folder within it is looked at by its own name");
    }
    return ok;
}

/* Visits the files that the folder delivers: the parts of its manifests, or without a manifest its
 * own files. */
static bool visit_folder(const char *folder,
                         bool (*visit)(void *context, const char *path, struct error *error), void *context,
                         struct error *error)
{
    struct manifest_parts parts = { 0 };
    bool ok = manifest_parts_find(folder, &parts, error) &&
              (parts.manifest_count > 0 ? visit_parts(&parts, visit, context, error)
                                        : visit_files(folder, visit, context, error));
    manifest_parts_free(&parts);
    return ok;
}

bool billing_inspect_files(int path_count, const char *const *paths,
                           bool (*visit)(void *context, const char *path, struct error *error), void *context,
                           struct error *error)
{
    bool ok = true;
    for (int i = 0; ok && i < path_count; i++)
        ok = path_is_directory(paths[i]) ? visit_folder(paths[i], visit, context, error)
                                         : visit(context, paths[i], error);
    return ok;
}

/* ---- detection ---- */

struct detecting {
    const char *source;
    cJSON *list; /* NULL: print text */
    int unknown;
};

/* source,kind,format,time_zone,billing_currency,delimiter */
static void sources_line(const struct detecting *detecting, const struct billing_detection *found, char *line,
                         size_t size)
{
    struct delivery_place place;
    struct error unnamed;
    bool is_named = delivery_place_of_bill(found->path, detecting->source, &place, &unnamed);
    snprintf(line, size, "%s,billing,%s,,%s,", is_named ? place.source : "NAME", found->format->name,
             found->fits[0].currency_missing ? "CURRENCY" : "");
}

static const char *delimiter_name(char delimiter)
{
    switch (delimiter) {
    case ',':
        return "comma";
    case ';':
        return "semicolon";
    case '\t':
        return "tab";
    default:
        return "bar";
    }
}

static void print_fit(const struct billing_detection *found)
{
    const struct billing_fit *fit = &found->fits[0];
    printf("  because    it knows %d of the %d columns, and all that it requires are there\n", fit->known,
           found->column_count);
    for (int i = 0; i < fit->own_count && i < DETECTION_OWN_MAXIMUM; i++)
        printf("%s%s", i == 0 ? "  only its   " : ", ", fit->own[i]);
    if (fit->own_count > DETECTION_OWN_MAXIMUM)
        printf(" and %d more", fit->own_count - DETECTION_OWN_MAXIMUM);
    if (fit->own_count > 0)
        putchar('\n');
}

static void print_text(const struct detecting *detecting, const struct billing_detection *found)
{
    char line[512];
    print_part(stdout, "%s: %s", found->path, found->what);
    if (found->focus_version > 0)
        printf(", version %d.%d", found->focus_version / 10, found->focus_version % 10);
    putchar('\n');
    if (found->format != NULL)
        print_fit(found);
    for (int i = 0; found->format == NULL && i < found->fit_count; i++) {
        const struct billing_fit *fit = &found->fits[i];
        if (fit->known > 0)
            print_line(stdout, "  %-10s knows %d of the %d columns%s%s%s%s", fit->format->name, fit->known,
                       found->column_count, fit->missing_count > 0 ? ", lacks " : "", fit->missing,
                       fit->refused[0] != '\0' ? ", refuses it: " : "", fit->refused);
    }
    if (found->delimiter != '\0')
        printf("  file       %s, %s\n", found->is_gzip ? "gzip" : "plain", delimiter_name(found->delimiter));
    for (int i = 0; i < found->against_count; i++)
        print_line(stdout, "  against    %s", found->against[i]);
    if (found->format != NULL) {
        sources_line(detecting, found, line, sizeof line);
        print_line(stdout, "  sources.csv: %s", line);
    }
}

static void add_own(cJSON *object, const struct billing_fit *fit)
{
    cJSON *own = cJSON_AddArrayToObject(object, "only_its_columns");
    for (int i = 0; i < fit->own_count && i < DETECTION_OWN_MAXIMUM; i++)
        cJSON_AddItemToArray(own, cJSON_CreateString(fit->own[i]));
}

static void add_json(const struct detecting *detecting, const struct billing_detection *found)
{
    char text[512];
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "file", found->path);
    cJSON_AddStringToObject(object, "what", found->what);
    if (found->format != NULL)
        cJSON_AddStringToObject(object, "format", found->format->name);
    else
        cJSON_AddNullToObject(object, "format");
    if (found->focus_version > 0) {
        snprintf(text, sizeof text, "%d.%d", found->focus_version / 10, found->focus_version % 10);
        cJSON_AddStringToObject(object, "version", text);
    }
    cJSON_AddBoolToObject(object, "gzip", found->is_gzip);
    if (found->delimiter != '\0')
        cJSON_AddStringToObject(object, "delimiter", (const char[]){ found->delimiter, '\0' });
    cJSON_AddNumberToObject(object, "columns", found->column_count);
    cJSON *formats = cJSON_AddArrayToObject(object, "formats");
    for (int i = 0; i < found->fit_count; i++) {
        cJSON *fit = cJSON_CreateObject();
        cJSON_AddStringToObject(fit, "format", found->fits[i].format->name);
        cJSON_AddNumberToObject(fit, "known", found->fits[i].known);
        cJSON_AddNumberToObject(fit, "missing", found->fits[i].missing_count);
        cJSON_AddStringToObject(fit, "missing_columns", found->fits[i].missing);
        cJSON_AddStringToObject(fit, "refused", found->fits[i].refused);
        add_own(fit, &found->fits[i]);
        cJSON_AddItemToArray(formats, fit);
    }
    cJSON *against = cJSON_AddArrayToObject(object, "against");
    for (int i = 0; i < found->against_count; i++)
        cJSON_AddItemToArray(against, cJSON_CreateString(found->against[i]));
    if (found->format != NULL) {
        sources_line(detecting, found, text, sizeof text);
        cJSON_AddStringToObject(object, "sources_csv", text);
    }
    cJSON_AddItemToArray(detecting->list, object);
}

static bool detect_one(void *context, const char *path, struct error *error)
{
    struct detecting *detecting = context;
    struct billing_detection found;
    bool ok = billing_detect(path, &found, error);
    if (ok && detecting->list != NULL)
        add_json(detecting, &found);
    else if (ok)
        print_text(detecting, &found);
    detecting->unknown += ok && found.format == NULL;
    billing_detection_free(&found);
    return ok;
}

bool billing_inspect_detect(int path_count, const char *const *paths, const char *source, bool json,
                            struct error *error)
{
    struct detecting detecting = { .source = source, .list = json ? cJSON_CreateArray() : NULL };
    bool ok = billing_inspect_files(path_count, paths, detect_one, &detecting, error);
    if (json && !json_print(detecting.list, error))
        return false;
    if (ok && detecting.unknown > 0)
        error->kind = ERROR_INPUT;
    return ok;
}
