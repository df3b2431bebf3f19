/* ingest/measure/logged_identity.c: see logged_identity.h. */
#define _GNU_SOURCE /* memmem */
#include "ingest/measure/logged_identity.h"

#include "base/utf8.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

enum { VALUE_AND_QUOTES = LOGGED_VALUE_BYTES + 2 };

const char *const logged_field_names[LOGGED_FIELDS] = {
    [LOGGED_ACCELERATOR] = "accelerator",
    [LOGGED_PRECISION] = "precision",
    [LOGGED_BATCH] = "batch",
    [LOGGED_MODEL] = "model",
    [LOGGED_SEQUENCE_LENGTH] = "sequence_length",
    [LOGGED_SOFTWARE] = "software",
};

static bool is_quote(char byte)
{
    return byte == '"' || byte == '\'';
}

size_t logged_value_end(const char *line, size_t length, size_t at)
{
    for (; at < length; at++) {
        unsigned char byte = (unsigned char)line[at];
        bool is_digit_next = at + 1 < length && isdigit((unsigned char)line[at + 1]);
        if (isspace(byte) || iscntrl(byte) || is_quote(line[at]) ||
            (strchr(",;|)]}", byte) != NULL && !is_digit_next))
            break;
    }
    return at;
}

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t';
}

/* Whether a key may begin at `at`. */
static bool begins_key(const char *line, size_t at)
{
    if (at >= 2 && line[at - 1] == '-' && line[at - 2] == '-')
        at -= 2;
    return at == 0 || isspace((unsigned char)line[at - 1]) || iscntrl((unsigned char)line[at - 1]) ||
           strchr("([{\"',;|", line[at - 1]) != NULL;
}

/* The place of the value of the key [key, at); 0: none. */
static size_t find_value(const char *line, size_t length, size_t key, size_t at)
{
    bool is_quoted = key > 0 && is_quote(line[key - 1]) && at < length && line[at] == line[key - 1];
    if (is_quoted)
        for (at++; at < length && is_blank(line[at]);)
            at++;
    if (at == length || (line[at] != '=' && !(is_quoted && line[at] == ':')))
        return 0;
    for (at++; is_quoted && at < length && is_blank(line[at]);)
        at++;
    return at;
}

/* Copies the value at `at`, if it is readable. */
static bool copy_value(const char *line, size_t length, size_t at, char value[LOGGED_VALUE_BYTES])
{
    size_t most = length - at > VALUE_AND_QUOTES ? at + VALUE_AND_QUOTES : length, end;
    if (at < most && is_quote(line[at])) {
        const char *closing = memchr(line + at + 1, line[at], most - at - 1);
        at++;
        end = closing != NULL ? (size_t)(closing - line) : at;
    } else {
        end = at < most && strchr("[{", line[at]) == NULL ? logged_value_end(line, most, at) : at;
    }
    size_t bytes = end - at;
    if (bytes == 0 || bytes >= LOGGED_VALUE_BYTES || utf8_valid_prefix(line + at, bytes) != bytes ||
        memchr(line + at, '\\', bytes) != NULL)
        return false;
    memcpy(value, line + at, bytes);
    value[bytes] = '\0';
    for (const char *byte = value; *byte != '\0'; byte++)
        if (utf8_control(byte) > 0)
            return false;
    return strcmp(value, "null") != 0 && strcmp(value, "None") != 0;
}

static void take_field(struct logged_identity *identity, int field, const char *line, size_t length)
{
    const char *name = logged_field_names[field], *from = line, *end = line + length, *found;
    char value[LOGGED_VALUE_BYTES] = { 0 };
    while ((found = memmem(from, (size_t)(end - from), name, strlen(name))) != NULL) {
        size_t at = (size_t)(found - line);
        from = found + strlen(name);
        size_t begin = begins_key(line, at) ? find_value(line, length, at, (size_t)(from - line)) : 0;
        if (begin == 0 || !copy_value(line, length, begin, value))
            continue;
        char *first = identity->values[field], *other = identity->others[field];
        if (first[0] == '\0')
            memcpy(first, value, sizeof value);
        else if (other[0] == '\0' && strcasecmp(first, value) != 0)
            memcpy(other, value, sizeof value);
    }
}

void logged_identity_take(struct logged_identity *identity, const char *line, size_t length)
{
    size_t left = LOGGED_HEAD_BYTES - identity->head;
    length = length < left ? length : left;
    identity->head += length;
    for (int field = 0; field < LOGGED_FIELDS; field++)
        take_field(identity, field, line, length);
}
