/* ingest/measure/throughput_log.h: reads the speed that training scripts log, line by line.
 *
 * A line counts if it has a known name, then = or :, then a number, quoted or not. So key=value
 * text and JSON lines are read alike: {"step": 40, "tokens_per_second": 81234.5} and step=40
 * tokens_per_second=81234.5.
 *
 *   throughput   tokens_per_second, tokens/s, tokens_per_sec, samples_per_second, samples/s,
 *                samples_per_sec, images_per_second, images/s, iterations_per_second, it/s,
 *                throughput
 *   step_time    step_time, iteration_time, time_per_step (seconds), and the same with _ms
 *                (milliseconds)
 *
 * A number may have commas between its thousands. It ends with the line, white space, a control
 * character, a quote, or one of , ; | ) ] } that no digit follows; before that a throughput may
 * have k or K, M or G (thousands, millions, billions), and a time the unit of its name, s or ms.
 * After anything else the log is refused: a number that is read in part is another number.
 *
 * The value of a run is the median of its lines after the first quarter, which is warm-up. Fewer
 * than four lines are no measurement. The samples of a job at work are at most sixteen medians of
 * consecutive equal parts, including warm-up (model/scaling/production_series.h judges it).
 */
#ifndef KSTAR_INGEST_MEASURE_THROUGHPUT_LOG_H
#define KSTAR_INGEST_MEASURE_THROUGHPUT_LOG_H

#include "base/error.h"
#include "ingest/measure/logged_identity.h"

#include <stdbool.h>

enum throughput_kind { LOGGED_THROUGHPUT, LOGGED_STEP_TIME };

enum { THROUGHPUT_SAMPLES = 16 };

struct throughput_samples {
    double values[THROUGHPUT_SAMPLES]; /* in the order of the log */
    int count;
    struct logged_identity identity;
};

/* Reads one log, plain or gzip. *value: work per second, or seconds. `samples` begins as { 0 }, or
 * is NULL. False with ERROR_INPUT if fewer than four lines count, if a value is no number to its
 * end or not above 0, or if the file changes the name, and so perhaps the unit. */
bool throughput_log_read(const char *path, enum throughput_kind kind, double *value,
                         struct throughput_samples *samples, struct error *error);

#endif
