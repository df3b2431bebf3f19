/* ingest/file_kind.h: finds out the kind of a file by its beginning: delimited text, or another
 * file beside bills. Also finds out the kind of a table that is no bill. */
#ifndef KSTAR_INGEST_FILE_KIND_H
#define KSTAR_INGEST_FILE_KIND_H

#include "base/error.h"

#include <stdbool.h>

struct file_kind {
    bool is_gzip;
    char delimiter; /* ',', ';', tab or '|' of delimited text; '\0': other */
    /* other kinds, in words: "an empty file", "the manifest of …"; "" for delimited text */
    char what[256];
};

/* A table that is no bill and may lie among bills. */
struct table_kind {
    const char *column; /* a column that no bill has */
    const char *what;   /* in words: "job records of sacct" */
    const char *hint;   /* where it belongs */
};

/* The kind of a table by the names of its columns, in any letter case; NULL: unknown. */
const struct table_kind *table_kind_find(char *const *names, int count);

/* Examines the first 64 KiB, gzip or plain. False if the file cannot be opened. */
bool file_kind_find(const char *path, struct file_kind *kind, struct error *error);

#endif
