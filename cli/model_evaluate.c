/* cli/model_evaluate.c: see model_evaluate.h. */
#include "cli/model_evaluate.h"

#include "ingest/reference/declared_csv.h"
#include "model/cost/choice_evaluation.h"
#include "print/json_print.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SERIES, K, THROUGHPUT };

static const struct declared_column columns[] = {
    [SERIES] = { "series", DECLARED_TEXT, DECLARED_REQUIRED, NULL, NULL },
    [K] = { "k", DECLARED_COUNT, DECLARED_REQUIRED, NULL, NULL },
    [THROUGHPUT] = { "throughput", DECLARED_POSITIVE, DECLARED_REQUIRED, NULL, NULL },
    { 0 },
};

/* f ÷ p: the fixed cost of an hour is that of 1, 4.3 or 20 nodes. */
static const double wall_prices[] = { 1, 4.3, 20 };

struct run {
    char *series; /* owned */
    struct measurement measurement;
};

struct runs {
    struct run *runs;
    size_t count, capacity;
};

static void free_runs(struct runs *runs)
{
    for (size_t i = 0; i < runs->count; i++)
        free(runs->runs[i].series);
    free(runs->runs);
}

static void add_run(struct runs *runs, const struct declared_row *row)
{
    if (runs->count == runs->capacity) {
        runs->capacity = runs->capacity > 0 ? 2 * runs->capacity : 256;
        runs->runs = realloc(runs->runs, runs->capacity * sizeof *runs->runs);
    }
    struct run *run = &runs->runs[runs->count];
    run->measurement.k = (unsigned)strtoul(row->values[K], NULL, 10);
    run->measurement.hours = 1 / strtod(row->values[THROUGHPUT], NULL);
    run->series = strdup(row->values[SERIES]);
    runs->count++;
}

static bool read_runs(const char *path, struct runs *runs, struct error *error)
{
    struct declared_row row;
    enum csv_outcome outcome;
    struct declared_csv *csv = declared_csv_open(path, columns, "kstar model --help", error);
    if (csv == NULL)
        return false;
    while ((outcome = declared_csv_next(csv, &row, error)) == CSV_RECORD)
        add_run(runs, &row);
    bool ok = outcome == CSV_END;
    declared_csv_close(csv);
    if (ok && runs->count == 0)
        ok = error_set(error, ERROR_INPUT, "%s: no measurement", path);
    return ok;
}

static int by_series(const void *a, const void *b)
{
    return strcmp(((const struct run *)a)->series, ((const struct run *)b)->series);
}

/* Judges every rule on one series, both ways. */
static void judge_series(const struct measured_size *sizes, size_t count,
                         struct choice_costs costs[2][CHOICE_RULES])
{
    for (int rule = 0; rule < CHOICE_RULES; rule++)
        for (size_t price = 0; price < sizeof wall_prices / sizeof wall_prices[0]; price++)
            for (int hard = 0; hard < 2; hard++)
                choice_evaluate((enum choice_rule)rule, sizes, count, wall_prices[price], hard != 0,
                                &costs[hard][rule]);
}

/* Judges all series. Runs are sorted by series. */
static bool judge_all(const struct runs *runs, const char *path, struct choice_costs costs[2][CHOICE_RULES],
                      size_t *series_count, struct error *error)
{
    *series_count = 0;
    for (size_t from = 0, to; from < runs->count; from = to) {
        struct measured_size sizes[MEASURED_SIZES_MAX];
        struct measurement *series = calloc(runs->count - from, sizeof *series);
        for (to = from; to < runs->count && strcmp(runs->runs[to].series, runs->runs[from].series) == 0; to++)
            series[to - from] = runs->runs[to].measurement;
        size_t count = measured_sizes(series, to - from, sizes);
        free(series);
        if (count == 0)
            return error_set(error, ERROR_INPUT,
                             "%s: series \"%s\" has more than %d node counts, or a throughput out of range",
                             path, runs->runs[from].series, MEASURED_SIZES_MAX);
        judge_series(sizes, count, costs);
        (*series_count)++;
    }
    return true;
}

/* ---- output ---- */

static void print_table(const char *title, struct choice_costs costs[CHOICE_RULES])
{
    printf("\n%s: %zu folds\n%-56s %8s %8s %8s %8s\n", title, costs[0].count, "choice", "mean", "90th",
           "worst", "found");
    for (int rule = 0; rule < CHOICE_RULES && costs[0].count > 0; rule++) {
        struct choice_summary summary = choice_costs_summary(&costs[rule]);
        printf("%-56s %7.2f%% %7.1f%% %7.1f%% %7.0f%%\n", choice_rule_title((enum choice_rule)rule),
               100 * summary.mean, 100 * summary.ninetieth, 100 * summary.worst, 100 * summary.found);
    }
}

static cJSON *table_json(struct choice_costs costs[CHOICE_RULES])
{
    cJSON *table = cJSON_CreateObject();
    for (int rule = 0; rule < CHOICE_RULES; rule++) {
        struct choice_summary summary = choice_costs_summary(&costs[rule]);
        cJSON *row = cJSON_AddObjectToObject(table, choice_rule_name((enum choice_rule)rule));
        cJSON_AddNumberToObject(row, "folds", (double)summary.folds);
        /* null if there is no fold */
        cJSON_AddNumberToObject(row, "mean_extra_cost", summary.mean);
        cJSON_AddNumberToObject(row, "ninetieth_percentile", summary.ninetieth);
        cJSON_AddNumberToObject(row, "worst", summary.worst);
        cJSON_AddNumberToObject(row, "best_k_found", summary.found);
    }
    return table;
}

static bool print_json(size_t series_count, struct choice_costs costs[2][CHOICE_RULES], struct error *error)
{
    cJSON *root = cJSON_CreateObject();
    cJSON_AddNumberToObject(root, "series", (double)series_count);
    cJSON_AddItemToObject(root, "cheapest_held_out", table_json(costs[1]));
    cJSON_AddItemToObject(root, "each_held_out", table_json(costs[0]));
    return json_print(root, error);
}

bool model_evaluate(const char *path, bool json, struct error *error)
{
    struct choice_costs costs[2][CHOICE_RULES] = { 0 }; /* over every excluded K; over the cheapest one */
    struct runs runs = { 0 };
    size_t series_count = 0;
    bool ok = read_runs(path, &runs, error);
    if (ok) {
        qsort(runs.runs, runs.count, sizeof *runs.runs, by_series);
        ok = judge_all(&runs, path, costs, &series_count, error);
    }
    if (ok && json) {
        ok = print_json(series_count, costs, error);
    } else if (ok) {
        printf("%s: %zu series at f/p = 1, 4.3 and 20; what the chosen K costs more than the cheapest one\n",
               path, series_count);
        print_table("without the cheapest K", costs[1]);
        print_table("without each K above the smallest, in turn", costs[0]);
    }
    for (int rule = 0; rule < CHOICE_RULES; rule++) {
        choice_costs_free(&costs[0][rule]);
        choice_costs_free(&costs[1][rule]);
    }
    free_runs(&runs);
    return ok;
}
