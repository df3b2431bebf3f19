/* ingest/jobs/slurm_fields.h: reads fields of Slurm's accounting: durations, times, states,
 * trackable resources. Facts: Slurm's src/sacct/print.c and slurm_protocol_defs.c.
 * All of it pure. */
#ifndef KSTAR_INGEST_JOBS_SLURM_FIELDS_H
#define KSTAR_INGEST_JOBS_SLURM_FIELDS_H

#include "ingest/jobs/job_format.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* [[D-]HH:]MM:SS[.fraction] in whole seconds (the fraction is dropped), also D-HH:MM and D-HH, as
 * in Timelimit. False for anything else, also "UNLIMITED" and the empty text. */
bool slurm_duration(const char *text, size_t length, int64_t *seconds);

enum slurm_time { SLURM_TIME_KNOWN, SLURM_TIME_UNKNOWN, SLURM_TIME_BAD };

/* A time as sacct writes it: a clock time without offset (*has_offset is false, and *time is the
 * clock time read as UTC), a time with an offset, or seconds since 1970 (SLURM_TIME_FORMAT=%s).
 * Empty, "Unknown", "None", "None assigned", "N/A" and "0" are SLURM_TIME_UNKNOWN. */
enum slurm_time slurm_time(const char *text, size_t length, time_us *time, bool *has_offset);

/* A time of a record, and its text. */
struct slurm_time_field {
    struct text_slice text;
    struct job_time *time;
};

/* Reads the times of a record with slurm_time(). Either all have an offset (or are seconds), or
 * none has: they are clock times of one zone. *has_offset says which. Returns `count`, or the index
 * of the first wrong time, with *reason. */
size_t slurm_times(const struct slurm_time_field *fields, size_t count, bool *has_offset,
                   const char **reason);

/* The base state of a State field. " by <uid>" is dropped, a name cut with "+" is completed if only
 * one fits, and a flag that Slurm shows as state becomes the state that it means (COMPLETING is
 * RUNNING, LAUNCH_FAILED is FAILED). The result is a constant; "UNKNOWN" for an unknown state.
 * docs/formats.md has the table. */
const char *slurm_state(const char *text, size_t length);

/* Whether a run in this base state is over, so that no later end time follows. */
bool slurm_state_is_final(const char *state);

/* The count of `name` ("cpu", "node") in a TRES text such as
 * "billing=12,cpu=12,gres/gpu=2,mem=31000M,node=1"; −1 if it is missing or no whole number. */
int64_t slurm_tres(const char *text, size_t length, const char *name);

/* Accelerators in a TRES text: gres/gpu if it is there, otherwise the sum of gres/gpu:TYPE. Slurm
 * lists both, but they are the same devices. −1 if the text has neither: the site may not track
 * them. */
int64_t slurm_tres_accelerators(const char *text, size_t length);

/* The types of these accelerators, "a100,h100": in byte order, each once. "" if one of them has no
 * type (for example if the site tracks only one type), if a type is not printable ASCII, or if they
 * do not fit. */
void slurm_tres_accelerator_types(const char *text, size_t length, char *types, size_t size);

/* Whether a TRES text has a device: gres/shard and gres/mps are parts of one, gres/npu may be
 * one. */
bool slurm_tres_names_gres(const char *text, size_t length);

/* A whole number ≥ 0 that fills the text; −1 otherwise. */
int64_t slurm_count(const char *text, size_t length);

#endif
