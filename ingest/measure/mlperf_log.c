/* ingest/measure/mlperf_log.c: see mlperf_log.h. */
#define _GNU_SOURCE /* memmem */
#include "ingest/measure/mlperf_log.h"

#include "ingest/json_fields.h"
#include "ingest/json_records.h"
#include "ingest/line_reader.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES = 1 << 20 };

struct reading {
    double start, stop; /* milliseconds since 1970; 0: not yet */
    struct mlperf_run *run;
};

/* The text after ":::MLLOG" in a line; NULL: none. */
static const char *logged(const struct line *line)
{
    static const char mark[] = ":::MLLOG";
    const char *found = memmem(line->text, line->length, mark, sizeof mark - 1);
    return found != NULL ? found + sizeof mark - 1 : NULL;
}

static void take_entry(struct reading *reading, const cJSON *entry)
{
    const char *key = json_text(entry, "key");
    const cJSON *time = json_path(entry, "time_ms");
    const char *status = json_text(entry, "metadata.status");
    if (key == NULL)
        return;
    if (strcmp(key, "run_start") == 0 && cJSON_IsNumber(time)) {
        reading->start = time->valuedouble;
        reading->stop = 0;
    } else if (strcmp(key, "run_stop") == 0 && cJSON_IsNumber(time)) {
        reading->stop = time->valuedouble;
        reading->run->success = status != NULL && strcmp(status, "success") == 0;
    }
}

static bool read_lines(struct reading *reading, struct line_reader *lines, const char *path,
                       struct error *error)
{
    struct line line;
    bool found, ok;
    while ((ok = line_reader_peek(lines, &line, &found, error)) && found) {
        const char *text = logged(&line);
        if (text != NULL) {
            size_t length = line.length - (size_t)(text - line.text);
            cJSON *entry = cJSON_ParseWithLengthOpts(text, length, NULL, false);
            if (entry == NULL && line.ended) {
                error_set(error, ERROR_INPUT, "%s, line %" PRId64 ": what stands behind :::MLLOG is no JSON",
                          path, line.number);
                return false;
            }
            take_entry(reading, entry);
            cJSON_Delete(entry);
        }
        line_reader_take(lines);
    }
    return ok;
}

bool mlperf_log_read(const char *path, struct mlperf_run *run, struct error *error)
{
    struct reading reading = { .run = run };
    struct line_reader *lines = line_reader_open(path, LINE_BYTES, error);
    *run = (struct mlperf_run){ .seconds = NAN };
    bool ok = lines != NULL && read_lines(&reading, lines, path, error);
    line_reader_close(lines);
    if (ok && reading.start == 0)
        return error_set(error, ERROR_INPUT, "%s: no run_start of MLPerf (:::MLLOG) in it", path);
    if (reading.stop > reading.start)
        run->seconds = (reading.stop - reading.start) / 1000;
    else
        run->success = false;
    return ok;
}

bool mlperf_system_nodes(const char *path, int *nodes, struct error *error)
{
    static const char *const none[] = { NULL };
    struct json_record record;
    struct json_records *records = json_records_open(path, none, error);
    enum json_outcome outcome = records != NULL ? json_records_next(records, &record, error) : JSON_FAILED;
    bool ok = outcome == JSON_RECORD;
    if (ok) {
        const cJSON *value = json_path(record.value, "number_of_nodes");
        double count = cJSON_IsString(value)   ? strtod(value->valuestring, NULL)
                       : cJSON_IsNumber(value) ? value->valuedouble
                                               : 0;
        ok = count >= 1 && count < 1e6 && count == floor(count);
        *nodes = ok ? (int)count : 0;
    }
    if (!ok && outcome != JSON_FAILED)
        error_set(error, ERROR_INPUT, "%s: says no number_of_nodes", path);
    json_records_close(records);
    return ok;
}
