/* ingest/reference/reference_template.h: reference files to start with. Each has its header and,
 * above it as comments, its purpose, an example and the values of the columns. */
#ifndef KSTAR_INGEST_REFERENCE_REFERENCE_TEMPLATE_H
#define KSTAR_INGEST_REFERENCE_REFERENCE_TEMPLATE_H

#include "base/error.h"

/* Writes the files into `folder`, which exists. Existing files stay unchanged. */
bool reference_template_write(const char *folder, int *written, int *kept, struct error *error);

#endif
