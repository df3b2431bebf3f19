/* night/month/month_families.c: from families and measurements to one fit each. See
 * month_families.h. */
#include "night/month/month_families.h"

#include "base/postgres/database.h"
#include "model/cost/verdict_fit.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Columns of sql/model/measurements.sql. The columns up to ORIGIN name the series. */
enum {
    FAMILY,
    SCALING,
    METRIC,
    ACCELERATOR,
    PRECISION,
    BATCH,
    MODEL,
    SEQUENCE_LENGTH,
    SOFTWARE,
    ORIGIN,
    K,
    VALUE,
    SERIES_COLUMNS = ORIGIN + 1
};

/* Columns of sql/model/families.sql. */
enum { F_FAMILY, F_UNIT, F_ACCELERATORS, F_MINIMUM, F_MAXIMUM, F_ALLOWED, F_GOAL_CONSTANT };

static const char *const metric_names[] = {
    [SCALING_RUN_TIME] = "run_time",
    [SCALING_THROUGHPUT] = "throughput",
    [SCALING_STEP_TIME] = "step_time",
    [SCALING_EFFICIENCY] = "efficiency",
};

static enum scaling_metric metric_of(const char *name)
{
    for (size_t i = 0; i < sizeof metric_names / sizeof metric_names[0]; i++) {
        if (strcmp(metric_names[i], name) == 0)
            return (enum scaling_metric)i;
    }
    return SCALING_RUN_TIME; /* the schema allows no other */
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(((const struct month_family *)a)->name, ((const struct month_family *)b)->name);
}

struct month_family *month_family_find(struct month_families *families, const char *name)
{
    struct month_family wanted = { .name = (char *)name };
    if (families->count == 0)
        return NULL;
    return bsearch(&wanted, families->families, (size_t)families->count, sizeof wanted, compare_names);
}

void month_families_free(struct month_families *families)
{
    for (int i = 0; i < families->count; i++) {
        free(families->families[i].name);
        free(families->families[i].family);
        free(families->families[i].accelerator);
        free(families->families[i].series);
        free(families->families[i].measurements);
        free(families->families[i].other_hardware);
        for (int capacity = 0; capacity < CAPACITIES; capacity++) {
            free(families->families[i].interruptions[capacity].from);
            k_table_free(families->families[i].tables[capacity]);
        }
    }
    free(families->families);
    *families = (struct month_families){ 0 };
}

void month_family_curve(const struct month_family *family, const struct job_price *price,
                        enum month_capacity capacity, struct cost_curve *curve)
{
    verdict_curve(&family->fit, price, curve);
    curve->interruption = family->interruptions[capacity].interruption;
}

struct k_table *month_family_table(struct month_family *family, enum month_capacity capacity)
{
    struct k_table **table = &family->tables[capacity];
    if (*table == NULL) {
        struct cost_curve curve;
        month_family_curve(family, &(struct job_price){ .per_node_hour = 1 }, capacity, &curve);
        *table = k_table_make(&family->fit, &curve, &family->limits);
    }
    return *table;
}

/* A new family at the end of the array. */
static struct month_family *add_family(struct month_families *families, const char *name)
{
    size_t size = (size_t)(families->count + 1) * sizeof *families->families;
    families->families = realloc(families->families, size);
    struct month_family *family = &families->families[families->count++];
    memset(family, 0, sizeof *family);
    family->name = strdup(name);
    family->family = strdup(name);
    family->accelerator = strdup("");
    family->series = strdup("");
    family->other_hardware = strdup("");
    return family;
}

/* "1 2 4 8" or "powers of two". */
static bool read_allowed(struct month_family *family, const char *text, struct error *error)
{
    if (strcmp(text, "powers of two") == 0) {
        family->limits.powers_of_two = true;
        return true;
    }
    const char *rest = text;
    while (rest[strspn(rest, " ,;")] != '\0') {
        char *end;
        rest += strspn(rest, " ,;");
        errno = 0;
        unsigned long k = strtoul(rest, &end, 10);
        if (end == rest || errno != 0 || k < 1 || k > NODE_LIMITS_LARGEST ||
            family->limits.allowed_count == ALLOWED_K_MAXIMUM) {
            error_set(error, ERROR_INPUT, "family %s: allowed_k \"%s\" is not a list of node counts",
                      family->name, text);
            error_hint(error, "in reference/families.csv write for example: 1 2 4 8, or: powers of two");
            return false;
        }
        family->allowed[family->limits.allowed_count++] = (unsigned)k;
        rest = end;
    }
    return true;
}

static bool read_families(PGconn *connection, const char *query, struct month_families *families,
                          struct error *error)
{
    PGresult *result = database_query_file(connection, query, 0, NULL, error);
    bool ok = result != NULL;
    for (int row = 0; ok && row < PQntuples(result); row++) {
        struct month_family *family = add_family(families, PQgetvalue(result, row, F_FAMILY));
        if (strcmp(PQgetvalue(result, row, F_UNIT), "accelerators") == 0)
            family->accelerators_per_node =
                (unsigned)strtoul(PQgetvalue(result, row, F_ACCELERATORS), NULL, 10);
        family->limits.smallest = (unsigned)strtoul(PQgetvalue(result, row, F_MINIMUM), NULL, 10);
        family->limits.largest = (unsigned)strtoul(PQgetvalue(result, row, F_MAXIMUM), NULL, 10);
        family->limits.accelerators_per_node = family->accelerators_per_node;
        family->goal_work_constant = result_flag(result, row, F_GOAL_CONSTANT);
        ok = read_allowed(family, PQgetvalue(result, row, F_ALLOWED), error);
    }
    PQclear(result);
    return ok;
}

/* "H100, bf16, batch 4096, throughput" of a series. Owned by the caller. */
static char *series_text(const PGresult *rows, int row)
{
    static const int columns[] = { ACCELERATOR, PRECISION, BATCH, MODEL, SEQUENCE_LENGTH, SOFTWARE, METRIC };
    size_t size = sizeof ", in production";
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
        size += strlen(", ") + (size_t)PQgetlength(rows, row, columns[i]);
    char *text = malloc(size), *end = text;
    *text = '\0';
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        const char *value = PQgetvalue(rows, row, columns[i]);
        if (value[0] != '\0')
            end = stpcpy(stpcpy(end, end > text ? ", " : ""), value);
    }
    if (PQgetvalue(rows, row, ORIGIN)[0] != '\0')
        stpcpy(end, ", in production");
    return text;
}

/* Strong scaling with at least two sizes: one size shows nothing about scaling. */
static bool shows_strong_scaling(enum scaling_mode scaling, const struct scaling_fit *fit)
{
    return scaling == SCALING_STRONG && fit->size_count > 1;
}

/* Whether a new series serves better than the family's present one. */
static bool serves_better(const struct month_family *family, enum scaling_mode scaling, bool is_production,
                          const struct scaling_fit *fit)
{
    if (!family->has_series)
        return true;
    /* two controlled sizes win over any series of production */
    if (is_production != family->is_production)
        return is_production ? family->fit.size_count < 2 : fit->size_count > 1;
    bool is_strong = shows_strong_scaling(scaling, fit);
    if (is_strong != shows_strong_scaling(family->scaling, &family->fit))
        return is_strong;
    if (fit->size_count != family->fit.size_count)
        return fit->size_count > family->fit.size_count;
    return fit->runs > family->fit.runs;
}

/* Whether E was measured against one node, although one node is not in the series. E at the
 * smallest K is then not 1 (relative to the smallest K it would be). T on one node follows from
 * such an E, since E(K) = T(1) / (K T(K)). */
static bool implies_one_node(const PGresult *rows, int from, int to)
{
    const char *smallest = PQgetvalue(rows, from, K);
    if (metric_of(PQgetvalue(rows, from, METRIC)) != SCALING_EFFICIENCY || strcmp(smallest, "1") == 0)
        return false;
    for (int row = from; row < to && strcmp(PQgetvalue(rows, row, K), smallest) == 0; row++) {
        if (strtod(PQgetvalue(rows, row, VALUE), NULL) != 1)
            return true;
    }
    return false;
}

/* The entry of a family on an accelerator; NULL: there is none. */
static struct month_family *entry_of(struct month_families *families, const char *name,
                                     const char *accelerator)
{
    for (int i = 0; i < families->count; i++) {
        struct month_family *family = &families->families[i];
        if (family->has_series && strcmp(family->family, name) == 0 &&
            strcasecmp(family->accelerator, accelerator) == 0)
            return family;
    }
    return NULL;
}

/* The same entry, made if there is none. If the declared family has no series yet, its entry is
 * used; otherwise a new entry gets the same limits. */
static struct month_family *entry_for(struct month_families *families, const char *name,
                                      const char *accelerator)
{
    struct month_family *entry = entry_of(families, name, accelerator);
    if (entry != NULL)
        return entry;
    int declared = 0;
    while (strcmp(families->families[declared].name, name) != 0)
        declared++;
    entry = &families->families[declared];
    if (entry->has_series) {
        struct month_family *other = add_family(families, name);
        entry = &families->families[declared];
        other->goal_work_constant = entry->goal_work_constant;
        other->accelerators_per_node = entry->accelerators_per_node;
        other->limits = entry->limits;
        memcpy(other->allowed, entry->allowed, sizeof other->allowed);
        entry->is_one_of_several = other->is_one_of_several = true;
        entry = other;
    }
    free(entry->accelerator);
    entry->accelerator = strdup(accelerator);
    return entry;
}

/* Fits one series, rows [from, to). Its family takes the fit if that serves better. */
static void fit_series(struct month_families *families, const PGresult *rows, int from, int to)
{
    const char *name = PQgetvalue(rows, from, FAMILY);
    enum scaling_mode scaling =
        strcmp(PQgetvalue(rows, from, SCALING), "weak") == 0 ? SCALING_WEAK : SCALING_STRONG;
    enum scaling_metric metric = metric_of(PQgetvalue(rows, from, METRIC));
    struct month_family *family = entry_for(families, name, PQgetvalue(rows, from, ACCELERATOR));
    size_t count = 0;
    struct measurement *measurements = calloc((size_t)(to - from) + 1, sizeof *measurements);
    struct scaling_fit *fit = malloc(sizeof *fit);
    if (implies_one_node(rows, from, to))
        measurements[count++] = (struct measurement){ 1, measured_hours(metric, scaling, 1, 1) };
    for (int row = from; row < to; row++) {
        unsigned k = (unsigned)strtoul(PQgetvalue(rows, row, K), NULL, 10);
        double value = strtod(PQgetvalue(rows, row, VALUE), NULL);
        measurements[count++] = (struct measurement){ k, measured_hours(metric, scaling, k, value) };
    }
    scaling_fit(measurements, count, family->accelerators_per_node, fit);
    bool is_production = PQgetvalue(rows, from, ORIGIN)[0] != '\0';
    family->other_series += family->has_series;
    if (serves_better(family, scaling, is_production, fit)) {
        free(family->series);
        free(family->measurements);
        family->series = series_text(rows, from);
        family->measurements = measurements;
        family->measurement_count = count;
        measurements = NULL;
        family->fit = *fit;
        family->has_series = true;
        family->series_row = from;
        family->scaling = scaling;
        family->metric = metric;
        family->is_production = is_production;
        family->is_unconfirmed = strcmp(PQgetvalue(rows, from, ORIGIN), "production") == 0;
    }
    free(measurements);
    free(fit);
}

static bool same_series(const PGresult *rows, int a, int b)
{
    for (int column = FAMILY; column < SERIES_COLUMNS; column++) {
        if (strcmp(PQgetvalue(rows, a, column), PQgetvalue(rows, b, column)) != 0)
            return false;
    }
    return true;
}

static bool same_value(const PGresult *rows, int a, int b, int column)
{
    return strcmp(PQgetvalue(rows, a, column), PQgetvalue(rows, b, column)) == 0;
}

static bool same_hardware(const PGresult *rows, int a, int b)
{
    return strcasecmp(PQgetvalue(rows, a, ACCELERATOR), PQgetvalue(rows, b, ACCELERATOR)) == 0 &&
           same_value(rows, a, b, PRECISION);
}

/* Whether a series of another precision than the fit's begins at this row: the first of its
 * precision at the fit's scaling. Beside a controlled fit, series of production do not count. */
static bool begins_other_hardware(const struct month_family *family, const PGresult *rows, int row)
{
    if (!same_value(rows, row, family->series_row, SCALING) || same_hardware(rows, row, family->series_row) ||
        (!family->is_production && PQgetvalue(rows, row, ORIGIN)[0] != '\0'))
        return false;
    for (int before = row - 1; before >= 0 && same_value(rows, before, row, FAMILY); before--) {
        if (same_value(rows, before, row, SCALING) && same_hardware(rows, before, row))
            return false;
    }
    return true;
}

/* Adds the hardware of a row to the text that a family's reasons end with. If the text would become
 * too long, it only says that there is more. */
static void note_other_hardware(struct month_family *family, const PGresult *rows, int row)
{
    enum { OTHER_HARDWARE_BYTES = 200 };
    static const char and_more[] = " and more";
    const char *accelerator = PQgetvalue(rows, row, ACCELERATOR),
               *precision = PQgetvalue(rows, row, PRECISION), *noted = family->other_hardware;
    bool is_named = accelerator[0] != '\0' || precision[0] != '\0';
    bool has_both = accelerator[0] != '\0' && precision[0] != '\0';
    size_t size = strlen(noted) + strlen(accelerator) + strlen(precision) + 128;
    char *text = malloc(size);
    snprintf(text, size, "%s%s%s%s%s%s", noted,
             noted[0] != '\0' ? " and " : "; other hardware was measured as well and is not in this fit: ",
             accelerator, has_both ? ", " : "", precision, is_named ? "" : "without a name");
    if (strlen(text) > OTHER_HARDWARE_BYTES && strstr(noted, and_more) == NULL)
        snprintf(text, size, "%s%s",
                 noted[0] != '\0' ? noted : "; other hardware was measured as well and is not in this fit",
                 noted[0] != '\0' ? and_more : "");
    else if (strlen(text) > OTHER_HARDWARE_BYTES)
        snprintf(text, size, "%s", noted);
    free(family->other_hardware);
    family->other_hardware = text;
    family->fit.confidence = SCALING_CONFIDENCE_LOW;
}

static void note_all_other_hardware(struct month_families *families, const PGresult *rows)
{
    for (int row = 0; row < PQntuples(rows); row++) {
        struct month_family *family =
            entry_of(families, PQgetvalue(rows, row, FAMILY), PQgetvalue(rows, row, ACCELERATOR));
        if (family != NULL && begins_other_hardware(family, rows, row))
            note_other_hardware(family, rows, row);
    }
}

/* A fit from production alone has low confidence until a controlled run agrees. */
static void note_unconfirmed(struct month_families *families)
{
    static const char note[] = "; measured in production, and no controlled run agrees yet";
    for (int i = 0; i < families->count; i++) {
        struct month_family *family = &families->families[i];
        if (!family->is_unconfirmed)
            continue;
        char *text = malloc(sizeof note + strlen(family->other_hardware));
        stpcpy(stpcpy(text, note), family->other_hardware);
        free(family->other_hardware);
        family->other_hardware = text;
        family->fit.confidence = SCALING_CONFIDENCE_LOW;
    }
}

/* Adds families that were measured but not declared. They have no limits. */
static void add_undeclared(struct month_families *families, const PGresult *rows)
{
    int declared = families->count;
    for (int row = 0; row < PQntuples(rows); row++) {
        const char *name = PQgetvalue(rows, row, FAMILY);
        if (row > 0 && strcmp(name, PQgetvalue(rows, row - 1, FAMILY)) == 0)
            continue;
        struct month_families known = { .count = declared, .families = families->families };
        if (month_family_find(&known, name) == NULL)
            add_family(families, name);
    }
    if (families->count > 0)
        qsort(families->families, (size_t)families->count, sizeof *families->families, compare_names);
}

/* ---- the fit for a job ---- */

/* The next word of *text (letters and digits). Returns its length, 0 at the end. */
static size_t next_word(const char **text)
{
    while (**text != '\0' && !isalnum((unsigned char)**text))
        (*text)++;
    size_t length = 0;
    while (isalnum((unsigned char)(*text)[length]))
        length++;
    return length;
}

static bool has_word(const char *text, const char *word, size_t length)
{
    for (size_t found; (found = next_word(&text)) > 0; text += found)
        if (found == length && strncasecmp(text, word, length) == 0)
            return true;
    return false;
}

static bool has_all_words(const char *longer, const char *shorter)
{
    for (size_t length; (length = next_word(&shorter)) > 0; shorter += length)
        if (!has_word(longer, shorter, length))
            return false;
    return true;
}

/* Whether a job ran on that accelerator alone. Several accelerators are joined by " and "
 * (sql/results). */
static bool ran_on(const char *accelerators, const char *accelerator)
{
    static const char joint[] = " and ";
    char *left = strdup(accelerators);
    bool all = true;
    for (char *part = left, *next; part != NULL && all; part = next) {
        next = strstr(part, joint);
        if (next != NULL) {
            *next = '\0';
            next += strlen(joint);
        }
        all = has_all_words(part, accelerator) || has_all_words(accelerator, part);
    }
    free(left);
    return all;
}

/* The entry that serves better; NULL: none yet. */
static struct month_family *better_of(struct month_family *best, struct month_family *entry)
{
    return best == NULL || serves_better(best, entry->scaling, entry->is_production, &entry->fit) ? entry
                                                                                                  : best;
}

struct month_family *month_family_of_jobs(struct month_families *families, const char *family,
                                          const char *accelerator, enum month_hardware *hardware)
{
    struct month_family *first = month_family_find(families, family), *same = NULL, *unnamed = NULL;
    *hardware = HARDWARE_AS_MEASURED;
    if (first == NULL || !first->has_series)
        return first;
    if (accelerator[0] == '\0') {
        *hardware = HARDWARE_UNKNOWN;
        return first;
    }
    for (int i = 0; i < (first->is_one_of_several ? families->count : 1); i++) {
        struct month_family *entry = first->is_one_of_several ? &families->families[i] : first;
        if (strcmp(entry->family, family) != 0)
            continue;
        if (entry->accelerator[0] == '\0')
            unnamed = entry;
        else if (ran_on(accelerator, entry->accelerator))
            same = better_of(same, entry);
    }
    if (same != NULL)
        return same;
    *hardware = unnamed != NULL ? HARDWARE_UNKNOWN : HARDWARE_OTHER;
    return unnamed;
}

char *month_family_hardware(const struct month_families *families, const char *family)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    for (int i = 0, count = 0; i < families->count; i++)
        if (families->families[i].has_series && strcmp(families->families[i].family, family) == 0)
            fprintf(out, "%s%s", count++ > 0 ? " and " : "", families->families[i].accelerator);
    fclose(out);
    return text;
}

/* "FAMILY on ACCELERATOR", with asterisks until no other family has the name. The caller frees
 * it. */
static char *name_on(const struct month_families *families, const struct month_family *entry)
{
    bool is_named = entry->accelerator[0] != '\0';
    size_t size = strlen(entry->family) + strlen(entry->accelerator) + 32 + (size_t)families->count;
    char *name = malloc(size);
    snprintf(name, size, "%s on %s", entry->family, is_named ? entry->accelerator : "unnamed hardware");
    for (int i = 0; i < families->count; i++)
        if (strcmp(families->families[i].name, name) == 0) {
            memcpy(name + strlen(name), "*", sizeof "*");
            i = -1; /* from the first again */
        }
    return name;
}

/* The entry that serves a family best keeps the family's name. The others add their accelerator. */
static void name_entries(struct month_families *families)
{
    for (int i = 0; i < families->count; i++) {
        struct month_family *entry = &families->families[i], *best = NULL;
        for (int j = 0; j < families->count && entry->is_one_of_several; j++)
            if (strcmp(families->families[j].family, entry->family) == 0)
                best = better_of(best, &families->families[j]);
        if (best == NULL || best == entry)
            continue;
        char *name = name_on(families, entry);
        free(entry->name);
        entry->name = name;
    }
    if (families->count > 0)
        qsort(families->families, (size_t)families->count, sizeof *families->families, compare_names);
}

static bool read_rules(PGconn *connection, const char *query, struct verdict_rules *rules,
                       struct error *error)
{
    PGresult *result = database_query_file(connection, query, 0, NULL, error);
    *rules = VERDICT_RULES;
    if (result != NULL)
        rules->near_share = strtod(PQgetvalue(result, 0, 0), NULL);
    PQclear(result);
    return result != NULL;
}

/* The queries that read families and measurements. */
struct queries {
    const char *rules, *families, *measurements;
};

static bool fit(PGconn *connection, const struct queries *queries, struct month_families *families,
                struct error *error)
{
    if (!read_rules(connection, queries->rules, &families->rules, error) ||
        !read_families(connection, queries->families, families, error))
        return false;
    PGresult *rows = database_query_file(connection, queries->measurements, 0, NULL, error);
    if (rows == NULL)
        return false;
    add_undeclared(families, rows);
    for (int from = 0, to; from < PQntuples(rows); from = to) {
        for (to = from + 1; to < PQntuples(rows) && same_series(rows, from, to);)
            to++;
        fit_series(families, rows, from, to);
    }
    note_all_other_hardware(families, rows);
    note_unconfirmed(families);
    name_entries(families);
    for (int i = 0; i < families->count; i++) {
        struct month_family *family = &families->families[i];
        family->judged =
            family->has_series && (family->goal_work_constant || family->scaling == SCALING_STRONG);
        if (family->limits.allowed_count > 0)
            family->limits.allowed = family->allowed; /* the array does not move any more */
    }
    PQclear(rows);
    return true;
}

bool month_families_fit(PGconn *connection, struct month_families *families, struct error *error)
{
    static const struct queries of_month = { "model/rules.sql", "model/families.sql",
                                             "model/measurements.sql" };
    return month_production(connection, error) && fit(connection, &of_month, families, error);
}

bool month_families_fit_seen(PGconn *connection, struct month_families *families, struct error *error)
{
    static const struct queries of_reader = { "model/rules_seen.sql", "model/families_seen.sql",
                                              "model/measurements_seen.sql" };
    return fit(connection, &of_reader, families, error);
}
