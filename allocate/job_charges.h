/* allocate/job_charges.h: rule 1, the lines that are a job's.
 *
 * A line is a job's if its resource is the job's own, or if it names the job by a tag
 * (model/allocation/named_job.h says which). The job pays for all of it. Of an attempt that the
 * system broke, the refund's pool pays for its part.
 *
 * Priced time is what the lines of machine time report, counted once for each second of an instance
 * (resource_slots.h). A managed job cannot have had more than its instances from start to end:
 * where its lines report more than 1.25 times as much, because they bill accelerators, cores and
 * memory by the hour, that is what counts.
 */
#ifndef KSTAR_ALLOCATE_JOB_CHARGES_H
#define KSTAR_ALLOCATE_JOB_CHARGES_H

#include "allocate/line_charge.h"

struct job_charges;

/* Charges go to `sink`. Both are the caller's and outlive it. */
struct job_charges *job_charges_open(const struct catalogue *catalogue, const struct charge_sink *sink);
void job_charges_close(struct job_charges *charges);

/* A line of the current resource that is the attempt's. Keep it until job_charges_take. */
void job_charges_add(struct job_charges *charges, size_t attempt, const struct bill_line *line);

/* Charges the lines that were added, which are all that the resource has, and forgets them. */
void job_charges_take(struct job_charges *charges);

#endif
