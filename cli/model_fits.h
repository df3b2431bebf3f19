/* cli/model_fits.h: kstar model --fits: each family's measurements, its law or growth rule, K* and
 * what to measure next. */
#ifndef KSTAR_CLI_MODEL_FITS_H
#define KSTAR_CLI_MODEL_FITS_H

#include "base/error.h"

#include <libpq-fe.h>
#include <stdbool.h>

/* Fits what is measured now and prices it as the latest statement with jobs of it does. `family`
 * NULL: all. `plot`: with a picture of the measured sizes against the fit. Changes nothing. */
bool model_fits(PGconn *connection, const char *family, bool plot, bool json, struct error *error);

#endif
