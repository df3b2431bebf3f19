/* ingest/reference/reference.h: loads reference files of finance and the platform team.
 *
 * A reference file is named after its table (pools.csv) and replaces the table's whole content; a
 * review workbook (review-2026-09.xlsx, review_decisions.h) replaces the decisions that it held
 * before. All files of a call are read, checked (types, allowed values, names that another file
 * declares, overlapping validity) and stored in one transaction: all or nothing. A file whose
 * content is already in force is skipped, and a table without a file keeps its rows.
 * reference_tables.c has the files and their columns; docs/reference.md explains each.
 *
 *     const char *folder = "inbox/reference";
 *     struct delivery_request request = { .path_count = 1, .paths = &folder };
 *     if (!ingest_reference(connection, &request, &summary, error)) …
 */
#ifndef KSTAR_INGEST_REFERENCE_REFERENCE_H
#define KSTAR_INGEST_REFERENCE_REFERENCE_H

#include "ingest/delivery_request.h"

/* Loads the files. `summary` counts new files and rows; `unchanged` if there are none. False with
 * one error that names file, line, column and value (ERROR_INPUT); then nothing has changed. The
 * connection must not be in a transaction. */
bool ingest_reference(PGconn *connection, const struct delivery_request *request,
                      struct ingest_summary *summary, struct error *error);

#endif
