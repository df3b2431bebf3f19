/* cli/model_rate_card.h: kstar model --rate-card: the published cost of the same work on other node
 * counts. */
#ifndef KSTAR_CLI_MODEL_RATE_CARD_H
#define KSTAR_CLI_MODEL_RATE_CARD_H

#include "base/error.h"

#include <libpq-fe.h>
#include <stdbool.h>

/* Prints tiers of a month ("2026-09"; NULL: of the latest statement) and a family (NULL: all). */
bool model_rate_card(PGconn *connection, const char *period, const char *family, bool json,
                     struct error *error);

#endif
