/* cli/forecast_floors.c: see forecast_floors.h. */
#include "cli/forecast_floors.h"

#include <stdio.h>
#include <string.h>

enum { NOTE_BYTES = 512 };

static bool any_freed(const struct forecast_result *result, size_t floor)
{
    size_t count = result->forecast.floor_count;
    for (unsigned month = 0; month < result->months; month++)
        if (result->floors[month * count + floor].freed >= .5)
            return true;
    return false;
}

/* Purchases of one commitment are beside each other only within a cost centre and family: each name once. */
static void add_name(char text[NOTE_BYTES], const char *name)
{
    size_t used = strlen(text);
    const char *found = strstr(text, name);
    size_t length = strlen(name);
    for (; found != NULL; found = strstr(found + 1, name))
        if (found[-1] == ' ' && (found[length] == ',' || found[length] == '\0'))
            return;
    snprintf(text + used, NOTE_BYTES - used, "%s %s", text[used - 1] == ':' ? "" : ",", name);
}

static void note(struct forecast_result *result, const char *text)
{
    cJSON_AddItemToArray(result->notes, cJSON_CreateString(text));
}

/* Commitments that commitments.csv does not have, where a lever frees of what they pay. */
static void note_ends(struct forecast_result *result)
{
    static const char begins[] =
        "commitments whose end commitments.csv does not have are paid in all months:";
    char text[NOTE_BYTES];
    bool is_any = false, is_any_own = false;
    snprintf(text, sizeof text, "%s", begins);
    for (size_t i = 0; i < result->purchases.count; i++) {
        const struct forecast_purchase *purchase = &result->purchases.all[i];
        if (purchase->committed == 0 || purchase->ends > 0 || !any_freed(result, purchase->floor - 1))
            continue;
        bool is_own = purchase->provider == NULL;
        is_any_own = is_any_own || is_own;
        is_any = is_any || !is_own;
        if (!is_own)
            add_name(text, purchase->commitment[0] != '\0' ? purchase->commitment : "(without an id)");
    }
    if (is_any)
        note(result, text);
    if (is_any_own)
        note(result, "own nodes are paid in all months");
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

void forecast_floors_name(const struct forecast_floor *floor, char *text, size_t size)
{
    if (floor->provider == NULL)
        snprintf(text, size, "own nodes");
    else
        snprintf(text, size, "%s %s", floor->provider, floor->sku);
}
