/* forecast/forecast_floors.c: see forecast_floors.h. */
#include "forecast/forecast_floors.h"

#include "report/workbook_name.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES_MOST = 10 }; /* in one note */

static bool any_freed(const struct forecast_result *result, size_t floor)
{
    size_t count = result->forecast.floor_count;
    for (unsigned month = 0; month < result->months; month++)
        if (result->floors[month * count + floor].freed >= .5)
            return true;
    return false;
}

/* Lists freed commitments that commitments.csv does not have. Own nodes are NULL. */
static size_t find_endless(const struct forecast_result *result, const char **names)
{
    size_t count = 0;
    for (size_t i = 0; i < result->purchases.count; i++) {
        const struct forecast_purchase *purchase = &result->purchases.all[i];
        if (purchase->committed != 0 && purchase->ends == 0 && any_freed(result, purchase->floor - 1))
            names[count++] = purchase->commitment;
    }
    return count;
}

static int compare_names(const void *one, const void *other)
{
    const char *a = *(const char *const *)one, *b = *(const char *const *)other;
    return a == NULL || b == NULL ? (a == NULL) - (b == NULL) : strcmp(a, b);
}

/* Sorts the names and removes duplicates. */
static size_t distinct(const char **names, size_t count)
{
    size_t kept = 0;
    qsort(names, count, sizeof *names, compare_names);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || compare_names(&names[i], &names[kept - 1]) != 0)
            names[kept++] = names[i];
    return kept;
}

static void note_commitments(struct forecast_result *result, const char *const *names, size_t count)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    fprintf(out, "commitments whose end commitments.csv does not have are paid in all months:");
    for (size_t i = 0; i < count && i < NAMES_MOST; i++)
        fprintf(out, "%s %s", i > 0 ? "," : "", names[i][0] != '\0' ? names[i] : "(without an id)");
    if (count > NAMES_MOST)
        fprintf(out, ", and %zu more", count - NAMES_MOST);
    fclose(out);
    cJSON_AddItemToArray(result->notes, cJSON_CreateString(text));
    free(text);
}

static void note_ends(struct forecast_result *result)
{
    const char **names = calloc(result->purchases.count + 1, sizeof *names);
    size_t count = distinct(names, find_endless(result, names));
    bool is_any_own = count > 0 && names[count - 1] == NULL;
    count -= is_any_own;
    if (count > 0)
        note_commitments(result, names, count);
    if (is_any_own)
        cJSON_AddItemToArray(result->notes, cJSON_CreateString("own nodes are paid in all months"));
    free(names);
}

void forecast_floors_note(struct forecast_result *result)
{
    for (unsigned month = 0; month < result->months; month++)
        forecast_floors(&result->forecast, month + 1, result->floors + month * result->forecast.floor_count);
    note_ends(result);
}

int64_t forecast_floors_freed(const struct forecast_result *result, int month, size_t floor)
{
    size_t leaf = result->leaf_count - result->forecast.training_count - result->forecast.floor_count + floor;
    return forecast_result_sum(result, month, (int)leaf, FORECAST_FREED);
}

char *forecast_floors_name(const struct forecast_floor *floor)
{
    return floor->provider == NULL ? text_of("own nodes") : text_of("%s %s", floor->provider, floor->sku);
}
