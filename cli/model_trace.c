/* cli/model_trace.c: see model_trace.h. */
#include "cli/model_trace.h"

#include "ingest/measure/torch_trace.h"
#include "print/json_print.h"
#include "print/print_line.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* The columns of the table and the members of the JSON. */
static const char *const names[] = {
    "idle_us",          "compute_us", "non_compute_us",          "kernel_time_us",
    "communication_us", "overlap_us", "exposed_communication_us"
};
enum { VALUES = sizeof names / sizeof names[0] };

static void values_of(const struct trace_breakdown *rank, int64_t values[VALUES])
{
    const int64_t all[VALUES] = { rank->idle,
                                  rank->compute,
                                  rank->non_compute,
                                  rank->kernel_time,
                                  rank->communication,
                                  rank->overlap,
                                  trace_exposed_communication(rank) };
    for (int i = 0; i < VALUES; i++)
        values[i] = all[i];
}

static void print_table(int count, char **paths, const struct trace_breakdown *ranks)
{
    printf("%6s", "rank");
    for (int i = 0; i < VALUES; i++)
        printf(" %*s", i == VALUES - 1 ? 24 : 16, names[i]);
    printf("  file\n");
    for (int rank = 0; rank < count; rank++) {
        int64_t values[VALUES];
        values_of(&ranks[rank], values);
        if (ranks[rank].rank >= 0)
            printf("%6" PRId64, ranks[rank].rank);
        else
            printf("%6s", "-");
        for (int i = 0; i < VALUES; i++)
            printf(" %*" PRId64, i == VALUES - 1 ? 24 : 16, values[i]);
        print_line(stdout, "  %s", paths[rank]);
    }
    printf("\ncompute share %.6f: an estimate of E(K), never fitted\n", trace_compute_share(ranks, count));
}

static bool print_json(int count, char **paths, const struct trace_breakdown *ranks, struct error *error)
{
    cJSON *root = cJSON_CreateObject();
    cJSON *list = cJSON_AddArrayToObject(root, "ranks");
    for (int rank = 0; rank < count; rank++) {
        int64_t values[VALUES];
        cJSON *entry = cJSON_CreateObject();
        values_of(&ranks[rank], values);
        cJSON_AddStringToObject(entry, "file", paths[rank]);
        if (ranks[rank].rank >= 0)
            cJSON_AddNumberToObject(entry, "rank", (double)ranks[rank].rank);
        else
            cJSON_AddNullToObject(entry, "rank");
        for (int i = 0; i < VALUES; i++)
            cJSON_AddNumberToObject(entry, names[i], (double)values[i]);
        cJSON_AddItemToArray(list, entry);
    }
    cJSON_AddNumberToObject(root, "compute_share", trace_compute_share(ranks, count));
    return json_print(root, error);
}

bool model_trace(int path_count, char **paths, bool include_last_step, bool json, struct error *error)
{
    struct trace_breakdown *ranks = calloc((size_t)path_count, sizeof *ranks);
    bool ok = true;
    for (int i = 0; ok && i < path_count; i++)
        ok = torch_trace_read(paths[i], include_last_step, &ranks[i], error);
    ok = ok && trace_check_ranks(ranks, path_count, paths, error);
    if (ok && json)
        ok = print_json(path_count, paths, ranks, error);
    else if (ok)
        print_table(path_count, paths, ranks);
    free(ranks);
    return ok;
}
