/* report/workbook_identity.c: see workbook_identity.h. */
#include "report/workbook_identity.h"

#include "base/system/file.h"
#include "base/text/zip_archive.h"
#include "report/workbook_name.h"

#include <expat.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_BYTES = 1 << 20 }; /* the most bytes of a property; cell texts are shorter */

/* The elements to read, and the fields for their texts. */
static const struct property {
    const char *element;
    size_t offset;
} properties[] = {
    { "dc:title", offsetof(struct workbook_identity, title) },
    { "dc:subject", offsetof(struct workbook_identity, subject) },
    { "dc:description", offsetof(struct workbook_identity, comments) },
};
enum { PROPERTIES = sizeof properties / sizeof properties[0] };

struct reading {
    XML_Parser parser;
    struct workbook_identity *identity;
    char **into; /* the current property, or NULL */
    size_t length;
    bool failed;
};

static void open_element(void *context, const char *name, const char **attributes)
{
    struct reading *reading = context;
    (void)attributes;
    reading->into = NULL;
    for (int i = 0; i < PROPERTIES; i++)
        if (strcmp(properties[i].element, name) == 0)
            reading->into = (char **)((char *)reading->identity + properties[i].offset);
    reading->length = reading->into != NULL ? strlen(*reading->into) : 0;
}

static void close_element(void *context, const char *name)
{
    (void)name;
    ((struct reading *)context)->into = NULL;
}

static void add_text(void *context, const char *text, int length)
{
    struct reading *reading = context;
    if (reading->into == NULL)
        return;
    size_t total = reading->length + (size_t)length;
    if (total >= LONGEST_BYTES) {
        reading->failed = true;
        return;
    }
    char *grown = *reading->into = realloc(*reading->into, total + 1);
    memcpy(grown + reading->length, text, (size_t)length);
    grown[total] = '\0';
    reading->length = total;
}

static bool parse_chunk(void *context, const unsigned char *chunk, size_t length)
{
    struct reading *reading = context;
    return length <= LONGEST_BYTES &&
           XML_Parse(reading->parser, (const char *)chunk, (int)length, false) == XML_STATUS_OK &&
           !reading->failed;
}

static bool read_properties(const struct zip_part *part, struct workbook_identity *identity)
{
    struct reading reading = { .parser = XML_ParserCreate(NULL), .identity = identity };
    if (reading.parser == NULL)
        return false;
    XML_SetUserData(reading.parser, &reading);
    XML_SetElementHandler(reading.parser, open_element, close_element);
    XML_SetCharacterDataHandler(reading.parser, add_text);
    bool ok = zip_part_unpack(part, parse_chunk, &reading) &&
              XML_Parse(reading.parser, "", 0, true) == XML_STATUS_OK;
    XML_ParserFree(reading.parser);
    return ok;
}

void workbook_identity_of(const struct book_head *head, struct workbook_identity *identity)
{
    char *owned = NULL;
    *identity = (struct workbook_identity){
        .title = text_of("%s %s", head->kind, head->period),
        .subject = text_of("%s", head->cost_centre != NULL ? cell_text(head->cost_centre, &owned) : ""),
        .comments = text_of("%s; run %s; kstar %s", head->status, head->run_id, head->kstar_version),
    };
    free(owned);
}

bool workbook_identity_read(const char *path, struct workbook_identity *identity, const char **why)
{
    struct zip_archive file;
    struct zip_part part;
    struct error ignored = { 0 };
    *identity = (struct workbook_identity){ strdup(""), strdup(""), strdup("") };
    *why = path_is_file(path) ? "is not a workbook" : "is not there";
    bool ok = identity->title != NULL && identity->subject != NULL && identity->comments != NULL &&
              path_is_file(path) && zip_archive_open(path, &file, &ignored);
    if (ok) {
        ok = zip_archive_find(&file, "docProps/core.xml", &part) && read_properties(&part, identity);
        zip_archive_close(&file);
    }
    if (!ok)
        workbook_identity_free(identity);
    return ok;
}

void workbook_identity_free(struct workbook_identity *identity)
{
    free(identity->title);
    free(identity->subject);
    free(identity->comments);
    *identity = (struct workbook_identity){ 0 };
}
