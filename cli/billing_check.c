/* cli/billing_check.c: kstar ingest billing --check. See billing_inspect.h. */
#include "cli/billing_inspect.h"

#include "ingest/bill/focus_check.h"
#include "print/json_print.h"
#include "print/print_line.h"

#include <cjson/cJSON.h>
#include <stdio.h>

static void print_list(const char *title, int count, const char *const *names)
{
    for (int i = 0; i < count; i++)
        print_part(stdout, "%s%s", i == 0 ? title : ", ", names[i]);
    if (count > 0)
        putchar('\n');
}

static void print_finding(const struct focus_finding *finding)
{
    printf("  %-8s %s: %lld row%s, line%s ", finding->force == FOCUS_MUST ? "must" : "expected", finding->id,
           (long long)finding->rows, finding->rows == 1 ? "" : "s", finding->rows == 1 ? "" : "s");
    for (int i = 0; i < finding->line_count; i++)
        printf("%s%lld", i > 0 ? ", " : "", (long long)finding->lines[i]);
    printf("%s\n           %s %s", finding->rows > finding->line_count ? ", …" : "",
           finding->column != NULL ? finding->column : "a row", finding->text);
    if (finding->column != NULL && finding->value_is_null)
        printf("; the first is null");
    else if (finding->column != NULL)
        print_part(stdout, "; the first is \"%s\"", finding->value);
    putchar('\n');
}

static int count_broken(const struct focus_check *check)
{
    int broken = 0;
    for (int i = 0; i < check->finding_count; i++)
        broken += check->findings[i].rows > 0;
    return broken;
}

static void print_text(const struct focus_check *check)
{
    const char *unknown[FOCUS_NAMES_MAXIMUM];
    for (int i = 0; i < check->unknown_count; i++)
        unknown[i] = check->unknown[i];
    print_line(stdout, "%s: FOCUS %d.%d, %lld row%s, %d columns of which %d FOCUS's", check->path,
               check->version / 10, check->version % 10, (long long)check->rows, check->rows == 1 ? "" : "s",
               check->column_count, check->focus_column_count);
    print_list("  missing  mandatory columns: ", check->missing_count, check->missing);
    print_list("  unknown  columns of no such name, without x_: ", check->unknown_count, unknown);
    for (int i = 0; i < check->finding_count; i++) {
        if (check->findings[i].rows > 0)
            print_finding(&check->findings[i]);
    }
    printf("  %d of %d rules broken; %d not judged, for the file lacks a column of theirs\n",
           count_broken(check), check->rules_judged, check->rules_left);
}

static void add_finding(cJSON *list, const struct focus_finding *finding)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "rule", finding->id);
    cJSON_AddStringToObject(object, "force", finding->force == FOCUS_MUST ? "must" : "expected");
    cJSON_AddStringToObject(object, "text", finding->text);
    cJSON_AddNumberToObject(object, "rows", (double)finding->rows);
    cJSON *lines = cJSON_AddArrayToObject(object, "lines");
    for (int i = 0; i < finding->line_count; i++)
        cJSON_AddItemToArray(lines, cJSON_CreateNumber((double)finding->lines[i]));
    if (finding->column == NULL || finding->value_is_null)
        cJSON_AddNullToObject(object, "first_value");
    else
        cJSON_AddStringToObject(object, "first_value", finding->value);
    cJSON_AddItemToArray(list, object);
}

static void add_json(cJSON *list, const struct focus_check *check)
{
    char version[16];
    cJSON *object = cJSON_CreateObject();
    snprintf(version, sizeof version, "%d.%d", check->version / 10, check->version % 10);
    cJSON_AddStringToObject(object, "file", check->path);
    cJSON_AddStringToObject(object, "version", version);
    cJSON_AddNumberToObject(object, "rows", (double)check->rows);
    cJSON *missing = cJSON_AddArrayToObject(object, "missing_columns");
    for (int i = 0; i < check->missing_count; i++)
        cJSON_AddItemToArray(missing, cJSON_CreateString(check->missing[i]));
    cJSON *unknown = cJSON_AddArrayToObject(object, "unknown_columns");
    for (int i = 0; i < check->unknown_count; i++)
        cJSON_AddItemToArray(unknown, cJSON_CreateString(check->unknown[i]));
    cJSON_AddNumberToObject(object, "rules_judged", check->rules_judged);
    cJSON_AddNumberToObject(object, "rules_not_judged", check->rules_left);
    cJSON *broken = cJSON_AddArrayToObject(object, "broken");
    for (int i = 0; i < check->finding_count; i++) {
        if (check->findings[i].rows > 0)
            add_finding(broken, &check->findings[i]);
    }
    cJSON_AddItemToArray(list, object);
}

static bool check_one(void *context, const char *path, struct error *error)
{
    cJSON *list = context;
    struct focus_check check;
    bool ok = focus_check_file(path, &check, error);
    if (ok && list != NULL)
        add_json(list, &check);
    else if (ok)
        print_text(&check);
    focus_check_free(&check);
    return ok;
}

bool billing_inspect_check(int path_count, const char *const *paths, bool json, struct error *error)
{
    cJSON *list = json ? cJSON_CreateArray() : NULL;
    bool ok = billing_inspect_files(path_count, paths, check_one, list, error);
    if (ok && json)
        return json_print(list, error);
    cJSON_Delete(list);
    return ok;
}
