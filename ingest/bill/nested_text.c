/* ingest/bill/nested_text.c: see nested_text.h.
 *
 * One pass over the tokens rewrites the text as JSON whose numbers are strings. The result is at
 * most six times as long (a control character in a Python string becomes \u00XX). A single quote
 * opens a string only in Python, and only Python writes None, True and False. So the meaning of a
 * token never depends on earlier tokens.
 */
#include "ingest/bill/nested_text.h"

#include "base/decimal.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct rewriting {
    const char *next, *end;
    char *out;
};

static void put(struct rewriting *text, const char *bytes, size_t length)
{
    memcpy(text->out, bytes, length);
    text->out += length;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Rewrites an escape. JSON's own escapes stay; Python's \' and \xHH become escapes of JSON. */
static bool rewrite_escape(struct rewriting *text)
{
    static const char same[] = "\"\\/bfnrtu";
    if (text->next == text->end)
        return false;
    char escape = *text->next++;
    if (escape == '\'') {
        put(text, "'", 1);
    } else if (escape == 'x') {
        if (text->end - text->next < 2 || hex_digit(text->next[0]) < 0 || hex_digit(text->next[1]) < 0)
            return false;
        put(text, "\\u00", 4);
        put(text, text->next, 2);
        text->next += 2;
    } else if (strchr(same, escape) != NULL && escape != '\0') {
        put(text, (const char[]){ '\\', escape }, 2);
    } else {
        return false;
    }
    return true;
}

static bool rewrite_string(struct rewriting *text)
{
    char quote = *text->next++;
    put(text, "\"", 1);
    while (text->next < text->end && *text->next != quote) {
        char c = *text->next++;
        if (c == '\\') {
            if (!rewrite_escape(text))
                return false;
        } else if (c == '"') {
            put(text, "\\\"", 2);
        } else if ((unsigned char)c < 0x20) {
            return false;
        } else {
            put(text, &c, 1);
        }
    }
    put(text, "\"", 1);
    return text->next++ < text->end;
}

static bool rewrite_number(struct rewriting *text)
{
    struct decimal value;
    size_t length = 0;
    while (text->next + length < text->end && text->next[length] != '\0' &&
           strchr("+-.eE0123456789", text->next[length]) != NULL)
        length++;
    if (!decimal_parse(text->next, length, &value))
        return false;
    put(text, "\"", 1);
    put(text, text->next, length);
    put(text, "\"", 1);
    text->next += length;
    return true;
}

static bool rewrite_word(struct rewriting *text)
{
    static const struct {
        const char *word, *json;
    } words[] = { { "null", "null" }, { "None", "null" },   { "true", "true" },
                  { "True", "true" }, { "false", "false" }, { "False", "false" } };
    size_t left = (size_t)(text->end - text->next);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t length = strlen(words[i].word);
        if (left >= length && memcmp(text->next, words[i].word, length) == 0) {
            put(text, words[i].json, strlen(words[i].json));
            text->next += length;
            return true;
        }
    }
    return false;
}

static bool rewrite_token(struct rewriting *text)
{
    char c = *text->next;
    if (c == '"' || c == '\'')
        return rewrite_string(text);
    if (c == '-' || (c >= '0' && c <= '9'))
        return rewrite_number(text);
    if (c != '\0' && strchr("{}[]:, \t\r\n", c) != NULL) {
        put(text, text->next++, 1);
        return true;
    }
    return rewrite_word(text);
}

struct cJSON *nested_text_parse(const char *text, size_t length, const char **problem)
{
    *problem = "longer than the limit of 65536 bytes";
    if (length > NESTED_TEXT_BYTES_MAXIMUM)
        return NULL;
    char *json = malloc(6 * length + 1);
    *problem = "neither JSON nor a printed list of records";
    struct rewriting rewriting = { text, text + length, json };
    cJSON *value = NULL;
    bool ok = true;
    while (ok && rewriting.next < rewriting.end)
        ok = rewrite_token(&rewriting);
    if (ok) {
        *rewriting.out = '\0';
        value = cJSON_ParseWithOpts(json, NULL, true);
    }
    free(json);
    return value;
}
