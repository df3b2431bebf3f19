/* ingest/reference/reference_template.h: reference files to begin with: each with its header, and
 * above it what it is for, an example and the values that a column takes, as comments. */
#ifndef KSTAR_INGEST_REFERENCE_REFERENCE_TEMPLATE_H
#define KSTAR_INGEST_REFERENCE_REFERENCE_TEMPLATE_H

#include "base/error.h"

/* Writes them into `folder`, which is there. A file that is there stays as it is. */
bool reference_template_write(const char *folder, int *written, int *kept, struct error *error);

#endif
