/* base/zip_file.c: see zip_file.h. */
#define ZLIB_CONST /* inflate reads from constant memory */
#include "base/zip_file.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum {
    END_BYTES = 22,         /* end of the central directory, before its comment */
    COMMENT_BYTES = 0xFFFF, /* at most */
    ENTRY_BYTES = 46,       /* of the central directory, before its name */
    LOCAL_BYTES = 30,       /* local header, before its name */
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

/* The end of the directory is looked for from the end of the file, behind which a comment may stand. */
static const unsigned char *find_end(const struct zip_file *file)
{
    for (size_t back = END_BYTES; back <= file->length && back <= END_BYTES + COMMENT_BYTES; back++) {
        const unsigned char *at = file->start + file->length - back;
        if (memcmp(at, "PK\5\6", 4) == 0 && little(at + 20, 2) == back - END_BYTES)
            return at;
    }
    return NULL;
}

static void rewind_directory(struct zip_file *file, const unsigned char *end)
{
    file->offset = little(end + 16, 4);
    file->left = little(end + 10, 2);
    file->is_broken = false;
}

static bool map_file(int descriptor, const char *path, struct zip_file *file, struct error *error)
{
    struct stat status;
    if (fstat(descriptor, &status) != 0)
        return error_set_errno(error, "%s", path);
    if (status.st_size == 0)
        return error_set(error, ERROR_INPUT, "%s: is empty", path);
    void *map = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (map == MAP_FAILED)
        return error_set_errno(error, "%s", path);
    *file = (struct zip_file){ .start = map, .length = (size_t)status.st_size };
    return true;
}

bool zip_file_open(const char *path, struct zip_file *file, struct error *error)
{
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return error_set_errno(error, "%s", path);
    bool ok = map_file(descriptor, path, file, error);
    close(descriptor);
    if (!ok)
        return false;
    const unsigned char *end = find_end(file);
    if (end == NULL) {
        zip_file_close(file);
        return error_set(error, ERROR_INPUT, "%s: is no zip file, or was not written to its end", path);
    }
    rewind_directory(file, end);
    return true;
}

void zip_file_close(struct zip_file *file)
{
    munmap((void *)(uintptr_t)file->start, file->length);
    *file = (struct zip_file){ 0 };
}

/* The entry of the directory at file->offset, which moves behind it. */
static bool read_entry(struct zip_file *file, struct zip_part *part)
{
    if (file->offset + ENTRY_BYTES > file->length || memcmp(file->start + file->offset, "PK\1\2", 4) != 0)
        return false;
    const unsigned char *entry = file->start + file->offset;
    size_t name_length = little(entry + 28, 2);
    size_t behind = file->offset + ENTRY_BYTES + name_length + little(entry + 30, 2) + little(entry + 32, 2);
    size_t local = little(entry + 42, 4);
    if (behind > file->length || local + LOCAL_BYTES > file->length)
        return false;
    snprintf(part->name, sizeof part->name, "%.*s", (int)name_length, (const char *)entry + ENTRY_BYTES);
    part->method = little(entry + 10, 2);
    part->crc = little(entry + 16, 4);
    part->packed_length = little(entry + 20, 4);
    part->length = little(entry + 24, 4);
    size_t data =
        local + LOCAL_BYTES + little(file->start + local + 26, 2) + little(file->start + local + 28, 2);
    if (data + part->packed_length > file->length)
        return false;
    part->packed = file->start + data;
    file->offset = behind;
    return true;
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
    rewind_directory(file, find_end(file));
    while (zip_file_next(file, part))
        if (strcmp(part->name, name) == 0)
            return true;
    return false;
}

/* ---- unpacking ---- */

struct unpacking {
    const struct zip_part *part;
    zip_visitor visit;
    void *context;
    uint32_t crc;
    size_t length;
};

/* More than is announced is refused at once: a small file may unpack to any size. */
static bool take(struct unpacking *unpacking, const unsigned char *piece, size_t length)
{
    unpacking->crc = (uint32_t)crc32(unpacking->crc, piece, (uInt)length);
    unpacking->length += length;
    return unpacking->length <= unpacking->part->length &&
           (length == 0 || unpacking->visit(unpacking->context, piece, length));
}

static bool inflate_part(struct unpacking *unpacking)
{
    unsigned char piece[1 << 15];
    z_stream stream = { .next_in = unpacking->part->packed,
                        .avail_in = (uInt)unpacking->part->packed_length };
    if (unpacking->part->method != METHOD_DEFLATED || inflateInit2(&stream, -MAX_WBITS) != Z_OK)
        return false;
    int outcome;
    bool taken;
    do {
        stream.next_out = piece;
        stream.avail_out = sizeof piece;
        outcome = inflate(&stream, Z_NO_FLUSH);
        taken = take(unpacking, piece, sizeof piece - stream.avail_out);
    } while (outcome == Z_OK && taken);
    inflateEnd(&stream);
    return outcome == Z_STREAM_END && taken;
}

bool zip_part_unpack(const struct zip_part *part, zip_visitor visit, void *context)
{
    struct unpacking unpacking = { .part = part, .visit = visit, .context = context };
    bool ok = part->method == METHOD_STORED ? take(&unpacking, part->packed, part->packed_length)
                                            : inflate_part(&unpacking);
    return ok && unpacking.crc == part->crc && unpacking.length == part->length;
}
