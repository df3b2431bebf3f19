/* base/text/workbook_reader.c: see workbook_reader.h. */
#include "base/text/workbook_reader.h"

#include "base/text/zip_archive.h"
#include "base/time_text.h"

#include <expat.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_BYTES = 512, SHEET_TEXT_BYTES = 4 * WORKBOOK_TEXT_BYTES };

/* Growing text. */
struct text {
    char *bytes;
    size_t length, room;
};

struct reader {
    XML_Parser parser;
    XML_StartElementHandler begins; /* of the current part */
    XML_EndElementHandler ends;
    XML_Index length; /* bytes of the part that were parsed */
    int depth;        /* elements that are open */
    struct error *error;
    bool failed; /* error is set */
    const char *path, *sheet;
    char relation[PATH_BYTES]; /* of the sheet: its id in xl/workbook.xml */
    char target[PATH_BYTES];   /* the part that contains it */
    bool date_1904;

    struct text texts; /* shared strings, NUL-terminated, one after another */
    size_t *offsets;   /* of each */
    size_t text_count, offset_room;

    bool in_text, in_phonetic; /* in <t> or <v>; in <rPh>, which is no text */
    struct text value;         /* of the current cell or shared string */
    char cell_type[16];
    int column, next_column; /* of the current cell; of a cell that names none */
    int64_t row;
    char *cells[WORKBOOK_COLUMNS]; /* owned */
    bool any;
    size_t shown; /* bytes of the sheet's cells: thousands may share one text */
    workbook_row_visitor visit;
    void *context;
};

/* ---- text ---- */

static void fail(struct reader *reader)
{
    reader->failed = true;
    XML_StopParser(reader->parser, XML_FALSE);
}

/* Refuses more text than people write into a workbook: a small file may unpack to any size. */
static void fail_too_long(struct reader *reader)
{
    error_set(reader->error, ERROR_INPUT, "%s: holds more than %d MiB of text, or than %d texts",
              reader->path, WORKBOOK_TEXT_BYTES >> 20, WORKBOOK_TEXTS);
    fail(reader);
}

static void append(struct reader *reader, struct text *text, const char *bytes, size_t length)
{
    if (text->length + length > WORKBOOK_TEXT_BYTES) {
        fail_too_long(reader);
        return;
    }
    if (text == &reader->value &&
        text->length + length > WORKBOOK_CELL_BYTES) { /* every cell may repeat the text */
        error_set(reader->error, ERROR_INPUT, "%s: holds a text of more than %d KiB", reader->path,
                  WORKBOOK_CELL_BYTES >> 10);
        fail(reader);
        return;
    }
    if (text->length + length + 1 > text->room) {
        text->room = 2 * (text->length + length) + 256;
        text->bytes = realloc(text->bytes, text->room);
    }
    memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
    text->bytes[text->length] = '\0';
}

/* The name of an element without the prefix that some writers add. */
static const char *local(const char *name)
{
    const char *colon = strrchr(name, ':');
    return colon != NULL ? colon + 1 : name;
}

static const char *attribute(const char **attributes, const char *name)
{
    for (int i = 0; attributes[i] != NULL; i += 2)
        if (strcmp(local(attributes[i]), name) == 0)
            return attributes[i + 1];
    return NULL;
}

static bool is_true(const char *text)
{
    return text != NULL && (strcmp(text, "1") == 0 || strcmp(text, "true") == 0);
}

/* ---- which part the sheet is ---- */

static void workbook_element(void *opaque, const char *name, const char **attributes)
{
    struct reader *reader = opaque;
    const char *sheet = attribute(attributes, "name"), *id = NULL;
    if (strcmp(local(name), "workbookPr") == 0)
        reader->date_1904 = is_true(attribute(attributes, "date1904"));
    if (strcmp(local(name), "sheet") != 0 || sheet == NULL || strcmp(sheet, reader->sheet) != 0)
        return;
    for (int i = 0; attributes[i] != NULL; i += 2) /* r:id, beside sheetId */
        if (strchr(attributes[i], ':') != NULL && strcmp(local(attributes[i]), "id") == 0)
            id = attributes[i + 1];
    if (id != NULL)
        snprintf(reader->relation, sizeof reader->relation, "%s", id);
}

static void relation_element(void *opaque, const char *name, const char **attributes)
{
    struct reader *reader = opaque;
    const char *id = attribute(attributes, "Id"), *target = attribute(attributes, "Target");
    if (strcmp(local(name), "Relationship") != 0 || id == NULL || target == NULL ||
        strcmp(id, reader->relation) != 0)
        return;
    if (target[0] == '/')
        snprintf(reader->target, sizeof reader->target, "%s", target + 1);
    else
        snprintf(reader->target, sizeof reader->target, "xl/%s", target);
}

/* ---- texts that cells share ---- */

static void begin_value(struct reader *reader)
{
    reader->value.length = 0;
    append(reader, &reader->value, "", 0);
}

static void characters(void *opaque, const char *bytes, int length)
{
    struct reader *reader = opaque;
    if (reader->in_text && !reader->in_phonetic)
        append(reader, &reader->value, bytes, (size_t)length);
}

static void shared_begins(void *opaque, const char *name, const char **attributes)
{
    struct reader *reader = opaque;
    (void)attributes;
    name = local(name);
    if (strcmp(name, "si") == 0)
        begin_value(reader);
    reader->in_phonetic = reader->in_phonetic || strcmp(name, "rPh") == 0;
    reader->in_text = strcmp(name, "t") == 0;
}

static void keep_shared(struct reader *reader)
{
    if (reader->text_count == WORKBOOK_TEXTS) {
        fail_too_long(reader);
        return;
    }
    if (reader->text_count == reader->offset_room) {
        reader->offset_room = 2 * reader->offset_room + 256;
        reader->offsets = realloc(reader->offsets, reader->offset_room * sizeof *reader->offsets);
    }
    reader->offsets[reader->text_count++] = reader->texts.length;
    append(reader, &reader->texts, reader->value.bytes, reader->value.length + 1);
}

static void shared_ends(void *opaque, const char *name)
{
    struct reader *reader = opaque;
    name = local(name);
    reader->in_text = false;
    if (strcmp(name, "rPh") == 0)
        reader->in_phonetic = false;
    if (strcmp(name, "si") == 0)
        keep_shared(reader);
}

/* ---- rows ---- */

/* The column in "AB12", from 0; −1: none. */
static int column_of(const char *reference)
{
    int column = 0;
    const char *at = reference;
    for (; *at >= 'A' && *at <= 'Z' && column < WORKBOOK_COLUMNS * 26; at++)
        column = column * 26 + (*at - 'A' + 1);
    return at == reference ? -1 : column - 1;
}

static void cell_begins(struct reader *reader, const char **attributes)
{
    const char *reference = attribute(attributes, "r"), *type = attribute(attributes, "t");
    reader->column = reference != NULL ? column_of(reference) : reader->next_column;
    reader->next_column = reader->column + 1;
    snprintf(reader->cell_type, sizeof reader->cell_type, "%s", type != NULL ? type : "n");
    begin_value(reader);
}

static void sheet_begins(void *opaque, const char *name, const char **attributes)
{
    struct reader *reader = opaque;
    name = local(name);
    reader->in_phonetic = reader->in_phonetic || strcmp(name, "rPh") == 0;
    reader->in_text = strcmp(name, "v") == 0 || strcmp(name, "t") == 0;
    if (strcmp(name, "row") == 0) {
        const char *row = attribute(attributes, "r");
        reader->row = row != NULL ? strtoll(row, NULL, 10) : reader->row + 1;
        reader->next_column = 0;
        reader->any = false;
    } else if (strcmp(name, "c") == 0) {
        cell_begins(reader, attributes);
    }
}

/* The text of a cell; NULL if it is empty. */
static const char *cell_text(struct reader *reader)
{
    const char *value = reader->value.bytes;
    if (reader->value.length == 0)
        return NULL;
    if (strcmp(reader->cell_type, "s") == 0) {
        size_t index = strtoull(value, NULL, 10);
        value = index < reader->text_count ? reader->texts.bytes + reader->offsets[index] : "";
    } else if (strcmp(reader->cell_type, "b") == 0) {
        value = is_true(value) ? "TRUE" : "FALSE";
    }
    return value[0] != '\0' ? value : NULL;
}

static void cell_ends(struct reader *reader)
{
    const char *text = cell_text(reader);
    if (text == NULL || reader->column < 0 || reader->column >= WORKBOOK_COLUMNS)
        return;
    reader->shown += strlen(text);
    if (reader->shown > SHEET_TEXT_BYTES) {
        fail_too_long(reader);
        return;
    }
    free(reader->cells[reader->column]);
    reader->cells[reader->column] = strdup(text);
    reader->any = true;
}

static void forget_cells(struct reader *reader)
{
    for (int i = 0; i < WORKBOOK_COLUMNS; i++) {
        free(reader->cells[i]);
        reader->cells[i] = NULL;
    }
}

static void sheet_ends(void *opaque, const char *name)
{
    struct reader *reader = opaque;
    name = local(name);
    reader->in_text = false;
    if (strcmp(name, "rPh") == 0)
        reader->in_phonetic = false;
    else if (strcmp(name, "c") == 0)
        cell_ends(reader);
    else if (strcmp(name, "row") == 0) {
        if (reader->any && !reader->failed &&
            !reader->visit(reader->context, reader->row, (const char *const *)reader->cells, reader->error))
            fail(reader);
        forget_cells(reader);
    }
}

/* ---- the parts ---- */

/* Limits the depth, because expat keeps all open elements in memory. */
static void element_begins(void *opaque, const char *name, const char **attributes)
{
    struct reader *reader = opaque;
    if (++reader->depth <= WORKBOOK_DEPTH) {
        reader->begins(reader, name, attributes);
        return;
    }
    error_set(reader->error, ERROR_INPUT, "%s: its elements are nested more than %d deep", reader->path,
              WORKBOOK_DEPTH);
    fail(reader);
}

static void element_ends(void *opaque, const char *name)
{
    struct reader *reader = opaque;
    reader->depth--;
    if (reader->ends != NULL)
        reader->ends(reader, name);
}

/* Limits the length of tags and comments: with each chunk, expat reads an unfinished one again from
 * its beginning. */
static bool parse_chunk(void *opaque, const unsigned char *chunk, size_t length)
{
    struct reader *reader = opaque;
    if (XML_Parse(reader->parser, (const char *)chunk, (int)length, 0) != XML_STATUS_OK)
        return false;
    reader->length += (XML_Index)length;
    XML_Index begun = XML_GetCurrentByteIndex(reader->parser); /* −1: not parsed yet */
    if (begun < 0 || reader->length - begun <= WORKBOOK_TAG_BYTES)
        return true;
    error_set(reader->error, ERROR_INPUT, "%s: holds a tag or a comment of more than %d KiB", reader->path,
              WORKBOOK_TAG_BYTES >> 10);
    fail(reader);
    return false;
}

/* Parses a part. A missing part is an error unless it `may_lack`. */
static bool parse(struct reader *reader, struct zip_archive *file, const char *path, const char *name,
                  bool may_lack, XML_StartElementHandler begins, XML_EndElementHandler ends)
{
    struct zip_part part;
    if (!zip_archive_find(file, name, &part))
        return may_lack ||
               error_set(reader->error, ERROR_INPUT, "%s: is not a workbook: it has no part %s", path, name);
    if (part.length > WORKBOOK_PART_BYTES)
        return error_set(reader->error, ERROR_INPUT, "%s: part %s is too long: %" PRIu64 " bytes", path, name,
                         part.length);
    reader->parser = XML_ParserCreate(NULL);
    reader->begins = begins;
    reader->ends = ends;
    reader->length = 0;
    reader->depth = 0;
    XML_SetUserData(reader->parser, reader);
    XML_SetElementHandler(reader->parser, element_begins, element_ends);
    XML_SetCharacterDataHandler(reader->parser, characters);
    bool ok =
        zip_part_unpack(&part, parse_chunk, reader) && XML_Parse(reader->parser, "", 0, 1) == XML_STATUS_OK;
    if (!ok && !reader->failed)
        error_set(reader->error, ERROR_INPUT, "%s, part %s, line %lu: %s", path, name,
                  (unsigned long)XML_GetCurrentLineNumber(reader->parser),
                  XML_GetErrorCode(reader->parser) != XML_ERROR_NONE
                      ? XML_ErrorString(XML_GetErrorCode(reader->parser))
                      : "does not unpack to what it should be");
    XML_ParserFree(reader->parser);
    reader->parser = NULL;
    return ok;
}

static bool read_parts(struct reader *reader, struct zip_archive *file, const char *path)
{
    if (!parse(reader, file, path, "xl/workbook.xml", false, workbook_element, NULL))
        return false;
    if (reader->relation[0] == '\0')
        return error_set(reader->error, ERROR_INPUT, "%s: has no sheet \"%s\"", path, reader->sheet);
    if (reader->date_1904)
        return error_set(reader->error, ERROR_INPUT,
                         "%s: counts days from 1904: switch that off and save it again", path);
    return parse(reader, file, path, "xl/_rels/workbook.xml.rels", false, relation_element, NULL) &&
           parse(reader, file, path, "xl/sharedStrings.xml", true, shared_begins, shared_ends) &&
           parse(reader, file, path, reader->target, false, sheet_begins, sheet_ends);
}

bool workbook_read(const char *path, const char *sheet, workbook_row_visitor visit, void *context,
                   struct error *error)
{
    struct reader *reader = calloc(1, sizeof *reader);
    struct zip_archive file;
    *reader =
        (struct reader){ .error = error, .path = path, .sheet = sheet, .visit = visit, .context = context };
    bool ok = zip_archive_open(path, &file, error);
    if (ok) {
        *error = (struct error){ 0 };
        ok = read_parts(reader, &file, path);
        zip_archive_close(&file);
    }
    forget_cells(reader);
    free(reader->texts.bytes);
    free(reader->offsets);
    free(reader->value.bytes);
    free(reader);
    return ok;
}

/* ---- cells ---- */

bool workbook_date(const char *serial, char date[11])
{
    static const double LAST = 2958465;      /* 9999-12-31 */
    static const int64_t EPOCH_DAYS = 25569; /* 1970-01-01 */
    char *end, text[32];
    double days = strtod(serial, &end);
    if (end == serial || *end != '\0' || !(days >= 61) ||
        days > LAST) /* before March 1900 Excel counts a day too many */
        return false;
    time_format(((int64_t)days - EPOCH_DAYS) * 86400 * INT64_C(1000000), text);
    snprintf(date, 11, "%.10s", text);
    return true;
}

void workbook_column_name(int column, char name[4])
{
    if (column >= 26)
        snprintf(name, 4, "%c%c", 'A' + column / 26 - 1, 'A' + column % 26);
    else
        snprintf(name, 4, "%c", 'A' + column);
}
