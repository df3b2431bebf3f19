/* allocate/job_charges.h: rule 1, lines that belong to a job.
 *
 * A line belongs to a job if its resource is the job's own, or if it names the job by a tag
 * (model/allocation/named_job.h decides which job). The job pays the whole line. If the system
 * broke the attempt, the refund's pool pays the refunded part.
 *
 * Priced time is the time that the lines of machine time report. Each second of an instance counts
 * once (resource_slots.h).
 *
 * A managed job cannot use more than its instances from start to end. Its lines may report more,
 * because they bill accelerators, cores and memory by the hour. If those of one resource report
 * more than 1.25 times that maximum within their charge periods, the maximum counts.
 */
#ifndef KSTAR_ALLOCATE_JOB_CHARGES_H
#define KSTAR_ALLOCATE_JOB_CHARGES_H

#include "allocate/line_charge.h"

struct job_charges;

/* Charges go to `sink`. The caller owns the catalogue and the sink, and both must outlive the
 * result. */
struct job_charges *job_charges_open(const struct catalogue *catalogue, const struct charge_sink *sink);
void job_charges_close(struct job_charges *charges);

/* Adds a line of the current resource that belongs to the attempt. The line must stay valid
 * until job_charges_take. */
void job_charges_add(struct job_charges *charges, size_t attempt, const struct bill_line *line);

/* Charges the added lines and forgets them. They must be all lines of the resource. */
void job_charges_take(struct job_charges *charges);

#endif
