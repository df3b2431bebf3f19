/* Any bytes as a reviewed workbook: as the file itself, or as the texts, rows and properties of
 * one. Checksums would keep chance out of the parts, so those are packed here. */
#include "tests/fuzz/fuzz.h"

#include "base/text/workbook_reader.h"
#include "report/workbook_identity.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

struct packing {
    uint8_t *bytes;
    size_t used;
    struct {
        const char *name;
        size_t offset, length;
        uint32_t crc;
    } parts[5];
    int count;
};

static void put(struct packing *packing, const void *bytes, size_t length)
{
    uint8_t *grown = realloc(packing->bytes, packing->used + length + 1);
    if (grown == NULL)
        abort();
    packing->bytes = grown;
    if (length > 0)
        memcpy(grown + packing->used, bytes, length);
    packing->used += length;
}

static void put_number(struct packing *packing, uint32_t value, int count)
{
    for (int i = 0; i < count; i++)
        put(packing, &(uint8_t){ (uint8_t)(value >> 8 * i) }, 1);
}

/* What the local header and the directory have alike: stored, without a date. */
static void put_facts(struct packing *packing, int part)
{
    uint32_t length = (uint32_t)packing->parts[part].length;
    put_number(packing, 20, 2);
    put_number(packing, 0, 2);
    put_number(packing, 0, 2);
    put_number(packing, 0, 4);
    put_number(packing, packing->parts[part].crc, 4);
    put_number(packing, length, 4);
    put_number(packing, length, 4);
    put_number(packing, (uint32_t)strlen(packing->parts[part].name), 2);
    put_number(packing, 0, 2);
}

static void put_part(struct packing *packing, const char *name, const void *bytes, size_t length)
{
    int part = packing->count++;
    packing->parts[part].name = name;
    packing->parts[part].offset = packing->used;
    packing->parts[part].length = length;
    packing->parts[part].crc = (uint32_t)crc32(0, bytes, (uInt)length);
    put(packing, "PK\3\4", 4);
    put_facts(packing, part);
    put(packing, name, strlen(name));
    put(packing, bytes, length);
}

static void put_directory(struct packing *packing)
{
    size_t start = packing->used;
    for (int i = 0; i < packing->count; i++) {
        put(packing, "PK\1\2\24\0", 6);
        put_facts(packing, i);
        put_number(packing, 0, 2);
        put_number(packing, 0, 2);
        put_number(packing, 0, 2);
        put_number(packing, 0, 4);
        put_number(packing, (uint32_t)packing->parts[i].offset, 4);
        put(packing, packing->parts[i].name, strlen(packing->parts[i].name));
    }
    size_t length = packing->used - start;
    put(packing, "PK\5\6\0\0\0\0", 8);
    put_number(packing, (uint32_t)packing->count, 2);
    put_number(packing, (uint32_t)packing->count, 2);
    put_number(packing, (uint32_t)length, 4);
    put_number(packing, (uint32_t)start, 4);
    put_number(packing, 0, 2);
}

static bool look(void *context, int64_t row, const char *const *cells, struct error *error)
{
    size_t *length = context;
    char date[11];
    (void)row;
    (void)error;
    for (int i = 0; i < WORKBOOK_COLUMNS; i++)
        if (cells[i] != NULL)
            *length += strlen(cells[i]) + workbook_date(cells[i], date);
    return true;
}

static void read_file(const uint8_t *data, size_t size)
{
    struct error error = { 0 };
    size_t length = 0;
    struct workbook_identity identity;
    const char *why = NULL, *path = fuzz_file(data, size);
    if (!workbook_read(path, "S", look, &length, &error) && error.message[0] == '\0')
        abort();
    bool is_read = workbook_identity_read(path, &identity, &why);
    if (is_read && (identity.title == NULL || identity.subject == NULL || identity.comments == NULL))
        abort();
    if (is_read)
        workbook_identity_free(&identity);
    else if (why == NULL)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char workbook[] = "<workbook><sheets><sheet name=\"S\" sheetId=\"1\" r:id=\"a\" "
                                   "xmlns:r=\"x\"/></sheets></workbook>";
    static const char relations[] =
        "<Relationships><Relationship Id=\"a\" Target=\"s.xml\"/></Relationships>";
    struct packing packing = { 0 };
    if (size < 2 || data[0] & 1) {
        read_file(data + (size > 0), size - (size > 0));
        return 0;
    }
    size_t texts = (size - 2) * data[1] / 255; /* the rest are the rows */
    put_part(&packing, "xl/workbook.xml", workbook, sizeof workbook - 1);
    put_part(&packing, "xl/_rels/workbook.xml.rels", relations, sizeof relations - 1);
    put_part(&packing, "xl/sharedStrings.xml", data + 2, texts);
    put_part(&packing, "xl/s.xml", data + 2 + texts, size - 2 - texts);
    put_part(&packing, "docProps/core.xml", data + 2, size - 2);
    put_directory(&packing);
    read_file(packing.bytes, packing.used);
    free(packing.bytes);
    return 0;
}
