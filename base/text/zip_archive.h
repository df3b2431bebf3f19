/* base/text/zip_archive.h: the parts of a zip file, such as a workbook, one after another or by
 * name. By libzip.
 *
 * Parts are unpacked while they are read, with few of their bytes in memory. The file is not
 * mapped: if somebody truncates it meanwhile, reading a missing page would end the program.
 *
 *     struct zip_archive file;
 *     if (zip_archive_open(path, &file, error)) {
 *         while (zip_archive_next(&file, &part)) …
 *         zip_archive_close(&file);
 *     }
 */
#ifndef KSTAR_BASE_TEXT_ZIP_ARCHIVE_H
#define KSTAR_BASE_TEXT_ZIP_ARCHIVE_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct zip;

struct zip_archive {
    struct zip *archive; /* owned */
    uint64_t next;       /* part */
};

struct zip_part {
    struct zip *archive; /* not owned; must stay open */
    uint64_t index;
    const char *name; /* the archive's */
    uint64_t length;  /* unpacked, as stated in the directory */
};

/* False with `error`: ERROR_INPUT if it is no zip file, or is incomplete. */
bool zip_archive_open(const char *path, struct zip_archive *file, struct error *error);
void zip_archive_close(struct zip_archive *file);

/* The next part; false after the last. */
bool zip_archive_next(struct zip_archive *file, struct zip_part *part);

/* The part of this name; false if there is none. */
bool zip_archive_find(const struct zip_archive *file, const char *name, struct zip_part *part);

/* Unpacks a part in chunks; a visitor that returns false stops it. True only if all of the part was
 * unpacked, its length and checksum are right, and every chunk was accepted. */
typedef bool (*zip_visitor)(void *context, const unsigned char *chunk, size_t length);
bool zip_part_unpack(const struct zip_part *part, zip_visitor visit, void *context);

#endif
