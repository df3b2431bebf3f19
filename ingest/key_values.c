/* ingest/key_values.c: see key_values.h.
 *
 * cJSON finds out whether the text is an object, and its members. But cJSON accepts more than RFC
 * 8259 and jsonb, which would refuse it in the middle of a load: control characters in strings,
 * \u0000, numbers such as 01 or 1. (and numbers of any size). A scan over the tokens finds those.
 */
#include "ingest/key_values.h"

#include "base/decimal.h"
#include "ingest/json_fields.h"

#include <cjson/cJSON.h>
#include <string.h>

/* The end of the string that begins at `text`; NULL if jsonb refuses a part of it. */
static const char *string_end(const char *text, const char *end)
{
    for (text++; text < end && *text != '"'; text++) {
        if ((unsigned char)*text < 0x20)
            return NULL;
        if (*text != '\\')
            continue;
        text++;
        if (end - text >= 5 && memcmp(text, "u0000", 5) == 0)
            return NULL;
    }
    return text < end ? text + 1 : NULL;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The end of the number at `text`; NULL if RFC 8259 does not allow it, or it has too many
 * digits. */
static const char *number_end(const char *text, const char *end)
{
    const char *stop = text;
    while (stop < end && (is_digit(*stop) || strchr("+-.eE", *stop) != NULL))
        stop++;
    const char *digits = text + (*text == '-');
    if (digits == stop || !is_digit(*digits) || (*digits == '0' && digits + 1 < stop && is_digit(digits[1])))
        return NULL;
    const char *point = memchr(digits, '.', (size_t)(stop - digits));
    if (point != NULL && (point + 1 == stop || !is_digit(point[1])))
        return NULL;
    struct decimal value;
    return decimal_parse(text, (size_t)(stop - text), &value) ? stop : NULL;
}

static bool tokens_are_strict(const char *text, size_t length)
{
    const char *end = text + length;
    while (text != NULL && text < end) {
        if (*text == '"')
            text = string_end(text, end);
        else if (*text == '-' || is_digit(*text))
            text = number_end(text, end);
        else if ((unsigned char)*text < 0x20 && strchr("\t\n\r", *text) == NULL)
            text = NULL;
        else
            text++;
    }
    return text != NULL;
}

static const char *object_problem(const cJSON *object)
{
    const cJSON *member;
    if (!cJSON_IsObject(object))
        return "not a JSON object";
    cJSON_ArrayForEach(member, object)
    {
        if (cJSON_IsObject(member) || cJSON_IsArray(member))
            return "a JSON object with a value that is not a scalar";
    }
    return json_repeated_key(object) != NULL ? "a JSON object with the same key twice" : NULL;
}

const char *key_values_problem(const char *text, size_t length)
{
    const char *end = NULL;
    cJSON *object = cJSON_ParseWithLengthOpts(text, length, &end, false);
    if (object == NULL)
        return "not JSON";
    const char *problem = object_problem(object);
    cJSON_Delete(object);
    for (; problem == NULL && end < text + length; end++) {
        if (strchr(" \t\r\n", *end) == NULL)
            problem = "JSON with something after it";
    }
    if (problem == NULL && !tokens_are_strict(text, length))
        problem = "JSON with a number or character that RFC 8259 or PostgreSQL does not take";
    return problem;
}
