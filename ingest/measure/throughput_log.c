/* ingest/measure/throughput_log.c: see throughput_log.h. */
#define _GNU_SOURCE /* memmem */
#include "ingest/measure/throughput_log.h"

#include "base/utf8.h"
#include "ingest/line_reader.h"
#include "ingest/text_slice.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES = 64 << 10, FEWEST_LINES = 4, NUMBER_BYTES = 64 };

struct suffix {
    const char *text;
    double factor;
};

static const struct suffix thousands[] = { { "", 1 },    { "k", 1e3 }, { "K", 1e3 },
                                           { "M", 1e6 }, { "G", 1e9 }, { NULL, 0 } };
static const struct suffix seconds[] = { { "", 1 }, { "s", 1 }, { NULL, 0 } };
static const struct suffix milliseconds[] = { { "", 0.001 }, { "ms", 0.001 }, { NULL, 0 } };

struct name {
    const char *text;
    const struct suffix *suffixes; /* allowed suffixes of its numbers, with their factors */
};

static const struct name throughputs[] = { { "tokens_per_second", thousands },
                                           { "tokens_per_sec", thousands },
                                           { "tokens/s", thousands },
                                           { "samples_per_second", thousands },
                                           { "samples_per_sec", thousands },
                                           { "samples/s", thousands },
                                           { "images_per_second", thousands },
                                           { "images/s", thousands },
                                           { "iterations_per_second", thousands },
                                           { "it/s", thousands },
                                           { "throughput", thousands },
                                           { NULL, NULL } };
static const struct name step_times[] = { { "step_time", seconds },
                                          { "iteration_time", seconds },
                                          { "time_per_step", seconds },
                                          { "step_time_ms", milliseconds },
                                          { "iteration_time_ms", milliseconds },
                                          { "time_per_step_ms", milliseconds },
                                          { NULL, NULL } };

struct values {
    double *values;
    size_t count, capacity;
    const struct name *name; /* the name that the file uses */
};

static bool is_word(char byte)
{
    return isalnum((unsigned char)byte) || byte == '_' || byte == '/';
}

static bool is_digit_at(const struct line *line, size_t at)
{
    return at < line->length && isdigit((unsigned char)line->text[at]);
}

/* The end of a unit one space after a number: in "512 ms" the unit belongs to the number as in
 * "512ms". Without a unit, the end of the number. */
static size_t unit_end(const struct line *line, size_t end)
{
    static const char *const units[] = { "k", "K", "M", "G", "T", "s", "ms", "us", "min", "milliseconds" };
    for (size_t i = 0; end < line->length && line->text[end] == ' ' && i < sizeof units / sizeof units[0];
         i++) {
        size_t begin = end + 1, after = begin + strlen(units[i]);
        if (after <= line->length && memcmp(line->text + begin, units[i], after - begin) == 0 &&
            (after == line->length ||
             (!is_word(line->text[after]) && strchr("=:", line->text[after]) == NULL)))
            return after;
    }
    return end;
}

/* Finds a value after = or : at `at`. */
static bool find_value(const struct line *line, size_t at, struct text_slice *value)
{
    size_t end = line->length;
    while (at < end && (line->text[at] == '"' || line->text[at] == '\'' || line->text[at] == ' '))
        at++;
    if (at == end || (line->text[at] != '=' && line->text[at] != ':'))
        return false;
    for (at++; at < end && (line->text[at] == ' ' || line->text[at] == '"' || line->text[at] == '\'');)
        at++;
    size_t digit = at;
    while (digit < end && (line->text[digit] == '+' || line->text[digit] == '-' || line->text[digit] == '.'))
        digit++;
    if (!is_digit_at(line, digit))
        return false;
    *value =
        (struct text_slice){ line->text + at, unit_end(line, logged_value_end(line->text, end, at)) - at };
    return true;
}

/* Copies a value without commas between thousands: one to three digits, then groups of three. Other
 * commas are copied. False if the value is too long. */
static bool copy_without_groups(struct text_slice value, char *text)
{
    if (value.length >= NUMBER_BYTES)
        return false;
    memcpy(text, value.text, value.length);
    text[value.length] = '\0';
    char *from = text + strspn(text, "+-");
    size_t lead = strspn(from, "0123456789");
    if (lead < 1 || lead > 3 || from[0] == '0') /* 0,512 has a decimal comma */
        return true;
    from += lead;
    bool in_groups = true;
    for (char *to = from;; from++) {
        bool is_group = *from == ',' && strspn(from + 1, "0123456789") == 3;
        in_groups = in_groups && (is_group || isdigit((unsigned char)*from));
        if (!in_groups || !is_group)
            *to++ = *from;
        if (*from == '\0')
            return true;
    }
}

/* Reads a value, which must be a number to its end, except for a suffix that the name allows. */
static bool read_value(struct text_slice value, const struct suffix *suffixes, double *number)
{
    char text[NUMBER_BYTES], *rest;
    if (!copy_without_groups(value, text))
        return false;
    *number = strtod(text, &rest);
    if (rest == text || strspn(text, "0123456789.eE+-") < (size_t)(rest - text) || !isfinite(*number))
        return false;
    rest += *rest == ' ';
    for (const struct suffix *suffix = suffixes; suffix->text != NULL; suffix++)
        if (strcmp(rest, suffix->text) == 0) {
            *number *= suffix->factor;
            return true;
        }
    return false;
}

/* The first known name with a value in the line; NULL: none. */
static const struct name *find_name(const struct line *line, const struct name *names,
                                    struct text_slice *value)
{
    for (const struct name *name = names; name->text != NULL; name++) {
        size_t length = strlen(name->text);
        const char *from = line->text, *end = line->text + line->length;
        const char *found;
        while ((found = memmem(from, (size_t)(end - from), name->text, length)) != NULL) {
            size_t at = (size_t)(found - line->text);
            bool alone = (at == 0 || !is_word(line->text[at - 1])) &&
                         (at + length == line->length || !is_word(line->text[at + length]));
            if (alone && find_value(line, at + length, value))
                return name;
            from = found + 1;
        }
    }
    return NULL;
}

static void add(struct values *values, double value)
{
    if (values->count == values->capacity) {
        values->capacity = values->capacity > 0 ? 2 * values->capacity : 1024;
        values->values = realloc(values->values, values->capacity * sizeof *values->values);
    }
    values->values[values->count++] = value;
}

/* Reads the head of the log, the lines before the first speed. */
static void take_head(const struct values *values, const struct line *line,
                      struct throughput_samples *samples)
{
    if (samples != NULL && values->count == 0)
        logged_identity_take(&samples->identity, line->text, line->length);
}

static bool take_line(struct values *values, const struct line *line, const struct name *names,
                      const char *path, struct error *error)
{
    struct text_slice value;
    double number;
    const struct name *name = find_name(line, names, &value);
    if (name == NULL)
        return true;
    if (values->name != NULL && values->name != name)
        return error_set(error, ERROR_INPUT,
                         "%s, line %" PRId64 ": %s, where lines before have %s: are the units the same?",
                         path, line->number, name->text, values->name->text);
    if (!read_value(value, name->suffixes, &number)) {
        char excerpt[96];
        utf8_excerpt(value.text, value.length, excerpt, sizeof excerpt);
        return error_set(error, ERROR_INPUT, "%s, line %" PRId64 ": %s is \"%s\", which is not a number",
                         path, line->number, name->text, excerpt);
    }
    if (!(number > 0))
        return error_set(error, ERROR_INPUT, "%s, line %" PRId64 ": %s is %g, not above 0", path,
                         line->number, name->text, number);
    values->name = name;
    add(values, number);
    return true;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts the values. */
static double median(double *values, size_t count)
{
    qsort(values, count, sizeof *values, ascending);
    return count % 2 == 1 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

/* Takes the median of each part. Sorting within a part does not change the order of parts. */
static void take_samples(const struct values *values, struct throughput_samples *samples)
{
    size_t parts = values->count < THROUGHPUT_SAMPLES ? values->count : THROUGHPUT_SAMPLES;
    double *copy = malloc(values->count * sizeof *copy);
    memcpy(copy, values->values, values->count * sizeof *copy);
    for (size_t i = 0; i < parts; i++) {
        size_t from = i * values->count / parts, to = (i + 1) * values->count / parts;
        samples->values[i] = median(copy + from, to - from);
    }
    samples->count = (int)parts;
    free(copy);
}

bool throughput_log_read(const char *path, enum throughput_kind kind, double *value,
                         struct throughput_samples *samples, struct error *error)
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
        take_head(&values, &line, samples);
        line_reader_take(lines);
    }
    line_reader_close(lines);
    if (ok && values.count < FEWEST_LINES) {
        ok = error_set(error, ERROR_INPUT, "%s: %zu lines with a %s, and a run needs %d", path, values.count,
                       kind == LOGGED_STEP_TIME ? "step time" : "throughput", FEWEST_LINES);
        error_hint(error, "docs/formats.md has the names that are known");
    }
    if (ok && samples != NULL)
        take_samples(&values, samples);
    if (ok) /* the first quarter is warm-up */
        *value = median(values.values + values.count / 4, values.count - values.count / 4);
    free(values.values);
    return ok;
}
