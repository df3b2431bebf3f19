/* ingest/measure/torch_trace.h: breaks down the time of a profiled training step, from PyTorch
 * profiler traces (Kineto, Chrome trace JSON).
 *
 * Files are plain or gzip, of any size. They are read several times from front to back, event by
 * event, and intervals are sorted outside of memory (base/system/spill_sort.h). The breakdown is
 * that of HolisticTraceAnalysis:
 *
 *   - events without duration or category do not count, nor do those of category "Trace" or
 *     "gpu_user_annotation", which span others. If any time is a fraction, starts are rounded up
 *     and ends down to whole microseconds;
 *   - of two or more steps (ProfilerStep#N) the last is incomplete. Events on the host count if
 *     they start before it (with `include_last_step`: no later than its end), and events on the
 *     device if such an event launched them (the same correlation);
 *   - by name: communication begins with nccl, hccl or hip, or contains ncclKernel; memory contains
 *     Memcpy, Memset or dma; the rest computes;
 *   - intervals of a kind are merged where they overlap.
 *
 * docs/formats.md, Profiler traces, explains what a trace shows about E(K), and what not.
 */
#ifndef KSTAR_INGEST_MEASURE_TORCH_TRACE_H
#define KSTAR_INGEST_MEASURE_TORCH_TRACE_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

/* All in microseconds. */
struct trace_breakdown {
    int64_t rank, world_size; /* of the trace; −1: not stated */
    int64_t device_events;    /* events that count */
    int64_t kernel_time;      /* from the first start to the last end on the device */
    int64_t idle;             /* kernel_time less the time of all events */
    int64_t compute;          /* merged */
    int64_t non_compute;      /* the rest of the time of events: not hidden behind compute */
    int64_t communication;    /* merged */
    int64_t overlap;          /* communication while computing */
};

/* Reads one file. ERROR_INPUT if it is no trace, is cut off, or has no event on a device. */
bool torch_trace_read(const char *path, bool include_last_step, struct trace_breakdown *breakdown,
                      struct error *error);

/* Refuses two files of one rank, and logs if the step had more ranks than these. */
bool trace_check_ranks(const struct trace_breakdown *ranks, int count, char *const *paths,
                       struct error *error);

/* Communication that is not hidden behind compute. */
int64_t trace_exposed_communication(const struct trace_breakdown *breakdown);

/* The share of the step in which ranks compute. The slowest rank sets the pace, so it is the mean
 * compute of the ranks ÷ the longest (compute + exposed communication + idle). An estimate of E(K)
 * at that K. NaN if nothing ran. */
double trace_compute_share(const struct trace_breakdown *ranks, int count);

/* The time in which no kernel computes, as shares of the kernel time of all ranks together: Σ ÷ Σ.
 * With the compute of the ranks they add up to 1. `other` is non_compute less exposed
 * communication: memory copies that are not hidden. All 0 if nothing ran. */
struct trace_shares {
    double exposed_communication, idle, other;
};
struct trace_shares trace_shares(const struct trace_breakdown *ranks, int count);

#endif
