/* ingest/throughput_log.c: see throughput_log.h. */
#define _GNU_SOURCE /* memmem */
#include "ingest/throughput_log.h"

#include "ingest/line_reader.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES = 64 << 10, FEWEST_LINES = 4, NUMBER_BYTES = 64 };

struct name {
    const char *text;
    double unit; /* of its values */
};

static const struct name throughputs[] = { { "tokens_per_second", 1 },
                                           { "tokens_per_sec", 1 },
                                           { "tokens/s", 1 },
                                           { "samples_per_second", 1 },
                                           { "samples_per_sec", 1 },
                                           { "samples/s", 1 },
                                           { "images_per_second", 1 },
                                           { "images/s", 1 },
                                           { "iterations_per_second", 1 },
                                           { "it/s", 1 },
                                           { "throughput", 1 },
                                           { NULL, 0 } };
static const struct name step_times[] = { { "step_time", 1 },
                                          { "iteration_time", 1 },
                                          { "time_per_step", 1 },
                                          { "step_time_ms", 0.001 },
                                          { "iteration_time_ms", 0.001 },
                                          { "time_per_step_ms", 0.001 },
                                          { NULL, 0 } };

struct values {
    double *values;
    size_t count, capacity;
    const struct name *name; /* that the file uses */
};

static bool is_word(char byte)
{
    return isalnum((unsigned char)byte) || byte == '_' || byte == '/';
}

/* The number behind a name that stands as a word of its own at `at` of the line, with = or : between. */
static bool number_behind(const struct line *line, size_t at, double *value)
{
    char text[NUMBER_BYTES];
    size_t end = line->length, length = 0;
    while (at < end && (line->text[at] == '"' || line->text[at] == '\'' || line->text[at] == ' '))
        at++;
    if (at == end || (line->text[at] != '=' && line->text[at] != ':'))
        return false;
    for (at++; at < end && (line->text[at] == ' ' || line->text[at] == '"' || line->text[at] == '\'');)
        at++;
    while (at < end && length + 1 < sizeof text &&
           (isalnum((unsigned char)line->text[at]) || strchr("+-.", line->text[at])))
        text[length++] = line->text[at++];
    text[length] = '\0';
    char *rest;
    *value = strtod(text, &rest);
    return rest != text && isfinite(*value);
}

/* The first known name of the line with a number; NULL where there is none. */
static const struct name *find_name(const struct line *line, const struct name *names, double *value)
{
    for (const struct name *name = names; name->text != NULL; name++) {
        size_t length = strlen(name->text);
        const char *from = line->text, *end = line->text + line->length;
        const char *found;
        while ((found = memmem(from, (size_t)(end - from), name->text, length)) != NULL) {
            size_t at = (size_t)(found - line->text);
            bool alone = (at == 0 || !is_word(line->text[at - 1])) &&
                         (at + length == line->length || !is_word(line->text[at + length]));
            if (alone && number_behind(line, at + length, value))
                return name;
            from = found + 1;
        }
    }
    return NULL;
}

static bool add(struct values *values, double value, struct error *error)
{
    if (values->count == values->capacity) {
        size_t capacity = values->capacity > 0 ? 2 * values->capacity : 1024;
        double *grown = realloc(values->values, capacity * sizeof *grown);
        if (grown == NULL)
            return error_set(error, ERROR_FAILED, "out of memory");
        values->values = grown;
        values->capacity = capacity;
    }
    values->values[values->count++] = value;
    return true;
}

static bool take_line(struct values *values, const struct line *line, const struct name *names,
                      const char *path, struct error *error)
{
    double value;
    const struct name *name = find_name(line, names, &value);
    if (name == NULL)
        return true;
    if (values->name != NULL && values->name != name)
        return error_set(error, ERROR_INPUT,
                         "%s, line %" PRId64 ": %s, where lines before have %s: are the units the same?",
                         path, line->number, name->text, values->name->text);
    if (!(value > 0))
        return error_set(error, ERROR_INPUT, "%s, line %" PRId64 ": %s is %g, not above 0", path,
                         line->number, name->text, value);
    values->name = name;
    return add(values, value * name->unit, error);
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* After the first quarter. */
static double steady_median(struct values *values)
{
    size_t from = values->count / 4, count = values->count - from;
    double *steady = values->values + from;
    qsort(steady, count, sizeof *steady, ascending);
    return count % 2 == 1 ? steady[count / 2] : (steady[count / 2 - 1] + steady[count / 2]) / 2;
}

bool throughput_log_read(const char *path, enum throughput_kind kind, double *value, struct error *error)
{
    struct values values = { 0 };
    struct line line;
    bool found = false, ok;
    struct line_reader *lines = line_reader_open(path, LINE_BYTES, error);
    if (lines == NULL)
        return false;
    while ((ok = line_reader_peek(lines, &line, &found, error)) && found) {
        if (!take_line(&values, &line, kind == LOGGED_STEP_TIME ? step_times : throughputs, path, error)) {
            ok = false;
            break;
        }
        line_reader_take(lines);
    }
    line_reader_close(lines);
    if (ok && values.count < FEWEST_LINES) {
        ok = error_set(error, ERROR_INPUT, "%s: %zu lines with a %s, and a run needs %d", path, values.count,
                       kind == LOGGED_STEP_TIME ? "step time" : "throughput", FEWEST_LINES);
        error_hint(error, "docs/formats.md has the names that are known");
    }
    if (ok)
        *value = steady_median(&values);
    free(values.values);
    return ok;
}
