/* ingest/json_records.c: see json_records.h.
 *
 * The reader is at one of four places: between documents, in an array of records, in an array under
 * a key of a wrapping object, or behind that array among the other members. An object between
 * documents may be a record, so its text is kept while it is read. If one of the keys appears in
 * it, the text is dropped.
 */
#include "ingest/json_records.h"

#include "base/text/byte_source.h"
#include "base/utf8.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK_BYTES = 64 << 10, NOTHING_MORE = -1, BROKEN_OFF = -2 };

struct json_records {
    struct byte_source *source;
    const char *path;
    const char *const *keys;
    char chunk[CHUNK_BYTES];
    size_t in_chunk, at;
    bool read_failed;
    int64_t line;    /* of the next byte */
    int64_t records; /* seen so far */
    enum { BETWEEN_DOCUMENTS, IN_ARRAY, IN_KEYED_ARRAY, BEHIND_KEYED_ARRAY } place;
    char *kept; /* the text of the current record */
    size_t length, capacity;
    bool too_long, too_deep, no_object;
    bool keeps_before_cut, is_cut;
    cJSON *value;
};

/* ---- bytes ---- */

/* The next byte without taking it; NOTHING_MORE at the end, BROKEN_OFF after a read error. */
static int peek(struct json_records *records, struct error *error)
{
    if (records->read_failed)
        return BROKEN_OFF;
    if (records->at == records->in_chunk) {
        records->at = 0;
        if (!byte_source_read(records->source, records->chunk, CHUNK_BYTES, &records->in_chunk, error)) {
            records->in_chunk = 0;
            records->read_failed = true;
            return BROKEN_OFF;
        }
        if (records->in_chunk == 0)
            return NOTHING_MORE;
    }
    return (unsigned char)records->chunk[records->at];
}

static void take(struct json_records *records)
{
    records->line += records->chunk[records->at] == '\n';
    records->at++;
}

static void make_room(struct json_records *records)
{
    if (records->length < records->capacity)
        return;
    records->capacity = records->capacity == 0 ? CHUNK_BYTES : 2 * records->capacity;
    records->kept = realloc(records->kept, records->capacity + 1); /* room for a NUL behind it */
}

/* Takes the peeked byte, and keeps it unless the record is too long. */
static void keep(struct json_records *records)
{
    if (records->length == JSON_RECORD_BYTES_MAXIMUM) {
        records->too_long = true;
    } else {
        make_room(records);
        records->kept[records->length++] = records->chunk[records->at];
    }
    take(records);
}

static void forget(struct json_records *records)
{
    records->length = 0;
    records->too_long = records->too_deep = records->no_object = false;
}

static bool is_space(int byte)
{
    return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r' ||
           byte == 0x1e; /* 1E: RFC 7464's separator */
}

static int peek_past_space(struct json_records *records, struct error *error)
{
    int byte = peek(records, error);
    while (is_space(byte)) {
        take(records);
        byte = peek(records, error);
    }
    return byte;
}

/* ---- values ---- */

/* The file ends within a value. If several objects follow each other, the last one becomes one bad
 * record. */
static bool cut_off(struct json_records *records, int byte, struct error *error)
{
    records->is_cut =
        byte == NOTHING_MORE && records->keeps_before_cut && records->place == BETWEEN_DOCUMENTS;
    if (byte == NOTHING_MORE && !records->is_cut)
        error_set(error, ERROR_INPUT, "%s, line %lld: the document ends in the middle", records->path,
                  (long long)records->line);
    return false;
}

/* Keeps a string, from quote to quote. */
static bool keep_string(struct json_records *records, struct error *error)
{
    bool escaped = false;
    keep(records);
    for (int byte = peek(records, error);; byte = peek(records, error)) {
        if (byte < 0)
            return cut_off(records, byte, error);
        keep(records);
        if (!escaped && byte == '"')
            return true;
        escaped = !escaped && byte == '\\';
    }
}

/* Keeps all bytes up to the bracket that closes `depth` levels. */
static bool keep_to_close(struct json_records *records, int depth, struct error *error)
{
    while (depth > 0) {
        int byte = peek(records, error);
        if (byte < 0)
            return cut_off(records, byte, error);
        if (byte == '"') {
            if (!keep_string(records, error))
                return false;
            continue;
        }
        keep(records);
        if (byte == '{' || byte == '[')
            depth++;
        else if (byte == '}' || byte == ']')
            depth--;
        if (depth > JSON_DEPTH_MAXIMUM)
            records->too_deep = true;
    }
    return true;
}

/* Keeps one value of any type; its text ends where something else begins. */
static bool keep_value(struct json_records *records, struct error *error)
{
    int byte = peek_past_space(records, error);
    if (byte == '"')
        return keep_string(records, error);
    if (byte == '{' || byte == '[') {
        keep(records);
        return keep_to_close(records, 1, error);
    }
    while (byte >= 0 && !is_space(byte) && byte != ',' && byte != ']' && byte != '}') {
        keep(records);
        byte = peek(records, error);
    }
    return byte >= 0 || cut_off(records, byte, error);
}

/* ---- records ---- */

static enum json_outcome break_record(struct json_record *record, const char *reason)
{
    snprintf(record->reason, sizeof record->reason, "%s", reason);
    return JSON_BROKEN;
}

/* Parses the text that was kept. */
static enum json_outcome parse(struct json_records *records, struct json_record *record)
{
    records->records++;
    record->raw = (struct text_slice){ records->kept, records->length };
    if (records->too_long)
        return break_record(record, "is longer than 64 MiB");
    if (records->too_deep)
        return break_record(record, "is nested more than 200 levels deep");
    if (records->no_object)
        return break_record(record,
                            "is not JSON: a name in quotes and a colon should stand before each value");
    if (utf8_valid_prefix(records->kept, records->length) < records->length)
        return break_record(record, "is not UTF-8");
    const char *end = records->kept;
    records->kept[records->length] = '\0';
    records->value = cJSON_ParseWithLengthOpts(records->kept, records->length + 1, &end, true);
    record->value = records->value;
    if (records->value != NULL)
        return JSON_RECORD;
    char excerpt[64];
    size_t left = records->length - (size_t)(end - records->kept);
    snprintf(record->reason, sizeof record->reason, "is not JSON at \"%s\"",
             utf8_excerpt(end, left < 40 ? left : 40, excerpt, sizeof excerpt));
    return JSON_BROKEN;
}

static bool is_key(const struct json_records *records, const char *text, size_t length)
{
    for (int i = 0; records->keys[i] != NULL; i++)
        if (strlen(records->keys[i]) == length && memcmp(records->keys[i], text, length) == 0)
            return true;
    return false;
}

enum member { MEMBER_PASSED, MEMBER_IS_KEYED_ARRAY, MEMBER_NONE, MEMBER_BAD, MEMBER_FAILED };

/* Passes a member of an object and the comma before it. Stops after '[' if the member is an array
 * under one of the keys. */
static enum member keep_member(struct json_records *records, struct error *error)
{
    int byte = peek_past_space(records, error);
    if (byte == ',') {
        keep(records);
        byte = peek_past_space(records, error);
    }
    if (byte < 0) {
        cut_off(records, byte, error);
        return MEMBER_FAILED;
    }
    if (byte == '}')
        return MEMBER_NONE;
    if (byte != '"')
        return MEMBER_BAD;
    size_t start = records->length;
    if (!keep_string(records, error))
        return MEMBER_FAILED;
    bool keyed =
        !records->too_long && is_key(records, records->kept + start + 1, records->length - start - 2);
    if (peek_past_space(records, error) != ':')
        return MEMBER_BAD;
    keep(records);
    if (keyed && peek_past_space(records, error) == '[') {
        take(records);
        return MEMBER_IS_KEYED_ARRAY;
    }
    return keep_value(records, error) ? MEMBER_PASSED : MEMBER_FAILED;
}

/* An object between documents is a record, unless a member of it holds the records. */
static bool read_object(struct json_records *records, bool *is_record, struct error *error)
{
    enum member member = MEMBER_PASSED;
    keep(records);
    while (member == MEMBER_PASSED)
        member = keep_member(records, error);
    *is_record = member != MEMBER_IS_KEYED_ARRAY;
    if (member == MEMBER_IS_KEYED_ARRAY) {
        forget(records);
        records->place = IN_KEYED_ARRAY;
        return true;
    }
    records->no_object = member == MEMBER_BAD;
    return member != MEMBER_FAILED && keep_to_close(records, 1, error);
}

/* After a keyed array: moves to the next one, or past the end of the object. */
static bool leave_object(struct json_records *records, struct error *error)
{
    enum member member = MEMBER_PASSED;
    while (member == MEMBER_PASSED) {
        forget(records);
        member = keep_member(records, error);
    }
    forget(records);
    if (member == MEMBER_IS_KEYED_ARRAY) {
        records->place = IN_KEYED_ARRAY;
        return true;
    }
    if (member == MEMBER_NONE) {
        take(records);
        records->place = BETWEEN_DOCUMENTS;
        return true;
    }
    if (member == MEMBER_BAD)
        error_set(error, ERROR_INPUT, "%s, line %lld: is not JSON behind the records", records->path,
                  (long long)records->line);
    return false;
}

/* Reads the next element of an array of records. *found false: the array has ended. */
static bool read_element(struct json_records *records, struct json_record *record, bool *found,
                         struct error *error)
{
    int byte = peek_past_space(records, error);
    while (byte == ',') {
        take(records);
        byte = peek_past_space(records, error);
    }
    if (byte < 0)
        return cut_off(records, byte, error);
    *found = byte != ']';
    if (!*found) {
        take(records);
        records->place = records->place == IN_ARRAY ? BETWEEN_DOCUMENTS : BEHIND_KEYED_ARRAY;
        return true;
    }
    if (byte == '}')
        return error_set(error, ERROR_INPUT, "%s, line %lld: \"}\" where a record or \"]\" should be",
                         records->path, (long long)records->line);
    record->line = records->line;
    return keep_value(records, error);
}

/* Reads what follows between documents. *found: a record; *ended: nothing follows. */
static bool read_document(struct json_records *records, struct json_record *record, bool *found, bool *ended,
                          struct error *error)
{
    int byte = peek_past_space(records, error);
    *ended = byte == NOTHING_MORE;
    if (byte < 0)
        return byte == NOTHING_MORE;
    record->line = records->line;
    if (byte == '{')
        return read_object(records, found, error);
    if (byte == '[') {
        take(records);
        records->place = IN_ARRAY;
        return true;
    }
    return error_set(error, ERROR_INPUT, "%s, line %lld: is not JSON: it begins with neither { nor [",
                     records->path, (long long)records->line);
}

enum json_outcome json_records_next(struct json_records *records, struct json_record *record,
                                    struct error *error)
{
    bool ok = true, found = false, ended = false;
    cJSON_Delete(records->value);
    records->value = NULL;
    *record = (struct json_record){ 0 };
    while (ok && !found && !ended) {
        forget(records);
        if (records->place == BETWEEN_DOCUMENTS)
            ok = read_document(records, record, &found, &ended, error);
        else if (records->place == BEHIND_KEYED_ARRAY)
            ok = leave_object(records, error);
        else
            ok = read_element(records, record, &found, error);
    }
    if (!ok && records->is_cut) {
        record->raw = (struct text_slice){ records->kept, records->length };
        return break_record(record, "is cut off: the file ends within it");
    }
    if (!ok)
        return JSON_FAILED;
    return ended ? JSON_END : parse(records, record);
}

/* ---- open and close ---- */

/* Skips a byte-order mark, and refuses an empty file. */
static bool begin(struct json_records *records, struct error *error)
{
    static const char mark[] = "\xef\xbb\xbf";
    int byte = peek(records, error);
    if (byte == NOTHING_MORE)
        return error_set_empty_file(error, records->path);
    if (byte >= 0 && records->in_chunk >= 3 && memcmp(records->chunk, mark, 3) == 0)
        records->at = 3;
    return byte >= 0;
}

struct json_records *json_records_open(const char *path, const char *const *keys, struct error *error)
{
    struct json_records *records = calloc(1, sizeof *records);
    records->path = path;
    records->keys = keys;
    records->line = 1;
    records->source = byte_source_open(path, 0, 0, error);
    make_room(records);
    if (records->source != NULL && begin(records, error))
        return records;
    json_records_close(records);
    return NULL;
}

void json_records_keep_before_cut(struct json_records *records)
{
    records->keeps_before_cut = true;
}

void json_records_close(struct json_records *records)
{
    if (records == NULL)
        return;
    byte_source_close(records->source);
    cJSON_Delete(records->value);
    free(records->kept);
    free(records);
}

int64_t json_records_position(const struct json_records *records)
{
    return byte_source_position(records->source);
}
