/* forecast/json_position.c: see json_position.h. */
#include "forecast/json_position.h"

#include <string.h>

/* cJSON treats every control character between tokens as space. */
static const char *skip_space(const char *at)
{
    while ((unsigned char)*at > 0 && (unsigned char)*at <= ' ')
        at++;
    return at;
}

/* Skips a string, if one begins here. */
static const char *skip_string(const char *at)
{
    if (*at != '"')
        return at;
    for (at++; *at != '"' && *at != '\0'; at++) {
        if (*at == '\\' && at[1] != '\0')
            at++;
    }
    return *at == '"' ? at + 1 : at;
}

/* Skips one value; objects and lists without recursion. */
static const char *skip_value(const char *at)
{
    size_t depth = 0;
    do {
        at = skip_space(at);
        if (*at == '"') {
            at = skip_string(at);
        } else if (*at == '{' || *at == '[') {
            depth++;
            at++;
        } else if (*at == '}' || *at == ']') {
            depth -= depth > 0;
            at++;
        } else if (*at == ',' || *at == ':') {
            at++;
        } else {
            while ((unsigned char)*at > ' ' && strchr(",:{}[]\"", *at) == NULL)
                at++;
        }
    } while (depth > 0 && *at != '\0');
    return at;
}

/* Skips the key of a member and its colon. */
static const char *skip_key(const char *at)
{
    at = skip_space(skip_string(skip_space(at)));
    return skip_space(*at == ':' ? at + 1 : at);
}

size_t json_position(const char *text, const size_t *way, size_t depth, bool of_key)
{
    const char *at = skip_space(strncmp(text, "\xEF\xBB\xBF", 3) == 0 ? text + 3 : text);
    for (size_t level = 0; level < depth && (*at == '{' || *at == '['); level++) {
        bool object = *at == '{';
        at = skip_space(at + 1);
        for (size_t i = 0; i < way[level]; i++) {
            at = skip_space(skip_value(object ? skip_key(at) : at));
            at = skip_space(*at == ',' ? at + 1 : at);
        }
        if (object && !(of_key && level + 1 == depth))
            at = skip_key(at);
    }
    return (size_t)(at - text);
}

size_t json_value_length(const char *text, size_t offset)
{
    return (size_t)(skip_value(text + offset) - (text + offset));
}

void json_line_and_column(const char *text, size_t offset, size_t *line, size_t *column)
{
    *line = *column = 1;
    for (size_t i = 0; i < offset && text[i] != '\0'; i++) {
        if (text[i] == '\n') {
            ++*line;
            *column = 1;
        } else {
            *column += (text[i] & 0xC0) != 0x80;
        }
    }
}
