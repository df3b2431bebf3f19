/* ingest/measure/torch_trace.c: see torch_trace.h.
 *
 * Three passes. The first finds the steps, and whether times are fractions. The second collects the
 * correlations of kept host events (a set of bits). The third sorts the device events by start, and
 * one sweep merges four kinds of intervals.
 */
#include "ingest/measure/torch_trace.h"

#include "base/log.h"
#include "base/system/spill_sort.h"
#include "base/text/byte_source.h"
#include "ingest/json_fields.h"
#include "ingest/json_records.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    SORTED_IN_MEMORY = 1 << 19, /* intervals: 12 MiB */
    PAGE_BITS = 1 << 19,        /* correlations per page of the set: 64 KiB */
    PAGES = 1 << 13,            /* correlations are below 2^32 */
    HEAD_BYTES = 256 << 10,     /* beginning of a file in which its rank is searched */
};

enum kind { COMPUTE, COMMUNICATION, MEMORY };

struct interval {
    int64_t start, end;
    enum kind kind;
};

struct trace {
    const char *path;
    bool include_last_step;
    bool fractions;
    char first_step_name[64];
    double last_step, last_step_end;
    int64_t steps;
    /* correlations of kept host events; a page exists if one of its bits is set */
    unsigned char *correlations[PAGES];
    struct spill_sort *intervals;
    struct trace_breakdown *breakdown;
};

/* ---- events ---- */

/* An event that counts: it has a duration and a category. */
struct event {
    const char *name, *category;
    double start, duration;
    bool on_device;
    int64_t correlation; /* −1: none */
};

/* Whether events of this category span others: the whole trace, or the kernels below an annotation.
 * ProfilerStep#N begins later on the device than on the host. */
static bool is_of_others(const char *category)
{
    return strcmp(category, "Trace") == 0 || strcasecmp(category, "gpu_user_annotation") == 0;
}

static bool read_event(const cJSON *value, struct event *event)
{
    const cJSON *start = cJSON_GetObjectItemCaseSensitive(value, "ts");
    const cJSON *duration = cJSON_GetObjectItemCaseSensitive(value, "dur");
    const cJSON *arguments = cJSON_GetObjectItemCaseSensitive(value, "args");
    int64_t stream;
    event->name = json_text(value, "name");
    event->category = json_text(value, "cat");
    if (!cJSON_IsNumber(start) || !cJSON_IsNumber(duration) || event->category == NULL ||
        is_of_others(event->category))
        return false;
    event->start = start->valuedouble;
    event->duration = duration->valuedouble;
    /* A host that waits for the device has stream −1. A host that launches a compiled kernel has
     * the stream of the kernel. */
    event->on_device = json_integer(cJSON_GetObjectItemCaseSensitive(arguments, "stream"), &stream) &&
                       stream >= 0 && strcmp(event->category, "cpu_op") != 0;
    if (!json_integer(cJSON_GetObjectItemCaseSensitive(arguments, "correlation"), &event->correlation))
        event->correlation = -1;
    return event->duration >= 0;
}

typedef bool event_visitor(struct trace *trace, const struct event *event, struct error *error);

static bool each_event(struct trace *trace, event_visitor *visit, struct error *error)
{
    static const char *const members[] = { "traceEvents", NULL };
    struct json_record record;
    enum json_outcome outcome;
    struct event event;
    bool ok = true;
    struct json_records *records = json_records_open(trace->path, members, error);
    if (records == NULL)
        return false;
    while (ok && ((outcome = json_records_next(records, &record, error)) == JSON_RECORD ||
                  outcome == JSON_BROKEN)) {
        if (outcome == JSON_BROKEN)
            ok = error_set(error, ERROR_INPUT, "%s, line %" PRId64 ": an event %s", trace->path, record.line,
                           record.reason);
        else if (read_event(record.value, &event))
            ok = visit(trace, &event, error);
    }
    json_records_close(records);
    return ok && outcome == JSON_END;
}

/* ---- first pass: steps ---- */

static bool find_step(struct trace *trace, const struct event *event, struct error *error)
{
    (void)error;
    trace->fractions = trace->fractions || event->start != floor(event->start);
    if (event->name == NULL || strncmp(event->name, "ProfilerStep#", 13) != 0)
        return true;
    if (trace->steps == 0) {
        trace->steps = 1;
        snprintf(trace->first_step_name, sizeof trace->first_step_name, "%s", event->name);
    } else if (trace->steps == 1 && strcmp(event->name, trace->first_step_name) != 0) {
        trace->steps = 2; /* two stands for any number above 1 */
    }
    if (event->start >= trace->last_step) {
        trace->last_step = event->start;
        trace->last_step_end = event->start + event->duration;
    }
    return true;
}

/* ---- second pass: kept host events ---- */

static bool is_kept(const struct trace *trace, int64_t correlation)
{
    if (correlation < 0 || correlation / PAGE_BITS >= PAGES ||
        trace->correlations[correlation / PAGE_BITS] == NULL)
        return false;
    int64_t bit = correlation % PAGE_BITS;
    return (trace->correlations[correlation / PAGE_BITS][bit / 8] >> (bit % 8) & 1) != 0;
}

static bool keep_correlation(struct trace *trace, const struct event *event, struct error *error)
{
    int64_t correlation = event->correlation;
    bool early =
        trace->include_last_step ? event->start <= trace->last_step_end : event->start < trace->last_step;
    if (event->on_device || correlation < 0 || !early)
        return true;
    if (correlation / PAGE_BITS >= PAGES)
        return error_set(error, ERROR_INPUT, "%s: correlation %" PRId64 " is beyond 4294967295", trace->path,
                         correlation);
    unsigned char **page = &trace->correlations[correlation / PAGE_BITS];
    if (*page == NULL)
        *page = calloc(PAGE_BITS / 8, 1);
    int64_t bit = correlation % PAGE_BITS;
    (*page)[bit / 8] = (unsigned char)((*page)[bit / 8] | 1 << (bit % 8));
    return true;
}

/* ---- third pass: device events ---- */

static enum kind kind_of(const char *name)
{
    static const char *const communication[] = { "nccl", "hccl", "hip" };
    static const char *const memory[] = { "Memcpy", "Memset", "dma" };
    for (size_t i = 0; name != NULL && i < sizeof communication / sizeof communication[0]; i++)
        if (strncmp(name, communication[i], strlen(communication[i])) == 0)
            return COMMUNICATION;
    if (name != NULL && strstr(name, "ncclKernel") != NULL)
        return COMMUNICATION;
    for (size_t i = 0; name != NULL && i < sizeof memory / sizeof memory[0]; i++)
        if (strstr(name, memory[i]) != NULL)
            return MEMORY;
    return COMPUTE;
}

static bool take_interval(struct trace *trace, const struct event *event, struct error *error)
{
    double start = event->start, end = event->start + event->duration;
    if (!event->on_device || (trace->steps > 1 && !is_kept(trace, event->correlation)))
        return true;
    if (trace->fractions) {
        start = ceil(start);
        end = fmax(start, floor(end));
    }
    if (!(start >= 0 && end < 9e15))
        return error_set(error, ERROR_INPUT, "%s: an event at %g us is out of range", trace->path,
                         event->start);
    struct interval interval = { .start = (int64_t)start, .end = (int64_t)end, .kind = kind_of(event->name) };
    trace->breakdown->device_events++;
    return spill_sort_put(trace->intervals, &interval, error);
}

static int by_start(const void *a, const void *b)
{
    const struct interval *left = a, *right = b;
    return (left->start > right->start) - (left->start < right->start);
}

/* Merges intervals sorted by start, and adds up their length. */
struct merger {
    bool any;
    int64_t until; /* the end of the merged intervals */
    int64_t length;
};

static void merge(struct merger *merger, const struct interval *interval)
{
    int64_t from = merger->any && merger->until > interval->start ? merger->until : interval->start;
    if (interval->end > from)
        merger->length += interval->end - from;
    if (!merger->any || interval->end > merger->until)
        merger->until = interval->end;
    merger->any = true;
}

static bool sweep(struct trace *trace, struct error *error)
{
    struct merger all = { 0 }, compute = { 0 }, communication = { 0 }, either = { 0 };
    struct trace_breakdown *breakdown = trace->breakdown;
    struct interval interval;
    int64_t first = -1;
    bool found, ok;
    while ((ok = spill_sort_next(trace->intervals, &interval, &found, error)) && found) {
        first = first < 0 ? interval.start : first;
        merge(&all, &interval);
        if (interval.kind != MEMORY)
            merge(&either, &interval);
        if (interval.kind != MEMORY)
            merge(interval.kind == COMPUTE ? &compute : &communication, &interval);
    }
    breakdown->kernel_time = all.any ? all.until - first : 0;
    breakdown->idle = breakdown->kernel_time - all.length;
    breakdown->compute = compute.length;
    breakdown->non_compute = all.length - compute.length;
    breakdown->communication = communication.length;
    breakdown->overlap = compute.length + communication.length - either.length;
    return ok;
}

/* ---- rank ---- */

/* Reads the rank from the object "distributedInfo", if it is in the beginning of the file. */
static bool read_rank(struct trace *trace, struct error *error)
{
    static const char member[] = "\"distributedInfo\"";
    char *head = calloc(1, HEAD_BYTES + 1);
    size_t length = 0, got = 0;
    struct byte_source *source = byte_source_open(trace->path, 0, 0, error);
    bool ok = source != NULL;
    do {
        ok = ok && byte_source_read(source, head + length, HEAD_BYTES - length, &got, error);
        length += ok ? got : 0;
    } while (ok && got > 0 && length < HEAD_BYTES);
    byte_source_close(source);
    const char *found = ok ? strstr(head, member) : NULL;
    const char *brace = found != NULL ? strchr(found + strlen(member), '{') : NULL;
    cJSON *information = brace != NULL ? cJSON_ParseWithOpts(brace, NULL, false) : NULL;
    if (!json_integer(json_path(information, "rank"), &trace->breakdown->rank))
        trace->breakdown->rank = -1;
    if (!json_integer(json_path(information, "world_size"), &trace->breakdown->world_size))
        trace->breakdown->world_size = -1;
    cJSON_Delete(information);
    free(head);
    return ok;
}

/* ---- interface ---- */

bool torch_trace_read(const char *path, bool include_last_step, struct trace_breakdown *breakdown,
                      struct error *error)
{
    struct trace *trace = calloc(1, sizeof *trace);
    *breakdown = (struct trace_breakdown){ .rank = -1, .world_size = -1 };
    trace->path = path;
    trace->include_last_step = include_last_step;
    trace->breakdown = breakdown;
    trace->intervals = spill_sort_open(sizeof(struct interval), SORTED_IN_MEMORY, by_start);
    bool ok = read_rank(trace, error) && each_event(trace, find_step, error) &&
              (trace->steps < 2 || each_event(trace, keep_correlation, error)) &&
              each_event(trace, take_interval, error) && sweep(trace, error);
    if (ok && breakdown->device_events == 0) {
        ok = error_set(error, ERROR_INPUT, "%s: holds no event on a device", path);
        error_hint(error, "a trace of torch.profiler with ProfilerActivity.CUDA has kernels with a stream");
    }
    for (int page = 0; page < PAGES; page++)
        free(trace->correlations[page]);
    spill_sort_close(trace->intervals);
    free(trace);
    return ok;
}

bool trace_check_ranks(const struct trace_breakdown *ranks, int count, char *const *paths,
                       struct error *error)
{
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++)
            if (ranks[i].rank >= 0 && ranks[i].rank == ranks[j].rank)
                return error_set(error, ERROR_INPUT, "%s and %s are both of rank %" PRId64, paths[j],
                                 paths[i], ranks[i].rank);
    if (count > 0 && ranks[0].world_size > count)
        log_event(LOG_WARNING, "trace",
                  "file=\"%s\" ranks=%d of=%" PRId64
                  " note=\"a slower one among the others would lower the share\"",
                  paths[0], count, ranks[0].world_size);
    return true;
}

int64_t trace_exposed_communication(const struct trace_breakdown *breakdown)
{
    return breakdown->communication - breakdown->overlap;
}

double trace_compute_share(const struct trace_breakdown *ranks, int count)
{
    double compute = 0, longest = 0;
    for (int i = 0; i < count; i++) {
        compute += (double)ranks[i].compute / count;
        longest = fmax(longest,
                       (double)(ranks[i].compute + trace_exposed_communication(&ranks[i]) + ranks[i].idle));
    }
    return longest > 0 ? compute / longest : NAN;
}

struct trace_shares trace_shares(const struct trace_breakdown *ranks, int count)
{
    double exposed = 0, idle = 0, other = 0, whole = 0;
    for (int i = 0; i < count; i++) {
        exposed += (double)trace_exposed_communication(&ranks[i]);
        other += (double)(ranks[i].non_compute - trace_exposed_communication(&ranks[i]));
        idle += (double)ranks[i].idle;
        whole += (double)ranks[i].kernel_time;
    }
    return whole > 0 ? (struct trace_shares){ exposed / whole, idle / whole, other / whole }
                     : (struct trace_shares){ 0 };
}
