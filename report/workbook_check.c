/* report/workbook_check.c: see workbook_check.h. */
#include "report/workbook_check.h"

#include "base/text/zip_archive.h"

#include <stdio.h>
#include <string.h>

enum { KEPT_BYTES = 128 }; /* kept from the beginning and the end of a part */

/* The beginning and the end of a part, as text. */
struct ends {
    size_t length;
    char first[KEPT_BYTES + 1], last[KEPT_BYTES + 1]; /* last holds at most the last KEPT_BYTES */
};

static bool keep_ends(void *context, const unsigned char *chunk, size_t length)
{
    struct ends *ends = context;
    if (ends->length < KEPT_BYTES) {
        size_t room = KEPT_BYTES - ends->length;
        memcpy(ends->first + ends->length, chunk, length < room ? length : room);
    }
    size_t kept = strlen(ends->last);
    size_t add = length < KEPT_BYTES ? length : KEPT_BYTES;
    size_t keep = kept + add > KEPT_BYTES ? KEPT_BYTES - add : kept;
    memmove(ends->last, ends->last + kept - keep, keep);
    memcpy(ends->last + keep, chunk + length - add, add);
    ends->last[keep + add] = '\0';
    ends->length += length;
    return true;
}

/* Whether the part begins with an element, after the XML declaration, and ends with its closing
 * tag. */
static bool closes_its_root(const struct ends *ends)
{
    const char *root = strstr(ends->first, "?>");
    root = root != NULL ? strchr(root, '<') : NULL;
    if (root == NULL)
        return false;
    char end[KEPT_BYTES];
    int length = snprintf(end, sizeof end, "</%.*s>", (int)strcspn(root + 1, " >/\r\n"), root + 1);
    size_t last = strlen(ends->last);
    while (last > 0 && strchr("\r\n", ends->last[last - 1]) != NULL)
        last--;
    return last >= (size_t)length && memcmp(ends->last + last - (size_t)length, end, (size_t)length) == 0;
}

static bool check_parts(struct zip_archive *file, const char *path, struct error *error)
{
    struct zip_part part;
    while (zip_archive_next(file, &part)) {
        struct ends ends = { 0 };
        if (zip_part_unpack(&part, keep_ends, &ends) && closes_its_root(&ends))
            continue;
        return error_set(error, ERROR_FAILED, "%s: part %s is not whole; run again", path, part.name);
    }
    return true;
}

bool workbook_is_whole(const char *path, struct error *error)
{
    struct zip_archive file;
    if (!zip_archive_open(path, &file, error))
        return error_set(error, ERROR_FAILED, "%s: the workbook was not written to its end", path);
    bool ok = check_parts(&file, path, error);
    zip_archive_close(&file);
    return ok;
}
