/* night/deliver/delivery_place.c: see delivery_place.h. */
#include "night/deliver/delivery_place.h"

#include "base/system/file.h"
#include "base/utf8.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The working folder as the shell names it ($PWD), if that name still leads to it. */
static const char *working_folder(char buffer[PATH_MAX])
{
    struct stat called, real;
    const char *name = getenv("PWD");
    if (name != NULL && name[0] == '/' && stat(name, &called) == 0 && stat(".", &real) == 0 &&
        called.st_dev == real.st_dev && called.st_ino == real.st_ino)
        return name;
    return getcwd(buffer, PATH_MAX) != NULL ? buffer : "/";
}

/* Removes what names no folder from an absolute path: "//", "/.", "/..", and a final slash. */
static void tidy_path(char *path)
{
    char *end = path;
    for (const char *part = path; *part != '\0';) {
        size_t length = strcspn(part + 1, "/");
        if (length == 2 && memcmp(part, "/..", 3) == 0) {
            while (end > path && *--end != '/')
                ;
        } else if (length > 0 && !(length == 1 && part[1] == '.')) {
            memmove(end, part, length + 1);
            end += length + 1;
        }
        part += length + 1;
    }
    *end = '\0';
}

/* The absolute path. Links keep the names by which they are written. Owned by the caller. */
static char *written_path(const char *path)
{
    char buffer[PATH_MAX];
    char *whole = path[0] == '/' ? strdup(path) : path_join(working_folder(buffer), path);
    tidy_path(whole);
    return whole;
}

/* The last name of a tidy path; for the root "". */
static const char *last_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : "";
}

/* Removes the last name from the path and returns it. */
static const char *cut_name(char *path)
{
    const char *name = last_name(path);
    if (name[0] != '\0')
        path[name - path - 1] = '\0';
    return name;
}

/* The rest of a path after its last "/billing/": SOURCE[/DELIVERY]; NULL if there is none. False if
 * two of them follow each other directly ("/billing/billing/"): the second may be a source. */
static bool behind_billing(const char *path, const char **rest)
{
    static const char stage[] = "/billing/";
    bool is_clear = true;
    *rest = NULL;
    for (const char *found = path; (found = strstr(found, stage)) != NULL; found++) {
        is_clear = *rest == NULL || found + 1 != *rest;
        *rest = found + strlen(stage);
    }
    return is_clear;
}

/* The folder that contains the "/billing/" before `rest`; "" if it does not exist. */
static void find_inbox(const char *path, const char *rest, char inbox[PATH_MAX])
{
    const size_t length = (size_t)(rest - path) - strlen("billing/");
    char *folder = strndup(path, length);
    if (realpath(folder, inbox) == NULL)
        inbox[0] = '\0';
    free(folder);
}

/* Whether providers give a run of an export such a name: a GUID, or days (20260901-20260930). */
static bool names_a_run(const char *name)
{
    static const char *const shapes[] = { "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx", "dddddddd-dddddddd" };
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        const char *shape = shapes[i], *at = name;
        while (*shape != '\0' && (*shape == 'x'   ? isxdigit((unsigned char)*at)
                                  : *shape == 'd' ? isdigit((unsigned char)*at)
                                                  : *at == *shape)) {
            shape++;
            at++;
        }
        if (*shape == '\0' && *at == '\0')
            return true;
    }
    return false;
}

/* The name of the folder, or of the first folder above it that is not named after a run of an
 * export: each run has another name. "" if there is none. */
static void name_by_folder(const char *folder, char *name, size_t size)
{
    char *path = strdup(folder);
    const char *last = last_name(path);
    while (names_a_run(last)) {
        cut_name(path);
        last = last_name(path);
    }
    snprintf(name, size, "%s", last);
    free(path);
}

bool delivery_source_check(const char *source, struct error *error)
{
    char shown[300];
    const size_t length = strlen(source);
    bool plain = length > 0 && length < 256 && source[0] != '.' && strchr(source, '/') == NULL &&
                 utf8_valid_prefix(source, length) == length;
    for (const char *at = source; plain && *at != '\0'; at++)
        plain = utf8_control(at) == 0;
    if (plain)
        return true;
    error_set(error, ERROR_USAGE, "--source \"%s\" is not a possible name of an inbox folder",
              utf8_excerpt(source, length, shown, sizeof shown));
    error_hint(error,
               "a source is the name of a folder: UTF-8, no '/', no '.' at its start, no control character");
    return false;
}

static bool has_source(const struct delivery_place *place, const char *path, struct error *error)
{
    if (place->source[0] != '\0')
        return path_is_text(place->label, error);
    error_set(error, ERROR_USAGE, "%s: whose delivery is it?", path);
    error_hint(error, "say --source NAME");
    return false;
}

bool delivery_place_of_bill(const char *path, const char *source, struct delivery_place *place,
                            struct error *error)
{
    const char *rest;
    *place = (struct delivery_place){ 0 };
    if (!path_is_readable(path, error) || (source != NULL && !delivery_source_check(source, error)))
        return false;
    const bool is_folder = path_is_directory(path);
    char *folder = written_path(path);
    const char *name = is_folder ? last_name(folder) : cut_name(folder);
    const bool is_clear = behind_billing(folder, &rest);
    if (source != NULL)
        snprintf(place->source, sizeof place->source, "%s", source);
    else if (is_clear && rest != NULL)
        snprintf(place->source, sizeof place->source, "%.*s", (int)strcspn(rest, "/"), rest);
    else if (is_clear)
        name_by_folder(folder, place->source, sizeof place->source);
    if (is_folder && is_clear && rest != NULL) {
        snprintf(place->label, sizeof place->label, "billing/%s", rest);
        find_inbox(folder, rest, place->inbox);
    } else
        snprintf(place->label, sizeof place->label, "billing/%s/%s", place->source, name);
    free(folder);
    return has_source(place, path, error);
}

bool delivery_place_of_jobs(const char *path, const char *source, struct delivery_place *place,
                            struct error *error)
{
    *place = (struct delivery_place){ 0 };
    if (!path_is_readable(path, error) || (source != NULL && !delivery_source_check(source, error)))
        return false;
    char *folder = written_path(path);
    const char *name = cut_name(folder);
    snprintf(place->source, sizeof place->source, "%s", source != NULL ? source : last_name(folder));
    snprintf(place->label, sizeof place->label, "jobs/%s/%s", place->source, name);
    free(folder);
    return has_source(place, path, error);
}
