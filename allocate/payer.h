/* allocate/payer.h: the payer of a charge or of a part of a line, as columns of a table. */
#ifndef KSTAR_ALLOCATE_PAYER_H
#define KSTAR_ALLOCATE_PAYER_H

#include "allocate/catalogue.h"
#include "base/postgres/copy_stream.h"
#include "model/allocation/charge_sums.h"

#include <stdbool.h>

/* A name of the catalogue; NULL for number 0. */
const char *catalogue_name(const struct catalogue *catalogue, uint32_t number);

/* A field of a COPY; NULL is null. */
void copy_name(struct copy_stream *rows, const char *name);

/* Whether the cost centre pays the charge, itself or for its jobs. */
bool is_paid_by(const struct catalogue *catalogue, const struct charge_key *key, const char *cost_centre);
/* Whether the charge is in the pool; tax is in "tax". */
bool is_in_pool(const struct catalogue *catalogue, const struct charge_key *key, const char *pool);

/* Five fields of a COPY: target, attempt_id, pool, cost_centre, reason. */
void copy_payer(struct copy_stream *rows, const struct catalogue *catalogue, const struct charge_key *key);

/* Six fields of a COPY for a class charge: target, pool, cost_centre, family, outcome, reason. */
void copy_class_payer(struct copy_stream *rows, const struct catalogue *catalogue,
                      const struct charge_key *key);

#endif
