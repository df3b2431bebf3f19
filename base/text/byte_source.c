/* base/text/byte_source.c: see byte_source.h. */
#include "base/text/byte_source.h"

#include "base/system/delivered_file.h"
#include "base/system/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum {
    CHUNK_BYTES = 256 << 10, /* of compressed data read at a time */
    DEFAULT_MAXIMUM_RATIO = 1000,
    RATIO_FREE_BYTES = 64 << 20, /* the ratio of a small file is not limited */
    GZIP_WINDOW_BITS = 15 + 16,  /* asks zlib for gzip's header and checksum */
    GZIP_HEADER_BYTES = 10,
};

struct byte_source {
    char *path;
    int descriptor;
    int64_t position;  /* in the file on disk */
    int64_t delivered; /* uncompressed bytes */
    int64_t maximum_bytes, maximum_ratio;
    bool ended;

    bool is_gzip;
    z_stream inflater;
    unsigned char *compressed;
    bool member_ended;
    int members; /* complete members before the current one */
};

static bool read_file(struct byte_source *source, void *buffer, size_t size, size_t *got, struct error *error)
{
    ssize_t count;
    do {
        count = read(source->descriptor, buffer, size);
    } while (count < 0 && errno == EINTR);
    if (count < 0)
        return error_set_errno(error, "%s", source->path);
    source->position += count;
    source->ended = count == 0;
    *got = (size_t)count;
    return true;
}

/* Checks whether the file begins like gzip, without moving its position. */
static bool detect_gzip(struct byte_source *source, struct error *error)
{
    unsigned char first[2] = { 0 };
    ssize_t got = pread(source->descriptor, first, sizeof first, 0);
    if (got < 0)
        return error_set_errno(error, "%s", source->path);
    if (got < 2 || first[0] != 0x1f || first[1] != 0x8b)
        return true;
    source->compressed = malloc(CHUNK_BYTES);
    if (inflateInit2(&source->inflater, GZIP_WINDOW_BITS) != Z_OK)
        return error_set(error, ERROR_FAILED, "%s: zlib does not start", source->path);
    source->is_gzip = true;
    if (source->maximum_bytes == 0)
        source->maximum_bytes = INT64_C(1) << 40;
    return true;
}

struct byte_source *byte_source_open(const char *path, int64_t maximum_bytes, int64_t maximum_ratio,
                                     struct error *error)
{
    if (!path_is_readable(path, error))
        return NULL;
    struct byte_source *source = calloc(1, sizeof *source);
    source->maximum_bytes = maximum_bytes;
    source->maximum_ratio = maximum_ratio > 0 ? maximum_ratio : DEFAULT_MAXIMUM_RATIO;
    source->descriptor = delivered_file_open(path, error);
    source->path = strdup(path);
    if (source->descriptor < 0)
        goto failed;
    posix_fadvise(source->descriptor, 0, 0, POSIX_FADV_SEQUENTIAL);
    if (!detect_gzip(source, error))
        goto failed;
    return source;

failed:
    byte_source_close(source);
    return NULL;
}

void byte_source_close(struct byte_source *source)
{
    if (source == NULL)
        return;
    if (source->is_gzip)
        inflateEnd(&source->inflater);
    if (source->descriptor >= 0)
        close(source->descriptor);
    free(source->compressed);
    free(source->path);
    free(source);
}

static bool hint_at_copy(struct error *error)
{
    error_hint(error, "check it with gzip -t, and download or pack the file again");
    return false;
}

static bool check_inflate(const struct byte_source *source, int status, struct error *error)
{
    if (status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR)
        return true;
    if (status == Z_DATA_ERROR && source->members > 0 && source->inflater.total_in < GZIP_HEADER_BYTES)
        error_set(error, ERROR_INPUT, "%s: there are other bytes after the gzip data", source->path);
    else
        error_set(error, ERROR_INPUT, "%s: the gzip data is damaged (%s)", source->path,
                  source->inflater.msg ? source->inflater.msg : "no cause given");
    return hint_at_copy(error);
}

/* Inflates until there is at least one byte, or the last member ends at the end of the file. */
static bool read_gzip(struct byte_source *source, char *buffer, size_t size, size_t *got, struct error *error)
{
    z_stream *inflater = &source->inflater;
    inflater->next_out = (unsigned char *)buffer;
    inflater->avail_out = (uInt)size;
    while (inflater->avail_out == size) {
        if (inflater->avail_in == 0 && !source->ended) {
            size_t count = 0;
            if (!read_file(source, source->compressed, CHUNK_BYTES, &count, error))
                return false;
            inflater->next_in = source->compressed;
            inflater->avail_in = (uInt)count;
        }
        if (inflater->avail_in == 0) {
            if (source->member_ended)
                break;
            error_set(error, ERROR_INPUT, "%s: the gzip data is truncated", source->path);
            return hint_at_copy(error);
        }
        if (source->member_ended) {
            inflateReset(inflater);
            source->member_ended = false;
            source->members++;
        }
        int status = inflate(inflater, Z_NO_FLUSH);
        if (!check_inflate(source, status, error))
            return false;
        source->member_ended = status == Z_STREAM_END;
    }
    *got = size - inflater->avail_out;
    return true;
}

bool byte_source_read(struct byte_source *source, char *buffer, size_t size, size_t *got, struct error *error)
{
    *got = 0;
    if (source->is_gzip ? !read_gzip(source, buffer, size, got, error)
                        : !read_file(source, buffer, size, got, error))
        return false;
    source->delivered += (int64_t)*got;
    if (source->maximum_bytes > 0 && source->delivered > source->maximum_bytes)
        return error_set(error, ERROR_INPUT, "%s: holds more than the limit of %lld bytes", source->path,
                         (long long)source->maximum_bytes);
    if (source->is_gzip && source->delivered > RATIO_FREE_BYTES &&
        source->delivered / source->maximum_ratio > source->position)
        return error_set(error, ERROR_INPUT, "%s: the gzip data expands to more than %lld times its size",
                         source->path, (long long)source->maximum_ratio);
    return true;
}

int64_t byte_source_position(const struct byte_source *source)
{
    return source->position;
}
