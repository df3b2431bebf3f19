/* report/workbook_check.c: see workbook_check.h. The layout of a zip file: PKWARE's APPNOTE.TXT, 4.3. */
#define ZLIB_CONST /* inflate reads from constant memory */
#include "report/workbook_check.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum {
    END_BYTES = 22,   /* end of central directory; libxlsxwriter writes no comment after it */
    ENTRY_BYTES = 46, /* of the central directory, before its name */
    LOCAL_BYTES = 30, /* local header, before its name */
    KEPT_BYTES = 128, /* of the beginning and the end of a part */
    METHOD_STORED = 0,
    METHOD_DEFLATED = 8,
};

struct bytes {
    const unsigned char *start;
    size_t length;
};

/* What a part is said to be, and its packed bytes. */
struct part {
    char name[128];
    unsigned method;
    uint32_t crc, packed_length, length;
    struct bytes packed;
};

/* What it turned out to be. */
struct unpacked {
    uint32_t crc;
    size_t length;
    char first[KEPT_BYTES + 1], last[KEPT_BYTES + 1]; /* text; last holds at most the last KEPT_BYTES */
};

static uint32_t little(const unsigned char *at, int count)
{
    uint32_t value = 0;
    for (int i = count - 1; i >= 0; i--)
        value = value << 8 | at[i];
    return value;
}

/* The entry of the central directory at *offset, which moves behind it. */
static bool next_part(struct bytes file, size_t *offset, struct part *part)
{
    const unsigned char *entry = file.start + *offset;
    if (*offset + ENTRY_BYTES > file.length || memcmp(entry, "PK\1\2", 4) != 0)
        return false;
    size_t name_length = little(entry + 28, 2);
    size_t behind = *offset + ENTRY_BYTES + name_length + little(entry + 30, 2) + little(entry + 32, 2);
    size_t local = little(entry + 42, 4);
    if (behind > file.length || local + LOCAL_BYTES > file.length)
        return false;
    snprintf(part->name, sizeof part->name, "%.*s", (int)name_length, (const char *)entry + ENTRY_BYTES);
    part->method = little(entry + 10, 2);
    part->crc = little(entry + 16, 4);
    part->packed_length = little(entry + 20, 4);
    part->length = little(entry + 24, 4);
    size_t data =
        local + LOCAL_BYTES + little(file.start + local + 26, 2) + little(file.start + local + 28, 2);
    if (data + part->packed_length > file.length)
        return false;
    part->packed = (struct bytes){ file.start + data, part->packed_length };
    *offset = behind;
    return true;
}

/* Adds a piece of the unpacked part. */
static void take(struct unpacked *unpacked, const unsigned char *piece, size_t length)
{
    unpacked->crc = (uint32_t)crc32(unpacked->crc, piece, (uInt)length);
    if (unpacked->length < KEPT_BYTES) {
        size_t room = KEPT_BYTES - unpacked->length;
        memcpy(unpacked->first + unpacked->length, piece, length < room ? length : room);
    }
    size_t kept = strlen(unpacked->last);
    size_t add = length < KEPT_BYTES ? length : KEPT_BYTES;
    size_t keep = kept + add > KEPT_BYTES ? KEPT_BYTES - add : kept;
    memmove(unpacked->last, unpacked->last + kept - keep, keep);
    memcpy(unpacked->last + keep, piece + length - add, add);
    unpacked->last[keep + add] = '\0';
    unpacked->length += length;
}

static bool unpack(const struct part *part, struct unpacked *unpacked)
{
    *unpacked = (struct unpacked){ 0 };
    if (part->method == METHOD_STORED) {
        take(unpacked, part->packed.start, part->packed.length);
        return true;
    }
    unsigned char piece[1 << 15];
    z_stream stream = { .next_in = part->packed.start, .avail_in = (uInt)part->packed.length };
    if (part->method != METHOD_DEFLATED || inflateInit2(&stream, -MAX_WBITS) != Z_OK)
        return false;
    int outcome;
    do {
        stream.next_out = piece;
        stream.avail_out = sizeof piece;
        outcome = inflate(&stream, Z_NO_FLUSH);
        take(unpacked, piece, sizeof piece - stream.avail_out);
    } while (outcome == Z_OK);
    inflateEnd(&stream);
    return outcome == Z_STREAM_END;
}

/* Whether the text begins with an element, after the XML declaration, and ends by closing it. */
static bool closes_its_root(const struct unpacked *unpacked)
{
    const char *root = strstr(unpacked->first, "?>");
    root = root != NULL ? strchr(root, '<') : NULL;
    if (root == NULL)
        return false;
    char end[KEPT_BYTES];
    int length = snprintf(end, sizeof end, "</%.*s>", (int)strcspn(root + 1, " >/\r\n"), root + 1);
    size_t last = strlen(unpacked->last);
    while (last > 0 && strchr("\r\n", unpacked->last[last - 1]) != NULL)
        last--;
    return last >= (size_t)length && memcmp(unpacked->last + last - (size_t)length, end, (size_t)length) == 0;
}

static bool check_parts(struct bytes file, const char *path, struct error *error)
{
    const unsigned char *end = file.start + file.length - END_BYTES;
    if (file.length < END_BYTES || memcmp(end, "PK\5\6", 4) != 0)
        return error_set(error, ERROR_FAILED, "%s: the workbook was not written to its end", path);
    size_t offset = little(end + 16, 4);
    for (uint32_t left = little(end + 10, 2); left > 0; left--) {
        struct part part;
        struct unpacked unpacked;
        if (!next_part(file, &offset, &part))
            return error_set(error, ERROR_FAILED, "%s: the workbook's directory is broken", path);
        if (!unpack(&part, &unpacked) || unpacked.crc != part.crc || unpacked.length != part.length ||
            !closes_its_root(&unpacked)) {
            error_set(error, ERROR_FAILED, "%s: part %s was not written to its end", path, part.name);
            error_hint(error, "is the disk of temporary files full? TMPDIR names another");
            return false;
        }
    }
    return true;
}

bool workbook_is_whole(const char *path, struct error *error)
{
    struct stat status;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return error_set_errno(error, "%s", path);
    bool ok = fstat(descriptor, &status) == 0 || error_set_errno(error, "%s", path);
    if (ok && status.st_size == 0)
        ok = error_set(error, ERROR_FAILED, "%s: the workbook was not written to its end", path);
    if (ok) {
        size_t length = (size_t)status.st_size;
        void *map = mmap(NULL, length, PROT_READ, MAP_PRIVATE, descriptor, 0);
        ok = map != MAP_FAILED || error_set_errno(error, "%s", path);
        if (ok) {
            ok = check_parts((struct bytes){ map, length }, path, error);
            munmap(map, length);
        }
    }
    close(descriptor);
    return ok;
}
