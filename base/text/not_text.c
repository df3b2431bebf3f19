/* base/text/not_text.c: see not_text.h. */
#include "base/text/not_text.h"

#include <string.h>
#include <strings.h>

static const char page[] = "an HTML page, not data";
static const char page_hint[] =
    "it may be a login or error page that was saved under this name: open it, then download the file again";
static const char utf16[] = "UTF-16 text; kstar reads UTF-8";
static const char utf16_hint[] = "save it as CSV UTF-8, or: iconv -f UTF-16 -t UTF-8";
static const char unpack_hint[] = "unpack it, or pack it with gzip";

static const struct not_text kinds[] = {
    { "PK\x03\x04", "a ZIP file or a workbook, not text",
      "save the sheet as CSV (commas, UTF-8), or unpack the ZIP file" },
    { "\xd0\xcf\x11\xe0", "an Excel workbook (.xls), not text", "save the sheet as CSV (commas, UTF-8)" },
    { "PAR1", "a Parquet file, not text", "export it as CSV (gzip is fine), or convert it to CSV" },
    { "%PDF-", "a PDF document, not text", "a PDF has no rows to read: download the CSV export" },
    { "<!DOCTYPE html", page, page_hint },
    { "<html", page, page_hint },
    { "<?xml", "XML, not a format that kstar reads", page_hint },
    { "\xff\xfe", utf16, utf16_hint },
    { "\xfe\xff", utf16, utf16_hint },
    { "\x28\xb5\x2f\xfd", "compressed with zstd; kstar reads gzip", unpack_hint },
    { "\xfd\x37zXZ", "compressed with xz; kstar reads gzip", unpack_hint },
    { "BZh91AY", "compressed with bzip2; kstar reads gzip", unpack_hint },
};

const struct not_text *not_text_find(const char *bytes, size_t length)
{
    size_t mark = length >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    while (mark < length && strchr(" \t\r\n", bytes[mark]) != NULL && bytes[mark] != '\0')
        mark++;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        size_t magic = strlen(kinds[i].magic), at = kinds[i].magic[0] == '<' ? mark : 0;
        if (length - at >= magic && strncasecmp(bytes + at, kinds[i].magic, magic) == 0)
            return &kinds[i];
    }
    return NULL;
}

bool not_text_check(const char *path, const char *bytes, size_t length, struct error *error)
{
    const struct not_text *kind = not_text_find(bytes, length);
    if (kind == NULL)
        return true;
    error_set(error, ERROR_INPUT, "%s: this is %s", path, kind->what);
    error_hint(error, "%s", kind->hint);
    return false;
}
