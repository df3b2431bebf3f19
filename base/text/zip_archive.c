/* base/text/zip_archive.c: see zip_archive.h. */
#include "base/text/zip_archive.h"

#include "base/system/delivered_file.h"

#include <sys/stat.h>
#include <unistd.h>
#include <zip.h>

/* No workbook has more parts. */
enum { PARTS_MAXIMUM = 65535, CHUNK_BYTES = 1 << 15 };

/* Refuses an empty file, which libzip would read as an empty archive. */
static bool has_bytes(int descriptor, const char *path, struct error *error)
{
    struct stat status;
    if (fstat(descriptor, &status) != 0)
        return error_set_errno(error, "%s", path);
    return status.st_size > 0 || error_set_empty_file(error, path);
}

/* On success libzip owns the descriptor. */
static bool open_archive(int descriptor, const char *path, struct zip_archive *file, struct error *error)
{
    file->archive = zip_fdopen(descriptor, ZIP_CHECKCONS, NULL);
    if (file->archive == NULL)
        close(descriptor);
    else if (zip_get_num_entries(file->archive, 0) <= PARTS_MAXIMUM)
        return true;
    return error_set(error, ERROR_INPUT, "%s: is not a zip file, or is incomplete", path);
}

bool zip_archive_open(const char *path, struct zip_archive *file, struct error *error)
{
    *file = (struct zip_archive){ 0 };
    int descriptor = delivered_file_open(path, error);
    if (descriptor < 0)
        return false;
    if (!has_bytes(descriptor, path, error)) {
        close(descriptor);
        return false;
    }
    bool ok = open_archive(descriptor, path, file, error);
    if (!ok)
        zip_archive_close(file);
    return ok;
}

void zip_archive_close(struct zip_archive *file)
{
    if (file->archive != NULL)
        zip_discard(file->archive);
    *file = (struct zip_archive){ 0 };
}

static bool describe(struct zip *archive, uint64_t index, struct zip_part *part)
{
    zip_stat_t announced;
    const zip_uint64_t needed = ZIP_STAT_NAME | ZIP_STAT_SIZE;
    if (zip_stat_index(archive, index, 0, &announced) != 0 || (announced.valid & needed) != needed)
        return false;
    *part = (struct zip_part){
        .archive = archive, .index = index, .name = announced.name, .length = announced.size
    };
    return true;
}

bool zip_archive_next(struct zip_archive *file, struct zip_part *part)
{
    return file->next < (uint64_t)zip_get_num_entries(file->archive, 0) &&
           describe(file->archive, file->next++, part);
}

bool zip_archive_find(const struct zip_archive *file, const char *name, struct zip_part *part)
{
    zip_int64_t index = zip_name_locate(file->archive, name, 0);
    return index >= 0 && describe(file->archive, (uint64_t)index, part);
}

/* libzip compares the checksum at the end. Unpacking stops at more bytes than the directory states:
 * a small file may unpack to any size. */
bool zip_part_unpack(const struct zip_part *part, zip_visitor visit, void *context)
{
    unsigned char chunk[CHUNK_BYTES];
    zip_file_t *packed = zip_fopen_index(part->archive, part->index, 0);
    zip_int64_t count;
    uint64_t length = 0;
    if (packed == NULL)
        return false;
    while ((count = zip_fread(packed, chunk, sizeof chunk)) > 0) {
        length += (uint64_t)count;
        if (length > part->length || !visit(context, chunk, (size_t)count))
            break;
    }
    zip_fclose(packed);
    return count == 0 && length == part->length;
}
