/* cli/model_rate_card.h: kstar model --rate-card: what the same work costs on other node counts, as
 * published. */
#ifndef KSTAR_CLI_MODEL_RATE_CARD_H
#define KSTAR_CLI_MODEL_RATE_CARD_H

#include "base/error.h"

#include <libpq-fe.h>
#include <stdbool.h>

/* Prints tiers of a month ("2026-09"; NULL: the latest statement's) and a family (NULL: all). */
bool model_rate_card(PGconn *connection, const char *period, const char *family, bool json,
                     struct error *error);

#endif
