/* advise/list.h: `kstar advise` without a question: lists the families. */
#ifndef KSTAR_ADVISE_LIST_H
#define KSTAR_ADVISE_LIST_H

#include "advise/request.h"
#include "night/month/latest_families.h"

bool advise_list(const struct advise_request *request, const struct latest_families *latest,
                 struct error *error);

#endif
