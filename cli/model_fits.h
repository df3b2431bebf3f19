/* cli/model_fits.h: kstar model --fits: each family's measurements, its law or growth rule, K* and
 * what to measure next. */
#ifndef KSTAR_CLI_MODEL_FITS_H
#define KSTAR_CLI_MODEL_FITS_H

#include "base/error.h"

#include <libpq-fe.h>
#include <stdbool.h>

/* Fits the present measurements, at the prices of the latest statement with jobs of the family.
 * `family` NULL: all. `plot`: draws the measured sizes and the fit. Changes nothing. */
bool model_fits(PGconn *connection, const char *family, bool plot, bool json, struct error *error);

#endif
