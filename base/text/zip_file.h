/* base/text/zip_file.h: the parts of a zip file, such as a workbook, as its central directory lists
 * them. The layout is PKWARE's APPNOTE.TXT, 4.3; parts are stored or deflated, the file is smaller
 * than 4 GiB.
 *
 * The directory is held in memory, parts are read as they are unpacked. The file is not mapped:
 * somebody may cut it short meanwhile, and reading a page that is gone would end the program.
 *
 *     struct zip_file file;
 *     if (zip_file_open(path, &file, error)) {
 *         while (zip_file_next(&file, &part)) …
 *         zip_file_close(&file);
 *     }
 */
#ifndef KSTAR_BASE_TEXT_ZIP_FILE_H
#define KSTAR_BASE_TEXT_ZIP_FILE_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ZIP_NAME_BYTES = 256 };

struct zip_file {
    int descriptor;
    size_t length;
    unsigned char *directory; /* owned */
    size_t directory_length;
    size_t offset;    /* of the next entry in the directory */
    uint32_t entries; /* entries, as the directory announces */
    uint32_t left;    /* entries still to be read */
    bool is_broken;   /* zip_file_next() ended because the directory is no such thing */
};

/* A part's size, and its packed bytes in the file, which stays open meanwhile. */
struct zip_part {
    char name[ZIP_NAME_BYTES];
    unsigned method;
    uint32_t crc, length; /* unpacked */
    int descriptor;
    size_t packed_offset, packed_length;
};

/* False with `error`: ERROR_INPUT where it is not a zip file, or is incomplete. */
bool zip_file_open(const char *path, struct zip_file *file, struct error *error);
void zip_file_close(struct zip_file *file);

/* The next part; false after the last, and where the directory is broken. */
bool zip_file_next(struct zip_file *file, struct zip_part *part);

/* The part of this name, from the first on; false if there is none. */
bool zip_file_find(struct zip_file *file, const char *name, struct zip_part *part);

/* Unpacks a part chunk by chunk; a visitor that returns false ends it. False unless all of it was
 * unpacked, has the length and the checksum that it should have, and every chunk was taken. */
typedef bool (*zip_visitor)(void *context, const unsigned char *chunk, size_t length);
bool zip_part_unpack(const struct zip_part *part, zip_visitor visit, void *context);

#endif
