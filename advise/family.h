/* advise/family.h: `kstar advise FAMILY`: measured sizes at a family's latest prices. */
#ifndef KSTAR_ADVISE_FAMILY_H
#define KSTAR_ADVISE_FAMILY_H

#include "advise/request.h"

#include <libpq-fe.h>

/* Answers and prints; lists the families where none is asked for. What the request leaves open it
 * takes from the family, in `request`. False: the family says nothing of K* (ERROR_INPUT), the
 * options do not suit it (ERROR_USAGE), or the database does not answer. A reader has the families
 * of his cost centres' jobs. */
bool advise_family(struct advise_request *request, PGconn *connection, bool is_reader, struct error *error);

/* The same of --curve, without a database. */
bool advise_by_curve(struct advise_request *request, struct error *error);

#endif
