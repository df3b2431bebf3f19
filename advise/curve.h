/* advise/curve.h: measured sizes of a file, for `kstar advise --curve` without a database. */
#ifndef KSTAR_ADVISE_CURVE_H
#define KSTAR_ADVISE_CURVE_H

#include "base/error.h"
#include "night/month/month_families.h"

#include <stdbool.h>

/* Reads a CSV with the columns k and hours, and fits it under strong scaling. *families gets one
 * family, named like the file. month_families_free() frees it, also after a failure. */
bool advise_curve_read(const char *path, struct month_families *families, struct error *error);

#endif
