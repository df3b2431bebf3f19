/* advise/list.c: see list.h. */
#include "advise/list.h"

#include "model/cost/verdict_fit.h"
#include "model/cost/verdict_texts.h"
#include "print/json_print.h"
#include "print/print_line.h"

#include <cjson/cJSON.h>
#include <stdio.h>

/* "1 2 4 8". If there is no room for all sizes: the first ones and the last. */
static void sizes_text(const struct scaling_fit *fit, char *text, size_t size)
{
    const size_t room_for_two = 32;
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < fit->size_count; i++) {
        bool is_last = i + 1 == fit->size_count;
        if (!is_last && used + room_for_two > size)
            continue;
        bool is_gap = is_last && used + room_for_two > size;
        used += (size_t)snprintf(text + used, size - used, "%s%s%u", i > 0 ? " " : "", is_gap ? "… " : "",
                                 fit->sizes[i].k);
    }
}

/* Why `kstar advise` cannot answer for a family; "": it can. */
static const char *obstacle(const struct month_family *family, const struct verdict_rules *rules,
                            bool has_price)
{
    enum verdict_reason against;
    if (!family->has_series)
        return "no series was measured";
    if (!family->judged)
        return "measured under weak scaling";
    if (!verdict_gives_k_star(&family->fit, rules, &against))
        return verdict_reason_text(against);
    return has_price ? "" : "no job in a statement gives it prices: give --price";
}

static void add_json(cJSON *list, const struct month_family *family, const char *month, const char *obstacle)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddItemToArray(list, object);
    cJSON_AddStringToObject(object, "family", family->name);
    cJSON *sizes = cJSON_AddArrayToObject(object, "sizes");
    for (size_t i = 0; family->has_series && i < family->fit.size_count; i++)
        cJSON_AddItemToArray(sizes, cJSON_CreateNumber(family->fit.sizes[i].k));
    cJSON_AddItemToObject(object, "prices_of",
                          month[0] != '\0' ? cJSON_CreateString(month) : cJSON_CreateNull());
    cJSON_AddStringToObject(object, "obstacle", obstacle);
}

static void print_row(const struct month_family *family, const char *month, const char *obstacle)
{
    char sizes[64] = "";
    if (family->has_series)
        sizes_text(&family->fit, sizes, sizeof sizes);
    print_line(stdout, "%-32s %-9s %-28s %s", family->name, month[0] != '\0' ? month : "-",
               sizes[0] != '\0' ? sizes : "-", obstacle);
}

bool advise_list(const struct advise_request *request, const struct latest_families *latest,
                 struct error *error)
{
    const struct month_families *families = &latest->families;
    cJSON *list = request->json ? cJSON_CreateArray() : NULL;
    if (!request->json && families->count == 0)
        printf(
            "No family is declared or measured, or none of your jobs: docs/formats.md describes measurements.\n");
    else if (!request->json)
        printf("%-32s %-9s %-28s\n", "family", "prices of", "K measured");
    for (int i = 0; i < families->count; i++) {
        const struct month_family *family = &families->families[i];
        struct job_price price;
        enum month_capacity capacity;
        char month[16] = "";
        bool has_price = latest_family_price(latest, family, &price, &capacity, month);
        const char *against = obstacle(family, &families->rules, has_price);
        if (request->json)
            add_json(list, family, month, against);
        else
            print_row(family, month, against);
    }
    return request->json ? json_print(list, error) : true;
}
