/* advise/curve.c: see curve.h. */
#include "advise/curve.h"

#include "ingest/reference/declared_csv.h"
#include "model/cost/verdict_fit.h"

#include <stdlib.h>
#include <string.h>

enum { K, HOURS };

static const struct declared_column columns[] = {
    [K] = { "k", DECLARED_COUNT, DECLARED_REQUIRED, NULL, NULL },
    [HOURS] = { "hours", DECLARED_SOME_HOURS, DECLARED_REQUIRED, NULL, NULL },
    { 0 },
};

static void add_run(struct month_family *family, const struct declared_row *row)
{
    size_t size = (family->measurement_count + 1) * sizeof *family->measurements;
    family->measurements = realloc(family->measurements, size);
    family->measurements[family->measurement_count++] =
        (struct measurement){ .k = (unsigned)strtoul(row->values[K], NULL, 10),
                              .hours = strtod(row->values[HOURS], NULL) };
}

static bool read_runs(struct declared_csv *csv, struct month_family *family, struct error *error)
{
    struct declared_row row;
    enum csv_outcome outcome;
    while ((outcome = declared_csv_next(csv, &row, error)) == CSV_RECORD)
        add_run(family, &row);
    return outcome == CSV_END;
}

bool advise_curve_read(const char *path, struct month_families *families, struct error *error)
{
    struct month_family *family = calloc(1, sizeof *family);
    *families = (struct month_families){ .count = 1, .families = family, .rules = VERDICT_RULES };
    family->name = strdup(path);
    family->family = strdup(path);
    family->accelerator = strdup("");
    family->series = strdup("");
    family->other_hardware = strdup("");
    family->scaling = SCALING_STRONG;
    family->metric = SCALING_RUN_TIME;
    family->judged = true;
    struct declared_csv *csv = declared_csv_open(path, columns, "kstar advise --help", error);
    if (csv == NULL)
        return false;
    bool ok = read_runs(csv, family, error);
    declared_csv_close(csv);
    if (ok && family->measurement_count == 0) {
        error_set(error, ERROR_INPUT, "%s: no measured size", path);
        error_hint(error, "write a row for each run: its node count and its hours, for example 8,0.162");
        return false;
    }
    family->has_series = true;
    scaling_fit(family->measurements, family->measurement_count, 0, &family->fit);
    return ok;
}
