/* base/text/zip_file.c: see zip_file.h. */
#include "base/text/zip_file.h"

#include "base/system/delivered_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum {
    END_BYTES = 22,             /* end of the central directory, before its comment */
    COMMENT_BYTES = 0xFFFF,     /* at most */
    ENTRY_BYTES = 46,           /* of the central directory, before its name */
    LOCAL_BYTES = 30,           /* local header, before its name */
    DIRECTORY_BYTES = 16 << 20, /* more is no workbook's */
    METHOD_STORED = 0,
    METHOD_DEFLATED = 8,
};

static uint32_t little(const unsigned char *at, int count)
{
    uint32_t value = 0;
    for (int i = count - 1; i >= 0; i--)
        value = value << 8 | at[i];
    return value;
}

/* Reads so many bytes of the file; false where it does not have them any more. */
static bool read_at(int descriptor, size_t offset, void *buffer, size_t count)
{
    unsigned char *at = buffer;
    while (count > 0) {
        ssize_t got = pread(descriptor, at, count, (off_t)offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        at += got;
        offset += (size_t)got;
        count -= (size_t)got;
    }
    return true;
}

static bool no_zip_file(const char *path, struct error *error)
{
    return error_set(error, ERROR_INPUT, "%s: is not a zip file, or is incomplete", path);
}

/* ---- the directory ---- */

/* The end of the directory is looked for from the end of the file, behind which a comment may
 * stand. NULL if there is none in these last bytes. */
static const unsigned char *find_end(const unsigned char *last, size_t count)
{
    for (size_t back = END_BYTES; back <= count; back++) {
        const unsigned char *at = last + count - back;
        if (memcmp(at, "PK\5\6", 4) == 0 && little(at + 20, 2) == back - END_BYTES)
            return at;
    }
    return NULL;
}

static void rewind_directory(struct zip_file *file)
{
    file->offset = 0;
    file->left = file->entries;
    file->is_broken = false;
}

/* Takes the directory into memory: all between where its end says that it begins, and its end. */
static bool read_directory(struct zip_file *file, const char *path, struct error *error)
{
    size_t count =
        file->length < END_BYTES + COMMENT_BYTES ? file->length : (size_t)END_BYTES + COMMENT_BYTES;
    unsigned char *last = malloc(count);
    const unsigned char *end =
        read_at(file->descriptor, file->length - count, last, count) ? find_end(last, count) : NULL;
    size_t end_offset = end != NULL ? file->length - count + (size_t)(end - last) : 0;
    size_t start = end != NULL ? little(end + 16, 4) : 0;
    file->entries = end != NULL ? little(end + 10, 2) : 0;
    free(last);
    if (end == NULL || start > end_offset || end_offset - start > DIRECTORY_BYTES)
        return no_zip_file(path, error);
    file->directory_length = end_offset - start;
    file->directory = malloc(file->directory_length + 1);
    rewind_directory(file);
    return read_at(file->descriptor, start, file->directory, file->directory_length) ||
           no_zip_file(path, error);
}

static bool measure(struct zip_file *file, const char *path, struct error *error)
{
    struct stat status;
    if (file->descriptor < 0)
        return false;
    if (fstat(file->descriptor, &status) != 0)
        return error_set_errno(error, "%s", path);
    if (status.st_size == 0)
        return error_set_empty_file(error, path);
    file->length = (size_t)status.st_size;
    return true;
}

bool zip_file_open(const char *path, struct zip_file *file, struct error *error)
{
    *file = (struct zip_file){ .descriptor = delivered_file_open(path, error) };
    bool ok = measure(file, path, error) && read_directory(file, path, error);
    if (!ok)
        zip_file_close(file);
    return ok;
}

void zip_file_close(struct zip_file *file)
{
    if (file->descriptor >= 0)
        close(file->descriptor);
    free(file->directory);
    *file = (struct zip_file){ .descriptor = -1 };
}

/* Where a part's packed bytes begin: behind its local header. */
static bool find_packed(const struct zip_file *file, size_t local, struct zip_part *part)
{
    unsigned char header[LOCAL_BYTES];
    if (local + LOCAL_BYTES > file->length || !read_at(file->descriptor, local, header, sizeof header))
        return false;
    part->descriptor = file->descriptor;
    part->packed_offset = local + LOCAL_BYTES + little(header + 26, 2) + little(header + 28, 2);
    return part->packed_offset + part->packed_length <= file->length;
}

/* The entry of the directory at file->offset, which moves behind it. */
static bool read_entry(struct zip_file *file, struct zip_part *part)
{
    if (file->offset + ENTRY_BYTES > file->directory_length ||
        memcmp(file->directory + file->offset, "PK\1\2", 4) != 0)
        return false;
    const unsigned char *entry = file->directory + file->offset;
    size_t name_length = little(entry + 28, 2);
    size_t behind = file->offset + ENTRY_BYTES + name_length + little(entry + 30, 2) + little(entry + 32, 2);
    if (behind > file->directory_length)
        return false;
    snprintf(part->name, sizeof part->name, "%.*s", (int)name_length, (const char *)entry + ENTRY_BYTES);
    part->method = little(entry + 10, 2);
    part->crc = little(entry + 16, 4);
    part->packed_length = little(entry + 20, 4);
    part->length = little(entry + 24, 4);
    file->offset = behind;
    return find_packed(file, little(entry + 42, 4), part);
}

bool zip_file_next(struct zip_file *file, struct zip_part *part)
{
    if (file->left == 0 || file->is_broken)
        return false;
    file->is_broken = !read_entry(file, part);
    file->left--;
    return !file->is_broken;
}

bool zip_file_find(struct zip_file *file, const char *name, struct zip_part *part)
{
    rewind_directory(file);
    while (zip_file_next(file, part))
        if (strcmp(part->name, name) == 0)
            return true;
    return false;
}

/* ---- unpacking ---- */

enum { CHUNK_BYTES = 1 << 15 };

struct unpacking {
    const struct zip_part *part;
    zip_visitor visit;
    void *context;
    uint32_t crc;
    size_t length; /* unpacked */
    size_t packed; /* bytes that were read */
};

/* Reads what comes next of the packed bytes, at most CHUNK_BYTES; 0 is their end. False where the
 * file was cut short. */
static bool read_packed(struct unpacking *unpacking, unsigned char *buffer, size_t *count)
{
    const struct zip_part *part = unpacking->part;
    size_t left = part->packed_length - unpacking->packed;
    *count = left < CHUNK_BYTES ? left : CHUNK_BYTES;
    bool ok = read_at(part->descriptor, part->packed_offset + unpacking->packed, buffer, *count);
    unpacking->packed += *count;
    return ok;
}

/* More than is announced is refused at once: a small file may unpack to any size. */
static bool take(struct unpacking *unpacking, const unsigned char *chunk, size_t length)
{
    unpacking->crc = (uint32_t)crc32(unpacking->crc, chunk, (uInt)length);
    unpacking->length += length;
    return unpacking->length <= unpacking->part->length &&
           (length == 0 || unpacking->visit(unpacking->context, chunk, length));
}

static bool copy_part(struct unpacking *unpacking)
{
    unsigned char chunk[CHUNK_BYTES];
    size_t count;
    bool ok;
    while ((ok = read_packed(unpacking, chunk, &count)) && count > 0)
        if (!take(unpacking, chunk, count))
            return false;
    return ok;
}

static bool inflate_part(struct unpacking *unpacking)
{
    unsigned char packed[CHUNK_BYTES], chunk[CHUNK_BYTES];
    z_stream stream = { 0 };
    if (unpacking->part->method != METHOD_DEFLATED || inflateInit2(&stream, -MAX_WBITS) != Z_OK)
        return false;
    int outcome = Z_OK;
    bool ok = true;
    while (ok && outcome == Z_OK) {
        size_t count = stream.avail_in;
        if (count == 0) {
            ok = read_packed(unpacking, packed, &count);
            stream.next_in = packed;
            stream.avail_in = (uInt)count;
        }
        stream.next_out = chunk;
        stream.avail_out = sizeof chunk;
        outcome = ok ? inflate(&stream, Z_NO_FLUSH) : Z_OK; /* without input: Z_BUF_ERROR */
        ok = ok && take(unpacking, chunk, sizeof chunk - stream.avail_out);
    }
    inflateEnd(&stream);
    return outcome == Z_STREAM_END && ok;
}

bool zip_part_unpack(const struct zip_part *part, zip_visitor visit, void *context)
{
    struct unpacking unpacking = { .part = part, .visit = visit, .context = context };
    bool ok = part->method == METHOD_STORED ? copy_part(&unpacking) : inflate_part(&unpacking);
    return ok && unpacking.crc == part->crc && unpacking.length == part->length;
}
