/* advise/family.h: `kstar advise FAMILY`: measured sizes at a family's latest prices. */
#ifndef KSTAR_ADVISE_FAMILY_H
#define KSTAR_ADVISE_FAMILY_H

#include "advise/request.h"

#include <libpq-fe.h>

/* Answers and prints, or without a family lists the families. Values that the request leaves open
 * are taken from the family and stored in `request`. False: the family gives no K* (ERROR_INPUT),
 * the options do not suit it (ERROR_USAGE), or the database does not answer. A reader has only the
 * families of his cost centres' jobs. */
bool advise_family(struct advise_request *request, PGconn *connection, bool is_reader, struct error *error);

/* The same for --curve, without a database. */
bool advise_by_curve(struct advise_request *request, struct error *error);

#endif
